from collections.abc import Callable

import pytest

from gate.errors import ScoreFileError
from gate.scores.model import Columns, ItemStatus, Run
from gate.scores.roles import ID_NAMES

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


@pytest.mark.parametrize(
    "name",
    [*ID_NAMES, "ID", "Question ID", "task-id"],
)
def test_the_usual_names_of_an_id_column_are_known(read: Read, name: str) -> None:
    run = read(f"{name},score\nq1,1\n")
    assert run.ids == ("q1",)
    assert (f'items are named by the column "{name}"' in run.notes) is (name.lower() != "id")


def test_the_earliest_name_of_the_list_is_the_id(read: Read) -> None:
    assert read("name,task_id,id,score\na,b,c,1\n").ids == ("c",)


def test_without_an_id_column_the_id_is_a_hash_of_the_question_and_that_is_told(read: Read) -> None:
    run = read("question,score\nWhy?,1\nHow?,0\n")
    assert all(len(item) == 16 and int(item, 16) >= 0 for item in run.ids)
    assert run.inputs == ("Why?", "How?")
    assert 'an item\'s id is a short hash of its text in "question"' in run.notes


def test_the_hash_of_a_question_is_the_same_in_every_format(read: Read) -> None:
    ids = read("question,score\nWhy?,1\nHow?,0\n").ids
    assert read('{"question": "Why?", "score": 1}\n{"question": "How?", "score": 0}\n').ids == ids
    assert read('[{"question": " Why? ", "score": 1}, {"question": "How?", "score": 0}]').ids == ids


def test_line_ends_within_a_text_do_not_change_its_id_or_its_digest(read: Read) -> None:
    unix, windows = read('question,score\n"a\nb",1\n'), read('question,score\r\n"a\r\nb",1\r\n')
    assert unix.ids == windows.ids
    assert unix.content_digests == windows.content_digests


def test_without_an_id_or_a_question_the_error_lists_the_columns(refused: Refused) -> None:
    fault = refused("prompt,score\nWhy?,1\n")
    assert fault.what == "no column names the items"
    assert 'the file\'s columns: "prompt", "score"' in fault.remedy


def test_ids_compare_as_text(read: Read) -> None:
    number = read('{"id": 7, "score": 1}\n{"id": 8, "score": 1}\n').ids
    assert number == read('{"id": "7", "score": 1}\n{"id": "8", "score": 1}\n').ids
    assert number == read("id,score\n7,1\n8,1\n").ids
    assert number == read('{"7": 1, "8": 1}').ids


def test_a_decimal_id_stays_what_it_is(read: Read) -> None:
    assert read('{"id": 7.0, "score": 1}\n{"id": "7", "score": 1}\n').ids == ("7.0", "7")


@pytest.mark.parametrize("value", ["null", '""', '"  "', "NaN"])
def test_a_missing_id_is_an_error_naming_the_line(refused: Refused, value: str) -> None:
    fault = refused(f'{{"id": 1, "score": 1}}\n{{"id": {value}, "score": 1}}\n{{"id": 3, "score": 1}}\n')
    assert fault.what == "the row has no id"
    assert fault.where is not None
    assert fault.where.line == 2


@pytest.mark.parametrize("value", ["true", "[1]", '{"a": 1}'])
def test_an_id_that_is_no_text_and_no_number_is_an_error(refused: Refused, value: str) -> None:
    assert "ids are texts or numbers" in refused(f'[{{"id": {value}, "score": 1}}]').what


def test_several_columns_together_are_an_id_that_cannot_be_mistaken(read: Read) -> None:
    columns = Columns(id=("a", "b"))
    assert read("a,b,score\nx,y,1\n", columns=columns).ids == ("x|y",)
    assert read("a,b,score\nx|y,z,1\nx,y|z,1\n", columns=columns).ids == ("x\\|y|z", "x|y\\|z")


def test_a_joined_id_is_a_hash_where_a_column_is_the_question_or_the_text_is_long(read: Read) -> None:
    run = read("question,truth,score\na,b,1\na,c,1\n", columns=Columns(id=("question", "truth")))
    assert all(len(item) == 16 for item in run.ids)
    assert len(set(run.ids)) == 2
    long = read(f"a,b,score\n{'x' * 150},{'y' * 150},1\nx,y,1\n", columns=Columns(id=("a", "b")))
    assert [len(item) for item in long.ids] == [16, 3]


