"""How much of an eval's items stands in a training corpus. Knows nothing of runs, results, reports or configuration."""

from gate.contamination.modes import Mode
from gate.contamination.overlap import Confirm, FoundDocument, ItemOverlap, Match, TextOverlap
from gate.contamination.probes import Item
from gate.contamination.report import Allowed, Scan
from gate.contamination.scan import Question, ScanPlan, plan_scan, scan, tell
from gate.contamination.scan_file import cover, read_scan, render_scan, write_scan
from gate.contamination.shards import Fields
from gate.contamination.sources import find_sources, is_stored

__all__ = [
    "Allowed",
    "Confirm",
    "Fields",
    "FoundDocument",
    "Item",
    "ItemOverlap",
    "Match",
    "Mode",
    "Question",
    "Scan",
    "ScanPlan",
    "TextOverlap",
    "cover",
    "find_sources",
    "is_stored",
    "plan_scan",
    "read_scan",
    "render_scan",
    "scan",
    "tell",
    "write_scan",
]
