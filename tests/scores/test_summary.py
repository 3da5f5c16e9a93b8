import dataclasses
import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scores.model import Run
from gate.scores.summary import _histogram, describe  # the histogram alone is what the property is about

Read = Callable[..., Run]


def test_a_description_counts_items_samples_groups_and_missing_scores(read: Read) -> None:
    run = read("id,epoch,group,question,score\na,1,g,x,1\na,2,g,x,0.5\nb,1,h,y,error\nc,1,h,z,\n")
    told = describe(run)
    assert (told.format, told.items, told.samples, told.groups, told.has_inputs) == ("csv", 3, 4, 2, True)
    metric = told.metrics["score"]
    assert (metric.scored, metric.missing) == (2, 2)
    assert metric.missing_by_status == {"unscored": 1, "error": 1}
    assert (metric.mean, metric.min, metric.max) == (0.75, 0.5, 1.0)
    assert (metric.direction, metric.scale) == ("higher", None)


def test_a_metric_without_any_score_has_no_figures(read: Read) -> None:
    metric = describe(read("id,score\na,error\n")).metrics["score"]
    assert (metric.mean, metric.min, metric.max, metric.histogram) == (None, None, None, ())


def test_the_mean_is_summed_without_rounding(read: Read) -> None:
    rows = "".join(f"q{number},0.1\n" for number in range(10))
    assert describe(read("id,score\n" + rows)).metrics["score"].mean == 0.1


def test_a_few_distinct_scores_have_a_bar_each(read: Read) -> None:
    bars = describe(read("id,score\na,1\nb,0\nc,0.5\nd,1\n")).metrics["score"].histogram
    assert [(bar.label, bar.count) for bar in bars] == [("0", 1), ("0.5", 1), ("1", 2)]


def test_many_distinct_scores_share_ten_bars_of_equal_width(read: Read) -> None:
    rows = "".join(f"q{number},{number}\n" for number in range(101))
    bars = describe(read("id,score\n" + rows)).metrics["score"].histogram
    assert [bar.count for bar in bars] == [10] * 9 + [11]
    assert [bars[0].label, bars[-1].label] == ["[0, 10)", "[90, 100]"]


@given(st.lists(st.floats(-1e100, 1e100), min_size=1, max_size=60))
def test_every_score_is_in_one_of_at_most_ten_bars(scores: list[float]) -> None:
    bars = _histogram(np.array(scores))
    assert len(bars) <= 10
    assert sum(bar.count for bar in bars) == len(scores)


def test_a_description_is_plain_data(read: Read) -> None:
    told = dataclasses.asdict(describe(read("id,score\na,85%\n")))
    assert json.loads(json.dumps(told))["metrics"]["score"]["scale"] == [0.0, 100.0]


@pytest.mark.parametrize("key", ["scored", "missing", "mean", "min", "max"])
def test_a_metric_is_described_by_the_names_that_gate_show_prints(read: Read, key: str) -> None:
    assert key in dataclasses.asdict(describe(read("id,score\na,1\n")).metrics["score"])
