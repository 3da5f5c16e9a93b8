"""What `gate arena` is asked."""

from dataclasses import dataclass

from gate.battles.ranking import N_RESAMPLES, IntervalMethod
from gate.errors import UsageError

N_ORDERS = 1000
_MOST_ORDERS = 100_000
_LEAST_RESAMPLES, _MOST_RESAMPLES = 100, 100_000
# Ratings in points of other sizes are lost in rounding.
_LEAST_POINTS, _MOST_POINTS = 1e-3, 1e9
_REMEDIES = {
    "n_resamples": f"give a number from {_LEAST_RESAMPLES} to {_MOST_RESAMPLES}",
    "n_orders": f"give a number from 1 to {_MOST_ORDERS}",
    "k": "give the points that are at stake in a battle: 32 is usual",
    "start": "give the rating in the middle: 1000 is usual",
    "scale": "give the points that are odds of 10 to 1: 400 is usual",
    "seed": "give a whole number from 0 up",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The arguments of `gate arena`.

    Attributes:
        files: of battles; folders and patterns stand for all files in them.
        format: how to read them; None: their content tells.
        interval: how the intervals are made.
        n_resamples: of the bootstrap.
        anchor: the model whose rating is ``start``; None: the mean is.
        k: the points that are at stake in a battle of Elo.
        start: the rating in the middle, or of the anchor; in Elo that of a model without a battle.
        scale: the points that are odds of 10 to 1.
        n_orders: how many random orders Elo is tried in; fewer where there are very many battles.
        seed: of every random draw.
        trace: also show the iterations of the taught algorithm.
    """

    files: tuple[str, ...]
    format: str | None = None
    interval: IntervalMethod = "wald"
    n_resamples: int = N_RESAMPLES
    anchor: str | None = None
    k: float = 32.0
    start: float = 1000.0
    scale: float = 400.0
    n_orders: int = N_ORDERS
    seed: int = 0
    trace: bool = False

    def require_sound(self) -> None:
        """Raise UsageError where a value cannot be meant."""
        # written so that not-a-number fails each of them
        allowed = {
            "n_resamples": _LEAST_RESAMPLES <= self.n_resamples <= _MOST_RESAMPLES,
            "n_orders": 1 <= self.n_orders <= _MOST_ORDERS,
            "k": _LEAST_POINTS <= self.k <= _MOST_POINTS,
            "start": abs(self.start) <= _MOST_POINTS,
            "scale": _LEAST_POINTS <= self.scale <= _MOST_POINTS,
            "seed": 0 <= self.seed < 2**63,
        }
        for name, sound in allowed.items():
            if not sound:
                flag = f"--{name.removeprefix('n_')}"
                raise UsageError(f"{flag} {getattr(self, name)!r} is out of range", remedy=_REMEDIES[name])
