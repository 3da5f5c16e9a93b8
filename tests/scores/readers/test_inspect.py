import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Columns, ItemStatus, Run, Scale, Wanted

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parent.parent / "samples" / "inspect"
SPEC = {"task": "sums", "task_version": 0, "model": "m", "created": "2026", "packages": {"inspect_ai": "0.3.285"}}


def sample(number: int | str, scores: Mapping[str, object] | None, epoch: int = 1, **more: object) -> dict[str, object]:
    found = None if scores is None else {name: {"value": value} for name, value in scores.items()}
    return {"id": number, "epoch": epoch, "input": f"q{number}", "target": "t", "scores": found, **more}


def log(*samples: object, status: str = "success", **spec: object) -> str:
    return json.dumps({"version": 2, "status": status, "eval": SPEC | spec, "samples": samples})


def archive(*samples: Mapping[str, Any], header: Mapping[str, object] | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("_journal/start.json", json.dumps({"version": 2, "eval": SPEC}))
        for one in samples:
            packed.writestr(f"samples/{one['id']}_epoch_{one['epoch']}.json", json.dumps(one))
        packed.writestr("summaries.json", "this is never read")
        if header is not None:
            packed.writestr("header.json", json.dumps(header))
    return buffer.getvalue()


def message(role: str, content: object, random: str) -> dict[str, object]:
    return {"id": random, "role": role, "content": content, "source": "input"}


def test_a_log_that_inspect_0_3_285_wrote_is_read_with_every_trap() -> None:
    run = read_run(SAMPLES / "sums.json")
    assert (run.source.format, set(run.ids), run.n_samples) == ("inspect", {"1", "b", "3", "4", "5"}, 10)
    assert set(run.metrics) == {"includes", "aspects.tone", "aspects.safe", "aspects.hint", "graded"}
    means = {name: run.item_scores(name).values.tolist() for name in ("includes", "graded")}
    assert dict(zip(run.ids, means["graded"], strict=True)) == pytest.approx(
        {"1": 1.0, "b": 0.5, "3": 0.0, "4": 0.0, "5": float("nan")}, nan_ok=True
    )
    graded = run.metrics["graded"].status.tolist()
    assert (graded.count(ItemStatus.ERROR), graded.count(ItemStatus.UNSCORED)) == (2, 1)
    assert any('"label", "verdict"' in note for note in run.notes)
    assert run.facts == {
        "task": "sums (version 2)",
        "tool version": "0.3.285",
        "model": "mockllm/model",
        "created": run.facts["created"],
    }


def test_an_archive_that_inspect_0_3_285_wrote_with_zstd_is_read() -> None:
    run = read_run(SAMPLES / "plain_zstd.eval")
    assert (run.source.format, run.ids) == ("inspect", ("1", "2"))
    assert run.metrics["includes"].values.tolist() == [1.0, 0.0]


def test_the_same_samples_give_the_same_run_in_both_containers(read: Read) -> None:
    samples = [sample(1, {"match": "C"}), sample("x", {"match": "I"}), sample(1, {"match": "I"}, epoch=2)]
    whole = read(log(*samples))
    packed = read(archive(*samples, header={"version": 2, "status": "success", "eval": SPEC}))
    assert whole.ids == packed.ids == ("1", "x")
    assert whole.content_digests == packed.content_digests
    assert whole.metrics["match"].values.tolist() == packed.metrics["match"].values.tolist() == [1.0, 0.0, 0.0]
    assert whole.facts == packed.facts


@pytest.mark.parametrize(
    ("value", "score"),
    [
        ("C", 1.0),
        ("P", 0.5),
        ("I", 0.0),
        ("N", 0.0),
        (True, 1.0),
        ("Yes", 1.0),
        ("false", 0.0),
        ("0.25", 0.25),
        (3, 3.0),
    ],
)
def test_grades_words_and_numbers_are_read_as_inspect_itself_reads_them(
    read: Read, value: object, score: float
) -> None:
    assert read(log(sample(1, {"s": value}))).metrics["s"].values.tolist() == [score]


def test_grades_are_on_the_scale_0_to_1_and_plain_numbers_have_none(read: Read) -> None:
    metrics = read(log(sample(1, {"grade": "P", "number": 0.5, "bool": {"ok": False}}))).metrics
    assert {name: column.scale for name, column in metrics.items()} == {
        "grade": Scale(0.0, 1.0),
        "number": None,
        "bool.ok": Scale(0.0, 1.0),
    }


def test_nan_and_null_are_unscored(read: Read) -> None:
    run = read(log(sample(1, {"s": 1.0}), sample(2, {"s": float("nan")}), sample(3, {"s": None})))
    assert run.metrics["s"].status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED, ItemStatus.UNSCORED]


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({"error": {"message": "boom"}}, ItemStatus.ERROR),
        ({"limit": {"type": "time", "limit": 3}}, ItemStatus.TIMEOUT),
        ({"limit": {"type": "token", "limit": 3}}, ItemStatus.UNSCORED),
        ({}, ItemStatus.UNSCORED),
    ],
)
def test_a_sample_without_scores_says_why(read: Read, more: dict[str, Any], status: ItemStatus) -> None:
    nothings: list[dict[str, object] | None] = [None, {}]
    for nothing in nothings:
        run = read(log(sample(1, nothing, **more), sample(2, {"a": 1, "b": {"c": 0}})))
        assert dict(zip(run.ids, run.metrics["b.c"].status.tolist(), strict=True)) == {"2": 0, "1": status}
        assert dict(zip(run.ids, run.metrics["a"].status.tolist(), strict=True)) == {"2": 0, "1": status}


