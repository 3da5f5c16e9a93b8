"""Tables that ragas 0.4.3 and 0.1.22 wrote of made-up samples, with metrics that need no model; and broken ones."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Columns, Direction, ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLES = Path(__file__).parents[1] / "samples" / "ragas"
UNIT = Scale(0.0, 1.0)
ENDINGS = [".csv", ".json", "-records.json", ".jsonl"]
WAYS = [*ENDINGS, ".parquet"]


def sample(question: object, **others: object) -> dict[str, object]:
    return {"user_input": question, "response": "Yes", "reference": "Yes", "faithfulness": 1.0, **others}


def conversation(*words: str, answer: str = "ok") -> list[object]:
    return [turn for word in words for turn in ({"content": word, "type": "human"}, {"content": answer, "type": "ai"})]


def lines(*rows: dict[str, object]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def table(*rows: dict[str, object]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, rows[0].keys())
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


@pytest.mark.parametrize("ending", ENDINGS)
def test_each_way_in_which_pandas_writes_the_table_is_read_alike(ending: str) -> None:
    run = read_run(SAMPLES / f"single-0.4.3{ending}")
    assert (run.source.format, run.n_items) == ("ragas", 4)
    assert list(run.metrics) == ["exact_match", "string_present", "semantic_similarity", "crashy"]
    assert run.metrics["exact_match"].values.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert run.ids == read_run(SAMPLES / "single-0.4.3.csv").ids


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_metric_that_raised_leaves_its_sample_unscored(ending: str) -> None:
    column = read_run(SAMPLES / f"single-0.4.3{ending}").metrics["crashy"]
    assert column.status.tolist() == [0, 0, ItemStatus.UNSCORED, 0]
    assert column.values.tolist()[0] == 0.7


@pytest.mark.parametrize("ending", WAYS)
def test_a_conversation_is_one_item_however_it_is_written(ending: str) -> None:
    run, by_line = (read_run(SAMPLES / f"multi-0.4.3{way}") for way in (ending, ".jsonl"))
    assert run.inputs == ("Ask 0?\nAsk 1?", 'It\'s "me"')
    assert (run.ids, run.content_digests) == (by_line.ids, by_line.content_digests)
    assert run.metrics["tool_call_accuracy"].values.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("ending", [".csv", ".json", ".jsonl"])
def test_other_answers_in_a_conversation_make_no_other_item(ending: str) -> None:
    one, other = (read_run(SAMPLES / f"{name}-0.4.3{ending}") for name in ("multi", "other-answers"))
    assert one.source.digest != other.source.digest
    assert (one.ids, one.content_digests) == (other.ids, other.content_digests)


def test_what_the_human_says_makes_another_conversation(read: Read) -> None:
    talks = [conversation("Hi", "Bye"), conversation("Hi"), conversation("Bye", "Hi"), conversation("Hi\nBye")]
    assert read(lines(*(sample(talk) for talk in talks))).n_items == 4


def test_a_conversation_of_one_message_is_the_question(read: Read) -> None:
    assert read(lines(sample(conversation("Hi")))).ids == read(lines(sample("Hi"))).ids


def test_one_question_with_two_references_is_two_items() -> None:
    run = read_run(SAMPLES / "single-0.4.3.csv")
    assert run.inputs is not None
    assert run.inputs.count("Where are you?") == 2


def test_another_response_makes_no_other_item(read: Read) -> None:
    one, other = (read(table(sample("q", response=text, retrieved_contexts=text))) for text in ("old", "new"))
    assert (one.ids, one.content_digests) == (other.ids, other.content_digests)


@pytest.mark.parametrize("name", ["plain-0.1.22.csv", "plain-0.1.22.jsonl"])
def test_tables_of_ragas_0_1_name_their_items_as_newer_ones_do(name: str) -> None:
    run = read_run(SAMPLES / name)
    assert (run.source.format, list(run.metrics)) == ("ragas", ["answer_similarity", "crashy"])
    assert run.ids == read_run(SAMPLES / "single-0.4.3.csv").ids
    assert run.metrics["crashy"].status.tolist() == [0, 0, ItemStatus.UNSCORED, 0]


def test_an_id_and_numbers_that_the_user_brought_along_are_kept() -> None:
    run = read_run(SAMPLES / "own-0.1.22.csv")
    assert run.ids == ("a", "b", "c", "d")
    assert list(run.metrics) == ["difficulty", "answer_similarity", "crashy"]


def test_numbers_in_the_columns_of_a_sample_are_no_metrics(read: Read) -> None:
    numbers = {"response": "42", "reference": "42", "retrieved_contexts": "1", "query_length": "3", "": "0"}
    assert list(read(table(sample("6 * 7?", **numbers))).metrics) == ["faithfulness"]


@pytest.mark.parametrize(
    ("name", "score", "scale", "direction"),
    [
        ("context_recall", 0.5, UNIT, Direction.HIGHER),
        ("rouge_score(mode=fmeasure)", 0.5, UNIT, Direction.HIGHER),
        ("noise_sensitivity(mode=relevant)", 0.5, UNIT, Direction.LOWER),
        ("semantic_similarity", -0.1, None, Direction.HIGHER),
        ("answer_relevancy", 0.5, None, None),
        ("my_rubric", 4, None, None),
    ],
)
def test_scale_and_direction_are_those_that_ragas_documents(
    read: Read, name: str, score: object, scale: Scale | None, direction: Direction | None
) -> None:
    column = read(lines(sample("q", **{name: score}))).metrics[name]
    assert (column.scale, column.direction) == (scale, direction)


@pytest.mark.parametrize(
    "header",
    [
        "question,answer,contexts_seen,score",
        "query,response,correctness",
        "user_input,score",
        "question,contexts,score",
    ],
)
def test_a_table_that_merely_looks_similar_stays_a_plain_one(read: Read, header: str) -> None:
    row = ",".join("1" for _ in header.split(","))
    assert read(f"{header}\n{row}\n").source.format == "csv"


def test_a_table_of_metrics_and_their_means_is_still_refused(refused: Refused) -> None:
    assert "one figure per metric" in refused("metric,score\nfaithfulness,0.9\n").what


def test_a_single_row_is_read(read: Read) -> None:
    assert read(lines(sample("q"))).source.format == "ragas"


def test_an_object_of_objects_that_are_no_columns_stays_a_plain_one(read: Read) -> None:
    assert read('{"user_input": 1,\n"response": 0.5}').source.format == "json"


def test_one_question_and_reference_twice_is_an_error_that_says_what_to_do(refused: Refused) -> None:
    fault = refused(lines(sample("q"), sample("p"), sample("q")))
    assert "(lines 1, 3)" in fault.what
    assert "a column `id`" in fault.remedy


@pytest.mark.parametrize("question", [None, "", [], [{"content": "Hi", "type": "ai"}]])
def test_a_sample_in_which_nothing_was_asked_is_an_error_with_its_place(refused: Refused, question: object) -> None:
    fault = refused(lines(sample("q"), sample(question)))
    assert fault.what == "nothing was asked here"
    assert str(fault.where).endswith('line 2, column "user_input"')


@pytest.mark.parametrize(
    "cell",
    [
        "[{'content': 'Hi', 'type': 'human'}",
        "[{'content': nan, 'type': 'human'}]",
        "[{'content': b'Hi', 'type': 'human'}]",
        "[{'content': {1, 2}, 'type': 'human'}]",
        "[{'content': {1: 2, 'a': 3}, 'type': 'human'}]",
        "[{'content': " + "[" * 300 + "]" * 300 + ", 'type': 'human'}]",
        "[{'content': 0x" + "f" * 5000 + ", 'type': 'human'}]",
        "[{'content': '" + "a" * 2_000_000 + "', 'type': 'human'}]",
    ],
    ids=["cut short", "a name", "bytes", "a set", "mixed keys", "too deep", "a huge number", "too long"],
)
def test_a_conversation_in_csv_that_cannot_be_read_is_an_error_with_the_way_out(refused: Refused, cell: str) -> None:
    fault = refused(table(sample(cell)))
    assert fault.what == "what stands in this cell cannot be read as a list or an object"
    assert str(fault.where).endswith('line 2, column "user_input"')
    assert "JSON Lines" in fault.remedy


def test_a_doubtful_escape_in_a_conversation_is_read_without_a_warning(read: Read) -> None:
    assert read(table(sample(r"[{'content': 'a \d', 'type': 'human'}]"))).inputs == (r"a \d",)


def test_a_question_that_begins_like_a_list_is_a_text(read: Read) -> None:
    assert read(table(sample("[{'a': 1}] is what?"))).inputs == ("[{'a': 1}] is what?",)


@pytest.mark.parametrize(
    ("rows", "what", "place"),
    [
        ([sample("a", own=1), sample("b", own="high")], '"own" is a score in one row (1)', 'line 2, column "own"'),
        ([sample("a", own=1e300)], "is too large for a score", 'line 1, column "own"'),
        ([sample("a", faithfulness=None)], "no metric has a score", "scores"),
    ],
)
def test_a_column_that_is_no_metric_is_an_error_with_its_place(
    refused: Refused, rows: list[dict[str, object]], what: str, place: str
) -> None:
    fault = refused(lines(*rows))
    assert what in fault.what
    assert str(fault.where).endswith(place)


def test_in_a_table_by_column_an_error_names_the_row(refused: Refused) -> None:
    columns = {"user_input": {"7": "a", "9": ""}, "response": {"7": "b", "9": "c"}, "faithfulness": {"7": 1, "9": 1}}
    for indent in (None, 1):
        assert str(refused(json.dumps(columns, indent=indent)).where).endswith('row 2, column "user_input"')


def test_texts_are_left_out_and_told(read: Read) -> None:
    assert read(lines(sample("q", remark="nice"))).notes == ('left out, as texts are no scores: "remark"',)


def test_mapped_columns_are_refused_with_the_plain_format_as_the_way_out(refused: Refused, read: Read) -> None:
    columns = Columns(id=("user_input",))
    assert "read as ragas" in refused(lines(sample("q")), columns=columns).what
    assert read(lines(sample("q")), columns=columns, format="jsonl").n_items == 1


def test_what_was_asked_is_read_without_scores(write: Callable[[str], Path]) -> None:
    asked: list[object] = ["why?", conversation("when?", "where?")]
    rows = lines(*({"user_input": each, "reference": "r"} for each in asked))
    assert [item.text for item in read_items(write(rows))] == ["why?", "when?\nwhere?"]
