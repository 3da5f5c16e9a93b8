"""How many samples and tasks a pass@k takes that is to be exact to a given half-width."""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

from gate.errors import Place, ScoreFileError, UsageError
from gate.pass_at_k.curve import read_samples
from gate.pass_at_k.question import Question
from gate.stats.beta_binomial import TaskRates, fit_rates

_Z = NormalDist().inv_cdf(0.975)
_ASSUMED_RHO = 0.5
# So many samples of a task, in multiples of k; beyond, more of them say nothing.
_MULTIPLES = (1, 2, 3, 5, 10, 20)
MOST_SAMPLES = 10_000
# Nearer to 0 or 1 no number of tasks that anyone runs would see another outcome.
_LEAST_RATE = 1e-6


@dataclass(frozen=True, slots=True)
class Need:
    """With so many samples a task, so many tasks are needed; ``n`` is None for endless samples."""

    n: int | None
    tasks: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What it takes.

    Attributes:
        k: of pass@k.
        half_width: the half of the 95 % interval of the mean over the tasks.
        rate: how often a sample passes, on average over the tasks.
        rho: the correlation of two samples of one task.
        rho_origin: given, assumed or measured.
        expected: the pass@k that is then to be expected.
        needs: by number of samples.
        tasks: how many tasks there are; None where that is not said.
        samples: the fewest samples of each with which so many tasks do; None where no number of samples does.
        pilot_samples: the most samples that a task of the pilot has; None without a pilot.
    """

    k: int
    half_width: float
    rate: float
    rho: float
    rho_origin: str
    expected: float
    needs: tuple[Need, ...]
    tasks: int | None
    samples: int | None
    pilot_samples: int | None


class _Basis(NamedTuple):
    """What a plan starts from; fields as in Plan."""

    rates: TaskRates
    rho_origin: str
    pilot_samples: int | None = None


def make_plan(question: Question) -> Plan:
    """The samples and tasks for a half-width, by the normal approximation.

    Raises:
        GateError: where the pilot cannot be read, or tells nothing of how rates are spread; where k is too large.
    """
    (k,), half_width = question.numbers(), question.half_width or 0.0
    if k > MOST_SAMPLES // _MULTIPLES[-1]:
        raise UsageError(
            f"--k {k} is too large for a plan", remedy=f"give a k of at most {MOST_SAMPLES // _MULTIPLES[-1]}"
        )
    rates, origin, pilot_samples = _basis(question)
    between = rates.variance_between(k)
    needs = [Need(k * times, _tasks(rates.variance(k * times, k), half_width)) for times in _MULTIPLES]
    tasks = question.tasks
    return Plan(
        k=k,
        half_width=half_width,
        rate=rates.mean,
        rho=rates.rho,
        rho_origin=origin,
        expected=rates.mean_of(k),
        needs=(*needs, Need(None, _tasks(between, half_width))),
        tasks=tasks,
        samples=None if tasks is None else _samples(rates, k, tasks, half_width),
        pilot_samples=pilot_samples,
    )


def _basis(question: Question) -> _Basis:
    if question.rate is not None:
        if not _LEAST_RATE <= question.rate <= 1 - _LEAST_RATE:
            raise UsageError(
                f"--rate {question.rate!r} leaves nothing to measure",
                remedy=f"give a chance from {_LEAST_RATE:.6f} to {1 - _LEAST_RATE:.6f}",
            )
        rho = _ASSUMED_RHO if question.rho is None else question.rho
        return _Basis(TaskRates(question.rate, rho), "assumed" if question.rho is None else "given")
    samples = read_samples(question)
    rates = fit_rates(samples.counts, samples.passes)
    if rates is None:
        raise ScoreFileError(
            "the pilot does not show how tasks and their samples vary",
            where=Place(samples.run.source.path),
            remedy="give a pilot of two tasks or more, two samples each, some passing and some not; or --rate",
        )
    return _Basis(rates, "measured", int(samples.counts.max()))


def _tasks(variance: float, half_width: float) -> int:
    return max(2, math.ceil(_Z**2 * variance / half_width**2 - 1e-9))


def _samples(rates: TaskRates, k: int, tasks: int, half_width: float) -> int | None:
    """By bisection: more samples never make it worse."""
    if _tasks(rates.variance(MOST_SAMPLES, k), half_width) > tasks:
        return None
    low, high = k, MOST_SAMPLES
    while low < high:
        middle = (low + high) // 2
        if _tasks(rates.variance(middle, k), half_width) <= tasks:
            high = middle
        else:
            low = middle + 1
    return low
