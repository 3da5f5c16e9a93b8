"""What `gate selfcheck` is asked, and what of it makes no sense."""

from collections.abc import Sequence
from dataclasses import dataclass

from gate.config.overlay import Flags, refuse_empty
from gate.errors import UsageError
from gate.scores.cells import LARGEST_SCORE

ASSUMED_RHO = 0.5
_LEAST_RUNS, _MOST_RUNS = 20, 100_000
_REMEDIES = {
    "runs": f"give a number of simulated pairs from {_LEAST_RUNS} to {_MOST_RUNS}; 500 is usual",
    "rho": "give a correlation from 0 to under 1; 0.5 is usual for two runs that sample, 0.9 for nearly equal ones",
    "drop": "give the drop to catch as a number over 0, in the unit of the scores",
    "seed": "give a whole number from 0 up",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The arguments of `gate selfcheck`; None or empty where one was not given.

    Attributes:
        file: the baseline.
        other: a second run in which nothing changed.
        config: gate.yml.
        suite: the suite of gate.yml that is meant.
        threshold: the bar.
        metrics: the metrics to judge.
        reduce: what is made of the samples of an item.
        format: how to read the files.
        drop: the drop of the mean to catch, in the unit of the scores.
        runs: how many pairs of runs to simulate.
        rho: the correlation between two runs' scores of an item, where neither repeats nor a second run tell it.
        seed: of every random draw.
    """

    file: str
    other: str | None = None
    config: str | None = None
    suite: str | None = None
    threshold: float | None = None
    metrics: Sequence[str] = ()
    reduce: Sequence[str] = ()
    format: str | None = None
    drop: float | None = None
    runs: int = 500
    rho: float | None = None
    seed: int = 0

    def require_sound(self) -> None:
        """Raise UsageError where a value, or two values together, cannot be meant."""
        # written so that not-a-number fails each of them
        allowed = {
            "runs": _LEAST_RUNS <= self.runs <= _MOST_RUNS,
            "rho": self.rho is None or 0 <= self.rho < 1,
            "drop": self.drop is None or 0 < self.drop < LARGEST_SCORE,
            "seed": 0 <= self.seed < 2**63,
        }
        for name, sound in allowed.items():
            if not sound:
                raise UsageError(f"--{name} {getattr(self, name)!r} is out of range", remedy=_REMEDIES[name])
        given: dict[str, Sequence[str | None]] = {
            "FILE": (self.file,),
            "OTHER": (self.other,),
            "--config": (self.config,),
            "--metric": self.metrics,
            "--reduce": self.reduce,
        }
        refuse_empty(given)
        if self.rho is not None and self.other is not None:
            raise UsageError(
                "--rho and a second run are both given, and the two runs have their own", remedy="leave --rho out"
            )
        if self.suite is not None and self.config is None:
            raise UsageError("--suite names a suite of gate.yml, and there is none", remedy="give --config gate.yml")

    @property
    def flags(self) -> Flags:
        """What is laid over the suite."""
        return Flags(
            baseline=self.file,
            candidate=self.other or self.file,
            threshold=self.threshold,
            metrics=self.metrics,
            reduce=self.reduce,
            format=self.format,
        )
