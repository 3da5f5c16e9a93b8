"""READ: score files of every format -> Run."""

from gate.scores.reading import read_items, read_run, read_tasks, reported_suites
from gate.scores.registry import FORMATS, READERS

__all__ = ["FORMATS", "READERS", "read_items", "read_run", "read_tasks", "reported_suites"]
