"""The plan as lines for a person."""

from collections.abc import Iterator

from gate.planning.chart import draw_chart
from gate.planning.plan import Plan
from gate.reports.answers import align_figures, fold, render_lines
from gate.reports.escape import shorten
from gate.scores.model import Direction
from gate.wording import limit, number

_SURE = 0.995


def render_text(plan: Plan) -> str:
    """The statements, the table and the chart."""
    lines = [
        *_basis(plan),
        "",
        f"items needed, each for a chance of {_percent(plan.power)}",
        *_needed(plan),
        *_shown(plan),
        "",
        *_table(plan),
        "",
        f"chance to show a drop of {_amount(plan.drop)}, by number of items",
        *draw_chart(plan),
        "",
        *(line for note in plan.notes for line in fold(note)),
    ]
    return render_lines(lines)


def _basis(plan: Plan) -> Iterator[str]:
    for pilot in plan.pilots:
        yield f"pilot {pilot}"
    kind = "pass/fail scores" if plan.pass_fail else "scores"
    named = "" if plan.metric is None else f"{shorten(plan.metric)}: "
    center = "pass rate" if plan.pass_fail else "mean"
    mean = [] if plan.mean is None else [f"{center} {_amount(plan.mean)}"]
    spread = [] if plan.pass_fail else [f"standard deviation {_amount(plan.sd)}"]
    yield f"{named}{kind}, {', '.join([*mean, *spread])}"
    yield f"correlation {number(plan.rho)} between two runs' scores of an item ({plan.rho_origin.value})"


def _needed(plan: Plan) -> Iterator[str]:
    statements = {f"to show a drop of {_amount(plan.drop)}": _items(plan.items_for_drop)}
    if plan.margin is not None:
        statements[f"to show it no worse than the margin {limit(plan.margin)} where nothing changed"] = _items(
            plan.items_for_margin
        )
    if plan.bar is not None and plan.mean is not None:
        lower = plan.direction is Direction.LOWER
        beyond = plan.mean >= plan.bar if lower else plan.mean <= plan.bar
        statement = f"to prove the {'ceiling' if lower else 'bar'} {limit(plan.bar)} at this mean"
        statements[statement] = "no number" if beyond else _items(plan.items_for_bar)
    yield from _beside(statements)


def _shown(plan: Plan) -> Iterator[str]:
    if plan.given is None:
        return
    yield f"with {plan.given.n} items"
    smallest = plan.given.smallest_drop
    least = {"none": f"no drop is shown with a chance of {_percent(plan.power)}"}
    if smallest is not None:
        least = {_amount(smallest): f"is the smallest drop shown with a chance of {_percent(plan.power)}"}
    chance = f"is the chance that a drop of {_amount(plan.drop)} is shown"
    yield from _beside({what: figure for figure, what in least.items()} | {chance: _percent(plan.given.chance)})


def _beside(statements: dict[str, str]) -> Iterator[str]:
    """The figures, right-aligned, each before what it is."""
    width = max(10, *map(len, statements.values()))
    for what, figure in statements.items():
        yield f"{figure:>{width}}  {what}"


def _table(plan: Plan) -> tuple[str, ...]:
    columns = [
        ["items", *(str(row.n) for row in plan.table)],
        ["smallest drop", *("none" if row.smallest_drop is None else _amount(row.smallest_drop) for row in plan.table)],
        [f"chance to show {_amount(plan.drop)}", *(_percent(row.chance) for row in plan.table)],
    ]
    return align_figures(columns)


def _items(needed: int | None) -> str:
    return "over 10^9" if needed is None else str(needed)


def _amount(value: float) -> str:
    """A score to three decimals, or to three digits where decimals would say nothing."""
    return number(value) if value == 0 or abs(value) >= 0.01 else f"{value:.3g}"  # noqa: PLR2004


def _percent(share: float) -> str:
    """A chance in whole percents, never a certainty that it is not."""
    if share > _SURE:
        return "> 99 %"
    if share < 1 - _SURE:
        return "< 1 %"
    return f"{share:.0%}".replace("%", " %")
