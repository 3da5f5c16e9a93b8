"""One task's pass@k in three ways, and what a known rate would give."""

import math
from dataclasses import dataclass
from itertools import combinations, islice

import numpy as np

from gate.errors import UsageError
from gate.pass_at_k.question import Question
from gate.stats.pass_at_k import pass_at_k, plug_in_pass_at_k

# More subsets than these are not enumerated, nor listed.
MOST_SUBSETS = 100_000
_MOST_LISTED = 100
# A longer line of numbers tells nobody anything.
_LONGEST_LISTED = 50
_USUAL_ROWS = 10


@dataclass(frozen=True, slots=True)
class Subset:
    """Some of a task's samples, numbered from 1 with the passing ones first, and whether one of them passes."""

    samples: tuple[int, ...]
    passes: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One k.

    Attributes:
        k: how many samples are drawn.
        plug_in: 1 - (1 - c/n)**k.
        unbiased: 1 - C(n-c, k) / C(n, k).
        passing: how many subsets of k samples hold a pass, counted one by one; None where there are too many.
        subsets: how many subsets there are; None likewise.
        listed: the first of them, where they are to be listed and short enough for it.
    """

    k: int
    plug_in: float
    unbiased: float
    passing: int | None
    subsets: int | None
    listed: tuple[Subset, ...] = ()

    @property
    def fraction(self) -> str:
        """The share by enumeration, e.g. ``7/10``."""
        return "" if self.passing is None else f"{self.passing}/{self.subsets}"


@dataclass(frozen=True, slots=True)
class Table:
    """One task: ``c`` of its ``n`` samples pass; ``explained`` where the subsets are to be listed."""

    n: int
    c: int
    rows: tuple[Row, ...]
    explained: bool = False


@dataclass(frozen=True, slots=True)
class Projected:
    """The chance that one of k samples passes, each of them with the same rate."""

    k: int
    value: float


@dataclass(frozen=True, slots=True)
class Projection:
    """What a known rate would give."""

    rate: float
    rows: tuple[Projected, ...]


def make_table(question: Question) -> Table:
    """The figures of one task; by default for k from 1 to n, ten at most.

    Raises:
        UsageError: where a k is larger than n.
    """
    n, c = question.n or 1, question.c or 0
    numbers = question.numbers() or tuple(range(1, min(n, _USUAL_ROWS) + 1))
    if numbers[-1] > n:
        raise UsageError(
            f"--k {numbers[-1]} is more than the {n} samples there are",
            remedy=f"ask for a k of at most {n}, or draw more samples",
        )
    rows = tuple(_row(n, c, k, explain=question.explain) for k in numbers)
    return Table(n, c, rows, question.explain)


def _row(n: int, c: int, k: int, *, explain: bool) -> Row:
    n_, c_ = np.array([n], dtype=np.int64), np.array([c], dtype=np.int64)
    # so large a number is not even reckoned: it may have a million digits
    few = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) < math.log(MOST_SUBSETS) + 1
    subsets = math.comb(n, k) if few else None
    counted = subsets is not None and subsets <= MOST_SUBSETS
    return Row(
        k=k,
        plug_in=float(plug_in_pass_at_k(n_, c_, k)[0]),
        unbiased=float(pass_at_k(n_, c_, k)[0]),
        passing=_count_passing(n, c, k) if counted else None,
        subsets=subsets if counted else None,
        listed=_listed(n, c, k) if explain and k <= _LONGEST_LISTED else (),
    )


def _count_passing(n: int, c: int, k: int) -> int:
    """How many subsets of k samples hold one of the first c, one by one; by what they leave out where that is less."""
    samples = range(1, n + 1)
    if k <= n - k:
        return sum(subset[0] <= c for subset in combinations(samples, k))
    # c samples are left out, all of them, where the c-th that is left out is sample c
    return sum(c > 0 and not (c <= n - k and left_out[c - 1] == c) for left_out in combinations(samples, n - k))


def _listed(n: int, c: int, k: int) -> tuple[Subset, ...]:
    drawn = islice(combinations(range(1, n + 1), k), _MOST_LISTED)
    return tuple(Subset(subset, subset[0] <= c) for subset in drawn)


def project(question: Question) -> Projection:
    """1 - (1 - p)**k for each k; by default for 1, 5, 10 and 100."""
    rate, numbers = question.rate or 0.0, question.numbers() or (1, 5, 10, 100)
    # 1 - (1 - p)**k as it stands would lose the digits of a small rate
    return Projection(
        rate, tuple(Projected(k, -math.expm1(k * math.log1p(-rate)) if rate < 1 else 1.0) for k in numbers)
    )
