"""The commands beside `gate check`, and how far a long one is."""

from gate.commands.progress import progress_on
from gate.commands.record import history, promote
from gate.commands.rooms import ROOMS
from gate.commands.scan import scan

COMMANDS = (*ROOMS, scan, promote, history)

__all__ = ["COMMANDS", "progress_on"]
