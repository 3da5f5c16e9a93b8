"""What holds for every flag of `gate check`, so that a new one is not forgotten in any of the places that know them."""

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from gate import cli

OPTIONS = [option for option in cli.cli.commands["check"].params if isinstance(option, click.Option)]
TEXTS = [option.opts[0] for option in OPTIONS if not option.is_flag and not isinstance(option.type, click.Choice)]
FILES = [option.opts[0] for option in OPTIONS if option.metavar in {"FILE", "PATH"}]


@pytest.fixture
def files(write_csv: Callable[..., str], tmp_path: Path) -> list[str]:
    """The arguments of a run, within which a flag that comes again holds."""
    config = tmp_path / "gate.yml"
    config.write_text("version: 1\nsuites: [{name: s}]\n", encoding="utf-8")
    scores = write_csv("a.csv", [1] * 20)
    return ["check", "--config", str(config), "--baseline", scores, "--candidate", scores]


def test_the_flags_that_take_a_file_are_known() -> None:
    assert set(FILES) >= {
        "--baseline",
        "--candidate",
        "--config",
        "--proposed-config",
        "--corpus",
        "--history",
        "--scan",
    }


@pytest.mark.parametrize("flag", TEXTS)
def test_an_empty_value_is_an_error_that_names_the_flag(
    flag: str, files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*files, flag, ""]) == 2
    assert flag in capsys.readouterr().err.splitlines()[0]


@pytest.mark.parametrize("mistake", [[], ["--nonsense"]], ids=["understood", "not understood"])
@pytest.mark.parametrize("flag", FILES)
def test_no_report_is_written_over_a_file_that_a_flag_names(
    flag: str, mistake: list[str], files: list[str], tmp_path: Path
) -> None:
    named = tmp_path / "named"
    named.write_text("version: 1\n", encoding="utf-8")
    assert cli.run([*files, flag, str(named), "--report", f"json:{named}", *mistake]) == 2
    assert named.read_text(encoding="utf-8") == "version: 1\n"
