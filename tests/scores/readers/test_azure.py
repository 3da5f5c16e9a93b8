"""Azure AI evaluation's results; the sample is what azure-ai-evaluation 1.18.10 wrote of five made-up rows."""

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Direction, ItemStatus, Run, Scale
from gate.scores.summary import describe

SAMPLES = Path(__file__).parent.parent / "samples" / "azure"
SAMPLE = SAMPLES / "results-1.18.10.json"
# the same version, with evaluators that raise, or return None, NaN or less than elsewhere
FAILING = SAMPLES / "failing-1.18.10.json"
# the same conversations with other answers
CONVERSATIONS = [SAMPLES / f"conversation-{name}-1.18.10.json" for name in ("a", "b")]

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


def result(*rows: dict[str, object]) -> str:
    return json.dumps({"rows": rows, "metrics": {}, "studio_url": None}, indent=1)


def row(query: str, score: object, **more: object) -> dict[str, object]:
    return {"inputs.query": query, "inputs.response": "r", "outputs.f1_score.f1_score": score, **more}


def test_the_means_are_those_that_the_tool_itself_wrote() -> None:
    told = json.loads(SAMPLE.read_text())["metrics"]
    metrics = describe(read_run(SAMPLE)).metrics
    shared = [name for name in told if name in metrics]
    assert shared == [
        "f1_score.f1_score",
        "f1_score.f1_score_score",
        "f1_score.f1_score_passed",
        "judge.length",
        "judge.rating",
    ]
    assert {name: metrics[name].mean for name in shared} == pytest.approx({name: told[name] for name in shared})


def test_what_is_no_score_is_no_metric() -> None:
    assert list(read_run(SAMPLE).metrics) == [
        "f1_score.f1_score", "f1_score.f1_score_score", "f1_score.f1_score_passed", "f1_score.f1_score_result",
        "judge.length", "judge.rating", "judge.rating_result", "judge.ok",
    ]  # fmt: skip


def test_an_evaluator_that_raised_is_an_error_of_its_metrics_alone() -> None:
    run = read_run(SAMPLE)
    assert run.metrics["judge.rating"].status.tolist() == [0, 0, 0, 0, ItemStatus.ERROR]
    assert run.metrics["f1_score.f1_score"].status.tolist() == [0] * 5


def test_what_an_evaluator_left_out_itself_is_unscored_and_no_error() -> None:
    run = read_run(FAILING)
    raised, left_out = ItemStatus.ERROR, ItemStatus.UNSCORED
    assert run.metrics["judge.rating"].status.tolist() == [0, raised, 0, left_out, left_out, left_out]
    assert run.metrics["judge.ok"].status.tolist() == [0, raised, 0, left_out, 0, 0]


def test_where_numbers_are_all_that_an_evaluator_returns_nan_does_not_tell_that_it_raised() -> None:
    assert read_run(FAILING).metrics["number.output"].status.tolist() == [0, ItemStatus.UNSCORED, 0, 0, 0, 0]


def test_a_verdict_of_unknown_is_no_failure_though_passed_is_written_as_false(read: Read) -> None:
    beside = {"outputs.j.j_result": "unknown", "outputs.j.j_passed": False}
    run = read(
        result(row("a", 1.0, **{"outputs.j.j_result": "fail", "outputs.j.j_passed": False}), row("b", 1.0, **beside))
    )
    assert run.metrics["j.j_passed"].status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]


def test_other_answers_in_a_conversation_make_no_other_item() -> None:
    one, other = map(read_run, CONVERSATIONS)
    assert (one.ids, one.content_digests) == (other.ids, other.content_digests)
    assert one.source.digest != other.source.digest
    assert one.inputs == ("Do you open?\nAnd on Mondays?", "Do you close?\nAnd on Mondays?")


def test_another_question_in_a_conversation_makes_another_item(read: Read) -> None:
    texts = [
        path.read_text().replace("And on Mondays?", day) for path in CONVERSATIONS[:1] for day in ("When?", "Why?")
    ]
    one, other = (read(text) for text in texts)
    assert not set(one.ids) & set(other.ids)


def test_a_conversation_without_a_word_of_its_user_is_an_error_with_its_place(refused: Refused) -> None:
    silent = {"inputs.conversation": {"messages": [{"role": "assistant", "content": "Hi"}]}, "outputs.j.turns": 1}
    fault = refused(result(silent))
    assert (fault.what, str(fault.where).endswith("rows[0]")) == ("the row has no id", True)


