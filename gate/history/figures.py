"""What a history keeps of a suite: each metric's mean, how sure it is, and of which items it is."""

import hashlib
import json
import math

import numpy as np
from numpy.typing import NDArray

from gate.results import CheckResult, ItemTable, MetricColumn, SuiteReport
from gate.results.record import MetricRecord, SuiteRecord
from gate.stats.student import student_quantile
from gate.stats.units import Units, gather_units, linearised_variance

# As many as the JSON report has: a record of a report that was read back is that of the report itself.
_DIGITS = 12
_UPPER = 0.975
_DIGEST = 32  # hexadecimal digits


def record_suite(suite: SuiteReport) -> SuiteRecord | None:
    """The record of a suite; None where it has no scores: of battles, or of questions alone."""
    if suite.candidate is None or not suite.items.metrics:
        return None
    found = {name: _record(suite, name, column) for name, column in suite.items.metrics.items()}
    return SuiteRecord(suite.candidate.digest, {name: record for name, record in found.items() if record is not None})


def writable(name: str) -> str:
    """A name out of a score file as UTF-8 can have it: a lone surrogate, which no JSON reader takes, becomes ``?``."""
    return name.encode(errors="replace").decode()


def _record(suite: SuiteReport, name: str, column: MetricColumn) -> MetricRecord | None:
    rows = _counting(suite.items, column)
    if not rows:
        return None
    scores = np.array([column.candidate[row] for row in rows], dtype=np.float64)
    units = _units(suite.items, rows, scores)
    error = _standard_error(units)
    half = None if error is None else student_quantile(_UPPER, units.sizes.size - 1) * error
    lowest, highest = column.scale or (-math.inf, math.inf)
    return MetricRecord(
        mean=_rounded(units.mean),
        n=len(rows),
        units=int(units.sizes.size),
        items=_digest(suite.items, rows, column),
        direction=column.direction,
        standard_error=None if error is None else _rounded(error),
        low=None if half is None else _rounded(max(lowest, units.mean - half)),
        high=None if half is None else _rounded(min(highest, units.mean + half)),
        delta=_figure(suite.results, "regression", "delta", name),
        psi=_figure(suite.results, "drift", "psi", name),
    )


def _counting(items: ItemTable, column: MetricColumn) -> list[int]:
    """The items that the candidate has a score of, and of which it is known how much they count."""
    return [
        row
        for row, score in enumerate(column.candidate)
        if score is not None and (not items.weights or items.weights[row] is not None)
    ]


def _units(items: ItemTable, rows: list[int], scores: NDArray[np.float64]) -> Units:
    return gather_units(
        scores,
        groups=_numbers(items.groups, rows),
        weights=np.array([items.weights[row] for row in rows], dtype=np.float64) if items.weights else None,
        strata=_numbers(items.strata, rows),
    )


def _numbers(told: tuple[str, ...], rows: list[int]) -> NDArray[np.intp] | None:
    """Names as numbers; an item without one has a number of its own."""
    if not told:
        return None
    known: dict[str | int, int] = {}
    return np.array([known.setdefault(told[row] or row, len(known)) for row in rows], dtype=np.intp)


def _standard_error(units: Units) -> float | None:
    if units.sizes.size < 2:  # noqa: PLR2004  # a spread needs two
        return None
    with np.errstate(over="ignore", invalid="ignore"):  # of scores near the end of the range of doubles
        error = math.sqrt(linearised_variance(units))
    return error if math.isfinite(error) else None


def _digest(items: ItemTable, rows: list[int], column: MetricColumn) -> str:
    """Of the ids, contents and weights of the items, and of what their scores are made: in the order of the ids."""
    told = sorted(
        (
            items.ids[row],
            items.digests[row] if items.digests else "",
            None if weight is None else _rounded(weight),
        )
        for row, weight in ((row, items.weights[row] if items.weights else None) for row in rows)
    )
    text = json.dumps([column.reducer, told])
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST]


def _figure(results: tuple[CheckResult, ...], check: str, figure: str, metric: str) -> float | None:
    for result in results:
        if (result.check, result.metric) == (check, metric):
            value = result.figures.get(figure)
            return _rounded(float(value)) if isinstance(value, int | float) and math.isfinite(value) else None
    return None


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}") + 0.0
