"""A job that is cancelled ends within two seconds, says so, and leaves no verdict: whatever the gate does just then."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fake_github import REPOSITORY, TOKEN, Fault, State, serving

SCRIPT = Path(__file__).with_name("begun.py")
SECONDS = 2.0


@dataclass
class Job:
    """Work that takes longer than a test waits: its inputs, by the action's names, and the function that does it.

    Attributes:
        folder: the workspace.
        function: ``module:name``; once it is reached, the signal is sent.
        inputs: of the action; the command line gets them as flags.
        environ: more of the environment.
        reports: what the command line writes.
    """

    folder: Path
    function: str
    inputs: Mapping[str, str]
    environ: Mapping[str, str] = field(default_factory=dict)
    reports: tuple[str, ...] = ("json", "markdown")


def write_scores(path: Path, rows: int, *, spread: int = 2) -> str:
    path.write_text("id,score\n" + "".join(f"i{row},{row % spread / spread}\n" for row in range(rows)), "utf-8")
    return path.name


def read_for_long(folder: Path) -> Iterator[Job]:
    yield Job(
        folder,
        "gate.scores.readers.csv:_table",
        {"candidate": write_scores(folder / "b.csv", 800_000), "threshold": "0.1"},
    )


def resample_for_long(folder: Path) -> Iterator[Job]:
    name = write_scores(folder / "b.csv", 3000, spread=2999)
    checks = "{threshold: {bar: 0.1, method: resample, n_resamples: 10000000}, regression: false, drift: false}"
    text = f"version: 1\nsuites:\n  - {{name: s, candidate: {name}, scale: [0, 1], checks: {checks}}}\n"
    (folder / "gate.yml").write_text(text, "utf-8")
    yield Job(folder, "gate.stats.resampling:_draw_sums", {"config": "gate.yml"})


def judge_for_long(folder: Path) -> Iterator[Job]:
    """Many metrics, for each of which chance is asked what it does to the PSI, to the difference and to the mean."""
    names = [f"m{number}" for number in range(60)]
    rows = [",".join(str((row * prime) % 101 / 100) for prime in range(3, 63)) for row in range(4000)]
    for name, shift in (("a.csv", 0), ("b.csv", 1)):
        text = "".join(f"i{row},g{row % 900},{line}\n" for row, line in enumerate(rows[shift:] + rows[:shift]))
        (folder / name).write_text(f"id,group,{','.join(names)}\n{text}", "utf-8")
    text = "version: 1\nsuites:\n  - name: s\n    baseline: a.csv\n    candidate: b.csv\n    scale: [0, 1]\n"
    text += f"    columns: {{group: group}}\n    metrics: {json.dumps(names)}\n"
    (folder / "gate.yml").write_text(text, "utf-8")
    yield Job(folder, "gate.checks.drift:swap_test", {"config": "gate.yml"})


def rank_for_long(folder: Path) -> Iterator[Job]:
    models = [f"model{number}" for number in range(30)]
    fought = [(one, other) for one in models for other in models if one < other]
    lines = [
        json.dumps({"model_a": one, "model_b": other, "winner": ("model_a", "model_b", "tie")[row % 3]})
        for row, (one, other) in enumerate(fought * 8)
    ]
    (folder / "battles.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    checks = "{arena: {model: model1, against: model2, interval: bootstrap, n_resamples: 100000}}"
    text = f"version: 1\nsuites:\n  - {{name: s, kind: battles, candidate: battles.jsonl, checks: {checks}}}\n"
    (folder / "gate.yml").write_text(text, "utf-8")
    yield Job(folder, "gate.stats.bradley_terry_bootstrap:_fit_resamples", {"config": "gate.yml"})


def search_for_long(folder: Path, files: int = 400) -> Iterator[Job]:
    """As much that it is worth several processes, where there are several cores."""
    (folder / "q.csv").write_text("id,score,question\nq1,1,what is asked for nowhere in this corpus\n", "utf-8")
    (folder / "corpus").mkdir()
    first = folder / "corpus" / "0.txt"
    first.write_text("nothing of what is asked here stands in this very long text\n" * 100_000, "utf-8")
    for number in range(1, files):
        os.link(first, folder / "corpus" / f"{number}.txt")
    yield Job(folder, "gate.suites:search_corpus", {"candidate": "q.csv", "corpus": "corpus"})


def search_here_for_long(folder: Path) -> Iterator[Job]:
    """No more than one process reads."""
    yield from search_for_long(folder, files=20)


def copy_for_long(folder: Path) -> Iterator[Job]:
    """A baseline in git that must be unpacked and copied, and then read."""
    name = write_scores(folder / "b.csv", 800_000)
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (
        ["init", "--quiet", "--initial-branch", "main"],
        ["add", name],
        ["commit", "--quiet", "-m", "scores"],
    ):
        subprocess.run([*git, *words], check=True)
    yield Job(folder, "gate.baselines.finding:_copy", {"baseline": f"git:main:{name}", "candidate": name})


def walk_for_long(folder: Path) -> Iterator[Job]:
    """A history in which a file never was, every commit of which must be looked at."""
    commits = "".join(
        f"commit refs/heads/main\ncommitter a <a@b> {1_700_000_000 + number} +0000\ndata 1\nx\n"
        f"M 100644 inline f{number % 50}\ndata {len(str(number))}\n{number}\n"
        for number in range(10_000)
    )
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "--quiet", "--initial-branch", "main"], check=True)
    subprocess.run([*git, "fast-import", "--quiet"], input=commits.encode(), check=True)
    inputs = {"baseline": "git:main:none.csv", "candidate": write_scores(folder / "b.csv", 20)}
    yield Job(folder, "gate.baselines.stored:require_never", inputs)


def render_for_long(folder: Path) -> Iterator[Job]:
    inputs = {"candidate": write_scores(folder / "b.csv", 120_000), "threshold": "0.1"}
    yield Job(folder, "gate.reports.html:render", inputs, reports=("html",))


def comment_for_long(folder: Path) -> Iterator[Job]:
    event = {
        "pull_request": {
            "number": 7,
            "head": {"ref": "feature", "sha": "a" * 40, "repo": {"id": 1}},
            "base": {"ref": "main", "sha": "b" * 40, "repo": {"id": 1}},
        }
    }
    (folder / "event.json").write_text(json.dumps(event), "utf-8")
    state = State()
    state.faults.append(Fault("GET", delay=20.0))
    with serving(state) as api:
        environ = {
            "GITHUB_API_URL": api.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "GITHUB_RUN_ID": "12",
            "GITHUB_RUN_ATTEMPT": "1",
            "GITHUB_WORKFLOW": "evals",
            "GITHUB_JOB": "gate",
            "GITHUB_ACTION": "__self",
            "INPUT_GITHUB-TOKEN": TOKEN,
        }
        scores = {"candidate": write_scores(folder / "b.csv", 20), "threshold": "0.1"}
        yield Job(folder, "gate.github.posting:place", scores, environ)


WORK = {
    "reading": read_for_long,
    "resampling": resample_for_long,
    "judging": judge_for_long,
    "ranking": rank_for_long,
    "the corpus": search_for_long,
    "the corpus, in one process": search_here_for_long,
    "the copy of a baseline": copy_for_long,
    "the history in git": walk_for_long,
    "the HTML report": render_for_long,
    "the comment": comment_for_long,
}


@pytest.fixture
def job(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Job]:
    folder = tmp_path / "workspace"
    folder.mkdir()
    yield from WORK[request.param](folder)


@dataclass(frozen=True)
class End:
    code: int
    seconds: float
    out: str
    err: str


Stop = Callable[..., End]


@pytest.fixture
def stop(tmp_path: Path) -> Stop:
    """Starts a job, sends it the signal as soon as it has begun, and waits for its end."""

    def run(job: Job, entrance: str, number: signal.Signals, arguments: list[str], environ: Mapping[str, str]) -> End:
        begun = tmp_path / "begun"
        base = {name: value for name, value in os.environ.items() if not name.startswith(("GITHUB_", "INPUT_"))}
        process = subprocess.Popen(
            [sys.executable, str(SCRIPT), entrance, job.function, str(begun), *arguments],
            cwd=job.folder,
            env={**base, "PYTHONPATH": os.pathsep.join(sys.path), **environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            deadline = time.monotonic() + 60
            while not begun.exists():
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < deadline
                time.sleep(0.01)
            time.sleep(0.1)
            assert process.poll() is None, "it was done before it could be stopped"
            sent = time.monotonic()
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
            return End(process.returncode, time.monotonic() - sent, out, err)
        finally:
            process.kill()
            process.wait()

    return run


@pytest.mark.parametrize("job", [name for name in WORK if name != "the comment"], indirect=True)
@pytest.mark.parametrize(
    ("number", "code", "told"),
    [
        (signal.SIGINT, 130, "interrupted: nothing was decided"),
        (signal.SIGTERM, 143, "terminated: nothing was decided"),
    ],
)
def test_a_command_line_that_is_stopped_ends_within_two_seconds_and_says_so(
    number: signal.Signals, code: int, told: str, job: Job, stop: Stop
) -> None:
    flags = [f"--{name}={value}" for name, value in job.inputs.items()]
    reports = [f"--report={form}:reports/{form}" for form in job.reports]
    end = stop(job, "gate", number, ["check", *flags, *reports], job.environ)
    assert (end.code, end.out, end.err.strip()) == (code, "", told)
    assert end.seconds < SECONDS
    assert not (job.folder / "reports").exists()


@pytest.mark.parametrize("job", list(WORK), indirect=True)
@pytest.mark.parametrize(
    ("number", "code", "what"),
    [
        (signal.SIGINT, 130, "interrupted: nothing was decided"),
        (signal.SIGTERM, 143, "terminated: nothing was decided"),
    ],
)
def test_a_step_that_is_stopped_ends_within_two_seconds_and_its_summary_says_so(
    number: signal.Signals, code: int, what: str, job: Job, stop: Stop, tmp_path: Path
) -> None:
    output, summary = tmp_path / "output", tmp_path / "summary"
    environ = {
        "GITHUB_WORKSPACE": str(job.folder),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
        **{f"INPUT_{name.upper()}": value for name, value in job.inputs.items()},
        **job.environ,
    }
    end = stop(job, "gate.github", number, [], environ)
    assert (end.code, end.err) == (code, ""), end.out + summary.read_text("utf-8")
    assert end.seconds < SECONDS
    assert f"## 🟣 ERROR: {what}" in summary.read_text("utf-8")
    lines = output.read_text("utf-8").splitlines()
    assert [lines[place + 1] for place, line in enumerate(lines) if line.startswith("verdict<<")][-1] == "ERROR"