def test_a_sample_that_was_scored_in_spite_of_an_error_keeps_its_score(read: Read) -> None:
    run = read(log(sample(1, {"s": "C"}, error={"message": "late"}), sample(2, {"s": "I"}, limit={"type": "time"})))
    assert run.metrics["s"].values.tolist() == [1.0, 0.0]


def test_where_a_second_scorer_fails_the_firsts_score_stays_and_the_other_is_an_error(read: Read) -> None:
    # as Inspect 0.3.285 writes it: the scores up to the scorer that failed, and the error
    half = sample(2, {"first": 1.0}, error={"message": "judge broke"})
    run = read(log(sample(1, {"first": 1.0, "second": 0.5}), half, sample(3, {"first": 0.0, "second": 0.5})))
    assert {name: run.item_scores(name).status[run.ids.index("2")] for name in run.metrics} == {
        "first": ItemStatus.SCORED,
        "second": ItemStatus.ERROR,
    }


@pytest.mark.parametrize("old", [{"value": "C", "answer": "x"}, None])
def test_a_log_of_the_first_inspect_is_refused_with_the_command_that_converts_it(refused: Refused, old: object) -> None:
    before = {"id": 1, "epoch": 1, "input": "q", "target": "t", "score": old}
    fault = refused(log(before))
    assert (fault.what, str(fault.where).endswith("samples[0]")) == (
        "the sample is as the first Inspect wrote it: with one score",
        True,
    )
    assert "inspect log convert" in fault.remedy


def test_the_random_ids_of_messages_do_not_change_an_item(read: Read) -> None:
    runs = [
        read(
            log(
                sample(1, {"s": "C"})
                | {
                    "input": [message("system", "Be short.", salt), message("user", [{"text": "Why?"}], salt)],
                    "messages": [message("user", "Why?", salt), message("assistant", salt, salt)],
                }
            )
        )
        for salt in ("fA3", "9bQ")
    ]
    assert runs[0].content_digests == runs[1].content_digests
    assert runs[0].prompt_digests == runs[1].prompt_digests


def test_one_message_as_input_is_the_question_itself(write: Callable[[str], Path]) -> None:
    path = write(log(sample(1, {"s": "C"}) | {"input": [message("user", "Why?", "r")]}, sample(1, {"s": "C"}, epoch=2)))
    assert [(item.id, item.text) for item in read_items(path)] == [("1", "Why?")]


@pytest.mark.parametrize("change", [{"input": "other"}, {"target": ["t", "u"]}, {"choices": ["a", "b"]}])
def test_another_input_target_or_choices_is_another_content(read: Read, change: dict[str, object]) -> None:
    one, other = read(log(sample(1, {"s": "C"}))), read(log(sample(1, {"s": "C"}) | change))
    assert one.content_digests != other.content_digests


def test_another_system_prompt_is_only_another_prompt(read: Read) -> None:
    one, other = (
        read(log(sample(1, {"s": "C"}, messages=[message("system", text, ""), message("user", "q1", "")])))
        for text in ("Be short.", "Be long.")
    )
    assert one.content_digests == other.content_digests
    assert one.prompt_digests != other.prompt_digests


@pytest.mark.parametrize("status", ["started", "cancelled", "error"])
def test_a_run_that_did_not_end_is_refused_unless_allowed(read: Read, refused: Refused, status: str) -> None:
    content = log(sample(1, {"s": "C"}), status=status)
    fault = refused(content)
    assert fault.what == f'the run did not end: its status is "{status}"'
    assert "allow_unfinished: true" in fault.remedy
    run = read(content, unfinished=True)
    assert run.n_items == 1
    assert fault.what in run.notes


def test_an_archive_without_a_header_is_of_a_run_that_was_killed(read: Read, refused: Refused) -> None:
    assert '"started"' in refused(archive(sample(1, {"s": "C"}))).what
    assert read(archive(sample(1, {"s": "C"})), unfinished=True).facts["model"] == "m"


