from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile, open_score_file
from gate.scores.model import ItemStatus
from gate.scores.outcomes import ReportedTest, notes_of_tests, records_of_tests


@pytest.fixture
def file(write: Callable[[str], Path]) -> ScoreFile:
    return open_score_file(write("<testsuite/>"), "report.xml")


def test_every_record_has_every_figure_or_the_reason_why_not(file: ScoreFile) -> None:
    tests = [
        ReportedTest("a", 1.0, {"score": 0.5}, 1),
        ReportedTest("b", ItemStatus.ERROR, {"time": 2.0}, 2),
        ReportedTest("c", 0.0, {}, 3),
    ]
    assert [record.scores for record in records_of_tests(tests, file)] == [
        {"passed": 1.0, "score": 0.5, "time": ItemStatus.UNSCORED},
        {"passed": ItemStatus.ERROR, "score": ItemStatus.ERROR, "time": 2.0},
        {"passed": 0.0, "score": ItemStatus.UNSCORED, "time": ItemStatus.UNSCORED},
    ]


def test_a_figure_called_passed_does_not_replace_the_outcome(file: ScoreFile) -> None:
    (record,) = records_of_tests([ReportedTest("a", 0.0, {"passed": 1.0}, 1)], file)
    assert record.scores == {"passed": 0.0}


def test_a_figure_of_its_own_for_each_of_many_tests_is_refused(file: ScoreFile) -> None:
    tests = [ReportedTest(str(n), 1.0, {f"figure {n}": 1.0}, n) for n in range(2000)]
    with pytest.raises(ScoreFileError, match="differ too much"):
        list(records_of_tests(tests, file))


def test_words_are_told_once_each() -> None:
    tests = [ReportedTest("a", 1.0, {}, 1, ["judge"]), ReportedTest("b", 1.0, {}, 2, ["judge", "tone"])]
    assert list(notes_of_tests(tests)) == ['recorded by tests, but not as numbers, and left out there: "judge", "tone"']
    assert list(notes_of_tests([])) == []
