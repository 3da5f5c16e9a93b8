"""The score distributions of the study: those of few marks are enumerated, the others drawn."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

Scores = NDArray[np.float64]

# Samples rarer than this are left out: all of them together are about one in a million.
_RAREST = 1e-9
_PASS_RATE_OF_FEW = 2


class WeightedSample(NamedTuple):
    """One possible sample and its probability."""

    scores: Scores
    probability: float


class Marks(NamedTuple):
    """Scores of two or three marks, each with a share."""

    marks: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The true mean, rounded to the decimals that it has."""
        return round(float(np.dot(self.marks, self.shares)), 9)

    @property
    def is_pass_fail(self) -> bool:
        """Whether there are but two marks."""
        return len(self.marks) == _PASS_RATE_OF_FEW

    def enumerate_samples(self, n: int) -> Iterator[WeightedSample]:
        """Every sample of n scores, order left aside, but for the rarest."""
        steps = np.meshgrid(*[np.arange(n + 1)] * (len(self.marks) - 1), indexing="ij")
        counts = np.stack([*steps, n - sum(steps)], axis=-1).reshape(-1, len(self.marks))
        counts = counts[counts[:, -1] >= 0]
        logs = gammaln(n + 1) - gammaln(counts + 1).sum(axis=1) + counts @ np.log(self.shares)
        chances = np.exp(logs)
        held = chances > _RAREST
        total = float(chances[held].sum())
        for count, chance in zip(counts[held], chances[held].tolist(), strict=True):
            yield WeightedSample(np.repeat(self.marks, count), chance / total)


class BetaWithZeros(NamedTuple):
    """Continuous scores, most of them high, some of them zero."""

    a: float
    b: float
    zeros: float

    @property
    def mean(self) -> float:
        """The true mean."""
        return (1 - self.zeros) * self.a / (self.a + self.b)

    def draw(self, n: int, rng: np.random.Generator) -> Scores:
        """Float64 (n,) scores."""
        return np.where(rng.random(n) < self.zeros, 0.0, rng.beta(self.a, self.b, n))


DISTRIBUTIONS: dict[str, Marks | BetaWithZeros] = {
    "pass/fail .9": Marks((0.0, 1.0), (0.1, 0.9)),
    "pass/fail .98": Marks((0.0, 1.0), (0.02, 0.98)),
    "0/.5/1 at .1/.2/.7": Marks((0.0, 0.5, 1.0), (0.1, 0.2, 0.7)),
    "0/.5/1 at .01/.04/.95": Marks((0.0, 0.5, 1.0), (0.01, 0.04, 0.95)),
    "beta(40, 4) + 3 % zeros": BetaWithZeros(40, 4, 0.03),
}