@pytest.mark.parametrize(
    ("samples", "what", "remedy"),
    [
        ([], "the log holds no samples", "--no-log-samples"),
        ([sample(1, {})], "no sample has a score", "inspect score FILE"),
        ([sample(1, {}, error={})], "each of 1 sample ended with an error", "eval-retry"),
        ([sample(1, {"s": "good"}), sample(2, {"s": [1, 2]})], '"s" are texts or lists', "C, I, P and N"),
    ],
)
def test_a_log_without_a_score_is_refused_with_the_reason(
    refused: Refused, samples: list[object], what: str, remedy: str
) -> None:
    fault = refused(log(*samples))
    assert what in fault.what
    assert remedy in fault.remedy


def test_a_metric_of_two_kinds_is_refused_unless_another_is_asked_for(read: Read, refused: Refused) -> None:
    content = log(sample(1, {"s": 1, "t": 1}), sample(2, {"s": "good", "t": 0}))
    fault = refused(content)
    assert fault.what == '"s" is a number elsewhere and none here'
    assert str(fault.where).endswith("samples[1]")
    assert list(read(content, metrics=["t*"]).metrics) == ["t"]


def test_an_infinite_score_is_refused_unless_another_metric_is_asked_for(read: Read, refused: Refused) -> None:
    content = log(sample(1, {"s": float("inf"), "t": 1}))
    assert "not a finite number" in refused(content).what
    assert list(read(content, metrics=["t"]).metrics) == ["t"]


def test_a_metric_that_is_not_there_is_an_error(refused: Refused) -> None:
    assert refused(log(sample(1, {"s": 1})), metrics=["z"]).what == "no sample has a score of what is asked for"


def test_the_graders_model_and_invalid_samples_are_told(read: Read) -> None:
    content = log(sample(1, {"s": 1}, invalidation={"author": "x"}), model_roles={"grader": {"model": "judge/1"}})
    run = read(content)
    assert run.facts["judge"] == "judge/1"
    assert any(note.startswith("1 sample is marked as invalid") for note in run.notes)


@pytest.mark.parametrize(
    ("samples", "where"),
    [
        (["x"], "samples[0]"),
        ([sample(1, {}) | {"scores": [1]}], "samples[0].scores"),
        ([sample(1, {}) | {"scores": {"s": 1}}], "samples[0].scores.s"),
        ([sample([1], {"s": 1})], "samples[0]"),  # type: ignore[arg-type]
    ],
)
def test_anything_of_the_wrong_kind_is_an_error_with_its_place(
    refused: Refused, samples: list[object], where: str
) -> None:
    assert str(refused(log(*samples)).where).endswith(where)


def test_samples_that_are_no_list_are_an_error(refused: Refused) -> None:
    assert refused('{"version": 2, "status": "success", "eval": {}, "samples": {"a": 1}}').what.endswith("no list")


def test_a_broken_member_is_an_error_that_names_it(write: Callable[[bytes], Path]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("header.json", json.dumps({"status": "success", "eval": SPEC}))
        packed.writestr("samples/1_epoch_1.json", '{"id": 1')
    with pytest.raises(ScoreFileError, match="not valid JSON") as caught:
        read_run(write(buffer.getvalue()), Wanted())
    assert "samples/1_epoch_1.json" in str(caught.value.where)


@pytest.mark.parametrize("input_", ["half a pair: \ud83d", {"deep": json.loads("[" * 300 + "]" * 300)}])
def test_a_sample_that_the_fast_parser_refuses_is_read_from_a_member_as_from_a_log_in_json(
    read: Read, input_: object
) -> None:
    header = {"version": 2, "status": "success", "eval": SPEC}
    odd = {**sample(1, {"s": "C"}), "input": input_}
    packed, plain = read(archive(odd, header=header)), read(log(odd))
    assert (packed.inputs, packed.content_digests) == (plain.inputs, plain.content_digests)


def test_a_member_that_is_nested_too_deeply_is_an_error_that_names_it(write: Callable[[bytes], Path]) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as packed:
        packed.writestr("header.json", json.dumps({"status": "success", "eval": SPEC}))
        packed.writestr("samples/1_epoch_1.json", '{"id": ' + "[" * 501 + "]" * 501 + "}")
    with pytest.raises(ScoreFileError, match="it is nested too deeply") as caught:
        read_run(write(buffer.getvalue()), Wanted())
    assert "samples/1_epoch_1.json" in str(caught.value.where)


def test_of_a_sample_that_was_run_again_the_later_member_counts(read: Read) -> None:
    header = {"version": 2, "status": "success", "eval": SPEC}
    with pytest.warns(UserWarning, match="Duplicate name"):
        content = archive(sample(1, {}, error={"message": "boom"}), sample(1, {"s": "C"}), header=header)
    run = read(content)
    assert (run.n_samples, run.metrics["s"].values.tolist()) == (1, [1.0])


def test_a_column_mapping_is_an_error(refused: Refused) -> None:
    assert "columns are mapped" in refused(log(sample(1, {"s": 1})), columns=Columns(score="s")).what
