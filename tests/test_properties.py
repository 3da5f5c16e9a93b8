"""What holds of every pair of files, whatever stands in them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from gate.results import Report, RunReport, Status, SuiteReport, Word

JudgeSuites = Callable[..., Report]
WriteCsv = Callable[..., str]

SCORE = st.sampled_from([0.0, 0.5, 1.0])
CELL = st.sampled_from([0.0, 0.5, 1.0, ""])


def statuses(report: Report) -> dict[str, Status]:
    return {result.check: result.status for suite in report.suites for result in suite.results}


def without_file_names(suite: SuiteReport) -> SuiteReport:
    def plain(run: RunReport | None) -> RunReport | None:
        return None if run is None else replace(run, path="", digest="")

    return replace(suite, baseline=plain(suite.baseline), candidate=plain(suite.candidate))


@settings(max_examples=60)
@given(data=st.data())
def test_the_order_of_the_rows_changes_nothing(judge: JudgeSuites, write_csv: WriteCsv, data: st.DataObject) -> None:
    before, after = (st.lists(cell, min_size=1, max_size=3) for cell in (SCORE, CELL))
    items = data.draw(st.lists(st.tuples(before, after), min_size=2, max_size=12))
    baseline = [(f"i{row}", index, score) for row, item in enumerate(items) for index, score in enumerate(item[0])]
    candidate = [(f"i{row}", index, score) for row, item in enumerate(items) for index, score in enumerate(item[1])]

    def report(before: list[Any], after: list[Any]) -> Report:
        tables = {"a": zip(*before, strict=True), "b": zip(*[*after, ("new", 0, 0.5)], strict=True)}
        files = [
            write_csv("scores.csv", {"id": ids, "epoch": samples, "score": scores, "remark": [remark] * len(ids)})
            for remark, (ids, samples, scores) in tables.items()
        ]
        checks = {"threshold": {"bar": 0.5}, "drift": {"n_swaps": 1000}}
        return judge({"baseline": files[0], "candidate": files[1], "checks": checks})

    straight = report(baseline, candidate)
    mixed = report(data.draw(st.permutations(baseline)), data.draw(st.permutations(candidate)))
    assert mixed.verdict == straight.verdict
    assert without_file_names(mixed.suites[0]) == without_file_names(straight.suites[0])


@settings(max_examples=60)
@given(pairs=st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=20), gone=st.integers(0, 3))
def test_negated_scores_with_the_direction_turned_give_the_same_verdict(
    judge: JudgeSuites, write_csv: WriteCsv, pairs: list[tuple[float, float]], gone: int
) -> None:
    def report(sign: int, **fields: Any) -> Report:
        before, after = ([sign * pair[side] for pair in pairs] for side in (0, 1))
        files = {
            "baseline": write_csv("a.csv", before),
            "candidate": write_csv("b.csv", after[: len(after) - gone] or after),
        }
        checks = {"threshold": {"bar": sign * 0.5}, "drift": {"rule": "bands", "n_swaps": 1000}}
        return judge({**files, **fields, "checks": checks})

    up, down = report(1, scale=[0, 1]), report(-1, scale=[-1, 0], direction="lower")
    assert down.verdict.word is up.verdict.word
    assert statuses(down) == statuses(up)


@settings(max_examples=60)
@given(pairs=st.lists(st.tuples(SCORE, SCORE), min_size=2, max_size=20), data=st.data())
def test_a_worse_score_never_turns_a_block_into_a_pass(
    judge: JudgeSuites, write_csv: WriteCsv, pairs: list[tuple[float, float]], data: st.DataObject
) -> None:
    before, after = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    row = data.draw(st.integers(0, len(pairs) - 1))
    worse: list[Any] = [*after]
    worse[row] = data.draw(st.sampled_from([after[row] / 2, "error"]))

    def word(candidate: list[Any]) -> Word:
        files = {"baseline": write_csv("a.csv", before), "candidate": write_csv("b.csv", candidate)}
        return judge({**files, "checks": {"threshold": {"bar": 0.6}, "drift": False}}).verdict.word

    if word(after) is Word.BLOCK:
        assert word(worse) is not Word.PASS
