"""One process of benchmarks.reading: METHOD PATH read|idle; prints seconds and peak MB as JSON."""

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path


def read_with_gate(path: Path) -> float:
    """Seconds to read the file as ``gate check`` does."""
    from gate.scores import read_run  # noqa: PLC0415  # only this method needs it

    start = time.perf_counter()
    read_run(path)
    return time.perf_counter() - start


def parse_with_orjson(path: Path) -> float:
    """Seconds to parse its lines, the reading of the file left out."""
    import orjson  # noqa: PLC0415  # only this method needs it

    seconds = 0.0
    with path.open("rb") as file:
        for line in file:
            start = time.perf_counter()
            orjson.loads(line)
            seconds += time.perf_counter() - start
    return seconds


METHODS: dict[str, Callable[[Path], float]] = {"gate": read_with_gate, "orjson": parse_with_orjson}


def main(method: str, path: str, mode: str) -> None:
    """Measure once; ``idle`` imports the gate and reads nothing."""
    import gate.scores  # noqa: F401, PLC0415  # its imports are no part of the reading's memory

    seconds = METHODS[method](Path(path)) if mode == "read" else 0.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({"seconds": seconds, "peak": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
