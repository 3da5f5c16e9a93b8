import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Columns, Direction, ItemStatus, Run, Scale, Wanted

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
Row = Mapping[str, object]

SAMPLES = Path(__file__).parent.parent / "samples" / "lm_eval"


def first_generation(doc_id: int = 0, **metrics: object) -> dict[str, object]:
    question = f"question {doc_id}"
    return {
        "doc_id": doc_id,
        "doc": {"question": question, "choices": ["a", "b"]},
        "target": 1,
        "arguments": [[f"Q: {question}\nA:", " a"], [f"Q: {question}\nA:", " b"]],
        "resps": [[[-1.0, False]]],
        "filtered_resps": [[-1.0, False]],
        **metrics,
    }


def second_generation(doc_id: int = 0, filter_name: str = "none", **metrics: object) -> dict[str, object]:
    return {
        **first_generation(doc_id),
        "arguments": {"gen_args_0": {"arg_0": f"Q: question {doc_id}\nA:", "arg_1": {"until": []}}},
        "filter": filter_name,
        "metrics": list(metrics),
        "doc_hash": f"d{doc_id}",
        "prompt_hash": "p",
        "target_hash": "t",
        **metrics,
    }


def scored(metric: str, value: float) -> dict[str, object]:
    return {**second_generation(), "metrics": [metric], metric: value}


def array(*rows: Row) -> str:
    return json.dumps(rows, indent=2)


def lines(*rows: Row) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_the_first_generation_is_an_array_whose_other_keys_are_the_metrics(read: Read) -> None:
    run = read(array(first_generation(0, acc=1.0, bleu_max=19.5), first_generation(1, acc=0, bleu_max=-1)))
    assert run.source.format == "lm_eval"
    assert run.ids == ("0", "1")
    assert run.metrics["acc"].values.tolist() == [1.0, 0.0]
    assert run.metrics["bleu_max"].values.tolist() == [19.5, -1.0]


def test_the_second_generation_names_its_metrics(read: Read) -> None:
    run = read(lines(second_generation(0, exact_match=1.0), {**second_generation(1, exact_match=0.0), "extra": 5}))
    assert list(run.metrics) == ["exact_match"]
    assert run.metrics["exact_match"].values.tolist() == [1.0, 0.0]


def test_both_generations_agree_on_an_items_content(read: Read) -> None:
    old, new = read(array(first_generation(acc=1))), read(lines(second_generation(acc=1)))
    assert old.content_digests == new.content_digests
    assert old.prompt_digests == new.prompt_digests
    assert old.inputs == new.inputs == ("question 0",)


def test_one_filter_leaves_the_names_of_the_metrics_as_they_are(read: Read) -> None:
    assert list(read(lines(second_generation(0, "flexible-extract", exact_match=1))).metrics) == ["exact_match"]


@pytest.fixture
def two_filters() -> str:
    """Two documents under two filters."""
    return lines(
        second_generation(0, "strict-match", exact_match=1.0),
        second_generation(1, "strict-match", exact_match=0.0),
        second_generation(0, "flexible-extract", exact_match=1.0),
        second_generation(1, "flexible-extract", exact_match=1.0),
    )


def test_several_filters_are_variants_and_one_must_be_chosen(refused: Refused, two_filters: str) -> None:
    fault = refused(two_filters)
    assert fault.what == 'the file holds 2 variants: "strict-match", "flexible-extract"'
    assert "--select NAME" in fault.remedy


@pytest.mark.parametrize(("variant", "scores"), [("strict-match", [1.0, 0.0]), ("flexible-*", [1.0, 1.0])])
def test_the_filter_that_is_asked_for_is_read(read: Read, two_filters: str, variant: str, scores: list[float]) -> None:
    run = read(two_filters, variant=variant)
    assert run.ids == ("0", "1")
    assert run.metrics["exact_match"].values.tolist() == scores
    assert run.metrics["exact_match"].scale == Scale(0.0, 1.0)


