"""What is kept of a suite: figures that can be had again from the report alone."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gate.history.figures import record_suite, writable
from gate.item_table import EMPTY
from gate.reports.json import load, render
from gate.results import Report
from gate.results.record import MetricRecord

WriteCsv = Callable[..., str]
Judge = Callable[..., Report]


def figures(report: Report, metric: str = "score") -> MetricRecord:
    record = record_suite(report.suites[0])
    assert record is not None
    return record.metrics[metric]


@pytest.fixture
def suite(judge: Judge, write_csv: WriteCsv) -> Callable[..., Report]:
    def judged(candidate: object, baseline: object = None, **more: object) -> Report:
        files = {"candidate": write_csv("b.csv", candidate)}
        if baseline is not None:
            files["baseline"] = write_csv("a.csv", baseline)
        return judge({**files, "checks": {"threshold": {"bar": 0.1}}, **more})

    return judged


def test_the_mean_its_error_and_its_interval_are_those_of_the_textbook(suite: Callable[..., Report]) -> None:
    scores = [0.1, 0.4, 0.35, 0.9, 0.77, 0.6]
    found = figures(suite(scores, [0.5] * 6))
    error = np.std(scores, ddof=1) / math.sqrt(6)
    low, high = stats.t.interval(0.95, 5, loc=np.mean(scores), scale=error)
    assert high < 1
    assert found.mean == pytest.approx(np.mean(scores))
    assert found.standard_error == pytest.approx(error)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)
    assert (found.n, found.units, found.direction) == (6, 6, "higher")
    assert found.delta == pytest.approx(np.mean(scores) - 0.5)
    assert found.psi is not None


def test_the_interval_stays_within_the_scale(suite: Callable[..., Report]) -> None:
    found = figures(suite([1, 1, 1, 1, 0]))
    assert found.high == 1.0
    assert found.low is not None
    assert 0 < found.low < found.mean


def test_without_a_baseline_there_is_no_delta_and_no_psi(suite: Callable[..., Report]) -> None:
    found = figures(suite([0.5, 1.0, 0.0]))
    assert (found.delta, found.psi) == (None, None)


def test_groups_are_units_and_weights_count(suite: Callable[..., Report]) -> None:
    columns = {"id": [f"i{row}" for row in range(8)], "score": [1, 1, 1, 1, 0, 0, 0, 1], "group": list("aabbccdd")}
    found = figures(suite(columns))
    assert (found.n, found.units) == (8, 4)
    weighted = {**columns, "w": [2, 2, 2, 2, 1, 1, 1, 1]}
    assert figures(suite(weighted, columns={"weight": "w"})).mean == pytest.approx(9 / 12)


def test_one_item_shows_no_spread(suite: Callable[..., Report]) -> None:
    found = figures(suite([0.5]))
    assert (found.standard_error, found.low, found.high) == (None, None, None)


def test_an_item_without_a_score_is_none_of_the_items(suite: Callable[..., Report]) -> None:
    whole, lacking = figures(suite([1, 0, 1, 1])), figures(suite([1, 0, 1, "error"]))
    assert lacking.n == 3
    assert lacking.mean == pytest.approx(2 / 3)
    assert whole.items != lacking.items


def test_the_items_are_known_by_id_and_content_in_any_order(suite: Callable[..., Report]) -> None:
    def items(ids: list[str], asked: list[str], scores: list[float]) -> str:
        return figures(suite({"id": ids, "question": asked, "score": scores})).items

    before = items(["a", "b"], ["what", "who"], [1, 0])
    assert items(["b", "a"], ["who", "what"], [1, 1]) == before
    assert items(["a", "b"], ["what", "when"], [1, 0]) != before
    assert items(["a", "c"], ["what", "who"], [1, 0]) != before


def test_another_weight_makes_another_mean(suite: Callable[..., Report]) -> None:
    def items(weights: list[float]) -> str:
        columns = {"id": ["a", "b"], "score": [1, 0], "w": weights}
        return figures(suite(columns, columns={"weight": "w"})).items

    assert items([1, 2]) != items([2, 1])


def test_the_report_that_is_read_back_gives_the_same_record(suite: Callable[..., Report]) -> None:
    rng = np.random.default_rng(1)
    columns = {
        "id": [f"i{row}" for row in range(30)],
        "score": rng.random(30).tolist(),
        "question": [f"q{row}" for row in range(30)],
        "group": [f"g{row // 3}" for row in range(30)],
        "w": rng.random(30).tolist(),
    }
    report = suite(columns, columns, columns={"weight": "w"})
    live, kept = figures(report), figures(load(render(report)))
    assert kept.items == live.items
    assert kept.mean == pytest.approx(live.mean, rel=1e-11)
    assert kept.standard_error == pytest.approx(live.standard_error, rel=1e-9)


def test_an_error_beyond_all_numbers_is_not_known(suite: Callable[..., Report]) -> None:
    columns = {"id": ["a", "b", "c"], "score": [1e100, -1e100, 0.0]}
    report = suite(columns, scale=[-1e100, 1e100])
    heavy = replace(report.suites[0].items, weights=(1e99, 1e99, 1e99))
    record = record_suite(replace(report.suites[0], items=heavy))
    assert record is not None
    assert record.metrics["score"].standard_error is None


def test_a_suite_without_scores_has_no_record(suite: Callable[..., Report]) -> None:
    judged = suite([1, 0, 1]).suites[0]
    assert record_suite(replace(judged, candidate=None)) is None
    assert record_suite(replace(judged, items=EMPTY)) is None


def test_a_name_is_written_as_utf_8_can_have_it() -> None:
    assert writable("a\ud800é") == "a?é"