def test_an_id_of_id_and_sample_makes_no_repeats(refused: Refused) -> None:
    fault = refused("id,sample,score\na,1,1\na,1,0\n", columns=Columns(id=("id", "sample")))
    assert fault.what == '1 id stands more than once: "a|1" (lines 2, 3)'


def test_an_id_of_several_lines_is_a_hash(read: Read) -> None:
    assert len(read('id,score\n"a\nb",1\n').ids[0]) == 16


def test_doubled_ids_are_an_error_that_lists_each_with_its_lines(refused: Refused) -> None:
    fault = refused("id,score\na,1\nb,1\na,0\nb,0\nb,1\nc,1\n")
    assert fault.what == '2 ids stand more than once: "a" (lines 2, 4), "b" (lines 3, 5, 6)'
    assert fault.where is not None
    assert fault.where.line == 4
    for way in ("remove the rows", "columns: {sample: NAME}", "columns: {id: [id, NAME]}"):
        assert way in fault.remedy


def test_the_text_of_a_doubled_id_that_is_a_hash_is_for_a_terminal_alone(refused: Refused) -> None:
    question = "What " + "x" * 100
    fault = refused(f"question,truth,score\n{question},a,1\n{question},b,1\n")
    hashed = fault.what.partition('"')[2].partition('"')[0]
    assert fault.what == f'1 id stands more than once: "{hashed}" (lines 2, 3)'
    assert question[:10] not in str(fault)
    assert fault.excerpt == f'"{hashed}" = "{question[:60]}…"'
    assert "columns: {id: [question, truth]}" in fault.remedy


def test_at_most_ten_doubled_ids_are_listed_and_the_rest_counted(refused: Refused) -> None:
    rows = "".join(f"q{number},1\n" * 8 for number in range(12))
    fault = refused("id,score\n" + rows)
    assert fault.what.startswith("12 ids stand more than once")
    assert fault.what.endswith("2 more")
    assert '"q9"' in fault.what
    assert '"q10"' not in fault.what
    assert "lines 2, 3, 4, 5, 6, 3 more" in fault.what
    assert fault.excerpt == ""


@pytest.mark.parametrize("name", ["sample", "epoch"])
def test_a_column_named_sample_or_epoch_makes_doubled_ids_repeats_and_that_is_told(read: Read, name: str) -> None:
    run = read(f"id,{name},score\na,1,1\na,2,0\nb,1,1\n")
    assert run.ids == ("a", "b")
    assert run.item_of_sample.tolist() == [0, 0, 1]
    assert run.item_scores("score").values.tolist() == [0.5, 1.0]
    assert f'the column "{name}" tells the repeats of an item apart' in run.notes
    assert "3 samples of 2 items, 1 to 2 for each" in run.notes


def test_a_mapped_sample_column_makes_doubled_ids_repeats(read: Read) -> None:
    assert read("id,trial,score\na,1,1\na,2,0\n", columns=Columns(sample="trial")).n_samples == 2


def test_the_same_sample_of_an_item_twice_is_an_error(refused: Refused) -> None:
    fault = refused("id,epoch,score\na,1,1\na,1,0\na,2,0\n")
    assert fault.what == '1 id stands more than once: "a", sample "1" (lines 2, 3)'


@pytest.mark.parametrize(
    ("column", "what"), [("question", "different inputs or targets"), ("group", "different groups")]
)
def test_repeats_that_differ_in_content_or_group_are_an_error(refused: Refused, column: str, what: str) -> None:
    fault = refused(f"id,epoch,{column},score\na,1,x,1\na,2,y,0\n")
    assert fault.what == f'the repeats of item "a" have {what} here and on line 2'
    assert fault.where is not None
    assert fault.where.line == 3


def test_the_content_digest_covers_inputs_and_target_and_keeps_them_apart(read: Read) -> None:
    header = "id,question,target,score\n"
    first = read(header + "a,x,y,1\nb,xy,,1\nc,,xy,1\nd,,,1\n").content_digests
    assert first is not None
    assert len({*first}) == 4
    assert first[3] == ""
    assert [len(digest) for digest in first[:3]] == [32] * 3
    again = read(header + "z,x,y,0\n").content_digests
    assert again == first[:1]


