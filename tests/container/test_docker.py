"""The command line in plain Docker, as the page shows it."""

import os
import re
import shutil
import subprocess
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(("example", "code", "word"), [("worked-example", 1, "BLOCK"), ("pre-deploy", 1, "WARN")])
def test_the_command_judges_and_writes_its_report_as_its_user(
    example: str, code: int, word: str, docker: Callable[..., str], tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^docker run .*?(?=^```$)", page, flags=re.MULTILINE | re.DOTALL)
    shutil.copytree(ROOT / "examples" / example, tmp_path / "work")
    name = f"gate-{uuid.uuid4()}"
    docker("tag", "IMAGE", name)
    try:
        command = shown.replace("bin/gate gate check", f"bin/gate {name} check")
        assert name in command
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path / "work", capture_output=True, text=True, check=False
        )
    finally:
        docker("rmi", name)
    assert (done.returncode, done.stdout.partition(":")[0]) == (code, word), done.stderr
    report = tmp_path / "work" / "gate-report.md"
    assert word in report.read_text(encoding="utf-8").splitlines()[0]
    assert report.stat().st_uid == os.getuid()
