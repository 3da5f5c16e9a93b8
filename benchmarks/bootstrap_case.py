"""One process of the bootstrap's benchmark: prints the seconds of a call and the process's peak memory, as JSON.

python -m benchmarks.bootstrap_case METHOD KIND N RESAMPLES call|idle
"""

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

SEED = 1
ALPHA = 0.05
# Quick calls are repeated for about so long; one that takes longer is timed once.
SECONDS = 0.5
# Numbers that scipy draws at once.
BATCH_CELLS = 1_000_000
PIECE = 1 << 16

Interval = Callable[[NDArray[np.float64]], tuple[float, float]]


def scores(kind: str, n: int) -> NDArray[np.float64]:
    """Either 0, 0.5 or 1, or floats in (0, 1)."""
    rng, values = np.random.default_rng(SEED), np.empty(n)
    # in pieces, for no temporary array to hide what a call needs
    for start in range(0, n, PIECE):
        piece = values[start : start + PIECE]
        piece[:] = rng.integers(0, 3, size=piece.size) / 2 if kind == "lattice" else rng.beta(4, 2, size=piece.size)
    return values


def interval_by(method: str, resamples: int) -> Interval:
    """The method's interval as a function of the scores; its library is imported here."""
    return {"gate": _gate, "scipy": _scipy, "arch": _arch}[method](resamples)


def _gate(_: int) -> Interval:
    from gate.stats.bootstrap import bootstrap_mean  # noqa: PLC0415  # each process loads its own library alone

    return lambda values: bootstrap_mean(values).interval(ALPHA)


def _scipy(resamples: int) -> Interval:
    from scipy.stats import bootstrap  # noqa: PLC0415  # as above

    def interval(values: NDArray[np.float64]) -> tuple[float, float]:
        found = bootstrap(
            (values,),
            np.mean,
            n_resamples=resamples,
            batch=max(1, BATCH_CELLS // values.size),
            confidence_level=1 - ALPHA,
            method="percentile",
            vectorized=True,
            rng=np.random.default_rng(SEED),
        ).confidence_interval
        return float(found.low), float(found.high)

    return interval


def _arch(resamples: int) -> Interval:
    from arch.bootstrap import IIDBootstrap  # noqa: PLC0415  # as above

    def interval(values: NDArray[np.float64]) -> tuple[float, float]:
        ends = IIDBootstrap(values, seed=SEED).conf_int(np.mean, reps=resamples, method="percentile", size=1 - ALPHA)
        return float(ends[0, 0]), float(ends[1, 0])

    return interval


def seconds_a_call(call: Callable[[], object]) -> float:
    """The median over calls after the first, or the first where it takes long."""
    first = _timed(call)
    if first > SECONDS:
        return first
    count = min(1000, max(3, int(SECONDS / first)))
    return statistics.median(_timed(call) for _ in range(count))


def _timed(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def main() -> None:
    """Measure one case, or only set it up."""
    method, kind, n, resamples, mode = sys.argv[1:]
    interval, values = interval_by(method, int(resamples)), scores(kind, int(n))
    seconds = seconds_a_call(lambda: interval(values)) if mode == "call" else 0.0
    # kilobytes on Linux, bytes on macOS
    unit = 1e6 if sys.platform == "darwin" else 1e3
    print(json.dumps({"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit}))


if __name__ == "__main__":
    main()
