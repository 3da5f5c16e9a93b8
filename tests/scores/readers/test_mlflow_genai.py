"""The tables of MLflow's newer evaluation."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run
from gate.scores.summary import describe

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
# tables["eval_results"] of mlflow.genai.evaluate of MLflow 3.17.2, without the traces themselves
SAMPLES = Path(__file__).parents[1] / "samples" / "mlflow_genai"
WRITTEN = [SAMPLES / f"mlflow-3.17.2.{ending}" for ending in ("csv", "json", "jsonl")]


def expectation(name: str, value: object) -> dict[str, object]:
    return {"assessment_name": name, "source": {"source_type": "HUMAN"}, "expectation": {"value": value}}


def row(question: object, *assessments: object, **others: object) -> dict[str, object]:
    return {"trace_id": f"tr-{question}", "state": "OK", "request": {"q": question}, "response": "so",
            "good/value": 1.0, "assessments": assessments or [expectation("answer", "yes")], **others}  # fmt: skip


def lines(*rows: dict[str, object]) -> str:
    return "".join(f"{json.dumps(each)}\n" for each in rows)


@pytest.mark.parametrize("path", WRITTEN)
def test_the_tool_s_own_table_is_read(path: Path) -> None:
    run = read_run(path)
    assert (run.source.format, run.n_items, list(run.metrics)) == ("mlflow_genai", 4, ["exact", "yn", "ln"])
    told = describe(run).metrics
    assert {name: metric.mean for name, metric in told.items()} == pytest.approx(
        {"exact": 2 / 3, "yn": 2 / 3, "ln": 1.0}, abs=1e-12
    )
    assert {name: metric.missing_by_status for name, metric in told.items()} == {
        "exact": {"error": 1},  # the app raised, and the scorers judged an answer that is none
        "yn": {"error": 1},
        "ln": {"error": 2},  # and once the scorer
    }
    assert run.notes == ("1 trace ended in an error: what scorers said of it is left out",)


def test_the_table_is_of_the_same_items_in_each_form() -> None:
    runs = [read_run(path) for path in WRITTEN]
    assert len({run.ids for run in runs}) == 1
    assert len({run.content_digests for run in runs}) == 1


def test_the_questions_can_be_searched_for() -> None:
    assert [item.text for item in read_items(WRITTEN[0])] == ["a", "b", "c", "d"]


def test_an_item_is_what_is_asked_and_expected_and_not_the_trace(read: Read) -> None:
    one, again = read(lines(row("a"))), read(lines(row("a", trace_id="tr-other", response="else")))
    assert one.ids == again.ids
    assert read(lines(row("a"), row("a", expectation("answer", "no")))).n_items == 2


def test_an_expectation_that_is_a_number_is_no_metric(read: Read) -> None:
    run = read(lines(row("a", expectation("most", 5), **{"most/value": 5})))
    assert list(run.metrics) == ["good"]


def test_a_text_is_no_metric_and_that_is_told(read: Read, refused: Refused) -> None:
    run = read(lines(row("a", **{"tone/value": None}), row("b", **{"tone/value": "kind"})))
    assert list(run.metrics) == ["good"]
    assert run.notes == ('left out, as texts are no scores: "tone"',)
    fault = refused(lines(row("a", **{"tone/value": 1}), row("b", **{"tone/value": "kind"})))
    assert fault.what == '"tone" is a score in one row (1) and a text here'
    assert str(fault.where).endswith('line 2, column "tone/value"')


def test_a_scorer_that_gave_nothing_is_unscored_and_one_that_raised_an_error(read: Read) -> None:
    raised = {"good/value": None, "good/error_message": "it fell"}
    run = read(lines(row("a", **{"good/value": None}), row("b", **raised)))
    assert run.metrics["good"].status.tolist() == [ItemStatus.UNSCORED, ItemStatus.ERROR]


def test_the_judges_are_told(read: Read) -> None:
    judged = {"assessment_name": "good", "source": {"source_type": "LLM_JUDGE", "source_id": "openai:/judge"},
              "feedback": {"value": 1.0}}  # fmt: skip
    assert read(lines(row("a", judged))).facts == {"judge": "openai:/judge"}


def test_a_row_that_stands_twice_is_an_error(refused: Refused) -> None:
    assert "same inputs and expectations" in refused(lines(row("a"), row("a"))).remedy


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"request": None}, "the row has no id"),
        ({"good/value": 1e999}, '"inf" is not a finite number'),
    ],
)
def test_what_the_tool_does_not_write_is_an_error_with_its_line(
    refused: Refused, changed: dict[str, object], what: str
) -> None:
    fault = refused(lines(row("a"), row("b", **changed)))
    assert fault.what == what
    assert fault.where is not None
    assert fault.where.line == 2


def test_assessments_that_a_csv_file_garbles_are_an_error_with_a_way_out(refused: Refused) -> None:
    table = "trace_id,state,request,response,assessments,good/value\ntr-1,OK,a,b,\"[{'a': nan}]\",1\n"
    fault = refused(table)
    assert fault.what == "what stands in this cell cannot be read as a list or an object"
    assert str(fault.where).endswith('line 2, column "assessments"')
    assert 'to_json(FILE, orient="records", lines=True)' in fault.remedy
