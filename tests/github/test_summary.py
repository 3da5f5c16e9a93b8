"""The summary: appended, under GitHub's limit together with what stands there, and saying what it leaves out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.entry import Request, error_report
from gate.errors import WriteError
from gate.github.runner_files import SUMMARY, RunnerFile
from gate.github.summary import append_bare_error, append_summary
from gate.reports import markdown
from gate.results import Fault, Report

LIMIT = 1 << 20


@pytest.fixture
def file(tmp_path: Path) -> RunnerFile:
    return RunnerFile(SUMMARY, tmp_path / "summary")


def content(file: RunnerFile) -> bytes:
    assert file.path is not None
    return file.path.read_bytes()


@pytest.fixture(scope="module")
def report(judge: Callable[..., Report], write_csv: Callable[..., str]) -> Report:
    worse = {"baseline": write_csv("a.csv", [1.0] * 20), "candidate": write_csv("b.csv", [0.0] * 10 + [1.0] * 10)}
    return judge(worse)


@pytest.fixture(scope="module")
def crowded(judge: Callable[..., Report], write_csv: Callable[..., str]) -> Report:
    """Fifty thousand worsened items with long names."""
    ids = [f"question-{row:05d}-" + "x" * 60 for row in range(50_000)]
    big = {
        "baseline": write_csv("a.csv", {"id": ids, "score": [1] * len(ids)}),
        "candidate": write_csv("b.csv", {"id": ids, "score": [0] * len(ids)}),
    }
    return judge({**big, "checks": {"drift": False}})


def test_the_report_is_the_summary(file: RunnerFile, report: Report) -> None:
    assert append_summary(file, report)
    assert content(file).decode() == markdown.render(report)


def test_a_report_after_other_text_begins_a_paragraph_of_its_own(file: RunnerFile, report: Report) -> None:
    file.append("<details>theirs")
    assert append_summary(file, report)
    assert content(file).decode() == "<details>theirs\n\n" + markdown.render(report)


@pytest.mark.parametrize("left", [200, 201, 500, 1_000, 2_000, 10_000])
@pytest.mark.parametrize("end", ["\n", "x"])
def test_what_stands_there_counts_against_the_limit(left: int, end: str, file: RunnerFile, report: Report) -> None:
    file.append("x" * (LIMIT - left - 1) + end)
    appended = append_summary(file, report)
    assert len(content(file)) <= LIMIT
    assert appended == (left >= 202)
    if appended:
        assert "## 🔴 BLOCK" in content(file).decode()[-left:]


@pytest.mark.parametrize("there", [LIMIT - 1, LIMIT, LIMIT + 1, 2 * LIMIT])
def test_a_full_summary_is_left_as_it_is(there: int, file: RunnerFile, report: Report) -> None:
    file.append("x" * there)
    assert not append_summary(file, report)
    assert len(content(file)) == there


def test_fifty_thousand_worsened_items_stay_under_the_limit_and_say_so(file: RunnerFile, crowded: Report) -> None:
    assert append_summary(file, crowded)
    text = content(file).decode()
    assert len(content(file)) < LIMIT
    assert "Items that got worse: 50000" in text
    listed = text.count("| `question-")
    assert 0 < listed < 50_000
    assert f"\n{50_000 - listed} more\n" in text


def test_a_summary_with_little_room_names_what_it_left_out(file: RunnerFile, crowded: Report) -> None:
    file.append("x" * (LIMIT - 2_000))
    assert append_summary(file, crowded)
    told = content(file).decode()[LIMIT - 2_000 :]
    assert "Left out to stay under" in told
    assert "the items that got worse" in told
    assert "The JSON report has it all." in told


def test_an_error_has_a_summary_too(file: RunnerFile) -> None:
    append_summary(file, error_report(Fault("usage", "there is nothing to judge", "", "name a file"), Request()))
    assert content(file).decode().startswith("## 🟣 ERROR: there is nothing to judge\n\n- What to do: name a file\n")


def test_an_error_that_cannot_be_drawn_says_where_to_look(file: RunnerFile) -> None:
    append_bare_error(file)
    assert content(file).decode() == "\n## 🟣 ERROR: the report could not be drawn\n\nThe log says why.\n"


def test_without_a_summary_nothing_is_written(report: Report) -> None:
    assert append_summary(RunnerFile(SUMMARY, None), report)


def test_a_summary_that_cannot_be_written_is_an_error(tmp_path: Path, report: Report) -> None:
    with pytest.raises(WriteError, match="GITHUB_STEP_SUMMARY"):
        append_summary(RunnerFile(SUMMARY, tmp_path), report)
