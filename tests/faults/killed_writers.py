"""Kills processes that write a report, at moments drawn from seeds, and tells what each left: a script of a test."""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from gate.writing import write_atomically

SIZE = 1 << 20


def main(folder: Path, kills: int) -> None:
    """Print, for each kill, which of the two texts stands there, and how many files there are."""
    report = folder / "report.json"
    write_atomically(report, "a" * SIZE)
    left = []
    for seed in range(kills):
        writer = os.fork()
        if writer == 0:
            write_for_ever(report)
        time.sleep(random.Random(seed).uniform(0, 0.02))  # noqa: S311  # a moment, no secret
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        text = report.read_text(encoding="utf-8")
        whole = text in ("a" * SIZE, "b" * SIZE)
        left.append({"whole": whole, "text": text[:1], "files": sorted(file.name for file in folder.iterdir())})
    sys.stdout.write(json.dumps(left))


def write_for_ever(report: Path) -> None:
    """Write one text after the other until the end comes."""
    while True:
        write_atomically(report, "b" * SIZE)
        write_atomically(report, "a" * SIZE)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