def test_all_filters_are_items_of_their_own(read: Read, two_filters: str) -> None:
    run = read(two_filters, variant="all")
    assert run.ids == ("strict-match/0", "strict-match/1", "flexible-extract/0", "flexible-extract/1")
    assert run.strata == ("strict-match", "strict-match", "flexible-extract", "flexible-extract")


def test_a_file_to_which_two_runs_were_appended_is_an_error_naming_the_documents(refused: Refused) -> None:
    run = lines(second_generation(0, em=1), second_generation(1, em=1))
    fault = refused(run + run)
    assert fault.what == '2 ids stand more than once: "0" (lines 1, 3), "1" (lines 2, 4)'
    assert "appends" in fault.remedy


def test_nan_and_null_are_unscored(read: Read) -> None:
    rows = [second_generation(number, acc=value) for number, value in enumerate([1.0, float("nan"), None])]
    assert read(lines(*rows)).metrics["acc"].status.tolist() == [0, ItemStatus.UNSCORED, ItemStatus.UNSCORED]


def test_an_infinite_metric_is_an_error_with_line_and_key(refused: Refused) -> None:
    fault = refused(lines(second_generation(0, acc=1.0), second_generation(1, acc=float("inf"))))
    assert fault.what == '"inf" is not a finite number'
    assert str(fault.where).endswith('line 2, key "acc"')


@pytest.mark.parametrize("make", [first_generation, second_generation])
def test_a_metric_that_is_a_list_is_left_out_and_told(read: Read, make: Callable[..., Row]) -> None:
    run = read(lines(make(0, acc=1, bleu=["a", "b"]), make(1, acc=0, bleu=["c", "d"])))
    assert list(run.metrics) == ["acc"]
    assert run.notes == ('left out, as they have no score per document: "bleu"',)


@pytest.mark.parametrize("make", [first_generation, second_generation])
def test_where_every_metric_is_a_list_the_error_names_them(refused: Refused, make: Callable[..., Row]) -> None:
    fault = refused(array(make(0, bleu=["a", "b"], chrf=["a", "b"])))
    assert fault.what == 'no metric has a score per document: "bleu", "chrf" can only be computed over all of them'


def test_a_metric_that_is_now_a_number_and_now_a_list_is_an_error(refused: Refused) -> None:
    fault = refused(lines(second_generation(0, acc=1), second_generation(1, acc=[1])))
    assert fault.what == 'the metric "acc" is a number on line 1 and none here'
    assert fault.where is not None
    assert fault.where.line == 2


@pytest.mark.parametrize("name", ["acc", "acc_norm", "exact_match", "em", "f1", "rouge1_acc", "pass@1"])
def test_the_scale_of_a_rate_is_0_to_1(read: Read, name: str) -> None:
    assert read(lines(scored(name, 0.5))).metrics[name].scale == Scale(0.0, 1.0)


@pytest.mark.parametrize(("name", "value"), [("bleu_max", 0.5), ("rouge1_diff", -2.0), ("f1", 87.5), ("other", 0.5)])
def test_the_scale_of_anything_else_is_unknown(read: Read, name: str, value: float) -> None:
    assert read(lines(scored(name, value))).metrics[name].scale is None