def test_a_changed_prompt_changes_the_prompt_digest_and_nothing_else(read: Read) -> None:
    one, other = (read(f"id,question,prompt,score\na,x,{prompt},1\n") for prompt in ("p", "q"))
    assert one.content_digests == other.content_digests
    assert one.prompt_digests != other.prompt_digests
    assert one.prompt_digests is not None


@pytest.mark.parametrize("name", ["answer", "response", "output", "label", "completion"])
def test_what_may_be_the_models_own_words_is_no_target_and_no_metric(read: Read, name: str) -> None:
    one, other = (read(f"id,question,{name},score\na,x,{value},1\n") for value in ("1", "0"))
    assert one.content_digests == other.content_digests
    assert list(one.metrics) == ["score"]


def test_without_inputs_and_target_there_are_no_digests(read: Read) -> None:
    run = read("id,score\na,1\n")
    assert run.content_digests is None
    assert run.prompt_digests is None
    assert run.inputs is None
    assert run.groups is None


def test_a_group_column_groups_the_items_and_that_is_told(read: Read) -> None:
    run = read("id,group,score\na,g,1\nb,h,1\n")
    assert run.groups == ("g", "h")
    assert 'items are grouped by the column "group"' in run.notes


def test_a_guessed_group_with_holes_is_not_used_and_a_mapped_one_is_an_error(read: Read, refused: Refused) -> None:
    content = "id,group,score\na,g,1\nb,,1\n"
    assert read(content).groups is None
    assert 'the column "group" does not group the items: some rows have none' in read(content).notes
    fault = refused(content, columns=Columns(group="group"))
    assert str(fault.where).endswith('line 3, column "group"')


def test_a_stratum_and_a_weight_are_read_where_they_are_mapped(read: Read) -> None:
    content = "id,topic,times,score\na,math,2,1\nb,law,0.5,0\n"
    run = read(content, columns=Columns(stratum="topic", weight="times"))
    assert run.strata == ("math", "law")
    assert run.weights is not None
    assert run.weights.tolist() == [2, 0.5]
    assert list(run.metrics) == ["score"]


@pytest.mark.parametrize("name", ["stratum", "weight"])
def test_a_stratum_or_a_weight_is_never_guessed(read: Read, name: str) -> None:
    run = read(f"id,{name},score\na,2,1\n")
    assert (run.strata, run.weights) == (None, None)


@pytest.mark.parametrize("cell", ["", "0", "-1", "nan", "inf", "two", "1e300", "50%"])
def test_a_weight_that_is_no_positive_number_is_an_error_naming_its_line(refused: Refused, cell: str) -> None:
    fault = refused(f"id,times,score\na,1,1\nb,{cell},1\n", columns=Columns(weight="times"))
    assert fault.what == f'"{cell}" is no weight'
    assert str(fault.where).endswith('line 3, column "times"')


def test_a_row_without_its_stratum_is_an_error(refused: Refused) -> None:
    fault = refused("id,topic,score\na,math,1\nb,,1\n", columns=Columns(stratum="topic"))
    assert fault.what == "the row has no stratum"
    assert str(fault.where).endswith('line 3, column "topic"')


@pytest.mark.parametrize(("part", "what"), [("stratum", "different strata"), ("weight", "different weights")])
def test_repeats_that_differ_in_stratum_or_weight_are_an_error(refused: Refused, part: str, what: str) -> None:
    columns = Columns(sample="epoch", stratum="part") if part == "stratum" else Columns(sample="epoch", weight="part")
    assert what in refused("id,epoch,part,score\na,1,1,1\na,2,2,1\n", columns=columns).what


def test_a_mere_category_is_no_group(read: Read) -> None:
    assert read("id,category,score\na,math,1\n").groups is None


def test_every_column_that_holds_scores_is_a_metric(read: Read) -> None:
    run = read("id,note,f1,passed,share,latency\na,fine,0.5,True,50%,1200\nb,,1,False,75%,\n")
    assert list(run.metrics) == ["f1", "passed", "share", "latency"]
    assert run.metrics["latency"].status.tolist() == [0, ItemStatus.UNSCORED]


