"""DeepEval's test runs; the samples are what deepeval 4.3.1 and 3.6.7 wrote of made-up cases."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Direction, ItemStatus, Run, Scale
from gate.scores.summary import describe

SAMPLES = Path(__file__).parent.parent / "samples" / "deepeval"

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
Fields = dict[str, object]


def metric(name: str, score: float | None, **more: object) -> Fields:
    data: Fields = {"name": name, "threshold": 0.5, "success": bool(score), "strictMode": False, **more}
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


@pytest.mark.parametrize("name", ["Bias", "Hallucination", "Toxicity"])
def test_metrics_that_pass_below_their_threshold_are_better_when_lower(read: Read, name: str) -> None:
    assert read(run_file(case("q", metric(name, 0.1)))).metrics[name].direction is Direction.LOWER


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
        (case("p", {"name": "m", "score": "high"}), '"high" of "m" is not a score', "testCases[1].metricsData"),
        (case("p", {"name": "m", "score": [1]}), '"[1]" of "m" is not a score', "testCases[1].metricsData"),
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
