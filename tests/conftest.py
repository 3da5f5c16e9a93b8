"""Runs, pairs and files made by hand, and a gate to put them through."""

import csv
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from gate.alignment import MetricPairs, align, align_alone, pair_metric
from gate.config import validate_config
from gate.pipeline import run_gate
from gate.results import CheckResult, Report
from gate.scores.model import Direction, ItemStatus, MetricScores, Run, Scale, Source

# No test may hang on the machine's speed or on the day's luck: the examples are the same every time.
settings.register_profile("gate", deadline=None, derandomize=True)
settings.load_profile("gate")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a JUnit file of the run tell which tests read real files, so that a run without any can be refused."""
    for item in items:
        if item.get_closest_marker("real_files"):
            item.user_properties.append(("real_files", "yes"))


Score = float | ItemStatus

UNIT = Scale(0.0, 1.0)
EXAMPLE = Path(__file__).parent.parent / "examples" / "worked-example"


def metric_of(
    scores: Sequence[Score], *, scale: Scale | None = None, direction: Direction | None = None
) -> MetricScores:
    missing = [isinstance(score, ItemStatus) for score in scores]
    return MetricScores(
        values=np.array([np.nan if gone else score for score, gone in zip(scores, missing, strict=True)], dtype=float),
        status=np.array([score if gone else 0 for score, gone in zip(scores, missing, strict=True)], dtype=np.uint8),
        scale=scale,
        direction=direction,
    )


def run_of(
    scores: Mapping[str, Score] | Sequence[Score],
    *,
    metric: str = "score",
    scale: Scale | None = None,
    direction: Direction | None = None,
    path: str = "run.csv",
    **fields: Any,
) -> Run:
    """A run of one sample an item, with ids i00, i01, ... where none are given; ``fields`` as in Run."""
    by_id = scores if isinstance(scores, Mapping) else {f"i{row:02d}": score for row, score in enumerate(scores)}
    column = metric_of(list(by_id.values()), scale=scale, direction=direction)
    values: dict[str, Any] = {
        "source": Source(path, f"digest of {by_id}", 100, "csv"),
        "ids": tuple(by_id),
        "item_of_sample": np.arange(len(by_id), dtype=np.intp),
        "metrics": {metric: column},
    }
    return Run(**{**values, **fields})


def pairs_of(
    baseline: Mapping[str, Score] | Sequence[Score] | None,
    candidate: Mapping[str, Score] | Sequence[Score],
    *,
    direction: Direction = Direction.HIGHER,
    scale: Scale | None = UNIT,
) -> MetricPairs:
    """Two sets of scores side by side, as a check gets them."""
    theirs = run_of(candidate, path="candidate.csv")
    alignment = align_alone(theirs) if baseline is None else align(run_of(baseline, path="baseline.csv"), theirs)
    return pair_metric(alignment, "score", direction=direction, scale=scale)


def samples_of(
    baseline: Sequence[Score], candidate: Sequence[Score], *, direction: Direction = Direction.HIGHER
) -> MetricPairs:
    """Two runs on different items, a0, a1, ... and b0, b1, ..., as a check gets them."""
    reference = run_of({f"a{row}": score for row, score in enumerate(baseline)}, path="baseline.csv")
    theirs = run_of({f"b{row}": score for row, score in enumerate(candidate)}, path="candidate.csv")
    alignment = align_alone(theirs, reference=reference)
    return pair_metric(alignment, "score", direction=direction, scale=UNIT)


def judged(suites: Sequence[Mapping[str, Any]] | Mapping[str, Any], **policies: Any) -> Report:
    """The report of a configuration without gate.yml; one suite needs no name."""
    given = [{"name": "suite", **suites}] if isinstance(suites, Mapping) else list(suites)
    return run_gate(validate_config({"version": 1, "policies": policies, "suites": given}))


def result_of(report: Report, check: str, *, suite: int = 0, metric: str | None = None) -> CheckResult:
    """The one result of a check in a suite."""
    results = [result for result in report.suites[suite].results if result.check == check]
    (result,) = [result for result in results if metric is None or result.metric == metric]
    return result


@pytest.fixture(scope="session")
def make_run() -> Callable[..., Run]:
    return run_of


@pytest.fixture(scope="session")
def make_pairs() -> Callable[..., MetricPairs]:
    return pairs_of


@pytest.fixture(scope="session")
def make_samples() -> Callable[..., MetricPairs]:
    return samples_of


@pytest.fixture(scope="session")
def judge() -> Callable[..., Report]:
    return judged


@pytest.fixture(scope="session")
def find() -> Callable[..., CheckResult]:
    return result_of


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def example() -> Path:
    """The folder of the published worked example."""
    return EXAMPLE


@pytest.fixture(scope="session")
def write_csv(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Writes a file of columns, or of scores alone with ids of their own, into a new folder; returns its path."""
    base = tmp_path_factory.mktemp("scores")
    folders = count()

    def write(name: str, columns: Mapping[str, Sequence[object]] | Sequence[object]) -> str:
        if not isinstance(columns, Mapping):
            columns = {"id": [f"i{row:04d}" for row in range(len(columns))], "score": columns}
        path = base / str(next(folders)) / name
        path.parent.mkdir()
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([columns, *zip(*columns.values(), strict=True)])
        return str(path)

    return write


@pytest.fixture(scope="session")
def questions() -> list[str]:
    """Twenty questions without a common phrase."""
    return [f"how{row} does topic{row} relate to subject{row} in year{row}" for row in range(20)]


@pytest.fixture(scope="session")
def questioned(write_csv: Callable[..., str], questions: list[str]) -> Callable[..., str]:
    """Writes a score file with a question for each score, the twenty ones where no others are given."""

    def write(scores: Sequence[object], asked: Sequence[str] = questions) -> str:
        ids = [f"q{row:02d}" for row in range(len(scores))]
        return write_csv("scores.csv", {"id": ids, "question": asked[: len(scores)], "score": scores})

    return write


@dataclass
class Sandbox:
    """A git repository of a test, made by the program itself; each commit is a day after the one before.

    Attributes:
        root: its working tree.
        day: of the next commit, counted from 2026-01-01.
    """

    root: Path
    day: int = 0
    environ: dict[str, str] = field(default_factory=dict)

    def git(self, *arguments: str) -> str:
        """Run git; returns what it prints."""
        date = f"2026-01-{1 + self.day:02d}T12:00:00Z"
        mine = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_DATE": date}
        people = {f"GIT_{role}_{what}": "a@b" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environ = {**mine, **alone, **people, "GIT_COMMITTER_DATE": date, **self.environ}
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=environ, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def write(self, path: str, content: str) -> None:
        """Write a file of the working tree."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)

    def commit(self, **files: str) -> str:
        """Commit the whole working tree, with these files written first; returns the commit's id."""
        for path, content in files.items():
            self.write(path, content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", f"day {self.day}")
        self.day += 1
        return self.git("rev-parse", "HEAD")

    def clone(self, target: Path, *options: str) -> "Sandbox":
        """A clone as a remote would be cloned, not by linking files."""
        self.git("clone", "--quiet", *options, f"file://{self.root}", str(target))
        return Sandbox(target, self.day)


@pytest.fixture
def sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sandbox:
    """An empty repository on the branch main, which is the working directory; GitHub's variables are not set."""
    for name in [name for name in os.environ if name.startswith("GITHUB_")]:
        monkeypatch.delenv(name)
    made = Sandbox(tmp_path / "repository")
    made.root.mkdir()
    made.git("init", "--quiet", "--initial-branch", "main")
    monkeypatch.chdir(made.root)
    return made
