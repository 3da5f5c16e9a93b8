"""The container's process: how it starts, what it relies on, and what it leaves behind when it is stopped."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from gate.github import __main__ as door
from gate.github import action

# as in the Dockerfile
ENTRYPOINT = (sys.executable, "-I", "-B", "-m", "gate.github")

Step = Any  # the runner of conftest.py
Inputs = dict[str, object]


def start(environ: Mapping[str, str], cwd: Path, command: Sequence[str] = ENTRYPOINT) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command, env=dict(environ), cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=30)
    return process.returncode, out, err


@contextmanager
def waiting(step: Step, *, inputs: Mapping[str, object]) -> Iterator[subprocess.Popen[str]]:
    """A process that has set its first outputs and then judges for ever."""
    script = step.workspace.parent / "slow.py"
    script.write_text(
        "import time\n"
        "from gate import entry\n"
        "from gate.github import __main__ as door\n"
        "def wait(*_, **__):\n"
        "    print('waiting', flush=True)\n"
        "    while True:\n"
        "        time.sleep(0.01)\n"  # short: a signal just before a sleep does not shorten it
        "entry.run_gate = wait\n"
        "door.main()\n",
        encoding="utf-8",
    )
    process = start(step.with_inputs(inputs), step.workspace, (sys.executable, "-I", str(script)))
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "waiting\n"
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(("verdict", "code"), [("passing", 0), ("warning", 0), ("blocking", 1)])
def test_the_entry_point_needs_nothing_of_its_surroundings(
    verdict: str, code: int, step: Step, request: pytest.FixtureRequest
) -> None:
    """No PATH, no HOME, no locale, no temporary folder, no token: the environment holds what the runner promises."""
    inputs = request.getfixturevalue(verdict)
    returned, out, err = finished(start(step.with_inputs(inputs), step.workspace))
    assert (returned, err) == (code, "")
    told = step.told(returned, out)
    assert told.outputs["verdict"] == {"passing": "PASS", "warning": "WARN", "blocking": "BLOCK"}[verdict]
    assert told.commands


def test_an_error_exits_2_and_leaves_standard_error_empty(step: Step) -> None:
    returned, out, err = finished(start(step.environ, step.workspace))
    assert (returned, err) == (2, "")
    assert step.told(returned, out).outputs["verdict"] == "ERROR"


def test_a_workspace_cannot_put_its_own_modules_in_the_place_of_ours(step: Step, passing: Inputs) -> None:
    for name in ("gate", "numpy", "json", "pydantic"):
        (step.workspace / name).mkdir()
        (step.workspace / name / "__init__.py").write_text("raise SystemExit(0)\n", encoding="utf-8")
    environ = {**step.with_inputs(passing), "PYTHONPATH": str(step.workspace), "PYTHONSTARTUP": "x", "PYTHONHOME": "/x"}
    returned, out, _ = finished(start(environ, step.workspace))
    assert step.told(returned, out).outputs["verdict"] == "PASS"


def test_no_bytecode_is_left_in_the_workspace(step: Step, passing: Inputs) -> None:
    finished(start(step.with_inputs(passing), step.workspace))
    assert not list(step.workspace.rglob("__pycache__"))


def test_the_log_is_utf_8_whatever_the_locale(step: Step, blocking: Inputs) -> None:
    environ = {**step.with_inputs({**blocking, "threshold": "0.7"}), "LC_ALL": "C", "LANG": "de_DE.ISO-8859-1"}
    done = subprocess.run(ENTRYPOINT, env=environ, cwd=step.workspace, capture_output=True, check=False)
    assert "├" in done.stdout.decode("utf-8")


@pytest.mark.parametrize(
    ("number", "code", "what"),
    [
        (signal.SIGTERM, 143, "terminated: nothing was decided"),
        (signal.SIGINT, 130, "interrupted: nothing was decided"),
    ],
)
def test_a_stopped_step_has_the_verdict_error(
    number: signal.Signals, code: int, what: str, step: Step, passing: Inputs
) -> None:
    with waiting(step, inputs=passing) as process:
        process.send_signal(number)
        returned, out, err = finished(process)
    assert (returned, err) == (code, "")
    told = step.told(returned, out)
    assert (told.outputs["verdict"], told.outputs["reason"]) == ("ERROR", what)
    assert f"## 🟣 ERROR: {what}" in told.summary
    assert [command.name for command in told.commands] == ["error"]


def test_a_step_that_is_stopped_twice_still_tells_it(step: Step, passing: Inputs) -> None:
    with waiting(step, inputs=passing) as process:
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        returned, out, err = finished(process)
    # the second one may also come when Python has put the signals' own ways back: that is 143 to a shell
    assert returned in (130, 143, -signal.SIGTERM)
    assert err == ""
    assert step.told(143 if returned == -signal.SIGTERM else returned, out).outputs["verdict"] == "ERROR"


def test_a_step_that_is_killed_has_the_verdict_error(step: Step, passing: Inputs) -> None:
    with waiting(step, inputs=passing) as process:
        process.kill()
        returned, out, _ = finished(process)
    assert step.told(3, out).outputs == {"verdict": "ERROR", "reason": "the gate ended before it could decide"}
    assert returned == -signal.SIGKILL


def test_an_installation_that_is_not_whole_has_the_verdict_error(step: Step, passing: Inputs, tmp_path: Path) -> None:
    broken = tmp_path / "site"
    shutil.copytree(Path(door.__file__).parents[1], broken / "gate", ignore=shutil.ignore_patterns("__pycache__"))
    (broken / "gate" / "entry.py").write_text("import nowhere_to_be_found\n", encoding="utf-8")
    run = f"import sys; sys.path.insert(0, {str(broken)!r}); from gate.github.__main__ import main; main()"
    returned, out, err = finished(start(step.with_inputs(passing), step.workspace, (sys.executable, "-I", "-c", run)))
    assert (returned, err) == (3, "")
    told = step.told(returned, out)
    assert told.outputs["verdict"] == "ERROR"
    assert "No module named 'nowhere_to_be_found'" in told.outputs["reason"]
    assert "Traceback" in told.log
    assert [command.name for command in told.commands] == ["error"]


def test_a_closed_standard_output_changes_nothing_but_the_log(step: Step, passing: Inputs) -> None:
    command = ("/bin/sh", "-c", f"exec {' '.join(ENTRYPOINT)} >&-")
    returned, _, _ = finished(start(step.with_inputs(passing), step.workspace, command))
    assert (returned, step.told(returned, "").outputs["verdict"]) == (0, "PASS")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_log_is_an_error_and_not_a_block(step: Step, passing: Inputs) -> None:
    command = ("/bin/sh", "-c", f"exec {' '.join(ENTRYPOINT)} >/dev/full")
    returned, _, _ = finished(start(step.with_inputs(passing), step.workspace, command))
    assert returned not in (0, 1)
    assert step.told(3, "").outputs["verdict"] == "ERROR"


def test_the_command_line_does_not_load_the_action() -> None:
    script = "import sys; import gate.cli; print(any(name.startswith('gate.github') for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_the_verdict_stands_before_anything_heavy_is_loaded() -> None:
    heavy = "{'numpy', 'pydantic', 'click', 'gate.reports'}"
    script = f"import sys; import gate.github.__main__; print({heavy} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_a_small_step_loads_no_library_that_it_does_not_use(step: Step, passing: Inputs) -> None:
    script = (
        "import sys, os\n"
        "from gate.github.__main__ import run_guarded\n"
        "run_guarded(os.environ, open(os.devnull, 'w'))\n"
        "print({'click', 'yaml', 'rich', 'scipy', 'zstandard'} & {*sys.modules})\n"
    )
    _, out, _ = finished(start(step.with_inputs(passing), step.workspace, (sys.executable, "-c", script)))
    assert out == "set()\n"


# in this process


@pytest.fixture
def signals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The handlers of this process, put back afterwards; and no other process, which would go on with the tests."""
    monkeypatch.setattr(door, "attend", lambda work: work())
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_becomes_its_exit_code(
    number: signal.Signals, code: int, step: Step, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop_now(*_: object) -> None:
        os.kill(os.getpid(), number)
        time.sleep(5)

    for name, value in step.environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(action, "run", stop_now)
    with pytest.raises(SystemExit) as caught:
        door.main()
    assert caught.value.code == code
    os.kill(os.getpid(), signal.SIGTERM)  # a second one is too late
    assert step.told(code, capsys.readouterr().out).outputs["verdict"] == "ERROR"


@pytest.mark.usefixtures("signals")
def test_the_exit_code_is_that_of_the_run(
    step: Step, blocking: Inputs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in step.with_inputs(blocking).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as caught:
        door.main()
    assert caught.value.code == 1
    assert step.told(1, capsys.readouterr().out).outputs["verdict"] == "BLOCK"