def test_a_mapped_score_column_is_the_only_metric(read: Read) -> None:
    assert list(read("id,f1,em\na,0.5,1\n", columns=Columns(score="em")).metrics) == ["em"]


def test_metrics_asked_for_are_read_in_their_order_and_others_not_looked_at(read: Read) -> None:
    content = "id,f1,em,mixed\na,0.5,1,1\nb,0.5,1,great\n"
    assert list(read(content, metrics=["em", "f1"]).metrics) == ["em", "f1"]
    assert list(read(content, columns=Columns(score="em"), metrics=["f1"]).metrics) == ["f1"]


def test_a_column_asked_for_as_a_metric_plays_no_other_part(read: Read) -> None:
    run = read("id,reference,score\na,0.5,1\n", metrics=["reference"])
    assert run.metrics["reference"].values.tolist() == [0.5]
    assert run.content_digests is None


@pytest.mark.parametrize(
    "options",
    [
        {"columns": Columns(score="correctnes")},
        {"columns": Columns(group="correctnes")},
        {"columns": Columns(id=("id", "correctnes"))},
    ],
)
def test_a_column_that_does_not_exist_is_an_error_with_a_suggestion(
    refused: Refused, options: dict[str, object]
) -> None:
    fault = refused("id,correctness\na,1\n", **options)
    assert fault.what == 'there is no column "correctnes"; did you mean "correctness"?'
    assert '"id", "correctness"' in fault.remedy


def test_a_metric_that_does_not_exist_is_an_error_with_the_metrics_and_not_the_other_columns(refused: Refused) -> None:
    fault = refused("id,correctness,comment\na,1,good\n", metrics=["correctnes"])
    assert fault.what == 'there is no metric "correctnes"; did you mean "correctness"?'
    assert fault.remedy == 'name one of the file\'s metrics: "correctness"'


def test_the_column_score_is_a_metric_even_where_most_cells_are_bad(refused: Refused) -> None:
    fault = refused("id,score,latency\na,good,1\nb,bad,2\nc,1,3\n")
    assert fault.what == '"good" is not a score'


def test_without_any_column_of_scores_the_error_lists_the_columns(refused: Refused) -> None:
    fault = refused("id,note\na,fine\n")
    assert fault.what == "no column holds scores"
    assert '"id", "note"' in fault.remedy


def test_columns_of_objects_are_named_where_there_is_no_score(refused: Refused) -> None:
    fault = refused('[{"id": 1, "scores": {"f1": 0.5}}]')
    assert fault.what == 'no column holds scores; objects or lists stand in "scores"'


def test_chat_messages_are_a_text_whatever_the_order_of_their_keys(read: Read) -> None:
    one = read('[{"id": 1, "input": [{"role": "user", "content": "hé"}], "score": 1}]')
    other = read('[{"id": 1, "input": [{"content": "hé", "role": "user"}], "score": 1}]')
    assert one.content_digests == other.content_digests
    assert one.inputs == ('[{"content":"hé","role":"user"}]',)


def test_a_column_that_names_metrics_in_words_is_none(read: Read) -> None:
    assert list(read("id,metric,score\na,faithfulness,1\n").metrics) == ["score"]


@pytest.mark.parametrize(
    ("content", "columns", "fields"),
    [
        ("id,item_id,score\na,1,1\n", Columns(), ("id",)),
        ("item_id,score\n1,1\n", Columns(), ("item_id",)),
        ("a,b,score\nx,y,1\n", Columns(id=("b", "a")), ("b", "a")),
        ("question,score\nWhy?,1\n", Columns(), ()),
        ('{\n"a": 1,\n"b": 0}', Columns(), ()),
    ],
    ids=["the usual name", "another name", "mapped", "texts", "keys of an object"],
)
def test_a_run_tells_which_columns_name_its_items(
    read: Read, content: str, columns: Columns, fields: tuple[str, ...]
) -> None:
    assert read(content, columns=columns).id_fields == fields


def test_a_column_of_questions_counts_as_told_even_where_every_cell_is_empty(read: Read) -> None:
    run = read("id,question,score\na,,1\nb,,0\n")
    assert run.content_fields == ("inputs",)
    assert run.content_digests is None
