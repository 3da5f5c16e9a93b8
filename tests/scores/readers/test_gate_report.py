"""A report of the gate as the next baseline: what comes back of it, and what cannot."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.config import validate_config
from gate.errors import GateError, ScoreFileError
from gate.pipeline import run_gate
from gate.reports.json import render
from gate.results import Report, Word
from gate.scores import read_items, read_run
from gate.scores.model import Columns, Direction, ItemStatus, Run, Scale, Wanted
from gate.scores.reducers import MEAN, parse_reducer

Judge = Callable[..., Report]
Row = dict[str, Any]


def rows(scores: list[Any], **columns: list[Any]) -> list[Row]:
    return [
        {"id": f"q{row}", "score": score, **{name: values[row] for name, values in columns.items()}}
        for row, score in enumerate(scores)
    ]


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Judge files of JSON Lines; the keywords are keys of the suite."""
    monkeypatch.chdir(tmp_path)

    def run(baseline: list[Row] | str | None, candidate: list[Row], **suite: Any) -> Report:
        paths = {}
        for role, content in (("baseline", baseline), ("candidate", candidate)):
            if isinstance(content, list):
                paths[role] = f"{role}.jsonl"
                Path(paths[role]).write_text("".join(f"{json.dumps(row)}\n" for row in content))
            elif content is not None:
                paths[role] = content
        checks = {"threshold": {"bar": 0.0}, **suite.pop("checks", {})}
        return run_gate(
            validate_config({"version": 1, "suites": [{"name": "answers", **paths, "checks": checks, **suite}]})
        )

    return run


def told(report: Report, path: str = "report.json") -> str:
    Path(path).write_text(render(report))
    return path


def changed(path: str, change: Callable[[Any], None]) -> str:
    data = json.loads(Path(path).read_text())
    change(data)
    Path(path).write_text(json.dumps(data))
    return path


def read(path: str, **wanted: Any) -> Run:
    return read_run(Path(path), Wanted(**wanted))


def refused(path: str, **wanted: Any) -> ScoreFileError:
    with pytest.raises(ScoreFileError) as caught:
        read(path, **wanted)
    return caught.value


def test_the_candidate_comes_back_as_its_own_file_has_it(judge: Judge) -> None:
    asked = ["a", "b", "c", "d"]
    content = rows([1, 0.1 + 0.2, None, 0], question=asked, answer=asked, group=["x", "x", "y", "y"], w=[1, 2, 1, 0.3])
    columns = {"weight": "w", "stratum": "group"}
    run = read(told(judge(None, content, columns=columns)))
    file = read_run(Path("candidate.jsonl"), Wanted(columns=Columns(weight="w", stratum="group")))
    assert run.ids == file.ids
    for name in ("strata", "content_digests", "content_fields"):
        assert getattr(run, name) == getattr(file, name)
    assert run.weights is not None
    assert run.weights.tolist() == [1, 2, 1, 0.3]
    column = run.metrics["score"]
    assert np.array_equal(column.values, file.metrics["score"].values, equal_nan=True)
    assert column.status.tolist() == file.metrics["score"].status.tolist()
    assert run.source.format == "gate_report"


def test_it_is_known_by_its_content_and_tells_verdict_and_day(judge: Judge) -> None:
    path = told(judge(None, rows([1, 0, 1])))
    Path(path).rename("scores.csv")
    run = read("scores.csv")
    assert run.source.format == "gate_report"
    assert run.facts == {"verdict": "PASS"}
    changed("scores.csv", lambda data: data["provenance"].update(today="2026-05-04"))
    assert read("scores.csv").facts == {"verdict": "PASS", "created": "2026-05-04"}


