"""PAIR: which items both runs hold, and each metric's scores side by side."""

from gate.alignment.items import Alignment, align, align_alone
from gate.alignment.pairs import MetricPairs, pair_metric

__all__ = ["Alignment", "MetricPairs", "align", "align_alone", "pair_metric"]
