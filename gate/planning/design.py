"""What a plan rests on: mean, spread and correlation of the scores, as expected or as pilots show them."""

import math
from dataclasses import dataclass
from enum import StrEnum

from gate.errors import UsageError
from gate.metrics import UNIT_SCALE
from gate.planning.question import Question
from gate.scores.model import Direction, Scale
from gate.stats.mcnemar import PassFailDrops
from gate.stats.power import Drops, MeanDrops, items_for_bar, items_for_shift

ASSUMED_RHO = 0.5
_ROUNDING = 1e-9


class Origin(StrEnum):
    """How the correlation is known."""

    GIVEN = "given"
    ASSUMED = "assumed"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """How the scores of an item vary.

    Attributes:
        mean: of the baseline, in the unit of the scores; None where only the spread is known.
        sd: of an item's score, >= 0.
        rho: the correlation between two runs' scores of an item.
        rho_origin: how it is known.
        sd_of_differences: of an item's two scores where nothing changed, or as two pilots show it, >= 0.
        pass_fail: every score is 0 or 1, so that the exact tests of pass rates apply.
        n: the pilot's number of items.
        metric: the pilot's metric.
        direction: which way is better.
        scale: lowest and highest possible score, or None.
        effect_on_mean: the design effect of the pilot's groups on the variance of a mean, >= 1.
        effect_on_differences: likewise on that of the mean difference.
        notes: sentences on what was assumed or left out.
    """

    mean: float | None
    sd: float
    rho: float
    rho_origin: Origin
    sd_of_differences: float
    pass_fail: bool
    n: int | None = None
    metric: str | None = None
    direction: Direction = Direction.HIGHER
    scale: Scale | None = UNIT_SCALE
    effect_on_mean: float = 1.0
    effect_on_differences: float = 1.0
    notes: tuple[str, ...] = ()

    @property
    def width(self) -> float | None:
        """The largest difference that the scale allows."""
        return None if self.scale is None else self.scale.high - self.scale.low

    @property
    def room(self) -> float:
        """The largest drop that the scale leaves room for; of a pass rate, the rate itself."""
        if self.scale is None or self.mean is None:
            return math.inf
        return self.scale.high - self.mean if self.direction is Direction.LOWER else self.mean - self.scale.low

    @property
    def drops(self) -> Drops:
        """How a drop is caught by pairs that are not grouped."""
        return PassFailDrops(self.room, self.rho) if self.pass_fail else MeanDrops(self.sd_of_differences, self.room)

    def items_for_margin(self, margin: float, power: float) -> int | None:
        """The items that show "no worse than the margin" where nothing changed."""
        room = math.inf if self.width is None else self.width
        return items_for_shift(margin, sd=self.sd_of_differences, room=room, power=power)

    def items_for_bar(self, bar: float, power: float) -> int | None:
        """The items that prove a bar, or a ceiling where lower is better; None where no number does."""
        if self.mean is None:
            return None
        over = self.mean - bar if self.direction is Direction.HIGHER else bar - self.mean
        if over <= 0:
            return None
        if self.pass_fail:
            return items_for_bar(self.room, bar if self.direction is Direction.HIGHER else 1 - bar, power)
        return items_for_shift(over, sd=self.sd, room=self.room, power=power)


def expected_design(question: Question) -> Design:
    """The design that --p, --sd and --rho describe.

    Raises:
        UsageError: where no scores can have this mean and spread.
    """
    origin = Origin.ASSUMED if question.rho is None else Origin.GIVEN
    rho = ASSUMED_RHO if question.rho is None else question.rho
    sd, most = question.sd, math.inf if question.p is None else math.sqrt(question.p * (1 - question.p))
    if sd is not None and sd > most * (1 + _ROUNDING):
        raise UsageError(
            f"--sd {sd!r} is too large for scores of 0 to 1 with the mean {question.p!r}",
            remedy=f"give at most {most:.3f}; for scores on another scale leave --p out, or give a pilot file",
        )
    sd = most if sd is None else sd
    return Design(
        mean=question.p,
        sd=sd,
        rho=rho,
        rho_origin=origin,
        sd_of_differences=paired_sd(sd, rho),
        pass_fail=question.sd is None,
        scale=None if question.p is None else UNIT_SCALE,
    )


def paired_sd(sd: float, rho: float) -> float:
    """The standard deviation of the difference of two scores that vary alike: sd * sqrt(2 (1 - rho))."""
    return sd * math.sqrt(2 * (1 - rho))