def test_what_the_format_stated_comes_back_and_what_was_assumed_does_not(judge: Judge) -> None:
    path = told(judge(None, rows([1, 0, 1]), direction="lower", checks={"threshold": {"bar": 1.0}}))
    assert read(path).metrics["score"].scale is None
    assert read(path).metrics["score"].direction is Direction.LOWER
    changed(path, lambda data: data["suites"][0]["items"]["metrics"]["score"].update(scale_origin="format"))
    assert read(path).metrics["score"].scale == Scale(0.0, 1.0)


def test_lost_items_do_not_come_back_and_new_and_changed_ones_do(judge: Judge) -> None:
    before = rows([1] * 20, question=[f"{n}" for n in range(20)])
    after = [
        *rows([1] * 19, question=["other", *(f"{n}" for n in range(1, 19))]),
        {"id": "new", "score": 0, "question": "n"},
    ]
    run = read(told(judge(before, after)))
    assert sorted(run.ids) == sorted(row["id"] for row in after)
    assert run.item_scores("score").values[run.ids.index("new")] == 0
    assert run.item_scores("score").values[run.ids.index("q0")] == 1
    assert "q19" not in run.ids


def test_of_several_suites_the_one_of_the_same_name_is_read_or_the_one_selected(judge: Judge) -> None:
    path = told(judge(None, rows([1, 0, 1])))

    def add(data: Any) -> None:
        other = json.loads(json.dumps(data["suites"][0]))
        other.update(name="other")
        other["items"]["metrics"]["score"]["candidate"] = [0, 0, 0]
        data["suites"].append(other)

    changed(path, add)
    assert read(path, suite="other").item_scores("score").values.tolist() == [0, 0, 0]
    assert read(path, suite="answers").item_scores("score").values.tolist() == [1, 0, 1]
    assert read(path, variant="other", suite="answers").item_scores("score").values.tolist() == [0, 0, 0]
    assert "2 variants" in refused(path, suite="third").what
    assert refused(path, variant="all").what == '"all" fits 2 suites of the report'


def test_a_suite_of_another_name_is_read_where_it_is_the_only_one(judge: Judge) -> None:
    assert read(told(judge(None, rows([1, 0, 1]))), suite="renamed").n_items == 3


def test_a_blocked_candidate_is_read_and_doubted(judge: Judge) -> None:
    path = told(judge(None, rows([0, 0, 1, 0] * 5), checks={"threshold": {"bar": 0.9}}))
    report = judge(path, rows([0, 0, 1, 0] * 5))
    assert report.verdict.word is Word.WARN
    assert report.verdict.reasons[0].reason == "baseline-was-blocked"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            lambda data: data["verdict"].update(word="ERROR"),
            "this is the report of a run that could not be judged (ERROR)",
        ),
        (lambda data: data.update(suites=[]), "the report holds no items of a candidate"),
        (lambda data: data.update(schema_version=99), "this is no report of schema version 1"),
        (lambda data: data["suites"][0]["items"]["ids"].__setitem__(1, "q0"), "an id stands in it twice"),
        (lambda data: data["suites"][0]["items"]["ids"].pop(), "candidate is no list of 2"),
        (lambda data: data["suites"][0]["items"]["ids"].__setitem__(0, 5), 'ids holds "5"'),
        (lambda data: _score(data).update(candidate=[1, 2]), "candidate is no list of 3"),
        (lambda data: _score(data).update(candidate=[1, True, 0]), 'candidate holds "True"'),
        (lambda data: _score(data).update(candidate=[1, 10**400, 0]), 'candidate holds "1000'),
        (lambda data: _score(data).update(candidate=[]), "has no column of 3"),
        (lambda data: _score(data).update(direction="up"), "'up' is not a valid Direction"),
        (lambda data: _score(data).update(reducer="pass@0"), "there is no reducer 'pass@0'"),
        (lambda data: _score(data).update(scale_origin="format", scale=[1, 0]), "scale is no range"),
        (lambda data: data["suites"][0]["items"].update(digests=["x"]), "digests is no list of 3"),
        (lambda data: data["suites"][0]["items"].update(content_fields="x"), "content_fields is no list"),
        (lambda data: data["suites"][0]["items"].update(n_samples=[-1, 1, 1]), 'n_samples holds "-1"'),
        (lambda data: data["suites"][0]["items"].update(weights=[1, None, 1]), 'the weight of item "q1" is not known'),
    ],
)
def test_a_report_that_is_not_sound_is_refused(change: Callable[[Any], None], what: str, judge: Judge) -> None:
    fault = refused(changed(told(judge(None, rows([1, 0, 1]))), change))
    assert what in fault.what
    assert fault.remedy


