"""Trends: a line a metric, the same in the terminal and in markdown."""

import datetime as dt
import math
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.reports import markdown, text
from gate.reports.drawing import draw_trend
from gate.reports.escape import code
from gate.reports.json import load, render
from gate.results import Report
from gate.results.record import Trend, TrendPoint

HOSTILE = "a|b`<img> @octocat\n::error::\x1b[31m"


def trend(*means: float, suite: str = "answers", metric: str = "score", **fields: object) -> Trend:
    before = [
        TrendPoint(mean, 20, dt.date(2026, 1, 1) + dt.timedelta(weeks=week), "abcdef1", promoted=True)
        for week, mean in enumerate(means[:-1])
    ]
    given_fields: dict[str, object] = {"runs": len(means), **fields}
    return Trend(suite, metric, "higher", (*before, TrendPoint(means[-1], 20)), **given_fields)  # type: ignore[arg-type]  # the tests name the fields


@pytest.fixture
def worked(make: ModuleType) -> Report:
    report: Report = make.worked()
    return report


@pytest.fixture
def told(worked: Report) -> Callable[..., str]:
    def line(*trends: Trend) -> str:
        shown = text.render(replace(worked, trends=trends))
        return "\n".join(row for row in shown.splitlines() if "trend" in row)

    return line


def test_a_trend_tells_where_it_began_and_where_it_is(told: Callable[..., str]) -> None:
    assert (
        told(trend(0.9, 0.8, 0.7, standard_error=0.01))
        == "trend: █▅▁ from 0.900 to 0.700 in 3 runs since 2026-01-01 (n = 20)"
    )


def test_a_first_run_has_nothing_to_go_by(told: Callable[..., str]) -> None:
    expected = "trend: ▅ 0.700, the first run of these items in the history (n = 20; 2 runs of other items left out)"
    assert told(trend(0.7, others=2)) == expected


def test_what_is_not_drawn_is_counted(told: Callable[..., str]) -> None:
    assert "in the last 3 of 31 runs since" in told(trend(0.9, 0.8, 0.7, runs=31))


def test_several_metrics_are_named_and_so_are_several_suites(told: Callable[..., str]) -> None:
    assert [line.split(":")[0] for line in told(trend(0.7), trend(0.7, metric="f1")).splitlines()] == [
        "trend of score",
        "trend of f1",
    ]
    assert told(trend(0.7), trend(0.7, suite="other")).splitlines()[1].startswith("trend of other: ")


def test_of_very_many_the_first_are_told(told: Callable[..., str]) -> None:
    lines = told(*(trend(0.7, metric=f"m{row}") for row in range(30))).splitlines()
    assert lines[-1] == "10 trends more"


def test_markdown_tells_the_same_under_the_error_rates(worked: Report) -> None:
    shown = markdown.render(replace(worked, trends=(trend(0.9, 0.8, 0.7, standard_error=0.01),)))
    line = "- Trend: `█▅▁` from 0.900 to 0.700 in 3 runs since 2026-01-01 (n = 20)"
    assert line in shown
    assert shown.index(line) < shown.index("**What to do**")


def test_hostile_names_are_harmless(worked: Report) -> None:
    report = replace(worked, trends=(trend(0.7, metric=HOSTILE), trend(0.7), trend(0.7, suite=HOSTILE)))
    shown = markdown.render(report)
    assert shown.count(code(HOSTILE)) == 2
    assert shown.replace(code(HOSTILE), "").count("octocat") == 0
    assert not any(line.startswith("::") for line in text.render(report).splitlines())
    assert "\x1b" not in text.render(report) + shown


def test_the_json_report_holds_them_whole(worked: Report) -> None:
    trends = (trend(0.9, 0.8, 0.7, standard_error=0.01),)
    assert load(render(replace(worked, trends=trends))).trends == trends


def test_noise_does_not_look_like_a_cliff() -> None:
    assert draw_trend([0.80, 0.81, 0.79], 0.04) == "▅▅▄"
    assert draw_trend([0.80, 0.81, 0.79], None) == "▅█▁"


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=30), st.none() | st.floats(0, 1e300)
)
def test_any_means_are_drawn_a_column_each(means: list[float], error: float | None) -> None:
    drawn = draw_trend(means, error)
    assert len(drawn) == len(means)
    assert set(drawn) <= set("▁▂▃▄▅▆▇█")
    best, worst = drawn[means.index(max(means))], drawn[means.index(min(means))]
    assert best >= worst or math.isclose(max(means), min(means))
