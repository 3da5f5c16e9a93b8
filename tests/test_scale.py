"""No step is quadratic: work is counted in calls, which no slow machine changes, at one size and at twice that."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.config import validate_config
from gate.pipeline import run_gate
from gate.reports import REPORTS
from gate.results import Report, Word

# Twice the work is 2; sorting adds a little, a quadratic step would show as 4 once it is most of the work.
MOST_GROWTH = 2.35
ITEMS = 1500
SUITES = 20
# A million items by five metrics, in bytes an item; what does not grow comes on top.
MOST_BYTES = 900.0

WriteCsv = Callable[..., str]


def counted(work: Callable[[], object]) -> int:
    """How many functions are called, Python's own written in C among them, while this is done."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def columns_of(n: int, seed: int) -> dict[str, list[object]]:
    draw = np.random.default_rng(seed)
    scores: list[object] = draw.integers(0, 2, n).tolist()
    floats: list[object] = draw.random(n).round(3).tolist()
    ids: list[object] = [f"item {row}" for row in range(n)]
    return {"id": ids, "question": [f"what is {row} of {row % 7}?" for row in range(n)], "right": scores, "q": floats}


def report_of_items(n: int, write_csv: WriteCsv) -> Callable[[], Report]:
    baseline, candidate = columns_of(n, 1), columns_of(n, 2)
    # a tenth is lost, as many are new, and a twentieth has no score
    candidate = {name: cells[n // 10 :] for name, cells in candidate.items()}
    candidate["right"] = ["error" if row % 20 == 0 else cell for row, cell in enumerate(candidate["right"])]
    for name, cells in columns_of(n + n // 10, 3).items():
        candidate[name] += cells[n:]
    files = {"baseline": write_csv("a.csv", baseline), "candidate": write_csv("b.csv", candidate)}
    suite: dict[str, Any] = {"name": "s", **files, "metrics": ["right", "q"], "scale": [0, 1]}
    config = validate_config({"version": 1, "suites": [suite]})
    return lambda: run_gate(config)


def report_of_suites(n: int, write_csv: WriteCsv) -> Callable[[], Report]:
    files = [write_csv("s.csv", np.random.default_rng(seed).integers(0, 2, 20).tolist()) for seed in (1, 2)]
    suites = [
        {"name": f"suite {number}", "baseline": files[0], "candidate": files[1], "scale": [0, 1]} for number in range(n)
    ]
    config = validate_config({"version": 1, "suites": suites})
    return lambda: run_gate(config)


@pytest.mark.parametrize(("make", "size"), [(report_of_items, ITEMS), (report_of_suites, SUITES)])
def test_twice_as_many_are_twice_the_work_to_judge(
    make: Callable[..., Callable[[], Report]], size: int, write_csv: WriteCsv
) -> None:
    make(20, write_csv)()  # what is loaded and cached once
    once, twice = (counted(make(n, write_csv)) for n in (size, 2 * size))
    assert twice / once < MOST_GROWTH


@pytest.mark.parametrize("form", list(REPORTS))
@pytest.mark.parametrize(("make", "size"), [(report_of_items, ITEMS), (report_of_suites, SUITES)])
def test_twice_as_many_are_twice_the_work_to_tell(
    make: Callable[..., Callable[[], Report]], size: int, form: str, write_csv: WriteCsv
) -> None:
    render = REPORTS[form]
    small, large = (make(n, write_csv)() for n in (size, 2 * size))
    render(small)
    once, twice = (counted(partial(render, report)) for report in (small, large))
    assert twice / once < MOST_GROWTH


def test_a_hundred_suites_are_judged_and_told(write_csv: WriteCsv) -> None:
    report = report_of_suites(100, write_csv)()
    assert len(report.suites) == 100
    assert report.verdict.word is not Word.ERROR
    for form in ("json", "markdown", "html", "junit"):
        assert "suite 99" in REPORTS[form](report)
    # a terminal shows the first, and says so
    assert "90 suites not shown in detail" in REPORTS["text"](report)


PEAK = """
import resource, sys
from gate.cli import run
code = run(["check", "--config", sys.argv[1], "-q", "--report", "json:" + sys.argv[1] + ".json"])
print(code, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak_of(n: int, folder: Path) -> int:
    """The highest resident size, in bytes, of a process that judges n items by five metrics and writes JSON."""
    folder.mkdir()
    for seed, name in enumerate(("a.csv", "b.csv")):
        scores = np.random.default_rng(seed).random((n, 5)).round(4).tolist()
        lines = (f"item {row:07d}," + ",".join(map(str, each)) for row, each in enumerate(scores))
        (folder / name).write_text("id,a,b,c,d,e\n" + "\n".join(lines) + "\n", encoding="utf-8")
    suite = "{name: s, baseline: a.csv, candidate: b.csv, metrics: [a, b, c, d, e]}"
    (folder / "gate.yml").write_text(f"version: 1\nsuites:\n  - {suite}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PEAK, "gate.yml"], cwd=folder, capture_output=True, text=True, check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    code, kilobytes = map(int, done.stdout.split()[-2:])
    assert code in (0, 1)
    return kilobytes * 1024


def test_a_million_items_by_five_metrics_would_stay_under_a_gigabyte(tmp_path: Path) -> None:
    few, many = peak_of(20_000, tmp_path / "few"), peak_of(60_000, tmp_path / "many")
    assert (many - few) / 40_000 < MOST_BYTES
