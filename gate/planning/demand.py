"""What the plan has to reach: drop, margin, bar and power, the usual ones where none was named."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from gate.errors import UsageError
from gate.planning.design import Design, Origin
from gate.planning.question import Question
from gate.scores.model import Direction
from gate.stats.mcnemar import possible_correlations
from gate.stats.power import TAIL
from gate.wording import limit, number, percent

_USUAL_SHARE = 0.05
_USUAL_DEVIATIONS = 0.2


@dataclass(frozen=True, slots=True)
class Demand:
    """What is to be shown, and with which chance.

    Attributes:
        drop: the drop to catch, over 0 and within what the scale leaves room for.
        margin: the drop that is tolerable, or None.
        bar: what the mean is to prove, or None.
        power: the chance.
        notes: what was assumed or approximated.
    """

    drop: float
    margin: float | None
    bar: float | None
    power: float
    notes: tuple[str, ...]


def settle_demand(question: Question, design: Design) -> Demand:
    """The demand of a question on a design.

    Raises:
        UsageError: where the design rules it out: a drop or a bar beyond the scale, a correlation that cannot be.
    """
    _require_room(question, design)
    _require_bar(question.bar, design)
    chosen = _choose_drop(question, design)
    _require_correlation(question, design)
    notes = (*_notes(question, design, chosen.drop), *chosen.notes)
    return Demand(chosen.drop, question.margin, question.bar, question.power, notes)


@dataclass(frozen=True, slots=True)
class _Chosen:
    drop: float
    notes: tuple[str, ...] = ()


def _choose_drop(question: Question, design: Design) -> _Chosen:
    if question.drop is not None:
        return _Chosen(question.drop)
    if question.margin is not None:
        drop, why = question.margin, "it is the margin"
    elif design.width is not None:
        drop, why = _USUAL_SHARE * design.width, "it is 5 % of the scale"
    else:
        drop = _USUAL_DEVIATIONS * (design.sd or design.sd_of_differences)
        why = "it is a fifth of the standard deviation, since the scale is not known"
    if drop > design.room:
        drop, why = design.room / 2, "it is half of what the mean leaves room for"
    return _Chosen(drop, (f"no drop was named, and {number(drop)} is assumed: {why}; --drop names another",))


def _notes(question: Question, design: Design, drop: float) -> Iterator[str]:
    if design.rho_origin is Origin.ASSUMED:
        yield (
            f"the correlation {limit(design.rho)} is assumed: two pilot files of the same items would measure it, "
            "--rho states it"
        )
    if design.direction is Direction.LOWER:
        yield "lower is better, so a drop is a rise of the score"
    if design.pass_fail:
        yield "the drop is planned for the exact McNemar test, the bar for the exact bound of a pass rate"
        yield from _correlation_notes(design, drop)
    else:
        yield "all numbers are by the normal approximation, for the scores are not pass or fail"
    if question.margin is not None and design.pass_fail:
        yield "the margin is planned by the normal approximation"
    yield (
        f"each statement is one-sided at {percent(TAIL)}, as the checks of one metric of one suite are: several share "
        "that error, and each then needs more items"
    )


def _correlation_notes(design: Design, drop: float) -> Iterator[str]:
    before, after = design.room, max(0.0, design.room - drop)
    low, high = possible_correlations(before, after)
    if low < high and not low <= design.rho <= high:
        nearest = high if design.rho > high else low
        yield (
            f"no correlation of {limit(round(design.rho, 2))} is possible where the pass rate falls from "
            f"{number(before)} to {number(after)}: the nearest possible one, {number(nearest)}, is taken"
        )


def _require_room(question: Question, design: Design) -> None:
    if question.drop is not None and question.drop > design.room:
        raise UsageError(
            f"--drop {question.drop!r} is more than the mean leaves room for",
            remedy=f"give at most {_floor(design.room)}, in the unit of the scores",
        )
    if question.margin is not None and design.width is not None and question.margin >= design.width:
        raise UsageError(
            f"--margin {question.margin!r} is the whole scale or more", remedy=f"give less than {design.width:g}"
        )


def _require_bar(bar: float | None, design: Design) -> None:
    if bar is None:
        return
    if design.mean is None:
        raise UsageError("--bar needs the mean that is to prove it", remedy="give --p too, or a pilot file")
    if design.scale is not None and not design.scale.low < bar < design.scale.high:
        raise UsageError(
            f"--bar {bar!r} does not lie between {design.scale.low:g} and {design.scale.high:g}",
            remedy="give the bar in the unit of the scores, between the ends of their scale",
        )


def _require_correlation(question: Question, design: Design) -> None:
    """Two pass rates leave only some correlations possible; one that was stated must be among them."""
    if question.rho is None or not design.pass_fail:
        return
    for drop in (0.0, question.drop or 0.0):
        before, after = design.room, max(0.0, design.room - drop)
        low, high = possible_correlations(before, after)
        if low < high and not low <= question.rho <= high:
            raise UsageError(
                f"--rho {question.rho!r} is not possible between pass rates of {before:.3g} and {after:.3g}",
                remedy=f"give a correlation from {0.0 - _floor(-low)} to {_floor(high)}",
            )


def _floor(value: float) -> float:
    """Two decimals, rounded down."""
    return math.floor(value * 100) / 100
