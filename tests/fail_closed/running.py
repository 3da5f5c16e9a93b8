"""Running a case as a user would, and what came of it."""

import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from gate.cli import run
from tests.fail_closed.case import ROOT, SOUND, Content, Meanwhile

_NOBODY = 65534
_SECONDS = 120
# Of addresses, which the libraries of numerics alone take several hundred of; a bomb that was unpacked would need 4000.
_MEGABYTES = 1500
_REPORT = "report.json"


class Outcome(NamedTuple):
    """Exit code, what was printed, and the JSON report; empty where none was written."""

    code: int
    out: str
    err: str
    report: Mapping[str, object]


def lay(files: Mapping[str, Content], folder: Path) -> None:
    """Put the files into the folder, which is the working directory, beside or over a sound pair."""
    put({**SOUND, **files}, folder)


def put(files: Mapping[str, Content], folder: Path) -> None:
    """Put the files into the folder."""
    for name, content in files.items():
        path = folder / name
        if content is None:
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
            continue
        if name in SOUND:
            path.unlink(missing_ok=True)
        content(path)


@contextmanager
def folder_for_everybody() -> Iterator[Path]:
    """A folder that everybody may look into and write to; those of pytest are their owner's alone."""
    made = Path(tempfile.mkdtemp())
    made.chmod(0o777)
    try:
        yield made
    finally:
        for root, folders, _ in os.walk(made):
            for name in folders:
                (Path(root) / name).chmod(0o700)
        shutil.rmtree(made)


@contextmanager
def without_rights(*, asked: bool) -> Iterator[None]:
    """Without the rights of root, who may read and write everything."""
    if not asked or os.geteuid() != 0:
        yield
        return
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def changing(meanwhile: Meanwhile | None, folder: Path) -> Iterator[None]:
    """Within this, files change as soon as the function is called; it must be."""
    if meanwhile is None:
        yield
        return
    module_name, name = meanwhile.function.split(":")
    module = importlib.import_module(module_name)
    real = getattr(module, name)
    changed: list[str] = []

    def change(*args: Any, **options: Any) -> Any:
        if not changed:
            put(meanwhile.files, folder)
        changed.append(name)
        return real(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, name, change)
        yield
    assert changed


@contextmanager
def in_time() -> Iterator[None]:
    """Fail where it takes too long."""
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(_SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_here(arguments: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]) -> Outcome:
    """Run ``gate check`` in this process; it fails where that takes too long."""
    capsys.readouterr()
    with in_time():
        code = run(["check", *arguments, "--report", f"json:{_REPORT}", "--verbose"])
    captured = capsys.readouterr()
    return Outcome(code, captured.out, captured.err, _report(folder))


def run_confined(arguments: tuple[str, ...], folder: Path) -> Outcome:
    """Run it as a process of its own, which may not have much memory or take long."""
    limited = ["bash", "-c", f'ulimit -v {_MEGABYTES * 1024} && exec "$@"', "bash"]
    done = subprocess.run(
        [*limited, sys.executable, "-m", "gate", "check", *arguments, "--report", f"json:{_REPORT}", "--verbose"],
        cwd=folder,
        # pyarrow's own pool takes a gigabyte of addresses at once, of which it uses little
        env={**os.environ, "PYTHONPATH": str(ROOT), "ARROW_DEFAULT_MEMORY_POOL": "system"},
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode(), _report(folder))


def _too_long(_number: int, _frame: object) -> NoReturn:
    pytest.fail(f"it takes over {_SECONDS} s")


def _report(folder: Path) -> Mapping[str, object]:
    path = folder / _REPORT
    if not path.exists():
        return {}
    report: Mapping[str, object] = json.loads(path.read_bytes())
    return report
