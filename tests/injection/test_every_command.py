"""Foreign text in every file and argument, through every command: nothing printed or left behind comes to life."""

import io
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from gate.cli import run
from tests.injection.nothing_live import in_html, in_markdown, in_text, in_xml
from tests.injection.payloads import GROUPS, PAYLOADS
from tests.injection.scenes import SCENES, rows

REPORTS: Mapping[str, tuple[str, Callable[[str], None]]] = {
    "json": ("report.json", in_text),
    "markdown": ("report.md", in_markdown),
    "html": ("report.html", in_html),
    "junit": ("report.xml", in_xml),
    "text": ("report.txt", in_text),
}
ALL_REPORTS = [word for form, (path, _) in REPORTS.items() for word in ("--report", f"{form}:{path}")]
KEPT = ("history.jsonl", "scan.json", "main.jsonl.promotion.json", ".github/workflows/gate.yml")
# what only prints, and takes its time
SLOW = {"measured": ("commands", "terminals")}
MATRIX = [(scene, group) for scene in SCENES for group in SLOW.get(scene, GROUPS)]


class Done(NamedTuple):
    """What a command came to: its exit code and all that it printed, as a log would take it."""

    code: int
    printed: str


def gate(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Done:
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", errors="backslashreplace") for _ in range(2)]
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        code = run(arguments)
    for stream in streams:
        stream.flush()
        stream.seek(0)
    return Done(code, "".join(stream.read() for stream in streams))


@pytest.mark.parametrize(("scene", "group"), MATRIX)
def test_nothing_comes_to_life(scene: str, group: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    monkeypatch.setenv("GITHUB_ACTOR", PAYLOADS[group][0].encode("utf-8", "replace").decode())
    codes = []
    for arguments in SCENES[scene](PAYLOADS[group]):
        is_judging = arguments[0] == "check"
        done = gate([*arguments, *(ALL_REPORTS if is_judging else [])], monkeypatch)
        codes.append(done.code)
        # 3 would be a fault of the gate's own: no text may bring one about
        assert done.code in {0, 1, 2}, done.printed
        (in_markdown if "--markdown" in arguments else in_text)(done.printed)
        for path, look in REPORTS.values() if is_judging else ():
            look(Path(path).read_text(encoding="utf-8"))
    for path in KEPT:
        if Path(path).exists() and scene != "promotions":  # which damages them
            in_text(Path(path).read_text(encoding="utf-8"))
    # what is read, and not only refused, is what could come to life
    assert scene == "errors" or group == "halves" or {0, 1} & set(codes)


def test_what_is_not_escaped_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("gate.reports.answers.terminal", lambda line: line)
    done = gate(["show", rows("::error::evil", [{"id": "q", "score": 1}])], monkeypatch)
    with pytest.raises(AssertionError, match="the runner would obey"):
        in_text(done.printed)
