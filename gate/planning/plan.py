"""The plan: how many items a drop, a margin and a bar need, and what a given number of items can show."""

import math
from dataclasses import dataclass

from gate.planning.demand import Demand, settle_demand
from gate.planning.design import Design, Origin, expected_design
from gate.planning.pilots import pilot_design
from gate.planning.question import Question
from gate.scores.model import Direction
from gate.stats.power import MOST_ITEMS, TAIL
from gate.wording import rounded

CURVE_POINTS = 61
_USUAL_NUMBERS = (50, 5000)
_FEW = 10


@dataclass(frozen=True, slots=True)
class Row:
    """What so many items can show.

    Attributes:
        n: the number of items.
        smallest_drop: the smallest drop that is shown with the power asked for; None where there is none.
        chance: the probability that the plan's drop is shown.
    """

    n: int
    smallest_drop: float | None
    chance: float


@dataclass(frozen=True, slots=True)
class Point:
    """The probability that ``n`` items show the plan's drop."""

    n: int
    chance: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The answers of `gate power`, in the unit of the scores; numbers of items are None over a thousand million.

    Attributes:
        pilots: the score files that it rests on.
        metric: their metric.
        direction: which way is better.
        scale: lowest and highest possible score, or None.
        pass_fail: every score is 0 or 1.
        mean: of the baseline; None where only the spread is known.
        sd: standard deviation of an item's score.
        rho: correlation between two runs' scores of an item.
        rho_origin: given, assumed or measured.
        sd_of_differences: standard deviation of the difference between an item's two scores.
        design_effect: how many times more items a drop needs, because the pilot's items come in groups.
        power: the probability that each statement succeeds with.
        one_sided_error: that of each statement.
        drop: the drop to catch.
        margin: as asked for, or None.
        bar: as asked for, or None.
        items_for_drop: items that show the drop.
        items_for_margin: items that show "no worse than the margin" where nothing changed; None without a margin too.
        items_for_bar: items that prove the bar at this mean; None without a bar, and where the mean is not over it.
        given: what the number of items asked about, or the pilot's own, can show; None without any.
        table: the same for round numbers of items.
        curve: the chance at numbers of items that are even steps apart on a logarithmic axis.
        notes: what was assumed, left out or approximated.
    """

    pilots: tuple[str, ...]
    metric: str | None
    direction: Direction
    scale: tuple[float, float] | None
    pass_fail: bool
    mean: float | None
    sd: float
    rho: float
    rho_origin: Origin
    sd_of_differences: float
    design_effect: float
    power: float
    one_sided_error: float
    drop: float
    margin: float | None
    bar: float | None
    items_for_drop: int | None
    items_for_margin: int | None
    items_for_bar: int | None
    given: Row | None
    table: tuple[Row, ...]
    curve: tuple[Point, ...]
    notes: tuple[str, ...]


def make_plan(question: Question) -> Plan:
    """Answer what is asked.

    Raises:
        GateError: where the question makes no sense, or a pilot file cannot be read or shows no spread.
    """
    question.require_sound()
    design = pilot_design(question) if question.pilots else expected_design(question)
    demand = settle_demand(question, design)
    needed = _grouped(design.drops.items(demand.drop, demand.power), design.effect_on_differences)
    numbers = _round_numbers(needed)
    n = question.n if question.n is not None else design.n
    shown = numbers if n is None else sorted({*numbers, n})
    return Plan(
        pilots=question.pilots,
        metric=design.metric,
        direction=design.direction,
        scale=design.scale,
        pass_fail=design.pass_fail,
        mean=design.mean,
        sd=rounded(design.sd),
        rho=rounded(design.rho),
        rho_origin=design.rho_origin,
        sd_of_differences=rounded(design.sd_of_differences),
        design_effect=rounded(design.effect_on_differences),
        power=demand.power,
        one_sided_error=TAIL,
        drop=demand.drop,
        margin=demand.margin,
        bar=demand.bar,
        items_for_drop=needed,
        items_for_margin=_items_for_margin(design, demand),
        items_for_bar=_items_for_bar(design, demand),
        given=None if n is None else _row(design, demand, n),
        table=tuple(_row(design, demand, number) for number in shown),
        curve=_curve(design, demand, numbers),
        notes=(*design.notes, *demand.notes),
    )


def _items_for_margin(design: Design, demand: Demand) -> int | None:
    items = None if demand.margin is None else design.items_for_margin(demand.margin, demand.power)
    return _grouped(items, design.effect_on_differences)


def _items_for_bar(design: Design, demand: Demand) -> int | None:
    items = None if demand.bar is None else design.items_for_bar(demand.bar, demand.power)
    return _grouped(items, design.effect_on_mean)


def _grouped(items: int | None, effect: float) -> int | None:
    """So many items in groups tell as much as ``items`` on their own."""
    return None if items is None else math.ceil(items * effect)


def _row(design: Design, demand: Demand, n: int) -> Row:
    alone = _alone(design, n)
    smallest = design.drops.smallest(alone, demand.power)
    return Row(n, None if smallest is None else rounded(smallest), _chance(design, demand, n))


def _chance(design: Design, demand: Demand, n: int) -> float:
    return rounded(design.drops.chance(demand.drop, _alone(design, n)))


def _alone(design: Design, n: int) -> int:
    """How many items on their own tell as much as ``n`` in groups."""
    return int(n / design.effect_on_differences)


def _round_numbers(needed: int | None) -> list[int]:
    """Ones, twos and fives of tens from 50 to 5000, or from 10, or as far as the number needed."""
    least, most = _USUAL_NUMBERS
    if needed is None:
        most = MOST_ITEMS
    else:
        least, most = (_FEW if needed <= 2 * least else least), max(most, 2 * needed)
    tens = [times * 10**power for power in range(1, len(str(MOST_ITEMS))) for times in (1, 2, 5)]
    return [number for number in tens if least <= number <= min(most, MOST_ITEMS)]


def _curve(design: Design, demand: Demand, numbers: list[int]) -> tuple[Point, ...]:
    low, high = math.log(numbers[0]), math.log(numbers[-1])
    steps = [low + (high - low) * step / (CURVE_POINTS - 1) for step in range(CURVE_POINTS)]
    return tuple(Point(n, _chance(design, demand, n)) for n in (round(math.exp(step)) for step in steps))