def test_conversations_and_questions_may_stand_in_one_file(read: Read) -> None:
    turn = {"messages": [{"role": "user", "content": "why?"}, {"role": "assistant", "content": "so"}]}
    mixed = {"inputs.query": math.nan, "inputs.conversation": turn, "outputs.f1_score.f1_score": 1.0}
    run = read(result(row("when?", 1.0, **{"inputs.conversation": math.nan}), mixed))
    assert run.inputs == ("when?", "why?")
    assert run.ids == read(result(row("when?", 1.0), row("why?", 1.0))).ids


def test_questions_with_one_text_and_two_answers_are_two_items() -> None:
    run = read_run(SAMPLE)
    assert run.n_items == 5
    assert run.inputs is not None
    assert run.inputs.count("What is it?") == 2


def test_another_response_makes_no_other_item(read: Read) -> None:
    before, now = (read(result(row("q", 1.0, **{"inputs.response": text}))) for text in ("old", "new"))
    assert (before.ids, before.content_digests) == (now.ids, now.content_digests)


def test_an_id_of_the_data_set_goes_before_its_texts(read: Read) -> None:
    assert read(result(row("q", 1.0, **{"inputs.id": 7}))).ids == ("7",)


def test_verdicts_and_statuses_are_decoded(read: Read) -> None:
    verdicts = ["pass", "fail", "not_applicable", "unknown"]
    run = read(result(*(row(text, 1.0, **{"outputs.j.j_result": text}) for text in verdicts)))
    column = run.metrics["j.j_result"]
    assert column.values.tolist()[:2] == [1.0, 0.0]
    assert column.status.tolist() == [0, 0, ItemStatus.SKIPPED, ItemStatus.UNSCORED]


@pytest.mark.parametrize(("status", "read_as"), [("error", ItemStatus.ERROR), ("skipped", ItemStatus.SKIPPED)])
def test_a_status_says_why_there_is_no_score(read: Read, status: str, read_as: ItemStatus) -> None:
    bad = row("b", None, **{"outputs.f1_score.f1_score_status": status, "outputs.f1_score.f1_score_score": None})
    run = read(result(row("a", 1.0, **{"outputs.f1_score.f1_score_score": 1.0}), bad))
    assert run.metrics["f1_score.f1_score"].status.tolist() == [ItemStatus.SCORED, read_as]
    assert run.metrics["f1_score.f1_score_score"].status.tolist() == [ItemStatus.SCORED, read_as]


@pytest.mark.parametrize(
    ("name", "score", "scale", "direction"),
    [
        ("relevance", 4, Scale(1.0, 5.0), Direction.HIGHER),
        ("gpt_relevance", 4, Scale(1.0, 5.0), Direction.HIGHER),
        ("relevance_score", 4, Scale(1.0, 5.0), Direction.HIGHER),
        ("violence_score", 2, Scale(0.0, 7.0), Direction.LOWER),
        ("f1_score", 0.5, Scale(0.0, 1.0), Direction.HIGHER),
        ("f1_score_score", 0.5, Scale(0.0, 1.0), Direction.HIGHER),
        ("f1_score", 50, None, Direction.HIGHER),
        ("own", 3, None, None),
    ],
)
def test_scale_and_direction_are_those_of_the_tool_s_own_evaluators(
    read: Read, name: str, score: object, scale: Scale | None, direction: Direction | None
) -> None:
    run = read(result({"inputs.query": "q", f"outputs.e.{name}": score}))
    column = run.metrics[f"e.{name}"]
    assert (column.scale, column.direction) == (scale, direction)


def test_a_row_that_stands_twice_is_an_error_that_names_both(refused: Refused) -> None:
    fault = refused(result(row("q", 1.0), row("p", 1.0), row("q", 0.0)))
    assert fault.what.endswith("(records 1, 3)")
    assert str(fault.where).endswith("rows[2]")
    assert "an id of its own" in fault.remedy


@pytest.mark.parametrize(
    ("rows", "what", "part"),
    [
        ([row("a", 1.0), row("b", "high")], '"high" is not a score', "rows[1].outputs.f1_score.f1_score"),
        ([row("a", 1.0), row("b", [1])], '"[1]" is not a score', "rows[1].outputs.f1_score.f1_score"),
        ([row("a", 1.0), {"outputs.f1_score.f1_score": 1.0}], "the row has no id", "rows[1]"),
        ([row("a", 1.0), 7], 'a row is "7", not an object', "rows[1]"),
    ],
)
def test_a_broken_row_is_an_error_with_its_place(refused: Refused, rows: list[object], what: str, part: str) -> None:
    fault = refused(json.dumps({"rows": rows, "metrics": {}}, indent=1))
    assert fault.what.startswith(what)
    assert str(fault.where).endswith(part)


def test_questions_are_read_without_scores(write: Callable[[str], Path]) -> None:
    assert [item.text for item in read_items(write(result(row("why?", 1.0))))] == ["why?"]
