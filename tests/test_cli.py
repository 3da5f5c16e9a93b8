"""The command line as a shell sees it: what it prints where, and how it exits."""

import ast
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from gate import __version__, cli, entry
from gate.checks import CHECKS
from gate.cli import run
from gate.contamination.engines.fitting import cores
from gate.reports import REPORTS
from gate.reports.json import load
from gate.results import Word
from gate.scores import FORMATS

GATE = (sys.executable, "-m", "gate")
NOBODY = 65534
# as a job has it: with output buffered, and nothing said of colour
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in {"PYTHONUNBUFFERED", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "CI", "GITHUB_ACTIONS"}
}

WriteCsv = Callable[..., str]
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def passing(write_csv: WriteCsv) -> list[str]:
    return ["check", "--baseline", write_csv("a.csv", [1] * 20), "--candidate", write_csv("b.csv", [1] * 20)]


@pytest.fixture
def blocking(write_csv: WriteCsv) -> list[str]:
    worse = write_csv("b.csv", [0] * 10 + [1] * 10)
    return ["check", "--baseline", write_csv("a.csv", [1] * 20), "--candidate", worse]


@pytest.fixture
def warning(write_csv: WriteCsv) -> list[str]:
    lost = write_csv("b.csv", [1] * 39 + ["error"])
    return ["check", "--baseline", write_csv("a.csv", [1] * 40), "--candidate", lost]


