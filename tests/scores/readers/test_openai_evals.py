"""The samples were written by evals 3.0.1 (its LocalRecorder and its Match eval) with a made-up model."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale, Wanted

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parents[1] / "samples" / "openai_evals"
SPEC = {"completion_fns": ["m"], "eval_name": "made-up.dev.v0", "split": "dev", "created_at": "2026-01-02"}
REPORT = {"final_report": {"accuracy": 0.5}, "run_id": "r"}


def event(sample: object, kind: str, **data: object) -> dict[str, object]:
    return {"run_id": "r", "event_id": 0, "sample_id": sample, "type": kind, "data": data, "created_by": ""}


def match(sample: object, correct: object, expected: object = "4") -> dict[str, object]:
    return event(sample, "match", correct=correct, expected=expected, picked=None)


def log(*events: object, spec: object = SPEC, report: object = REPORT) -> str:
    lines = [{"spec": spec}, *events, *([report] if report else [])]
    return "".join(json.dumps(line) + "\n" for line in lines)


def statuses(run: Run, metric: str = "correct") -> list[float | ItemStatus]:
    column = run.metrics[metric]
    pairs = zip(column.values.tolist(), column.status.tolist(), strict=True)
    return [value if status == ItemStatus.SCORED else ItemStatus(status) for value, status in pairs]


def test_matches_are_scores_wherever_the_final_report_stands() -> None:
    run = read_run(SAMPLES / "match.jsonl")
    told = dict(zip(run.ids, statuses(run), strict=True))
    assert told == {f"made-up.test.{n}": float(n in (0, 1, 3)) for n in (3, 4, 1, 5, 2, 0)}
    assert run.source.format == "openai_evals"
    assert run.metrics["correct"].scale == Scale(0.0, 1.0)
    assert run.inputs is not None
    assert run.inputs[0] == "3+1="
    assert (run.facts["task"], run.facts["split"], run.facts["model"]) == ("made-up.test.v0", "test", "made-up-model")
    assert "judge" not in run.facts


def test_numbers_of_metrics_events_are_metrics_and_what_is_nested_has_a_dot() -> None:
    run = read_run(SAMPLES / "metrics.jsonl")
    assert list(run.metrics) == ["score", "is_good", "nested.a"]
    assert statuses(run, "score") == [1.0, 0.5, ItemStatus.UNSCORED, ItemStatus.ERROR]
    assert statuses(run, "is_good") == [1.0, 0.0, 0.0, ItemStatus.ERROR]
    assert statuses(run, "nested.a") == [1.0, 1.0, 1.0, ItemStatus.ERROR]


def test_samples_that_were_run_twice_are_repeats_and_no_more_items() -> None:
    run = read_run(SAMPLES / "repeats.jsonl")
    assert (run.n_items, run.n_samples) == (6, 12)
    assert run.item_scores("correct").values.mean() == 0.5


def test_an_event_that_was_written_twice_after_a_time_out_weighs_no_more(read: Read) -> None:
    run = read(log(match("a.dev.0", True), match("a.dev.1", False), match("a.dev.1", False)))
    assert run.item_scores("correct").values.tolist() == [1.0, 0.0]


def test_the_events_of_one_run_of_a_sample_are_one_row(read: Read) -> None:
    run = read(
        log(
            match("a.dev.0", True),
            match("a.dev.1", False),
            event("a.dev.1", "metrics", accuracy=0.0, f1_score=0.5),
            event("a.dev.0", "metrics", accuracy=1.0, f1_score=1.0),
            event("a.dev.0", "raw_sample", score=9),
        )
    )
    assert list(run.metrics) == ["correct", "accuracy", "f1_score"]
    assert run.n_samples == 2
    assert statuses(run, "f1_score") == [1.0, 0.5]


def test_a_sample_without_a_score_lacks_it_for_its_own_reason(read: Read) -> None:
    run = read(
        log(
            match("a.dev.0", True),
            event("a.dev.1", "sampling", prompt="x", sampled="y"),
            event("a.dev.2", "error", type="ValueError", message="no"),
        )
    )
    assert statuses(run) == [1.0, ItemStatus.UNSCORED, ItemStatus.ERROR]


def test_a_run_without_a_final_report_did_not_end() -> None:
    path = SAMPLES / "unfinished.jsonl"
    with pytest.raises(ScoreFileError, match="no final report") as caught:
        read_run(path)
    assert "allow_unfinished: true" in caught.value.remedy
    assert read_run(path, Wanted(unfinished=True)).n_items == 4


def test_the_last_message_of_the_first_prompt_is_the_question_and_not_that_of_the_judge(read: Read) -> None:
    chat = [{"role": "system", "content": "Answer."}, {"role": "user", "content": "2+2="}]
    judge = [{"role": "user", "content": "Is 4 right?"}]
    run = read(
        log(
            event("a.dev.0", "sampling", prompt=chat, sampled="4"),
            event("a.dev.0", "sampling", prompt=judge, sampled="Y"),
            event("a.dev.0", "metrics", choice="Y", score=1),
            event("a.dev.1", "sampling", prompt="3+3=", sampled="6"),
            event("a.dev.1", "metrics", choice="__invalid__", score=None),
        )
    )
    assert run.inputs == ("2+2=", "3+3=")
    assert statuses(run, "score") == [1.0, ItemStatus.UNSCORED]


def test_another_question_target_or_prompt_under_one_id_can_be_told(read: Read) -> None:
    def of(question: str, system: str = "Answer.", expected: str = "4") -> Run:
        chat = [{"role": "system", "content": system}, {"role": "user", "content": question}]
        return read(log(event("a.dev.0", "sampling", prompt=chat), match("a.dev.0", True, expected)))

    first = of("2+2=")
    assert of("2+2=").content_digests == first.content_digests
    assert of("1+3=").content_digests != first.content_digests
    assert of("2+2=", expected="four").content_digests != first.content_digests
    assert of("2+2=", system="Be brief.").content_digests == first.content_digests
    assert of("2+2=", system="Be brief.").prompt_digests != first.prompt_digests


@pytest.mark.parametrize(
    ("models", "facts"),
    [(["m", "j"], {"judge": "j", "model": "m"}), (["m"], {"judge": "m", "model": "m"}), ("m", {}), ([3], {})],
)
def test_the_last_completion_function_of_a_model_graded_eval_is_the_judge(
    read: Read, models: object, facts: dict[str, str]
) -> None:
    cls = "evals.elsuite.modelgraded.classify:ModelBasedClassify"
    spec = SPEC | {"completion_fns": models, "run_config": {"eval_spec": {"cls": cls}}}
    found = read(log(match("a", True), spec=spec)).facts
    assert {name: found[name] for name in ("judge", "model") if name in found} == facts


@pytest.mark.parametrize(
    ("broken", "what", "part"),
    [
        (match("a", "yes"), '"yes" is neither true nor false', 'line 3, key "data.correct"'),
        (match("a", None), '"None" is neither true nor false', 'line 3, key "data.correct"'),
        (event("a", "metrics", x={"y": 1e999}), '"inf" is not a finite number', 'line 3, key "data.x.y"'),
        (match(None, True), "the row has no id", "line 3"),
        (match(["a"], True), "the id is \"['a']\"; ids are texts or numbers", "line 3"),
    ],
)
def test_an_event_that_is_not_as_the_tool_writes_it_is_an_error_with_its_place(
    refused: Refused, broken: object, what: str, part: str
) -> None:
    fault = refused(log(match("x", True), broken))
    assert fault.what == what
    assert str(fault.where).endswith(part)


def test_a_log_without_any_score_is_refused(refused: Refused) -> None:
    fault = refused(log(event("a", "sampling", prompt="x"), event("a", "metrics", choice="Y", score=None)))
    assert fault.what == "no sample has a match or metrics event with a score"


def test_an_interrupted_log_that_holds_its_spec_alone_is_recognised(refused: Refused) -> None:
    assert "no final report" in refused(log(report=None)).what
    assert refused(log()).what == "the file has no items"


def test_its_questions_are_read_without_a_score() -> None:
    items = read_items(SAMPLES / "unfinished.jsonl")
    assert [item.text for item in items] == ["3+1=", "4+1=", "1+1=", "5+1="]
