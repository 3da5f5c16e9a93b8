"""Same input, same bytes: over versions of Python, threads, seeds of the hash, kernels; and figures over orders."""

import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "worked-example"
FORMS = ("json", "markdown", "html", "junit", "text")
# paths of Pythons that hold the packages of requirements/runtime.txt: `make determinism` makes them
OTHERS = [path for path in os.environ.get("GATE_PYTHONS", "").split(os.pathsep) if path]
VERSIONS = ("3.11", "3.12", "3.13")
GATE_YML = """
version: 1
policies: {seed: 7}
suites:
  - name: scores
    baseline: before.csv
    candidate: now.csv
    metrics: [right, quality]
    scale: [0, 1]
    checks: {threshold: {bar: 0.4, method: resample, n_resamples: 2000}, regression: {margin: 0.02}}
  - name: answers
    baseline: run_a.csv
    candidate: run_b.csv
    scale: [0, 1]
    checks: {threshold: {bar: 0.70}, drift: {rule: bands}}
  - name: questions
    checks: {contamination: {items: questions.jsonl, corpus: corpus, on_leak: warn}}
waivers:
  - {suite: answers, check: threshold, reason: known, approved_by: someone, expires: 2026-12-31}
"""

Judge = Callable[..., dict[str, bytes]]


def rows(seed: int) -> list[str]:
    draw = random.Random(seed)  # noqa: S311  # scores, no secrets
    return [f"item {number:03d} ü,{draw.randint(0, 1)},{draw.random():.17g},{number % 7}" for number in range(300)]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("same") / "workspace"
    shutil.copytree(EXAMPLE, folder)
    for name, seed in (("before.csv", 1), ("now.csv", 2)):
        (folder / name).write_text("\n".join(["id,right,quality,group", *rows(seed), ""]), encoding="utf-8")
    (folder / "gate.yml").write_text(GATE_YML, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def judge() -> Judge:
    """Judges a workspace in a process of its own; returns each report's bytes."""

    def run(folder: Path, python: str = sys.executable, **environ: str) -> dict[str, bytes]:
        out = folder / "out"
        reports = [f"--report={form}:out/{form}" for form in FORMS]
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "COVERAGE_"))}
        fixed = {"SOURCE_DATE_EPOCH": "1767225600", "PYTHONPATH": str(EXAMPLE.parents[1])}
        done = subprocess.run(
            [python, "-B", "-m", "gate", "check", "--config", "gate.yml", *reports],
            cwd=folder,
            env={**clean, **fixed, **environ},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
        told = {form: (out / form).read_bytes() for form in FORMS}
        shutil.rmtree(out)
        return told

    return run


@pytest.fixture(scope="module")
def usual(judge: Judge, workspace: Path) -> dict[str, bytes]:
    return judge(workspace)


def digests(told: Mapping[str, bytes]) -> dict[str, str]:
    return {form: hashlib.sha256(content).hexdigest() for form, content in told.items()}


@pytest.mark.parametrize(
    "environ",
    [
        {},
        {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2"},
        {"PYTHONHASHSEED": "0"},
        {"PYTHONHASHSEED": "1"},
        {"PYTHONHASHSEED": "2"},
        {"PYTHONHASHSEED": "3"},
        {"GATE_KERNEL": "numpy"},
        {"LC_ALL": "C", "LANG": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati", "PYTHONIOENCODING": "ascii"},
        {"COLUMNS": "40", "TERM": "dumb", "NO_COLOR": "1"},
    ],
    ids=str,
)
def test_every_report_has_the_same_bytes(
    environ: dict[str, str], judge: Judge, workspace: Path, usual: dict[str, bytes]
) -> None:
    assert digests(judge(workspace, **environ)) == digests(usual)


def without_numpy(told: Mapping[str, bytes]) -> dict[str, bytes]:
    version = json.loads(told["json"])["provenance"]["versions"]["numpy"]
    return {form: content.replace(version.encode(), b"numpy's") for form, content in told.items()}


def version_of(python: str) -> str:
    told = subprocess.run(
        [python, "-c", "import sys; print('.'.join(map(str, sys.version_info[:2])))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return told.stdout.strip()


@pytest.mark.parametrize("version", VERSIONS)
def test_every_python_writes_the_same_bytes(
    version: str, judge: Judge, workspace: Path, usual: dict[str, bytes]
) -> None:
    python = next((each for each in OTHERS if version_of(each) == version), None)
    if python is None:
        pytest.skip(f"GATE_PYTHONS names no Python {version}: `make determinism` names those of this machine")
    # another numpy is pinned for older Pythons, and every report tells which one it was
    assert digests(without_numpy(judge(workspace, python))) == digests(without_numpy(usual))


def figures(told: Mapping[str, bytes]) -> Any:
    """The JSON report without the digests of the files, which their order does change."""
    report = json.loads(told["json"])
    for suite in report["suites"]:
        for side in ("baseline", "candidate"):
            if suite[side] is not None:
                suite[side]["digest"] = ""
    return report


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_the_items_changes_no_figure(
    seed: int, judge: Judge, workspace: Path, usual: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "shuffled"
    shutil.copytree(workspace, folder)
    for name in ("before.csv", "now.csv", "run_a.csv", "run_b.csv"):
        header, *lines = (folder / name).read_text(encoding="utf-8").splitlines()
        random.Random(seed).shuffle(lines)  # noqa: S311  # an order, no secret
        (folder / name).write_text("\n".join([header, *lines, ""]), encoding="utf-8")
    assert figures(judge(folder)) == figures(usual)
