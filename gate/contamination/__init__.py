"""How much of an eval's items stands in a training corpus. Knows nothing of runs, results, reports or configuration."""

from gate.contamination.engine import scan
from gate.contamination.report import Confirm, Item, ItemOverlap, Match, Scan, ScanProgress
from gate.contamination.sources import find_sources

__all__ = ["Confirm", "Item", "ItemOverlap", "Match", "Scan", "ScanProgress", "find_sources", "scan"]