def _score(data: Any) -> Any:
    return data["suites"][0]["items"]["metrics"]["score"]


def test_it_holds_no_questions(judge: Judge) -> None:
    with pytest.raises(ScoreFileError, match="holds no question texts"):
        read_items(Path(told(judge(None, rows([1, 0, 1])))))


def test_digests_of_unknown_fields_are_left_out_and_that_is_told(judge: Judge) -> None:
    path = told(judge(None, rows([1, 0, 1], question=["a", "b", "c"])))
    changed(path, lambda data: data["suites"][0]["items"].pop("content_fields"))
    run = read(path)
    assert run.content_digests is None
    assert any("whether they changed cannot be told" in note for note in run.notes)


# -- the same verdict as with the file that the report was made from


def _found(report: Report) -> Any:
    """All results, but for notes, which tell the file, and for what is said of the report's own verdict."""
    results = json.loads(render(report))["suites"][0]["results"]
    return [{**result, "notes": []} for result in results if result["reason"] != "baseline-was-blocked"]


@given(
    before=st.lists(st.one_of(st.none(), st.sampled_from([0, 0.5, 1])), min_size=12, max_size=12),
    after=st.lists(st.one_of(st.none(), st.sampled_from([0, 0.5, 1])), min_size=12, max_size=12),
    questions=st.lists(st.sampled_from("ab"), min_size=12, max_size=12),
)
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_report_in_place_of_its_file_changes_no_figure(
    judge: Judge, before: list[Any], after: list[Any], questions: list[str]
) -> None:
    ours = rows([1, *before], question=["a"] * 13)
    theirs = rows([1, *after], question=["a", *questions])
    path = told(judge(None, ours))
    assert _found(judge(path, theirs)) == _found(judge(ours, theirs))


def test_scores_that_no_decimal_can_hold_stay_ties(judge: Judge) -> None:
    scores = [1, 0, 1 / 3, 4 / 7, 1, 1, None, 0, 4 / 3, 0.1 + 0.2, 1, 0, 1e-17]
    path = told(judge(None, rows(scores), scale=[0, 2]))
    report = judge(path, rows(scores), scale=[0, 2])
    assert {result.figures["ties"] for result in report.suites[0].results if "ties" in result.figures} == {12}


def samples(passes: list[int], n: int) -> list[Row]:
    return [
        {"id": f"q{item}", "sample": sample, "passed": int(sample < passed)}
        for item, passed in enumerate(passes)
        for sample in range(n)
    ]


def test_a_mean_of_samples_comes_back_with_their_number(judge: Judge) -> None:
    ours, theirs = samples([5, 3, 0, 4] * 6, 5), samples([5, 2, 1, 4] * 6, 5)
    path = told(judge(None, ours))
    run = read(path)
    assert (run.n_items, run.n_samples) == (24, 120)
    assert run.metrics["passed"].made
    assert np.isnan(run.repeat_noise("passed")).all()
    straight, by_report = judge(ours, theirs), judge(path, theirs)
    assert by_report.verdict == straight.verdict
    assert [result.figures for result in by_report.suites[0].results] == [
        result.figures for result in straight.suites[0].results
    ]


