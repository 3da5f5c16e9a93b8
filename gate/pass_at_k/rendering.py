"""The answer as lines for a person and as JSON."""

import dataclasses
from collections.abc import Iterator, Sequence
from functools import singledispatch

from gate.json_text import dump
from gate.pass_at_k.answer import Answer
from gate.pass_at_k.calculator import Projection, Row, Table
from gate.pass_at_k.curve import Curve, Measured
from gate.pass_at_k.plan import MOST_SAMPLES, Plan
from gate.reports.answers import align_figures, fold, render_lines
from gate.reports.escape import shorten
from gate.results import GLOSSARY
from gate.wording import count, limit, number

_CHART = 40
_TESTS = "pass@k is as good as the tests behind it: what they let through counts as a pass"
_UNBIASED = (
    "unbiased: the share of all ways to draw k of the n samples that hold a pass; plug-in: 1 - (1 - c/n)^k, which "
    "draws with replacement and is too low on average"
)
_FIRST_K = "the first k samples alone are unbiased, too, but far noisier, and the figure changes with their order"
_INDEPENDENT = (
    "it assumes that samples are independent and pass alike; at a measured rate c/n it is the plug-in form, too low on "
    "average: for planning, not for reporting"
)
_SAME = "compare runs at the same n and k only"


def render_json(answer: Answer) -> str:
    """The answer's fields as JSON; the same answer gives the same bytes."""
    fields = {"kind": type(answer).__name__.lower(), **dataclasses.asdict(answer), "glossary": GLOSSARY}
    return dump(fields, indent=2) + "\n"


def render_text(answer: Answer) -> str:
    """The figures, then what they rest on."""
    return render_lines([*_lines(answer), f"terms {GLOSSARY}"])


@singledispatch
def _lines(answer: object) -> Iterator[str]:
    raise NotImplementedError(type(answer))


@_lines.register
def _(answer: Table) -> Iterator[str]:
    yield f"one task: {answer.c} of its {count(answer.n, 'sample')} pass"
    yield ""
    columns = [
        ["k", *(str(row.k) for row in answer.rows)],
        ["plug-in", *(number(row.plug_in) for row in answer.rows)],
        ["unbiased", *(number(row.unbiased) for row in answer.rows)],
        ["by enumeration", *(row.fraction or "too many" for row in answer.rows)],
    ]
    yield from align_figures(columns)
    if answer.explained:
        for row in answer.rows:
            yield from _subsets(row)
    yield ""
    yield from _notes(_UNBIASED, _FIRST_K, _SAME, _TESTS)


def _subsets(row: Row) -> Iterator[str]:
    yield ""
    if not row.listed:
        yield f"k = {row.k}: subsets of {count(row.k, 'sample')} are too long to list"
        return
    yield f"k = {row.k}: the subsets of {count(row.k, 'sample')}, and whether one of them passes"
    for subset in row.listed:
        yield f"  {' '.join(map(str, subset.samples))}  {'pass' if subset.passes else 'fail'}"
    if row.subsets is None or row.subsets > len(row.listed):
        more = "more than can be counted" if row.subsets is None else f"{row.subsets - len(row.listed)} more"
        yield f"  ... {more}"


@_lines.register
def _(answer: Projection) -> Iterator[str]:
    yield f"each sample passes with the chance {limit(answer.rate)}"
    yield ""
    yield from align_figures(
        [
            ["k", *(str(row.k) for row in answer.rows)],
            ["one of k passes", *(number(row.value) for row in answer.rows)],
        ]
    )
    yield ""
    yield from _notes(f"1 - (1 - {limit(answer.rate)})^k: {_INDEPENDENT}")


@_lines.register
def _(answer: Curve) -> Iterator[str]:
    n = str(answer.n_high) if answer.n_low == answer.n_high else f"{answer.n_low} to {answer.n_high}"
    yield f"{answer.file}"
    yield f"{shorten(answer.metric)}: {count(answer.tasks, 'task')}, n = {n} samples each"
    yield ""
    rows = answer.rows
    columns = [
        ["k", *(str(row.k) for row in rows)],
        ["pass@k", *(number(row.pass_at_k) for row in rows)],
        ["95 % interval", *(_interval(row.low, row.high) for row in rows)],
        ["exact", *(_interval(row.exact_low, row.exact_high) for row in rows)],
        ["pass^k", *(number(row.pass_hat_k) for row in rows)],
    ]
    yield from align_figures(columns)
    yield ""
    yield from _chart(rows)
    yield ""
    yield from _notes(*answer.notes, "the intervals resample tasks", _SAME, _TESTS)


@_lines.register
def _(answer: Plan) -> Iterator[str]:
    yield f"samples pass {number(answer.rate)} of the time; pass@{answer.k} is then about {number(answer.expected)}"
    yield f"correlation {number(answer.rho)} between two samples of a task ({answer.rho_origin})"
    yield ""
    yield f"to know pass@{answer.k} to plus or minus {limit(answer.half_width)} (95 %)"
    yield from align_figures(
        [
            ["samples a task", *("endless" if need.n is None else str(need.n) for need in answer.needs)],
            ["tasks", *(str(need.tasks) for need in answer.needs)],
        ]
    )
    if answer.tasks is not None:
        yield ""
        yield _for_tasks(answer.tasks, answer.samples)
    yield ""
    if answer.pilot_samples is not None and answer.k > answer.pilot_samples:
        yield from _notes(
            f"the pilot's tasks have at most {count(answer.pilot_samples, 'sample')}: pass@{answer.k} is what tasks "
            "would have whose rates are spread as theirs seem to be; tasks that no number of samples solves do not show"
        )
    yield from _notes(
        "by the normal approximation, with tasks whose rates differ as a beta distribution",
        "a bar close to 0 or 1 takes more: `gate check` tells what is proven",
    )


def _for_tasks(tasks: int, samples: int | None) -> str:
    if samples is None:
        return f"{tasks} tasks are too few: {MOST_SAMPLES} samples of each would not do"
    return f"{tasks} tasks need {count(samples, 'sample')} each"


def _interval(low: float, high: float) -> str:
    return f"[{number(low)}, {number(high)}]"


def _chart(rows: Sequence[Measured]) -> Iterator[str]:
    """A line a k from 0 to 1: the interval, and the figure in it."""
    width = max(len(str(row.k)) for row in rows)
    for row in rows:
        low, value, high = (round(_CHART * each) for each in (row.low, row.pass_at_k, row.high))
        cells = ["=" if low <= cell <= high else " " for cell in range(_CHART + 1)]
        cells[value] = "o"
        yield f"k = {row.k:>{width}} |{''.join(cells)}|"
    yield f"{'0':>{width + 6}}{'1':>{_CHART}}"


def _notes(*notes: str) -> Iterator[str]:
    for note in notes:
        yield from fold(note)
