"""The samples were written by pytest 9.2.0 with pytest-rerunfailures 16.7 and flaky 3.8.1."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.entry import Request, error_report
from gate.errors import ScoreFileError
from gate.reports import junit
from gate.results import Fault
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parents[1] / "samples" / "junit"
XFAIL = '<skipped type="pytest.xfail" message="{}"/>'


def case(name: str, *children: str, owner: str = "tests.test_llm", more: str = "") -> str:
    return f'<testcase classname="{owner}" name="{name}" {more}>{"".join(children)}</testcase>'


def recorded(**properties: object) -> str:
    told = (f'<property name="{name}" value="{value}"/>' for name, value in properties.items())
    return f"<properties>{''.join(told)}</properties>"


def suite(*cases: str, name: str = "pytest") -> str:
    return f'<testsuite name="{name}" timestamp="2026-01-02T03:04:05">{"".join(cases)}</testsuite>'


def statuses(run: Run, metric: str = "passed") -> list[float | ItemStatus]:
    column = run.metrics[metric]
    pairs = zip(column.values.tolist(), column.status.tolist(), strict=True)
    return [value if status == ItemStatus.SCORED else ItemStatus(status) for value, status in pairs]


@pytest.mark.parametrize(
    ("children", "outcome"),
    [
        ((), 1.0),
        (('<failure message="no"/>',), 0.0),
        (('<error message="failed on setup"/>',), ItemStatus.ERROR),
        (('<error message="failed on teardown"/>', '<failure message="no"/>'), 0.0),
        (("<skipped/>",), ItemStatus.SKIPPED),
        (('<skipped type="pytest.skip" message="no key"/>',), ItemStatus.SKIPPED),
        ((XFAIL.format("known"),), 0.0),
        ((XFAIL.format("[NOTRUN] slow"),), ItemStatus.SKIPPED),
        (("<system-out>failure</system-out>", "<rerunFailure/>", "<flakyFailure/>"), 1.0),
    ],
)
def test_what_a_test_case_holds_tells_its_outcome(
    read: Read, children: tuple[str, ...], outcome: float | ItemStatus
) -> None:
    assert statuses(read(suite(case("a", *children), case("b")))) == [outcome, 1.0]


@pytest.mark.parametrize("status", ["notrun", "disabled"])
def test_a_test_that_was_not_run_is_skipped(read: Read, status: str) -> None:
    assert statuses(read(suite(case("a", more=f'status="{status}"'), case("b")))) == [ItemStatus.SKIPPED, 1.0]


def test_the_metric_is_passed_on_the_scale_0_to_1(read: Read) -> None:
    run = read(f"<testsuites>{suite(case('a'))}</testsuites>")
    assert run.source.format == "junit"
    assert run.metrics["passed"].scale == Scale(0.0, 1.0)
    assert run.facts == {"created": "2026-01-02T03:04:05"}


def test_an_item_is_named_by_class_and_name(read: Read) -> None:
    run = read(suite(case("q[1]"), case("q[1]", owner="tests.test_other"), case("q", owner="")))
    assert run.ids == ("tests.test_llm::q[1]", "tests.test_other::q[1]", "pytest::q")


def test_numbers_that_tests_recorded_are_metrics_and_words_are_none(read: Read) -> None:
    run = read(
        suite(
            case("a", recorded(score="0.75", judge="some model", exact="True")),
            case("b", recorded(score="nan", judge="1 of 2", exact="False")),
            case("c", "<skipped/>"),
        )
    )
    assert list(run.metrics) == ["passed", "score", "exact"]
    assert statuses(run, "score") == [0.75, ItemStatus.UNSCORED, ItemStatus.SKIPPED]
    assert statuses(run, "exact") == [1.0, 0.0, ItemStatus.SKIPPED]
    assert run.notes == ('recorded by tests, but not as numbers, and left out there: "judge"',)


def test_a_property_of_a_suite_and_one_called_passed_are_no_metrics(read: Read) -> None:
    run = read(suite(recorded(seed="1"), case("a", '<failure message="no"/>', recorded(passed="1"))))
    assert list(run.metrics) == ["passed"]
    assert statuses(run) == [0.0]


def test_of_several_runs_of_a_test_the_last_counts(read: Read) -> None:
    run = read(suite(case("a"), case("a"), case("a", "<failure/>"), case("b", "<failure/>"), case("b")))
    assert statuses(run) == [0.0, 1.0]
    assert run.n_samples == 2
    assert any(note.startswith("2 tests were run several times, and the last run counts") for note in run.notes)


def test_a_test_that_failed_before_its_teardown_did_has_failed(read: Read) -> None:
    run = read(suite(case("a", "<failure/>"), case("a", '<error message="failed on teardown"/>')))
    assert statuses(run) == [0.0]
    assert run.notes == ()


def test_where_two_tests_differ_in_their_suite_alone_it_is_part_of_their_names(read: Read) -> None:
    suites = suite(case("a"), case("b")), suite(case("a", "<failure/>"), name="other"), case("a")
    run = read(f"<testsuites>{''.join(suites)}</testsuites>")
    assert run.ids == (
        "pytest::tests.test_llm::a",
        "tests.test_llm::b",
        "other::tests.test_llm::a",
        "tests.test_llm::a",
    )
    assert statuses(run) == [1.0, 1.0, 0.0, 1.0]


def test_nodes_report_is_read() -> None:
    run = read_run(SAMPLES / "node.xml")  # written by node 20.20.2, its texts cut
    told = dict(zip(run.ids, statuses(run), strict=True))
    assert told == {
        "answers::test::adds": 1.0,
        "test::fails": 0.0,
        "test::later": 0.0,  # marked as todo, and failed
        "test::off": ItemStatus.SKIPPED,
        "test::adds": 1.0,
        "test::throws": 0.0,
    }


def test_one_test_in_two_suites_of_one_name_is_an_error_that_says_where(refused: Refused) -> None:
    fault = refused(f"<testsuites>{suite(case('a'))}{suite(case('a'))}</testsuites>")
    assert '"pytest::tests.test_llm::a" (records 1, 2)' in fault.what
    assert "testcase 2" in str(fault.where)
    assert "the report of one run" in fault.remedy


def test_reruns_that_pytest_writes_like_passes_are_not_counted() -> None:
    run = read_run(SAMPLES / "reruns.xml")
    told = dict(zip((item.removeprefix("tests.test_llm") for item in run.ids), statuses(run), strict=True))
    assert told == {
        "::test_answer[2+2-4]": 1.0,
        "::test_answer[capital of France?-Paris]": 0.0,
        r"::test_answer[\xfcn\u2192 \xe9-x\x1by-z]": 1.0,
        "::test_skip": ItemStatus.SKIPPED,
        "::test_xfail": 0.0,
        "::test_xpass": 1.0,
        "::test_strict_xpass": 0.0,
        "::test_setup_error": ItemStatus.ERROR,
        "::test_teardown_error": ItemStatus.ERROR,
        "::test_fails_and_teardown_error": 0.0,
        ".TestGroup::test_answer": 1.0,
        "::test_flaky": 1.0,
        "::test_always_fails": 0.0,
    }


def test_the_flaky_plugins_first_runs_are_not_counted() -> None:
    run = read_run(SAMPLES / "flaky.xml")
    told = dict(zip(run.ids, statuses(run), strict=True))
    assert told["tests.test_llm::test_always_fails"] == 0.0
    assert told["tests.test_llm::test_flaky"] == 1.0
    assert told["tests.test_llm::test_fails_and_teardown_error"] == 0.0


def test_a_run_whose_modules_could_not_be_collected_is_refused_unless_allowed(read: Read, refused: Refused) -> None:
    broken = case("tests.test_broken", '<error message="collection failure"/>', owner="")
    fault = refused(suite(case("a"), broken))
    assert fault.what == 'pytest could not collect the tests of "tests.test_broken", so they were not run'
    assert "allow_unfinished: true" in fault.remedy
    run = read(suite(case("a"), broken), unfinished=True)
    assert run.ids == ("tests.test_llm::a",)
    assert run.notes == ('pytest could not collect the tests of "tests.test_broken"',)
    assert refused(suite(broken), unfinished=True).what == "the file has no items"


def test_expected_failures_are_told(read: Read) -> None:
    note = "1 test is marked as expected to fail; one that failed counts as 0"
    assert read(suite(case("a", XFAIL.format("")))).notes == (note,)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]><testsuite/>', "the XML file has a document type"),
        ("<testsuite>\n<testcase name='a'>", "this is not valid XML"),
        ("<testsuite><testcase name=''/></testsuite>", "the test case has no name"),
        ("<testsuite/>", "the file has no items"),
        ("<?xml version='1.0' encoding='klingon'?><testsuite/>", "the XML file is in an encoding that is not known"),
    ],
)
def test_what_is_no_report_is_an_error_with_its_place(refused: Refused, content: str, what: str) -> None:
    fault = refused(content, format="junit")
    assert fault.what.startswith(what)
    assert fault.where is not None


def test_its_files_hold_no_questions(write: Callable[[str], Path]) -> None:
    with pytest.raises(ScoreFileError, match="no question texts"):
        read_items(write(suite(case("a"))))


def test_a_report_of_the_gate_itself_is_refused_whatever_format_is_named(tmp_path: Path) -> None:
    path = tmp_path / "report.xml"
    fault = Fault("usage", "what", "", "do")
    path.write_text(junit.render(error_report(fault, Request())), encoding="utf-8")
    for name in (None, "junit"):
        with pytest.raises(ScoreFileError) as caught:
            read_run(path, format=name)
        assert caught.value.what == "this is a report of gate itself: its tests are checks, no items of an eval"
