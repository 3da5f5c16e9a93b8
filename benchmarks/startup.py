"""How long a small gate takes, against an interpreter that only imports numpy.

All run in turn, ten times each after one warm-up, so that a change of the machine's speed hits all alike. They run with
bytecode, as whatever was installed does: the warm-up writes what is missing.
"""

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
RUNS = 10
CONFIG = "examples/worked-example/gate.yml"
FILES = ["--baseline", "examples/worked-example/run_a.csv", "--candidate", "examples/worked-example/run_b.csv"]
COMMANDS = {
    'python -c "import numpy"': [sys.executable, "-c", "import numpy"],
    "gate check, two files": [sys.executable, "-m", "gate", "check", *FILES, "--threshold", "0.70"],
    "gate check, gate.yml with a corpus": [sys.executable, "-m", "gate", "check", "--config", CONFIG],
}
ENVIRON = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
SECTION = """\
## A small gate

Whole processes, {runs} runs each in turn, with bytecode as an installed gate has it.

| process | median ms | times `import numpy` |
|---|---|---|
{rows}
"""


def measure(command: list[str]) -> float:
    """Seconds from start to exit of one process."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, env=ENVIRON, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - start


def section() -> str:
    """Time every command in turn and tell the medians."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for run in range(RUNS + 1):
        for name, command in COMMANDS.items():
            seconds = measure(command)
            if run:
                times[name].append(seconds)
    medians = {name: statistics.median(seconds) for name, seconds in times.items()}
    least = next(iter(medians.values()))
    rows = [f"| `{name}` | {1000 * median:.0f} | {median / least:.1f} |" for name, median in medians.items()]
    return SECTION.format(runs=RUNS, rows="\n".join(rows))
