"""What `gate power` is asked, and what of it makes no sense."""

from dataclasses import dataclass

from gate.errors import UsageError
from gate.scores.cells import LARGEST_SCORE
from gate.stats.power import MOST_ITEMS

_MOST_PILOTS = 2
_LEAST_ITEMS = 2
_LEAST_POWER, _MOST_POWER = 0.1, 0.999
_REMEDIES = {
    "p": "give a pass rate over 0 and at most 1: 0.8 for 80 %; for scores on another scale, give a pilot file",
    "sd": "give the standard deviation of an item's score, over 0",
    "rho": "give a correlation from -1 to under 1; 0.5 is usual for two versions of a model, 0 is two unrelated runs",
    "n": f"give a number of items from {_LEAST_ITEMS} to {MOST_ITEMS}",
    "bar": "give the bar in the unit of the scores",
    "margin": "give the drop that is tolerable, over 0, in the unit of the scores",
    "drop": "give the drop to catch as a number over 0, in the unit of the scores",
    "power": f"give a chance from {_LEAST_POWER} to {_MOST_POWER}; 0.8 is usual",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The arguments of `gate power`; None where one was not given.

    Attributes:
        pilots: score files: none, one run, or a baseline and a candidate.
        p: the pass rate, or with ``sd`` the mean score on a scale of 0 to 1.
        sd: the standard deviation of an item's score.
        rho: the correlation between two runs' scores of an item.
        n: how many items there are, or will be.
        bar: what the mean is to prove, in the unit of the scores.
        margin: the drop that is tolerable.
        drop: the drop that is to be caught.
        power: the probability that each statement is to succeed with.
        metric: the pilots' metric.
        reduce: what is made of the samples of an item.
        format: how to read the pilots.
    """

    pilots: tuple[str, ...] = ()
    p: float | None = None
    sd: float | None = None
    rho: float | None = None
    n: int | None = None
    bar: float | None = None
    margin: float | None = None
    drop: float | None = None
    power: float = 0.8
    metric: str | None = None
    reduce: str | None = None
    format: str | None = None

    def require_sound(self) -> None:
        """Raise UsageError where a value, or two values together, cannot be meant."""
        self._require_ranges()
        self._require_a_source()

    def _require_ranges(self) -> None:
        # written so that not-a-number fails each of them
        allowed = {
            "p": self.p is None or 0 < self.p <= 1,
            "sd": self.sd is None or 0 < self.sd < LARGEST_SCORE,
            "rho": self.rho is None or -1 <= self.rho < 1,
            "n": self.n is None or _LEAST_ITEMS <= self.n <= MOST_ITEMS,
            "bar": self.bar is None or -LARGEST_SCORE < self.bar < LARGEST_SCORE,
            "margin": self.margin is None or 0 < self.margin < LARGEST_SCORE,
            "drop": self.drop is None or 0 < self.drop < LARGEST_SCORE,
            "power": _LEAST_POWER <= self.power <= _MOST_POWER,
        }
        for name, sound in allowed.items():
            if not sound:
                raise UsageError(f"--{name} {getattr(self, name)!r} is out of range", remedy=_REMEDIES[name])

    def _require_a_source(self) -> None:
        if len(self.pilots) > _MOST_PILOTS:
            raise UsageError(
                "there are more than two pilot files", remedy="give one run, or a baseline and a candidate"
            )
        if self.pilots:
            self._require_nothing_measured()
        elif self.p is None and self.sd is None:
            raise UsageError(
                "there is nothing to plan from",
                remedy="give a score file, or what you expect: `gate power --p 0.8`",
            )
        else:
            for name in ("metric", "reduce", "format"):
                if getattr(self, name) is not None:
                    raise UsageError(f"--{name} is meant for pilot files, and there is none", remedy="leave it out")

    def _require_nothing_measured(self) -> None:
        for name in ("p", "sd"):
            if getattr(self, name) is not None:
                raise UsageError(
                    f"--{name} and a pilot file are both given, and the file has its own",
                    remedy=f"leave --{name} out, or the file",
                )
        if self.rho is not None and len(self.pilots) == _MOST_PILOTS:
            raise UsageError(
                "--rho and two pilot files are both given, and the files have their own",
                remedy="leave --rho out, or the second file",
            )
