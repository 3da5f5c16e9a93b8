"""Two distributions over the same buckets, and what each bucket adds to the PSI."""

import math
from typing import NamedTuple

from gate.evidence import BucketEvidence
from gate.reports.escape import shorten
from gate.wording import number, percent

MOST_BUCKETS = 30

_SHARES = (104.0, 224.0)
_PARTS = (338.0, 396.0)
_TOP, _ROW = 22.0, 32.0
_LABEL_LIMIT = 16


class Bar(NamedTuple):
    """A bar from ``x`` on, and the figure that stands at its end."""

    x: float
    length: float
    label: str


class BucketRow(NamedTuple):
    """One bucket: its name, its height, its two shares and its part of the PSI."""

    name: str
    y: float
    baseline: Bar
    candidate: Bar
    part: Bar


class BucketPlot(NamedTuple):
    """The drawing; ``hidden`` counts the buckets that are not drawn."""

    height: float
    rows: tuple[BucketRow, ...]
    part_start: float
    share_start: float
    total: str
    hidden: int


def plot_buckets(evidence: BucketEvidence) -> BucketPlot:
    """Draw the first buckets, each run's as shares of its own items."""
    sides = (evidence.baseline, evidence.candidate)
    shares = [[amount / total if (total := sum(side)) else 0.0 for amount in side] for side in sides]
    most = max((share for side in shares for share in side), default=0.0) or 1.0
    largest = max(map(abs, evidence.contributions), default=0.0) or 1.0
    rows = []
    for index, name in enumerate(evidence.labels[:MOST_BUCKETS]):
        baseline, candidate = (
            _bar(_SHARES, share[index] / most, f"{side[index]} · {percent(share[index])}")
            for share, side in zip(shares, sides, strict=True)
        )
        part = evidence.contributions[index]
        bar = _bar(_PARTS, abs(part) / largest, number(part))
        rows.append(BucketRow(shorten(name, _LABEL_LIMIT), _TOP + index * _ROW, baseline, candidate, bar))
    height = _TOP + len(rows) * _ROW + 4
    total_psi = number(math.fsum(evidence.contributions))
    return BucketPlot(height, tuple(rows), _PARTS[0], _SHARES[0], total_psi, len(evidence.labels) - len(rows))


def _bar(stretch: tuple[float, float], share: float, label: str) -> Bar:
    return Bar(stretch[0], share * (stretch[1] - stretch[0]), label)