@pytest.mark.parametrize("name", ["word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "ter"])
def test_lower_is_better_where_lm_eval_says_so(read: Read, name: str) -> None:
    assert read(lines(scored(name, 0.5))).metrics[name].direction is Direction.LOWER


def test_perplexity_is_a_log_likelihood_per_document_and_that_is_told(read: Read) -> None:
    run = read(lines(second_generation(perplexity=-12.5, acc=1)))
    assert run.metrics["perplexity"].direction is not Direction.LOWER
    assert any("log-likelihood" in note for note in run.notes)


def test_a_changed_prompt_template_does_not_change_an_items_content(read: Read) -> None:
    row = second_generation(acc=1)
    changed = {**row, "arguments": {"gen_args_0": {"arg_0": "Question: question 0"}}, "prompt_hash": "other"}
    before, after = read(lines(row)), read(lines(changed))
    assert before.content_digests == after.content_digests
    assert before.prompt_digests != after.prompt_digests


@pytest.mark.parametrize("change", [{"doc": {"question": "question 0", "choices": ["a", "c"]}}, {"target": 0}])
def test_a_changed_document_or_target_changes_an_items_content(read: Read, change: Row) -> None:
    row = second_generation(acc=1)
    assert read(lines(row)).content_digests != read(lines({**row, **change})).content_digests


def test_a_file_stripped_of_its_documents_is_known_by_their_hashes(read: Read) -> None:
    one, other = ({**second_generation(acc=1), "doc": None, "doc_hash": hashed} for hashed in ("x", "y"))
    assert read(lines(one)).content_digests != read(lines(other)).content_digests


@pytest.mark.parametrize(
    ("doc", "text"),
    [
        ({"problem": "p", "answer": "1"}, "p"),
        ({"query": "q", "text": "t"}, "q"),
        ({"question": " ", "ctx": "c"}, "c"),
        ({"b": 1, "a": "x"}, '{"a":"x","b":1}'),
        ("plain", "plain"),
    ],
)
def test_the_question_is_a_field_of_the_document_or_all_of_it(read: Read, doc: object, text: str) -> None:
    assert read(lines({**second_generation(acc=1), "doc": doc})).inputs == (text,)


def test_metrics_asked_for_are_selected_and_an_unknown_one_is_an_error(read: Read, refused: Refused) -> None:
    content = lines(second_generation(acc=1, acc_norm=0))
    assert list(read(content, metrics=["acc_norm"]).metrics) == ["acc_norm"]
    fault = refused(content, metrics=["acc_nrm"])
    assert fault.what == 'there is no metric "acc_nrm"; did you mean "acc_norm"?'


def test_a_column_mapping_is_an_error(refused: Refused) -> None:
    assert "whose fields are known" in refused(lines(second_generation(acc=1)), columns=Columns(group="doc")).what


def test_documents_without_any_metric_are_an_error_that_says_so(refused: Refused) -> None:
    fault = refused(lines(second_generation(0), second_generation(1)))
    assert fault.what == "no document has a metric"
    assert "metric_list" in fault.remedy


def test_a_missing_doc_id_is_an_error_with_its_line(refused: Refused) -> None:
    fault = refused(lines(second_generation(0, acc=1), {**second_generation(1, acc=1), "doc_id": None}))
    assert fault.what == "the row has no id"
    assert fault.where is not None
    assert fault.where.line == 2


def test_the_questions_come_once_per_document(write: Callable[[str], Path]) -> None:
    items = read_items(write(lines(second_generation(0, "a", em=1), second_generation(0, "b", em=1))))
    assert [(item.id, item.text, item.line) for item in items] == [("0", "question 0", 1)]


@pytest.mark.parametrize("variant", ["strict", "first"])
def test_two_filters_that_lm_eval_0_4_13_wrote_are_variants_of_the_same_documents(variant: str) -> None:
    with pytest.raises(ScoreFileError, match='2 variants: "strict", "first"'):
        read_run(SAMPLES / "samples_made_up.jsonl")
    run = read_run(SAMPLES / "samples_made_up.jsonl", Wanted(variant=variant))
    assert (run.source.format, run.ids, list(run.metrics)) == ("lm_eval", ("0", "1", "2"), ["exact_match"])
    assert run.metrics["exact_match"].values.tolist() == [1.0, 0.0, 0.0]
    assert run.inputs == ("Say lol", "1+1?", "2+2?")


def test_a_multiple_choice_task_that_lm_eval_0_4_13_wrote_has_its_scores_and_tells_what_is_left_out() -> None:
    run = read_run(SAMPLES / "samples_made_choice.jsonl")
    results = json.loads((SAMPLES / "results.json").read_text())["results"]["made_choice"]
    assert {name: column.values.mean() for name, column in run.metrics.items()} == pytest.approx(
        {name: results[f"{name},none"] for name in ("acc", "acc_norm")}, abs=1e-12
    )
    assert run.notes[0] == 'left out, as they have no score per document: "brier_score"'


def test_the_summary_that_lm_eval_0_4_13_wrote_is_refused() -> None:
    with pytest.raises(ScoreFileError, match="the summary that lm-eval writes"):
        read_run(SAMPLES / "results.json")


DATE = "2026-01-21T03-44-18.458309"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with samples that lm-eval 0.4.13 wrote, under the name that it gave them."""
    shutil.copy(SAMPLES / "samples_made_choice.jsonl", tmp_path / f"samples_made_choice_{DATE}.jsonl")
    return tmp_path


def test_the_results_that_lm_eval_0_4_13_wrote_beside_tell_how_the_run_was_made(folder: Path) -> None:
    shutil.copy(SAMPLES / "results.json", folder / f"results_{DATE}.json")
    assert read_run(folder / f"samples_made_choice_{DATE}.jsonl").facts == {
        "task": "made_choice",
        "task version": "1.0",
        "tool version": "0.4.13",
        "model": "i82qcls7",
        "created": DATE,
    }


@pytest.mark.parametrize(
    ("stated", "direction"), [(False, Direction.LOWER), (True, Direction.HIGHER), (None, None), ("no", None)]
)
def test_the_results_beside_tell_which_way_a_metric_of_the_task_s_own_is_better(
    tmp_path: Path, stated: object, direction: Direction | None
) -> None:
    (tmp_path / f"samples_mine_{DATE}.jsonl").write_text(lines(second_generation(wer=0.5, perplexity=-2.0)))
    results = {"higher_is_better": {"mine": {"wer": stated, "perplexity": False}, "other": {"wer": True}}}
    (tmp_path / f"results_{DATE}.json").write_text(json.dumps(results))
    metrics = read_run(tmp_path / f"samples_mine_{DATE}.jsonl").metrics
    assert metrics["wer"].direction is direction
    assert metrics["perplexity"].direction is not Direction.LOWER


def test_a_metric_without_a_score_in_the_filter_that_is_read_is_unscored_and_not_gone(read: Read) -> None:
    rows = lines(second_generation(0, "a", em=1, own=float("nan")), second_generation(0, "b", em=0, own=0.5, more=1))
    run = read(rows, variant="a")
    assert list(run.metrics) == ["em", "own"]
    assert run.metrics["own"].status.tolist() == [ItemStatus.UNSCORED]


def test_the_results_of_another_run_tell_nothing_of_this_one(folder: Path) -> None:
    shutil.copy(SAMPLES / "results.json", folder / "results_2026-01-22T00-00-00.000001.json")
    assert read_run(folder / f"samples_made_choice_{DATE}.jsonl").facts == {"task": "made_choice", "created": DATE}


def test_a_file_that_was_renamed_tells_nothing_whatever_lies_beside_it(folder: Path) -> None:
    shutil.copy(SAMPLES / "results.json", folder / f"results_{DATE}.json")
    renamed = (folder / f"samples_made_choice_{DATE}.jsonl").rename(folder / "samples_baseline.jsonl")
    assert read_run(renamed).facts == {}


@pytest.mark.parametrize("content", ["[]", '{"versions": [1], "lm_eval_version": null}'])
def test_what_lies_beside_under_the_name_of_results_and_is_none_tells_nothing(folder: Path, content: str) -> None:
    (folder / f"results_{DATE}.json").write_text(content)
    assert read_run(folder / f"samples_made_choice_{DATE}.jsonl").facts == {"task": "made_choice", "created": DATE}


def test_broken_results_beside_are_an_error_that_names_them(folder: Path) -> None:
    (folder / f"results_{DATE}.json").write_text('{"results": {')
    with pytest.raises(ScoreFileError) as caught:
        read_run(folder / f"samples_made_choice_{DATE}.jsonl")
    assert str(folder / f"results_{DATE}.json") in str(caught.value.where)
