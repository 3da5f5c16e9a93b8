"""The bootstrap interval of a mean: the gate's against scipy's and arch's, each measurement a process of its own.

This module imports no more than it needs to start them: on Linux a process counts as its own peak what its parent held.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
RESAMPLES = 10_000
# At these sizes 10 000 resamples take minutes.
FEWER_RESAMPLES = {1_000_000: 500}
SIZES = (20, 1_000, 100_000, 1_000_000)
LARGEST = 10_000_000
KINDS = {"lattice": "0, 0.5 or 1", "floats": "floats"}
PEERS = ("scipy", "arch")
ROUNDS = 3
SECTION = """\
## The bootstrap interval of a mean

The gate's is computed without resampling; `scipy.stats.bootstrap` (percentile, vectorised, in batches of a million
numbers) and `arch.bootstrap.IIDBootstrap` (percentile) draw 10 000 resamples. Medians of {rounds} processes each, all
in turn; within a process the median of calls after one that warms it up, or that one where it takes over half a second.
Peak memory is the process's highest resident size (`ru_maxrss`) less that of the same process without the call: imports
and the scores themselves do not count.

| scores | n | gate ms | scipy ms | times gate | arch ms | times gate | gate MB | scipy MB | arch MB |
|---|---|---|---|---|---|---|---|---|---|
{rows}

\\* timed with {fewer} resamples and scaled linearly to 10 000.
"""


class Measurement(NamedTuple):
    """Seconds a call, and the megabytes that calls added to the process's peak."""

    seconds: float
    megabytes: float


def measure(method: str, kind: str, n: int) -> Measurement:
    """One process with calls and one without."""
    resamples = FEWER_RESAMPLES.get(n, RESAMPLES)
    called, idle = (_run(method, kind, n, resamples, mode) for mode in ("call", "idle"))
    scale = 1.0 if method == "gate" else RESAMPLES / resamples
    return Measurement(called["seconds"] * scale, max(0.0, called["peak"] - idle["peak"]))


def _run(method: str, kind: str, n: int, resamples: int, mode: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.bootstrap_case", method, kind, str(n), str(resamples), mode]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, check=True)
    result: dict[str, float] = json.loads(done.stdout)
    return result


def row(kind: str, n: int, measured: Callable[[str, str, int], Measurement] = measure) -> str:
    """All methods in turn; the largest size is the gate's alone."""
    methods = ("gate",) if n == LARGEST else ("gate", *PEERS)
    times: dict[str, list[Measurement]] = {method: [] for method in methods}
    for _ in range(ROUNDS):
        for method in methods:
            times[method].append(measured(method, kind, n))
    seconds = {method: statistics.median(each.seconds for each in times[method]) for method in methods}
    megabytes = {method: statistics.median(each.megabytes for each in times[method]) for method in methods}
    mark = " \\*" if n in FEWER_RESAMPLES else ""
    cells = [KINDS[kind], f"{n:,}".replace(",", " "), _milliseconds(seconds["gate"])]
    for peer in PEERS:
        known = peer in seconds
        cells += [_milliseconds(seconds[peer]) + mark if known else "–"]
        cells += [f"{_rounded(seconds[peer] / seconds['gate'])}" if known else "–"]
    cells += [f"{megabytes[method]:.0f}" if method in megabytes else "–" for method in ("gate", *PEERS)]
    return f"| {' | '.join(cells)} |"


def section() -> str:
    """Measure every size of every kind and tell the medians."""
    rows = []
    for kind in KINDS:
        for n in (*SIZES, LARGEST):
            rows.append(row(kind, n))
            print(rows[-1], file=sys.stderr, flush=True)
    return SECTION.format(rounds=ROUNDS, rows="\n".join(rows), fewer=FEWER_RESAMPLES[1_000_000])


def _milliseconds(seconds: float) -> str:
    return f"{_rounded(1000 * seconds)}"


def _rounded(value: float) -> str:
    """To two digits, or to whole numbers above 100."""
    return f"{value:.2g}" if value < 99.5 else f"{value:,.0f}".replace(",", " ")  # noqa: PLR2004  # two digits
