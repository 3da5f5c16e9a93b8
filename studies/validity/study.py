"""What a study is made of: cells that are measured one by one, each with a seed of its own, and rates."""

import math
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

SEED = 2026
ALPHA = 0.05
TAIL = ALPHA / 2
# So many standard errors chance exceeds about once in 2000 rates.
ALLOWED_ERRORS = 3.3


class Rate(NamedTuple):
    """How often something happened.

    Attributes:
        share: 0 to 1.
        runs: of how many simulated runs; None where all possible runs were enumerated.
    """

    share: float
    runs: int | None = None

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of the share."""
        return self.error_at(self.share)

    def error_at(self, share: float) -> float:
        """The standard error that so many runs would leave, were ``share`` the truth."""
        return 0.0 if self.runs is None else math.sqrt(share * (1 - share) / self.runs)

    def is_over(self, limit: float, *, by_chance: bool = True) -> bool:
        """Whether the share is above a limit; ``by_chance``: by more than so few runs explain."""
        return self.share > limit + (ALLOWED_ERRORS * self.error_at(limit) if by_chance else 0.0)

    def is_under(self, limit: float) -> bool:
        """Whether the share is below a limit by more than so few runs explain."""
        return self.share < limit - ALLOWED_ERRORS * self.error_at(limit)


Measures = dict[str, Rate]


class Cell(NamedTuple):
    """One row and column of a table: measured on its own, in any order and by any worker."""

    section: str
    name: str
    n: int

    def rng(self) -> np.random.Generator:
        """The cell's own source of randomness: results do not depend on which other cells are measured, or when."""
        return np.random.default_rng([SEED, zlib.crc32(f"{self.section}/{self.name}/{self.n}".encode())])


Results = Mapping[Cell, Measures]


class Runs(NamedTuple):
    """How many runs to simulate in a cell, in the full study and in the short one."""

    full: int
    short: int

    def of(self, *, short: bool) -> int:
        """The number for this form of the study."""
        return self.short if short else self.full


@dataclass(frozen=True, slots=True)
class Section:
    """One part of the study.

    Attributes:
        cells: all that is measured.
        measure: measures one of them; ``short`` asks for the short form.
        tell: the part of the page.
        faults: a sentence for each limit that is broken.
    """

    cells: tuple[Cell, ...]
    measure: Callable[[Cell, bool], Measures]
    tell: Callable[[Results], str]
    faults: Callable[[Results, bool], list[str]]


def percent(rate: Rate | None) -> str:
    """A rate as it stands in a table."""
    return "" if rate is None else f"{100 * rate.share:.1f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    """A markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