def test_samples_without_a_score_are_counted_as_they_were(judge: Judge) -> None:
    ours = samples([3, 2, 1, 0] * 3, 4)
    ours[0]["passed"] = None
    run = read(told(judge(None, ours)))
    assert run.metrics["passed"].status.tolist().count(ItemStatus.UNSCORED) == 1
    straight = judge(ours, ours)
    assert judge("report.json", ours).verdict == straight.verdict


def test_pass_at_k_is_compared_with_pass_at_k(judge: Judge) -> None:
    ours, theirs = samples([5, 3, 1, 4] * 6, 5), samples([5, 1, 0, 4] * 6, 5)
    path = told(judge(None, ours, reduce=["pass@2"]))
    run = read(path)
    assert run.metrics["passed pass@2"].reducer == parse_reducer("pass@2")
    straight, by_report = judge(ours, theirs, reduce=["pass@2"]), judge(path, theirs, reduce=["pass@2"])
    assert by_report.verdict == straight.verdict
    assert [result.figures for result in by_report.suites[0].results] == [
        result.figures for result in straight.suites[0].results
    ]


def refuses(judge: Judge, *arguments: Any, **suite: Any) -> GateError:
    with pytest.raises(GateError) as caught:
        judge(*arguments, **suite)
    return caught.value


def test_a_score_that_the_report_does_not_hold_is_not_made_of_others(judge: Judge) -> None:
    ours = samples([5, 3, 1, 4] * 6, 5)
    path = told(judge(None, ours, reduce=["pass@2"]))
    for suite in ({}, {"reduce": ["pass@3"]}, {"reduce": ["pass@2", "mean"]}):
        fault = refuses(judge, path, ours, **suite)
        assert fault.what.startswith("the report has no samples to make")
        assert '"passed pass@2"' in fault.what
    path = told(judge(None, ours))
    assert refuses(judge, path, ours, reduce=["pass@2"]).what.startswith("the report has no samples to make")


def test_pass_at_k_of_another_number_of_samples_is_refused(judge: Judge) -> None:
    path = told(judge(None, samples([5, 3, 1, 4] * 6, 5), reduce=["pass@2"]))
    fault = refuses(judge, path, samples([5, 3, 1, 4] * 6, 6), reduce=["pass@2"])
    assert "up to 5 samples an item, the candidate up to 6" in fault.what


def test_a_candidate_must_bring_its_samples(judge: Judge) -> None:
    path = told(judge(None, samples([5, 3, 1, 4] * 6, 5), reduce=["pass@2"]))
    Path("other.json").write_text(Path(path).read_text())
    config = {"name": "a", "baseline": path, "candidate": "other.json"}
    with pytest.raises(ScoreFileError, match="what is missing in it cannot be weighed"):
        run_gate(validate_config({"version": 1, "suites": [config]}))


def test_one_sample_an_item_is_as_good_as_the_file(judge: Judge) -> None:
    column = read(told(judge(None, rows([1, 0, 1])))).metrics["score"]
    assert not column.made
    assert column.reducer == MEAN


def lm_eval(item: int) -> Row:
    return {
        "doc_id": item, "doc": {"question": f"q{item}"}, "target": "1", "arguments": {"gen_args_0": {"arg_0": "Q"}},
        "resps": [["1"]], "filtered_resps": ["1"], "filter": "strict", "metrics": ["exact_match"],
        "doc_hash": f"d{item}", "prompt_hash": f"p{item}", "target_hash": "t", "exact_match": float(item % 2),
    }  # fmt: skip


def test_what_is_set_for_the_files_of_another_tool_does_not_keep_a_report_from_being_the_baseline(judge: Judge) -> None:
    samples = [lm_eval(item) for item in range(20)]
    report = told(judge(None, samples))
    second = judge(report, samples, format="lm_eval", select="strict")
    assert second.suites[0].baseline is not None
    assert second.suites[0].baseline.format == "gate_report"
    with pytest.raises(ScoreFileError, match='there is no variant "strict"'):
        judge(report, samples, baseline_select="strict")
