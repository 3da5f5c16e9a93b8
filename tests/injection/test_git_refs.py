"""Names of branches, which a pull request chooses: told as the baseline's version, and alive nowhere."""

from pathlib import Path

import pytest

from gate.cli import run
from tests.conftest import Sandbox
from tests.injection.nothing_live import in_html, in_markdown, in_text, in_xml

REFS = [
    "@octocat", "#1", "GH-1", "1234567", "deadbeef1", "a|b", "`a`", "<img/src=x/onerror=evil()>", "${{github.token}}",
    "$(evil)", "!WARNING](http", "</details>", "www.evil.example", "CVE-2021-44228", "##x", "\u3164",
]  # fmt: skip
ROWS = "id,score\n" + "".join(f"q{row},1\n" for row in range(12))


@pytest.mark.parametrize("ref", REFS)
def test_a_branch_s_name_is_text(ref: str, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    sandbox.commit(**{"a.csv": ROWS, "b.csv": ROWS})
    sandbox.git("branch", "--", ref)
    reports = {"markdown": in_markdown, "html": in_html, "junit": in_xml, "json": in_text}
    asked = [f"--report={form}:report.{form}" for form in reports]
    code = run(["check", "--baseline", f"git:{ref}:a.csv", "--candidate", "b.csv", "--verbose", *asked])
    printed = "".join(capsys.readouterr())
    in_text(printed)
    for form, look in reports.items():
        look(Path(f"report.{form}").read_text(encoding="utf-8"))
    assert code == 0, printed