def gate(
    *arguments: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {**ENVIRONMENT, **(env or {})}
    return subprocess.run([*GATE, *arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False)


# reports


def test_reports_may_repeat_and_standard_output_still_gets_the_text(
    passing: list[str], tmp_path: Path, capsys: Captured
) -> None:
    targets = [f"--report={form}:{tmp_path / form}" for form in REPORTS]
    assert run([*passing, *targets, f"--report=json:{tmp_path / 'second.json'}"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {*REPORTS, "second.json"}
    assert capsys.readouterr().out.startswith("PASS: ")


def test_a_report_on_standard_output_stands_there_alone(passing: list[str], capsys: Captured) -> None:
    assert run([*passing, "--report", "json:-"]) == 0
    captured = capsys.readouterr()
    assert load(captured.out).verdict.word is Word.PASS
    assert captured.err == ""


def test_a_text_report_on_standard_output_is_the_one_printed_anyway(passing: list[str], capsys: Captured) -> None:
    run(passing)
    anyway = capsys.readouterr().out
    run([*passing, "--report", "text:-"])
    assert capsys.readouterr().out == anyway


@pytest.mark.parametrize("wanted", ["pdf:x", "json", "json:", "report.json"])
def test_an_unknown_form_of_report_is_a_usage_error(wanted: str, passing: list[str], capsys: Captured) -> None:
    assert run([*passing, "--report", wanted]) == 2
    assert capsys.readouterr().err == (
        f"ERROR: --report {wanted!r} is not FORM:PATH\n  remedy: FORM is one of {', '.join(REPORTS)}; PATH may be -\n"
    )


def test_the_command_in_the_report_repeats_the_run(passing: list[str], tmp_path: Path) -> None:
    spaced = tmp_path / "my scores.csv"
    shutil.copy(passing[-1], spaced)
    done = gate("check", "--candidate", str(spaced), "--threshold=.5", "--report", "json:-")
    command = load(done.stdout).provenance.command
    again = subprocess.run(
        ["bash", "-c", command.replace("gate ", f"{sys.executable} -m gate ", 1)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (again.returncode, again.stdout) == (0, done.stdout)


@pytest.mark.parametrize(
    "wrong",
    [
        ["--threshold", "abc"], ["--report", "pdf:y"], ["--nonsense"], ["extra"], ["--fail-on", "maybe"],
        ["--format", "xls"], ["--candidate"], ["--threshold", "nan"], ["--metric", ""],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_mistake_on_the_command_line_does_not_leave_the_report_of_yesterday(
    wrong: list[str], passing: list[str], tmp_path: Path
) -> None:
    paths = [tmp_path / "one.json", tmp_path / "two.json"]
    arguments = [*passing, "--report", f"json:{paths[0]}", f"--report=json:{paths[1]}"]
    assert run(arguments) == 0
    assert run([*arguments, *wrong]) == 2
    for path in paths:
        assert load(path.read_text(encoding="utf-8")).verdict.word is Word.ERROR


def test_a_mistake_on_the_command_line_overwrites_no_input(passing: list[str], capsys: Captured) -> None:
    scores = Path(passing[2]).read_bytes()
    for path in (passing[2], passing[4]):
        assert run([*passing, "--report", f"json:{path}", "--threshold", "abc"]) == 2
    assert run(["check", f"--baseline={passing[2]}", "--report", f"json:{passing[2]}", "--nonsense"]) == 2
    assert [Path(passing[index]).read_bytes() for index in (2, 4)] == [scores, scores]
    assert capsys.readouterr().err.count("ERROR: ") == 3


def test_a_mistake_in_another_command_writes_no_report(tmp_path: Path) -> None:
    assert run(["show", "x", "--report", f"json:{tmp_path / 'x'}"]) == 2
    assert not (tmp_path / "x").exists()


def test_a_mistake_on_the_command_line_is_told_like_any_other(capsys: Captured) -> None:
    assert run(["check", "--threshold", "abc"]) == 2
    assert capsys.readouterr().err == (
        "ERROR: Invalid value for '--threshold': 'abc' is not a valid float\n"
        "  remedy: `gate check --help` tells what it takes\n"
    )


def test_a_report_may_not_be_an_input(passing: list[str], capsys: Captured) -> None:
    scores = Path(passing[4]).read_bytes()
    assert run([*passing, "--report", f"json:{passing[4]}"]) == 2
    assert f"--report json:{passing[4]} would overwrite the candidate\n" in capsys.readouterr().err
    assert Path(passing[4]).read_bytes() == scores


def test_standard_output_holds_one_report(passing: list[str], capsys: Captured) -> None:
    assert run([*passing, "--report", "json:-", "--report", "markdown:-"]) == 2
    captured = capsys.readouterr()
    assert load(captured.out).verdict.word is Word.ERROR
    assert "would be written to the same place" in captured.err


# exit codes


def test_a_candidate_alone_is_not_green(passing: list[str], capsys: Captured) -> None:
    assert run(["check", *passing[3:]]) == 2
    assert "there is nothing to judge by" in capsys.readouterr().err


@pytest.mark.parametrize(
    "left_over",
    [
        {"_GATE_COMPLETE": "1"},
        {"_GATE_COMPLETE": "bash_complete"},
        {"_GATE_COMPLETE": "bash_source"},
        {"_GATE_COMPLETE": "bash_complete", "COMP_WORDS": "gate ch", "COMP_CWORD": "1"},
        {"_GATE_COMPLETE": "nonsense", "COMP_WORDS": "gate ch", "COMP_CWORD": "1"},
    ],
    ids=lambda left_over: " ".join(left_over.values()),
)
def test_a_variable_left_over_from_a_completion_does_not_keep_the_gate_from_judging(
    left_over: Mapping[str, str], blocking: list[str]
) -> None:
    done = gate(*blocking, env=left_over)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("BLOCK: ")


def test_an_exit_of_the_library_that_nobody_asked_for_is_no_success(
    passing: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(*_: object, **__: object) -> None:
        raise SystemExit(0)

    monkeypatch.setattr(cli, "cli", leave)
    assert run(passing) == 3
    assert run(["check", "--help"]) == 0


@pytest.mark.parametrize(
    ("verdict", "fail_on", "expected"),
    [
        ("passing", None, 0), ("passing", "block", 0), ("passing", "warn", 0), ("passing", "never", 0),
        ("warning", None, 0), ("warning", "block", 0), ("warning", "warn", 1), ("warning", "never", 0),
        ("blocking", None, 1), ("blocking", "block", 1), ("blocking", "warn", 1), ("blocking", "never", 0),
    ],
)  # fmt: skip
def test_a_verdict_exits_as_asked(
    verdict: str, fail_on: str | None, expected: int, request: pytest.FixtureRequest
) -> None:
    arguments: list[str] = request.getfixturevalue(verdict)
    assert run([*arguments, *(["--fail-on", fail_on] if fail_on else [])]) == expected


def test_fail_on_may_be_shouted(warning: list[str]) -> None:
    assert run([*warning, "--fail-on", "WARN"]) == 1


def test_a_process_exits_with_the_code_of_its_verdict(passing: list[str], blocking: list[str]) -> None:
    assert [gate(*arguments).returncode for arguments in (passing, blocking)] == [0, 1]


@pytest.mark.parametrize(
    "arguments",
    [
        [], ["nonsense"], ["--nonsense"], ["check"], ["check", "--nonsense"], ["check", "extra"],
        ["check", "--candidate"], ["check", "--candidate", "nowhere.csv"], ["check", "--config", "nowhere.yml"],
        ["check", "--threshold", "high", "--candidate", "x"], ["check", "--fail-on", "maybe", "--candidate", "x"],
        ["check", "--format", "xls", "--candidate", "x"], ["show"], ["show", "nowhere.csv"], ["validate"],
        ["validate", "nowhere.yml"], ["explain"], ["explain", "nonsense"], ["init"], ["init", "nowhere.csv"],
        ["completion"], ["completion", "tcsh"], ["power"], ["power", "nowhere.csv"], ["power", "--p", "80"],
        ["power", "--p", "0.8", "--n", "many"], ["power", "a.csv", "b.csv", "c.csv"],
        ["selfcheck"], ["selfcheck", "nowhere.csv"], ["selfcheck", "a.csv", "--runs", "few"],
        ["selfcheck", "a.csv", "--config", "nowhere.yml"], ["selfcheck", "a.csv", "b.csv", "c.csv"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_mistake_of_the_user_exits_2_and_is_told_on_standard_error(arguments: list[str], capsys: Captured) -> None:
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.endswith("\n")
    assert "Traceback" not in captured.err


def test_a_mistyped_command_is_told_with_the_likely_one(capsys: Captured) -> None:
    run(["chekc"])
    assert "Did you mean 'check'?" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["show", "validate", "explain", "init", "power", "selfcheck"])
def test_an_internal_error_of_any_command_exits_3(
    command: str, passing: list[str], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (
        "gate.descriptions.describe_path", "gate.descriptions.load_config", "gate.descriptions.explain_check",
        "gate.starter.write_starter", "gate.planning.make_plan", "gate.selfcheck.measure",
    ):  # fmt: skip
        monkeypatch.setattr(place, lambda *_, **__: 1 / 0)
    assert run([command, "drift" if command == "explain" else passing[-1]]) == 3
    told = capsys.readouterr().err
    assert told.startswith("Traceback (most recent call last):\n")
    assert "\nERROR: internal error: ZeroDivisionError: division by zero\n" in told


def test_an_internal_error_of_a_check_exits_3_and_is_reported(
    passing: list[str], tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "run_gate", lambda *_, **__: 1 / 0)
    assert run([*passing, "--report", f"json:{tmp_path / 'report.json'}"]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("ERROR: internal error: ")
    assert load((tmp_path / "report.json").read_text(encoding="utf-8")).verdict.word is Word.ERROR


def test_an_installation_that_does_not_import_exits_3(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('broken')\n", encoding="utf-8")
    done = gate("--version", env={"PYTHONPATH": str(tmp_path)})
    assert done.returncode == 3
    assert done.stderr.endswith("internal error: nothing was decided; is the installation whole?\n")


@pytest.mark.parametrize("stream", ["pipe", "/dev/full"])
def test_an_internal_error_that_nobody_can_hear_exits_3(stream: str, tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('broken')\n", encoding="utf-8")
    writing = closed_pipe() if stream == "pipe" else os.open(stream, os.O_WRONLY)
    environ = {**ENVIRONMENT, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([*GATE, "--version"], stderr=writing, env=environ, check=False)
    os.close(writing)
    assert done.returncode == 3


def test_what_an_import_quotes_of_a_file_commands_no_log(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError('::error::a\\n::error::b \\x1b[31m ##[error]c')\n", "utf-8")
    told = gate("--version", env={"PYTHONPATH": str(tmp_path)}).stderr
    assert "| ::error::b \\x1b[31m \\x23#[error]c\n" in told
    assert not any(line.lstrip().startswith("::") for line in told.split("\n"))


# being interrupted


@pytest.fixture
def endless(tmp_path: Path) -> list[str]:
    """A check that would take minutes: the same text two hundred times, at the price of one."""
    (tmp_path / "questions.csv").write_text("id,question,score\nq1,what is the capital of france,1\n", encoding="utf-8")
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    first = corpus / "0.txt"
    first.write_text("nothing of what is asked here stands in this very long text\n" * 100_000, encoding="utf-8")
    for number in range(1, 200):
        os.link(first, corpus / f"{number}.txt")
    return ["check", "--candidate", str(tmp_path / "questions.csv"), "--corpus", str(corpus)]


def children_of(process: subprocess.Popen[str]) -> list[int]:
    return [
        int(child)
        for task in Path(f"/proc/{process.pid}/task").glob("*/children")
        for child in task.read_text().split()
    ]


def has_open(process: subprocess.Popen[str], folder: Path) -> bool:
    """Whether it, or a process that it has started, reads a file in the folder."""
    opened = []
    for number in (process.pid, *children_of(process)):
        with suppress(FileNotFoundError):
            for link in Path(f"/proc/{number}/fd").iterdir():
                with suppress(FileNotFoundError):
                    opened.append(link.readlink())
    return any(path.is_relative_to(folder) for path in opened)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="sees in /proc when the scan has begun")
@pytest.mark.parametrize(
    ("number", "code", "told"),
    [
        (signal.SIGINT, 130, "interrupted: nothing was decided"),
        (signal.SIGTERM, 143, "terminated: nothing was decided"),
    ],
)
def test_an_interrupted_check_says_so_and_leaves_nothing_half_written(
    number: signal.Signals, code: int, told: str, endless: list[str], tmp_path: Path
) -> None:
    # a shell may have started us in the background, where SIGINT is ignored
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    script = f"{listen}; from gate.__main__ import main; main()"
    reports = [f"--report={form}:{tmp_path / 'reports' / form}" for form in REPORTS]
    process = subprocess.Popen(
        [sys.executable, "-c", script, *endless, *reports], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 30
    while not has_open(process, tmp_path / "corpus") and time.monotonic() < deadline:
        time.sleep(0.02)
    children = children_of(process)
    # on one core it reads the corpus itself
    assert bool(children) == (cores() > 1)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == code
    assert (out, err.strip()) == ("", told)
    assert not any(Path(f"/proc/{child}").exists() for child in children)
    assert not (tmp_path / "reports").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_while_the_modules_load_ends_quietly(number: signal.Signals, code: int, tmp_path: Path) -> None:
    # as numpy does, which is written in C: what comes up within its import comes out as another error
    (tmp_path / "numpy.py").write_text(
        "import time\nprint('loading', flush=True)\n"
        "try:\n    time.sleep(60)\nexcept BaseException as fault:\n    raise RuntimeError('import') from fault\n",
        encoding="utf-8",
    )
    listen = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    process = subprocess.Popen(
        [sys.executable, "-c", f"{listen}; from gate.__main__ import main; main()", "--version"],
        env={**ENVIRONMENT, "PYTHONPATH": str(tmp_path)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "loading\n"
    process.send_signal(number)
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == code


# streams


def closed_pipe() -> int:
    """The writing end of a pipe that nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["check", "--help"], ["explain", "drift"]])
def test_a_closed_pipe_is_no_error(arguments: list[str]) -> None:
    writing = closed_pipe()
    done = subprocess.run(
        [*GATE, *arguments], stdout=writing, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("verdict", "code"), [("passing", 0), ("blocking", 1)])
def test_a_closed_pipe_does_not_change_the_verdict(verdict: str, code: int, request: pytest.FixtureRequest) -> None:
    arguments: list[str] = request.getfixturevalue(verdict)
    writing = closed_pipe()
    done = subprocess.run(
        [*GATE, *arguments], stdout=writing, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (code, "")


def test_a_pipe_closed_after_the_first_line_is_no_error(passing: list[str]) -> None:
    script = f'{sys.executable} -m gate "$@" --verbose | head -1; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *passing], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines()[1:] == ["0"]
    assert done.stdout.startswith("PASS: ")
    assert done.stderr == ""


@pytest.mark.parametrize(("redirection", "code"), [(">&-", 1), ("2>&-", 1), (">&- 2>&-", 1), (">/dev/full", 2)])
def test_a_stream_that_is_closed_or_full_does_not_look_like_another_verdict(
    redirection: str, code: int, blocking: list[str]
) -> None:
    script = f'{sys.executable} -m gate "$@" {redirection}'
    done = subprocess.run(
        ["bash", "-c", script, "bash", *blocking], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", ["--help", "--version", "check --help", "explain drift", "completion bash"])
def test_help_that_cannot_be_written_is_a_write_error_and_no_fault_of_gate(arguments: str, unbuffered: str) -> None:
    script = f"{sys.executable} -m gate {arguments} >/dev/full"
    environ = {**ENVIRONMENT, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(["bash", "-c", script], env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "ERROR: standard output cannot be written: No space left on device\n"
        "  remedy: write to a file: --report text:PATH\n"
    )


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_an_error_that_nobody_hears_exits_2_all_the_same(redirection: str) -> None:
    script = f"{sys.executable} -m gate check --candidate nowhere.csv {redirection}"
    assert subprocess.run(["bash", "-c", script], env=ENVIRONMENT, capture_output=True, check=False).returncode == 2


def test_another_encoding_of_the_terminal_is_no_error(blocking: list[str], tmp_path: Path) -> None:
    arguments = [*blocking, "--report", "markdown:-"]
    done = subprocess.run(
        [*GATE, *arguments], env={**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout.decode("utf-8").startswith("## 🔴 BLOCK")
    (tmp_path / "größe.csv").write_text("id,score\nq1,1\n", encoding="utf-8")
    shown = gate("show", "größe.csv", cwd=tmp_path, env={"PYTHONIOENCODING": "ascii"})
    assert shown.stdout.startswith("gr\\xf6\\xdfe.csv\n")


# how much is said, and in what colour


def test_quiet_prints_one_line(blocking: list[str], capsys: Captured) -> None:
    assert run([*blocking, "--quiet"]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("BLOCK: ")


def test_quiet_prints_the_first_line_of_what_is_printed_otherwise(blocking: list[str], capsys: Captured) -> None:
    run([*blocking, "-q"])
    line = capsys.readouterr().out
    run(blocking)
    assert capsys.readouterr().out.startswith(line)


def test_verbose_prints_more(passing: list[str], capsys: Captured) -> None:
    run(passing)
    short = capsys.readouterr().out
    run([*passing, "-v"])
    long = capsys.readouterr().out
    assert len(long) > len(short)
    assert "how to have this report again" in long


def on_a_terminal(arguments: Sequence[str], **environment: str) -> str:
    """What a terminal gets to see."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*GATE, *arguments], stdout=slave, stderr=slave, stdin=slave,
        env={**ENVIRONMENT, "TERM": "xterm-256color", "COLUMNS": "100", **environment},
    )  # fmt: skip
    os.close(slave)
    seen = bytearray()
    while True:
        try:
            chunk = os.read(master, 65536)
        except OSError:  # how a terminal tells that the other end is closed
            break
        if not chunk:
            break
        seen += chunk
    process.wait(timeout=30)
    os.close(master)
    return seen.decode("utf-8")


def test_a_terminal_gets_colour(blocking: list[str]) -> None:
    assert re.match(r"\x1b\[1;31mBLOCK: ", on_a_terminal(blocking))


def test_no_color_is_respected(blocking: list[str]) -> None:
    assert on_a_terminal(blocking, NO_COLOR="1").startswith("BLOCK: ")
    assert "\x1b" not in on_a_terminal(blocking, NO_COLOR="1")


def test_a_pipe_gets_no_colour(blocking: list[str]) -> None:
    assert "\x1b" not in gate(*blocking, env={"TERM": "xterm-256color", "CLICOLOR_FORCE": "1"}).stdout


def test_a_terminal_sees_how_far_the_search_is_and_then_no_more_of_it(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("id,question,score\nq1,what is the capital of france,1\n", encoding="utf-8")
    (tmp_path / "corpus.txt").write_text("nothing of that\n", encoding="utf-8")
    seen = on_a_terminal(["check", "--candidate", str(tmp_path / "q.csv"), "--corpus", str(tmp_path / "corpus.txt")])
    assert seen.startswith("\r\x1b[K\x1b[1;32mPASS: ")


# what may not be read or written


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Without the rights of root, which may read and write everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may look into; those of pytest are their owner's alone."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def two_files(shared: Path, capsys: Captured) -> list[str]:
    for name in ("a.csv", "b.csv"):
        (shared / name).write_text("id,score\nq1,1\nq2,1\n", encoding="utf-8")
        (shared / name).chmod(0o644)
    arguments = ["check", "--baseline", str(shared / "a.csv"), "--candidate", str(shared / "b.csv")]
    # once as we are, so that everything is imported
    for form in ("markdown", "json"):
        assert run([*arguments, "--report", f"{form}:-"]) == 0
    capsys.readouterr()
    return arguments


def test_a_folder_that_may_not_be_written_is_an_error_with_a_remedy(
    two_files: list[str], shared: Path, capsys: Captured
) -> None:
    shared.chmod(0o555)
    with as_somebody_else():
        code = run([*two_files, "--report", f"json:{shared / 'report.json'}", "--report", "markdown:-"])
    assert code == 2
    captured = capsys.readouterr()
    assert captured.err == (
        f"ERROR: {shared / 'report.json'}: the file cannot be written: Permission denied\n"
        "  remedy: name a folder that this user may write to, on a disk with space left\n"
    )
    assert captured.out.startswith("## 🟣 ERROR")
    assert not (shared / "report.json").exists()


def test_a_file_that_may_not_be_read_is_an_error_with_a_remedy(
    two_files: list[str], shared: Path, capsys: Captured
) -> None:
    (shared / "b.csv").chmod(0o000)
    with as_somebody_else():
        code = run(two_files)
    assert code == 2
    assert capsys.readouterr().err == (
        f"ERROR: {shared / 'b.csv'}: the file cannot be read: Permission denied\n"
        "  remedy: check that it exists on this machine and that this user may read it\n"
    )


def test_a_folder_that_may_not_be_looked_into_is_told_too(two_files: list[str], shared: Path, capsys: Captured) -> None:
    inner = shared / "inner"
    inner.mkdir(mode=0o700)
    with as_somebody_else():
        if os.geteuid() != NOBODY:
            inner.chmod(0o000)
        code = run([*two_files[:-1], str(inner / "b.csv")])
    assert code == 2
    assert f"ERROR: {inner / 'b.csv'}: the path cannot be read: Permission denied\n" in capsys.readouterr().err


def test_a_score_file_that_is_broken_leaves_error_reports_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("id,score\nq1,1\nq1,0\n", encoding="utf-8")
    reports = [f"--report={form}:report.{form}" for form in REPORTS]
    done = gate("check", "--candidate", "b.csv", "--threshold", "0.5", *reports, cwd=tmp_path)
    assert done.returncode == 2
    assert {path.name for path in tmp_path.iterdir()} == {"b.csv", *(f"report.{form}" for form in REPORTS)}
    report = load((tmp_path / "report.json").read_text(encoding="utf-8"))
    assert report.verdict.word is Word.ERROR
    assert report.fault is not None
    assert report.fault.where == "b.csv, line 3"


# foreign text

HOSTILE = "\x1b[31m\x1b]0;title\x07\u202e ##[error]x\r\n::error::y\x9b2J"
HOSTILE_ID = HOSTILE.replace("\r\n", "")


def assert_harmless(text: str) -> None:
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202e]", text), text
    assert not any(line.lstrip().startswith("::") for line in text.splitlines()), text
    assert "##[" not in text


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder of files whose names, ids, metrics and keys would command a terminal or a log."""
    # an id with a line break becomes a hash: the ids have all but that
    rows = [f'"{HOSTILE_ID} {n}","{HOSTILE} is this question {n}",{n % 2}' for n in range(12)]
    header = f'id,question,"{HOSTILE}"'
    name = HOSTILE.replace("/", "")
    (tmp_path / f"{name}.csv").write_text("\n".join([header, *rows, ""]), encoding="utf-8", newline="")
    worse = [row[:-1] + "0" for row in rows]
    (tmp_path / "b.csv").write_text("\n".join([header, *worse, ""]), encoding="utf-8", newline="")
    (tmp_path / "corpus.txt").write_text(f"{HOSTILE} is this question 3", encoding="utf-8", newline="")
    suites = f"version: 1\nsuites:\n  - name: {json.dumps(HOSTILE)}\n    candidate: b.csv\n"
    (tmp_path / "gate.yml").write_text(f"{suites}    {json.dumps(HOSTILE)}: 1\n", encoding="utf-8")
    (tmp_path / "sound.yml").write_text(
        f"{suites}    baseline: {json.dumps(name)}.csv\n  - {{name: '::more', candidate: b.csv}}\n", encoding="utf-8"
    )
    said = json.dumps(HOSTILE)
    waivers = [
        f"  - {{check: {check}, metric: {said}, reason: {said}, approved_by: {said}, expires: {day}}}\n"
        for check, day in {"regression": "2999-12-31", "drift": "2026-01-31", "coverage": "2999-12-31"}.items()
    ]
    (tmp_path / "waived.yml").write_text(
        f"{suites}    baseline: {json.dumps(name)}.csv\nwaivers:\n{''.join(waivers)}", encoding="utf-8"
    )
    (tmp_path / "stray.yml").write_text(
        f"{suites}    baseline: b.csv\nwaivers: [{{check: drift, suite: {said}, reason: x, approved_by: x, expires: "
        f"2999-12-31}}, {{check: drift, suite: {json.dumps(HOSTILE + 'x')}, metric: {said}, reason: x, approved_by: x, "
        "expires: 2999-12-31}]\n",
        encoding="utf-8",
    )
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "--baseline", f"{HOSTILE}.csv", "--candidate", "b.csv", "--corpus", "corpus.txt", "--verbose"],
        ["check", "--candidate", "b.csv", "--report", "markdown:-"],
        ["check", "--candidate", "b.csv", "--report", "text:-", "--threshold", "0.5", "--fail-on", "never"],
        ["check", "--candidate", f"{HOSTILE}.nowhere"],
        ["check", "--candidate", "b.csv", "--metric", HOSTILE + "z"],
        ["check", "--candidate", "b.csv", "--corpus", HOSTILE],
        ["check", "--candidate", "b.csv", "--report", f"{HOSTILE}:x"],
        ["check", "--config", "gate.yml"],
        ["check", "--config", "sound.yml"],
        ["check", "--config", "sound.yml", "-q"],
        ["check", "--config", "waived.yml"],
        ["check", "--config", "waived.yml", "--report", "markdown:-"],
        ["check", "--config", "stray.yml"],
        ["check", HOSTILE],
        ["check", "--format", HOSTILE],
        [HOSTILE],
        [f"--{HOSTILE}"],
        ["show", f"{HOSTILE}.csv"],
        ["show", f"{HOSTILE}.nowhere"],
        ["validate", "gate.yml"],
        ["validate", "sound.yml"],
        ["validate", "waived.yml"],
        ["validate", HOSTILE],
        ["explain", HOSTILE],
        ["init", f"{HOSTILE}.csv", "--directory", HOSTILE],
    ],
    ids=lambda arguments: "-".join(argument for argument in arguments if argument.isascii() and argument.isprintable()),
)
def test_foreign_text_commands_neither_the_terminal_nor_the_log(
    arguments: list[str], hostile: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile)
    run(arguments)
    captured = capsys.readouterr()
    assert captured.out + captured.err
    assert_harmless(captured.out)
    assert_harmless(captured.err)


# the other commands


@pytest.mark.parametrize("arguments", [["--version"], ["-h"], ["--help"]])
def test_version_and_help_exit_0(arguments: list[str], capsys: Captured) -> None:
    assert run(arguments) == 0
    assert capsys.readouterr().err == ""


def test_the_version_is_the_packages(capsys: Captured) -> None:
    run(["--version"])
    assert capsys.readouterr().out == f"gate {__version__}\n"


def test_help_names_every_command_and_the_exit_codes() -> None:
    text = CliRunner().invoke(cli.cli, ["-h"]).output
    assert all(f"\n  {name} " in text for name in cli.cli.commands)
    assert "Exit codes: 0" in text


@pytest.mark.parametrize("group", ["", "scan", "history"])
def test_a_list_of_commands_cuts_no_sentence_short(group: str) -> None:
    text = CliRunner().invoke(cli.cli, [*group.split(), "-h"], terminal_width=80).output
    assert "Commands:" in text
    assert "..." not in text.partition("Commands:")[2]


def test_help_names_every_format_once_and_elsewhere_says_where() -> None:
    text = CliRunner().invoke(cli.cli, ["show", "-h"]).output
    assert set(FORMATS) <= set(re.findall(r"\w+", text.partition("Formats:")[2]))
    for command in ("check", "power", "selfcheck", "scan", "pass-at-k"):
        text = CliRunner().invoke(cli.cli, [command, "-h"]).output
        assert "promptfoo" not in text
        assert "`gate show -h` names" in " ".join(text.split())


@pytest.mark.parametrize("name", cli.cli.commands)
def test_every_command_and_every_option_is_described(name: str) -> None:
    command = cli.cli.commands[name]
    result = CliRunner().invoke(cli.cli, [name, "--help"])
    assert result.exit_code == 0
    assert command.help
    assert command.help.strip().endswith((".", "`."))
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    assert all(option.help and option.opts[0] in result.output for option in options)


def test_check_by_module_and_by_command_is_one(passing: list[str]) -> None:
    command = Path(sys.executable).with_name("gate")
    done = subprocess.run([command, *passing], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, gate(*passing).stdout)


@pytest.mark.parametrize("name", CHECKS)
def test_every_check_is_explained(name: str, capsys: Captured) -> None:
    assert run(["explain", name]) == 0
    assert capsys.readouterr().out.startswith(f"{name}\n")


def test_a_file_is_shown(passing: list[str], capsys: Captured) -> None:
    assert run(["show", passing[-1]]) == 0
    assert "  format   csv\n" in capsys.readouterr().out


@pytest.mark.parametrize("metrics", [["score"], ["sc*"], ["score", "grade"]])
def test_of_a_file_the_metrics_asked_for_are_shown_and_the_rest_may_be_broken(
    tmp_path: Path, capsys: Captured, metrics: list[str]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("id,score,grade,loss\na,1,3,inf\nb,0,4,0.5\n", encoding="utf-8")
    assert run(["show", str(path)]) == 2
    assert '"inf" is not a finite number' in capsys.readouterr().err
    assert run(["show", str(path), "--json", *(word for name in metrics for word in ("--metric", name))]) == 0
    assert list(json.loads(capsys.readouterr().out)["metrics"]) == [name.replace("sc*", "score") for name in metrics]


def test_a_metric_to_show_that_is_not_there_is_an_error(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("id,score\na,1\n", encoding="utf-8")
    assert run(["show", str(path), "--metric", "loss"]) == 2
    assert 'there is no metric "loss"' in capsys.readouterr().err


def test_a_file_is_shown_as_json_in_the_format_asked_for(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "scores"
    path.write_text('{"q1": 1, "q2": 0}', encoding="utf-8")
    assert run(["show", str(path), "--format", "json", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["format"], shown["items"]) == ("json", 2)


def test_the_items_that_an_eval_needs_are_told(capsys: Captured) -> None:
    assert run(["power", "--p", "0.8", "--margin", "0.05"]) == 0
    assert "\n       503  to show it no worse than the margin 0.05 where nothing changed\n" in capsys.readouterr().out


def test_a_plan_rests_on_pilot_files_and_is_told_as_json(blocking: list[str], capsys: Captured) -> None:
    assert run(["power", blocking[2], blocking[4], "--metric", "score", "--format", "csv", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert (plan["pilots"], plan["given"]["n"]) == ([blocking[2], blocking[4]], 20)


def test_a_configuration_is_measured_on_a_baseline(blocking: list[str], capsys: Captured) -> None:
    asked = ["selfcheck", blocking[2], "--metric", "score", "--format", "csv", "--threshold", "0.7", "--runs", "20"]
    assert run([*asked, "--rho", "0.8"]) == 0
    assert "\nunchanged run  BLOCK " in capsys.readouterr().out
    assert run([*asked, blocking[4], "--drop", "0.3", "--seed", "5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["other"], told["runs"], told["seed"], told["way"]) == (blocking[4], 20, 5, "exchange")


def test_a_measurement_that_is_interrupted_is_no_fault(blocking: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gate.selfcheck.trials.Judge.judge", interrupt)
    with pytest.raises(KeyboardInterrupt):
        run(["selfcheck", blocking[2]])


def test_a_configuration_is_validated(example: Path, capsys: Captured) -> None:
    assert run(["validate", str(example / "gate.yml")]) == 0
    assert capsys.readouterr().out.startswith(f"{example / 'gate.yml'}: sound, 2 suites")


def test_a_starter_is_written_and_told(passing: list[str], tmp_path: Path, capsys: Captured) -> None:
    arguments = ["init", passing[2], passing[4], "--directory", str(tmp_path)]
    assert run(arguments) == 0
    assert capsys.readouterr().out == f"wrote {tmp_path}/gate.yml\nwrote {tmp_path}/.github/workflows/gate.yml\n"
    assert run(arguments) == 2
    assert "give --force to overwrite it" in capsys.readouterr().err
    assert run([*arguments, "--force"]) == 0


def test_the_starters_workflow_may_name_the_action(passing: list[str], tmp_path: Path, capsys: Captured) -> None:
    arguments = ["init", passing[4], "--directory", str(tmp_path), "--uses"]
    assert run([*arguments, "me/gate fork"]) == 2
    assert "ERROR: --uses 'me/gate fork' is no action\n" in capsys.readouterr().err
    assert run([*arguments, "me/fork@v2"]) == 0
    text = (tmp_path / ".github" / "workflows" / "gate.yml").read_text(encoding="utf-8")
    assert "\n        uses: me/fork@v2\n" in text


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_is_printed(shell: str, capsys: Captured) -> None:
    assert run(["completion", shell]) == 0
    assert f"_GATE_COMPLETE={shell}_complete" in capsys.readouterr().out


def test_the_completion_of_bash_is_sound_and_completes(tmp_path: Path) -> None:
    script = gate("completion", "bash").stdout
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ask = f'{script}\nCOMP_WORDS=(gate expl); COMP_CWORD=1; _gate_completion gate; echo "${{COMPREPLY[@]}}"'
    done = subprocess.run(
        ["bash", "-c", ask], cwd=tmp_path, env={"PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["explain"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_what_a_shell_asks_for_is_completed(shell: str) -> None:
    word = "expl" if shell == "fish" else "1"
    done = gate(env={"_GATE_COMPLETE": f"{shell}_complete", "COMP_WORDS": "gate expl", "COMP_CWORD": word})
    assert (done.returncode, done.stderr) == (0, "")
    assert "explain" in done.stdout


def test_the_command_line_holds_no_domain_logic() -> None:
    """It parses and prints: no arithmetic and no comparison of figures in it."""
    tree = ast.parse(Path(cli.__file__).read_text(encoding="utf-8"))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {"gate.pipeline", "gate.verdict", "gate.judging", "gate.alignment"}.isdisjoint(imported)
