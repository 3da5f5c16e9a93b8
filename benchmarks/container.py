"""The image's size, and how long it takes from ``docker run`` to exit, against an empty Python in the same image.

    .ci/container .venv/bin/python benchmarks/container.py

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
    """Print the size, both medians and their ratio."""
    inspect = ["docker", "image", "inspect", "--format", "{{.Size}}", IMAGE]
    size = int(subprocess.run(inspect, capture_output=True, check=True).stdout)
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for run in range(RUNS + 1):
        for name in COMMANDS:
            seconds = measure(name)
            if run:
                times[name].append(seconds)
    empty, judged = (statistics.median(seconds) for seconds in times.values())
    print(f"The image has {size / 1e6:.0f} MB.\n")
    print("| `docker run` of | median ms | times an empty Python |\n|---|---|---|")
    print(f"| an empty Python | {1000 * empty:.0f} | 1.0 |")
    print(f"| the worked example, judged | {1000 * judged:.0f} | {judged / empty:.1f} |")


if __name__ == "__main__":
    main()
