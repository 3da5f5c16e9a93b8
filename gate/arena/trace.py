"""The iterations of the algorithm that is taught: minorise, maximise, again."""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gate.errors import UsageError
from gate.stats.bradley_terry_mm import fit_by_mm, trace_mm
from gate.stats.connectivity import find_components

# From here on the strengths change in digits that are not shown.
_SHOWN = (1, 2, 3, 4, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Step:
    """The strengths after an iteration, in the order of the models; they add up to 1."""

    iteration: int
    strengths: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """Some of the iterations, and the last.

    Attributes:
        models: (m,) names.
        steps: by rising iteration; the last is where the iteration ended.
        converged: whether it came to its end there.
    """

    models: tuple[str, ...]
    steps: tuple[Step, ...]
    converged: bool


def trace_iterations(wins: NDArray[np.float64], models: tuple[str, ...]) -> Trace:
    """Iterate to the end.

    Args:
        wins: float64 (m, m), how often row beat column.
        models: (m,) names.

    Raises:
        UsageError: where the iteration has no end, since no finite strengths are the likeliest.
    """
    if find_components(wins).strong.any():
        raise UsageError(
            "--trace: the iteration has no end, for no finite strengths fit these battles",
            remedy="leave --trace out: the fit is then regularised; or add battles that the strong lose",
        )
    end = fit_by_mm(wins)
    shown = [number for number in _SHOWN if number < end.iterations]
    found = islice(trace_mm(wins), max(shown, default=0))
    steps = [Step(number, tuple(each.tolist())) for number, each in enumerate(found, start=1) if number in shown]
    return Trace(models, (*steps, Step(end.iterations, tuple(end.strengths.tolist()))), end.converged)
