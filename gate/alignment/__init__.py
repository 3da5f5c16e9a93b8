"""PAIR: which items both runs hold, and each metric's scores side by side."""

from gate.alignment.design import Design, design_of
from gate.alignment.items import Alignment, align, align_alone, has_comparable_contents
from gate.alignment.pairing import pair_metric
from gate.alignment.pairs import MetricPairs, Reference

__all__ = [
    "Alignment",
    "Design",
    "MetricPairs",
    "Reference",
    "align",
    "align_alone",
    "design_of",
    "has_comparable_contents",
    "pair_metric",
]
