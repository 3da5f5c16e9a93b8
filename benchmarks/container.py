"""The image's size, and the time from ``docker run`` to exit against an empty Python: writes docs/container.md.

    make bench-container

Both run in turn, ten times each after one warm-up, so that a change of the machine's speed hits both alike.
"""

import os
import statistics
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGE = os.environ["GATE_IMAGE"]
RUNS = 10
PYTHON = "/opt/gate/bin/python"
# what it writes stays in the container and goes with it
RUN = ("docker", "run", "--rm", "--network", "none", "--workdir", "/github/workspace")
EXAMPLE = ("-v", f"{ROOT / 'examples' / 'worked-example'}:/github/workspace/example:ro", "-e", "INPUT_CONFIG")
COMMANDS = {
    "an empty Python": (*RUN, *EXAMPLE, "--entrypoint", PYTHON, IMAGE, "-I", "-c", ""),
    "the worked example, judged": (*RUN, *EXAMPLE, IMAGE),
}
EXPECTED = {"an empty Python": 0, "the worked example, judged": 1}
PAGE = """\
# The image

`make bench-container` writes this page: the image as built from the Dockerfile here, and whole `docker run`s of it,
{runs} each in turn. Its base was {base}; the official image may differ.

The image has {size:.0f} MB.

| `docker run` of | median ms | times an empty Python |
|---|---|---|
| an empty Python | {empty:.0f} | 1.0 |
| the worked example, judged | {judged:.0f} | {ratio:.1f} |
"""


def measure(name: str) -> float:
    """Seconds from ``docker run`` to its exit."""
    environment = {**os.environ, "INPUT_CONFIG": "example/gate.yml"}
    start = time.perf_counter()
    done = subprocess.run(COMMANDS[name], env=environment, capture_output=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode != EXPECTED[name]:
        raise SystemExit(f"{name} exited with {done.returncode}:\n{(done.stdout + done.stderr).decode()}")
    return seconds


def main() -> None:
    """Measure the size, both medians and their ratio, and write the page."""
    inspect = ["docker", "image", "inspect", "--format", "{{.Size}}", IMAGE]
    size = int(subprocess.run(inspect, capture_output=True, check=True).stdout)
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for run in range(RUNS + 1):
        for name in COMMANDS:
            seconds = measure(name)
            if run:
                times[name].append(seconds)
    empty, judged = (statistics.median(seconds) for seconds in times.values())
    page = PAGE.format(
        size=size / 1e6,
        base=os.environ.get("BASE_IMAGE", "what the machine holds as python:3.13-slim"),
        runs=RUNS,
        empty=1000 * empty,
        judged=1000 * judged,
        ratio=judged / empty,
    )
    print(page)
    (ROOT / "docs" / "container.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
