"""DeepEval's test runs; the samples are what deepeval wrote of made-up cases, in the version that each is named by.

The metrics of ``turned``, ``strict`` and ``taken_from_cache`` are the tool's own but for their scores, which were
fixed: a share of violations of 0.1, 0.2 and 0.9 by the case (0 in strict mode), and since 4.2 one less that share.
``taken_from_cache`` is of ``deepeval test run -c`` of 4.2.0 with the cache of 4.1.10 and one more case.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.metrics import resolve_metric
from gate.scores import read_items, read_run
from gate.scores.model import Direction, ItemStatus, Run, Scale
from gate.scores.summary import describe

SAMPLES = Path(__file__).parent.parent / "samples" / "deepeval"

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
Fields = dict[str, object]


def metric(name: str, score: float | None, **more: object) -> Fields:
    passed = score is not None and score >= 0.5
    data: Fields = {"name": name, "threshold": 0.5, "success": passed, "strictMode": False, **more}
    return data if score is None else {**data, "score": score}


def case(text: str, *metrics: object, expected: str = "e", success: object = True, **more: object) -> Fields:
    return {"name": "test_case_0", "input": text, "actualOutput": "a", "expectedOutput": expected, "success": success,
            "metricsData": list(metrics), "order": 0, **more}  # fmt: skip


def run_file(*cases: object, conversations: tuple[object, ...] = ()) -> str:
    return json.dumps({"testCases": cases, "conversationalTestCases": conversations, "metricsScores": []}, indent=1)


def test_a_run_is_read_bare_and_wrapped(read: Read) -> None:
    bare = run_file(case("q", metric("GEval", 0.5)))
    wrapped = json.dumps({"testRunData": json.loads(bare)})
    for content in (bare, wrapped):
        run = read(content)
        assert (run.source.format, list(run.metrics)) == ("deepeval", ["GEval", "success"])
        assert run.metrics["GEval"].values.tolist() == [0.5]
        assert run.metrics["GEval"].scale == Scale(0.0, 1.0)


def test_the_name_of_a_case_says_nothing_and_its_texts_name_it(read: Read) -> None:
    first, second = case("q1", metric("m", 1.0)), case("q2", metric("m", 0.0))
    runs = [read(run_file(*cases)) for cases in ((first, second), (second, first))]
    assert set(runs[0].ids) == set(runs[1].ids)
    assert len(runs[0].ids[0]) == 16


def test_cases_with_one_input_and_two_expected_outputs_are_two_items(read: Read) -> None:
    assert read(run_file(case("q", metric("m", 1.0)), case("q", metric("m", 1.0), expected="other"))).n_items == 2


def test_a_case_that_was_repeated_has_samples(read: Read) -> None:
    run = read(run_file(case("q", metric("m", 1.0)), case("q", metric("m", 0.0))))
    assert (run.n_items, run.n_samples, run.item_scores("m").values.tolist()) == (1, 2, [0.5])


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"error": "Timed out/cancelled while evaluating metric."}, ItemStatus.TIMEOUT),
        ({"error": "the judge's answer is no JSON"}, ItemStatus.ERROR),
        ({"skipped": True}, ItemStatus.SKIPPED),
        ({}, ItemStatus.UNSCORED),
        ({"error": None}, ItemStatus.UNSCORED),
    ],
)
def test_a_metric_without_a_score_says_why(read: Read, more: Fields, status: ItemStatus) -> None:
    run = read(run_file(case("q", metric("m", 1.0)), case("p", metric("m", None, **more), success=False)))
    assert run.metrics["m"].status.tolist() == [ItemStatus.SCORED, status]
    assert run.metrics["success"].status.tolist() == [ItemStatus.SCORED, status]


def test_a_case_that_failed_by_its_scores_has_not_succeeded(read: Read) -> None:
    run = read(run_file(case("q", metric("m", 0.1), success=False), case("p", metric("m", 1.0), success=None)))
    assert run.metrics["success"].values.tolist()[0] == 0.0
    assert run.metrics["success"].status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]


TURNED = ["Bias", "Hallucination", "Misuse", "Toxicity"]


@pytest.mark.parametrize(
    ("score", "passed", "direction"),
    [
        (0.1, True, Direction.LOWER),
        (0.9, False, Direction.LOWER),
        (0.9, True, Direction.HIGHER),
        (0.1, False, Direction.HIGHER),
    ],
)
@pytest.mark.parametrize("name", ["Bias", "own"])
def test_what_passed_tells_which_way_a_metric_is_better(
    read: Read, name: str, score: float, passed: bool, direction: Direction
) -> None:
    run = read(run_file(case("p", metric(name, 0.5)), case("q", metric(name, score, success=passed))))
    assert (run.metrics[name].direction, run.metrics[name].doubt) == (direction, None)


SILENT: list[tuple[float, Fields]] = [
    (0.5, {"success": True}),
    (0.5, {"success": False}),
    (0.1, {"success": None}),
    (0.1, {"success": "yes"}),
    (0.1, {"success": True, "threshold": None}),
    (0.1, {"success": True, "threshold": ""}),
    (0.1, {"success": True, "error": "the judge is down"}),
    (1.0, {"success": True, "threshold": 1, "strictMode": False}),
    (0.5, {"success": True, "threshold": 0.5, "strictMode": True}),
]


@pytest.mark.parametrize(("score", "more"), SILENT)
@pytest.mark.parametrize("name", TURNED)
def test_a_metric_that_deepeval_turned_round_is_in_doubt_where_nothing_tells(
    read: Read, name: str, score: float, more: Fields
) -> None:
    column = read(run_file(case("q", metric(name, score, **more)))).metrics[name]
    assert column.direction is None
    assert column.doubt == (
        "DeepEval 4.2 turned it round, and no case passes or fails it by a threshold that its score is not equal to"
    )


@pytest.mark.parametrize(("score", "more"), SILENT)
@pytest.mark.parametrize("name", ["Answer Relevancy", "PII Leakage", "Role Violation", "Non-Advice", "own"])
def test_any_other_metric_is_as_usual_where_nothing_tells(read: Read, name: str, score: float, more: Fields) -> None:
    column = read(run_file(case("q", metric(name, score, **more)))).metrics[name]
    assert (column.direction, column.doubt, column.scale) == (None, None, Scale(0.0, 1.0))


def test_strict_mode_s_threshold_tells_nothing_of_a_metric_that_was_not_turned(read: Read) -> None:
    violation = metric("Role Violation", 0.0, threshold=0, success=True, strictMode=True)
    assert read(run_file(case("q", violation))).metrics["Role Violation"].direction is None


@pytest.mark.parametrize("name", ["Bias", "own"])
def test_cases_that_tell_opposite_directions_leave_it_in_doubt(read: Read, name: str) -> None:
    column = read(run_file(case("p", metric(name, 0.9)), case("q", metric(name, 0.1, success=True)))).metrics[name]
    assert column.direction is None
    assert (column.doubt or "").startswith("some cases pass above their threshold")


@pytest.mark.parametrize(
    ("sample", "direction"),
    [
        ("turned-2.9.7.json", Direction.LOWER),
        ("turned-4.1.10.json", Direction.LOWER),
        ("turned-4.2.0.json", Direction.HIGHER),
        ("turned-4.3.1.json", Direction.HIGHER),
        ("strict-4.1.10.json", Direction.LOWER),
        ("strict-4.2.0.json", Direction.HIGHER),
    ],
)
def test_deepeval_turned_metrics_round_in_4_2(sample: str, direction: Direction) -> None:
    metrics = read_run(SAMPLES / sample).metrics
    turned = [name for name in TURNED if name in metrics]
    assert len(turned) == (3 if "2.9.7" in sample else 4)
    assert {metrics[name].direction for name in turned} == {direction}
    assert metrics["Answer Relevancy"].direction in {Direction.HIGHER, None}
    assert all(column.doubt is None for column in metrics.values())


def test_a_run_with_results_from_the_cache_of_an_older_version_is_in_doubt() -> None:
    metrics = read_run(SAMPLES / "taken_from_cache-4.2.0.json").metrics
    assert [name for name, column in metrics.items() if column.doubt is not None] == [
        "Bias", "Hallucination", "Toxicity", "Misuse",
    ]  # fmt: skip
    assert metrics["Answer Relevancy"].direction is Direction.HIGHER


def test_runs_of_before_and_after_4_2_are_not_compared() -> None:
    old, new = (read_run(SAMPLES / f"turned-{version}.json") for version in ("4.1.10", "4.2.0"))
    with pytest.raises(ScoreFileError, match=r"metric 'Bias' is better: lower in .*4\.1\.10"):
        resolve_metric("Bias", old, new, direction=None, scale=None)
    assert resolve_metric("Answer Relevancy", old, new, direction=None, scale=None).direction is Direction.HIGHER


def test_the_cache_is_refused_with_the_way_to_the_run_and_without_its_texts() -> None:
    with pytest.raises(ScoreFileError, match="this is DeepEval's cache of results, not a test run") as caught:
        read_run(SAMPLES / "deepeval-cache-4.1.10.json")
    assert ".latest_test_run.json" in caught.value.remedy
    assert "Where are you?" not in f"{caught.value}{caught.value.excerpt}"


def test_judges_are_told(read: Read) -> None:
    run = read(run_file(case("q", metric("m", 1.0, evaluationModel="gpt-4o"), metric("n", 1.0, evaluationModel="b"))))
    assert run.facts == {"judge": "b, gpt-4o"}


@pytest.mark.parametrize(
    ("fields", "question"),
    [
        ({"scenario": "a customer complains"}, "a customer complains"),
        ({"turns": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]}, '["hi"]'),
    ],
)
def test_a_conversation_is_named_by_its_scenario_or_by_what_the_user_says(
    read: Read, fields: Fields, question: str
) -> None:
    run = read(run_file(conversations=({**fields, "success": True, "metricsData": [metric("m", 1.0)]},)))
    assert run.inputs == (question,)


def test_a_case_that_was_not_evaluated_is_unscored(read: Read) -> None:
    run = read(run_file(case("q", metric("m", 1.0)), case("p", metricsData=None, success=None)))
    assert run.metrics["m"].status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]


@pytest.mark.parametrize(
    ("broken", "what", "part"),
    [
        (7, 'a case is "7", not an object', "testCases[1]"),
        (case("p", 7), 'a metric is "7", not an object with a name', "testCases[1].metricsData"),
        (case("p", {"score": 1}), "a metric is ", "testCases[1].metricsData"),
        (case("p", metric("m", 1.0), metric("m", 0.0)), 'two metrics of the case are called "m"', "metricsData"),
        (case("p", {"name": "m", "score": "high"}), '"high" is not a score', 'testCases[1].metricsData, metric "m"'),
        (case("p", {"name": "m", "score": "1"}), '"1" is not a score', 'testCases[1].metricsData, metric "m"'),
        (case("p", {"name": "m", "score": [1]}), '"[1]" is an object or a list', 'metricsData, metric "m"'),
        (case("", metric("m", 1.0)), "the row has no id", "case 2"),
    ],
)
def test_a_broken_case_is_an_error_with_its_place(refused: Refused, broken: object, what: str, part: str) -> None:
    fault = refused(run_file(case("q", metric("m", 1.0)), broken))
    assert fault.what.startswith(what)
    assert str(fault.where).endswith(part)


def test_a_run_without_a_list_of_cases_is_an_error(refused: Refused) -> None:
    fault = refused('{"testCases": {},\n"conversationalTestCases": []}')
    assert fault.what == 'the file has no list "testCases"'


def test_inputs_are_read_without_scores(write: Callable[[str], Path]) -> None:
    assert [item.text for item in read_items(write(run_file(case("why?"))))] == ["why?"]


def test_the_means_are_those_that_the_tool_itself_wrote() -> None:
    path = SAMPLES / "latest_test_run-4.3.1.json"
    written = json.loads(path.read_text())["testRunData"]["metricsScores"]
    told = describe(read_run(path)).metrics
    for metric in written:
        scores = [score for score in metric["scores"] if score is not None]
        assert (told[metric["metric"]].scored, told[metric["metric"]].missing) == (len(scores), metric["errors"])
        assert told[metric["metric"]].mean == pytest.approx(sum(scores) / len(scores), abs=1e-12)


def test_conversations_of_an_older_version_are_read() -> None:
    told = describe(read_run(SAMPLES / "conversations-3.6.7.json"))
    assert (told.items, told.metrics["Polite"].missing_by_status) == (3, {"error": 1})
    assert told.metrics["Polite"].mean == 0.75
