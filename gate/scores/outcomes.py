"""The tests of a test runner's report as records: whether each passed, and the figures that it recorded."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gate.scores.content import ScoreFile
from gate.scores.model import ItemStatus, Record
from gate.scores.quoting import quoted_listing
from gate.scores.recorded import without_questions
from gate.scores.tabulation import refuse_sparse

PASSED = "passed"

refuse_questions = without_questions(
    "a test report holds no question texts", remedy="give the data file that the tests were made from"
)


class ReportedTest(NamedTuple):
    """One test of a report.

    Attributes:
        id: the test's name.
        outcome: 1 where it passed, 0 where it failed, or why it is neither.
        figures: what the test recorded, where it is a number.
        number: which of the report's tests it is, counted from 1.
        words: the names of what it recorded that is no number.
    """

    id: str
    outcome: float | ItemStatus
    figures: Mapping[str, float]
    number: int
    words: Sequence[str] = ()


def records_of_tests(tests: Sequence[ReportedTest], file: ScoreFile) -> Iterator[Record]:
    """A record for each test: ``passed`` and each figure that any test recorded.

    A test that did not run to its end lacks its figures for the same reason as its outcome.

    Raises:
        ScoreFileError: where the tests recorded too many different figures to be one table.
    """
    names = list(dict.fromkeys(name for test in tests for name in test.figures if name != PASSED))
    refuse_sparse(len(names), len(tests), sum(len(test.figures) for test in tests), file)
    for test in tests:
        lacking = test.outcome if isinstance(test.outcome, ItemStatus) else ItemStatus.UNSCORED
        figures = {name: test.figures.get(name, lacking) for name in names}
        yield Record(id=test.id, scores={PASSED: test.outcome, **figures}, line=test.number)


def notes_of_tests(tests: Sequence[ReportedTest]) -> Iterator[str]:
    """What a user should know of figures that are none."""
    words = dict.fromkeys(name for test in tests for name in test.words)
    if words:
        yield f"recorded by tests, but not as numbers, and left out there: {quoted_listing(words)}"
