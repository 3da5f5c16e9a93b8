"""The measurement as lines for a person."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from gate.reports.answers import WIDTH, fold, render_lines
from gate.reports.drawing import align_columns
from gate.reports.escape import shorten
from gate.selfcheck.material import Way
from gate.selfcheck.measurement import Measurement
from gate.selfcheck.rates import Share
from gate.wording import amount, count, limit, number, percent

_MARGIN = len("advice")


def render_text(measured: Measurement) -> str:
    """The rates with their uncertainty, what was predicted, advice and notes."""
    lines = [
        *_basis(measured),
        "",
        *_rates(measured),
        *_compared(measured),
        "",
        *_advice(measured),
        *(line for note in _notes(measured) for line in fold(note, margin=_MARGIN)),
    ]
    return render_lines(lines)


def _basis(measured: Measurement) -> Iterator[str]:
    yield f"{measured.file} and {measured.other}" if measured.other is not None else measured.file
    if measured.config is not None:
        yield f"{measured.config}, suite {shorten(measured.suite)}"
    grouped = f" in {count(measured.units, 'group')}" if measured.units < measured.items else ""
    for metric in measured.metrics:
        yield f"{shorten(metric.name)}: mean {number(metric.mean)}, {count(measured.items, 'item')}{grouped}"
    yield from textwrap.wrap(f"{measured.runs} pairs of unchanged runs: {_way(measured)}", WIDTH)


def _way(measured: Measurement) -> str:
    unit = "group" if measured.units < measured.items else "item"
    if measured.way is Way.MIXTURE and measured.rho is not None:
        told = "assumed" if measured.rho_assumed else "given"
        return f"the file's own scores, mixed to a correlation of {limit(measured.rho)} between two runs ({told})"
    return {
        Way.EXCHANGE: f"the two files' scores of each {unit} change places at random",
        Way.REPEATS: "each item's repeats drawn anew for both runs",
        Way.SAMPLES: f"{unit}s drawn anew for both runs, since the suite compares different items",
    }[measured.way]


def _rates(measured: Measurement) -> tuple[str, ...]:
    rates = measured.unchanged
    rows = [
        ["unchanged run", "BLOCK", _percent(rates.block), _interval(rates.block), _by_check(rates.failing)],
        ["", "WARN", _percent(rates.warn), _interval(rates.warn), ""],
        ["", "PASS", _percent(rates.passed), _interval(rates.passed), ""],
    ]
    for caught in measured.dropped:
        name = f" in {shorten(caught.metric, 24)}" if len(measured.dropped) > 1 else ""
        told = [f"drop of {amount(caught.drop)}{name}", "caught", _percent(caught.block), _interval(caught.block)]
        rows.append([*told, _by_check(caught.failing)])
    header = ["", "", "share", "95 % interval", "by check"]
    return align_columns([list(column) for column in zip(header, *rows, strict=True)])


def _compared(measured: Measurement) -> Iterator[str]:
    if measured.beside is not None:
        beside = measured.beside
        caught = "" if beside.caught is None else f", the drop is caught {_percent(beside.caught)}"
        yield ""
        yield (
            f"at a correlation of {limit(beside.rho)}: BLOCK {_percent(beside.block)}, WARN {_percent(beside.warn)}"
            f"{caught} ({beside.runs} pairs)"
        )
    if measured.predicted is not None:
        told = measured.predicted
        caught = "" if told.caught is None else f", the drop is caught {percent(told.caught)}"
        if measured.beside is None:
            yield ""
        yield f"predicted by the gate's own summary: BLOCK {percent(told.block)}, WARN {percent(told.warn)}{caught}"


def _advice(measured: Measurement) -> Iterator[str]:
    for sentence in measured.advice or ("there is nothing to advise",):
        yield from fold(sentence, "advice", margin=_MARGIN)


def _notes(measured: Measurement) -> Sequence[str]:
    assumed = (
        "the correlation is assumed: repeats in the file, or a second run as OTHER, would measure it; --rho states it",
    )
    metrics = tuple(note for metric in measured.metrics for note in metric.notes)
    return (*(assumed if measured.rho_assumed else ()), *metrics, *measured.notes)


def _by_check(failing: Mapping[str, Share]) -> str:
    return ", ".join(f"{check} {_percent(share)}" for check, share in failing.items())


def _interval(share: Share) -> str:
    return f"[{percent(share.low)}, {percent(share.high)}]"


def _percent(share: Share) -> str:
    return percent(share.share)
