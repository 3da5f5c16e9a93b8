"""Which metric, which way is better, on what scale; and the bars that cannot be meant."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from gate.errors import ConfigError, ScoreFileError
from gate.metrics import Metric, ScaleOrigin, choose_metrics, require_bar_on_scale, resolve_metric
from gate.scores.model import Direction, ItemStatus, MetricScores, Run, Scale

MakeRun = Callable[..., Run]

PERCENT = Scale(0.0, 100.0)


def run_with(make_run: MakeRun, *metrics: str, path: str = "run.csv") -> Run:
    columns = {name: MetricScores(np.ones(1), np.zeros(1, np.uint8)) for name in metrics}
    return make_run({"a": 1.0}, metrics=columns, path=path)


def resolved(*runs: Run, direction: Direction | None = None, scale: Scale | None = None) -> Metric:
    baseline = runs[0] if len(runs) > 1 else None
    return resolve_metric("score", baseline, runs[-1], direction=direction, scale=scale)


def metric_on(scale: Scale | None, origin: ScaleOrigin) -> Metric:
    return Metric("score", Direction.HIGHER, scale, origin)


def test_the_only_metric_is_the_one(make_run: MakeRun) -> None:
    run = run_with(make_run, "rouge")
    assert choose_metrics((), run, run) == ("rouge",)


def test_among_several_the_one_named_score_is_the_one(make_run: MakeRun) -> None:
    run = run_with(make_run, "latency", "score", "rouge")
    assert choose_metrics((), run, run) == ("score",)


def test_several_metrics_none_named_score_are_an_error_that_lists_them(make_run: MakeRun) -> None:
    run = run_with(make_run, "latency", "rouge")
    with pytest.raises(ScoreFileError, match="2 metrics") as caught:
        choose_metrics((), run, run)
    assert "latency, rouge" in caught.value.remedy


def test_a_metric_that_only_one_file_has_is_no_choice(make_run: MakeRun) -> None:
    chosen = choose_metrics((), run_with(make_run, "rouge"), run_with(make_run, "rouge", "latency"))
    assert chosen == ("rouge",)


def test_no_shared_metric_is_an_error_that_lists_each_file(make_run: MakeRun) -> None:
    baseline, candidate = run_with(make_run, "bleu", path="a.csv"), run_with(make_run, "rouge", path="b.csv")
    with pytest.raises(ScoreFileError, match="share no metric") as caught:
        choose_metrics((), baseline, candidate)
    assert "a.csv: bleu" in caught.value.remedy
    assert "b.csv: rouge" in caught.value.remedy


def test_requested_metrics_are_taken_in_their_order(make_run: MakeRun) -> None:
    run = run_with(make_run, "a", "b", "score")
    assert choose_metrics(("b", "a"), run, run) == ("b", "a")


def test_an_unknown_requested_metric_names_the_file_and_a_near_one(make_run: MakeRun) -> None:
    baseline, candidate = run_with(make_run, "rougeL"), run_with(make_run, "rouge", path="b.csv")
    with pytest.raises(ScoreFileError, match="no metric 'rougeL'") as caught:
        choose_metrics(("rougeL",), baseline, candidate)
    assert caught.value.where is not None
    assert caught.value.where.path == "b.csv"
    assert "did you mean 'rouge'?" in caught.value.remedy


def test_higher_is_better_unless_somebody_says_otherwise(make_run: MakeRun) -> None:
    assert resolved(make_run([1.0])).direction is Direction.HIGHER


def test_the_format_may_say_that_lower_is_better(make_run: MakeRun) -> None:
    assert resolved(make_run([1.0], direction=Direction.LOWER)).direction is Direction.LOWER


def test_a_given_direction_wins_over_the_format(make_run: MakeRun) -> None:
    run = make_run([1.0], direction=Direction.LOWER)
    assert resolved(run, direction=Direction.HIGHER).direction is Direction.HIGHER


@pytest.mark.parametrize("direction", Direction)
def test_a_direction_that_the_baseline_states_holds_where_the_candidate_is_silent(
    make_run: MakeRun, direction: Direction
) -> None:
    assert resolved(make_run([1.0], direction=direction), make_run([1.0])).direction is direction


def test_a_candidate_may_not_say_by_itself_that_lower_is_better(make_run: MakeRun) -> None:
    silent, stating = make_run([1.0], path="a.csv"), make_run([0.0], direction=Direction.LOWER, path="b.json")
    with pytest.raises(ScoreFileError, match=r"not told in a\.csv, lower in b\.json") as caught:
        resolved(silent, stating)
    assert "`direction: lower`" in caught.value.remedy
    assert resolved(silent, stating, direction=Direction.LOWER).direction is Direction.LOWER
    assert resolved(silent, make_run([0.0], direction=Direction.HIGHER)).direction is Direction.HIGHER
    assert resolved(stating).direction is Direction.LOWER


def test_two_runs_that_state_opposite_directions_are_an_error_that_names_both(make_run: MakeRun) -> None:
    old = make_run([1.0], direction=Direction.LOWER, path="old.json")
    new = make_run([1.0], direction=Direction.HIGHER, path="new.json")
    with pytest.raises(ScoreFileError) as caught:
        resolved(old, new)
    assert caught.value.what == (
        "the two files are at odds on which way the metric 'score' is better: lower in old.json, higher in new.json"
    )
    assert str(caught.value.where) == "new.json"
    assert caught.value.remedy.startswith(
        "write both with one version of the tool, as their scores mean opposite things"
    )
    assert "`direction: higher` or `direction: lower` in gate.yml" in caught.value.remedy
    assert resolved(old, new, direction=Direction.LOWER).direction is Direction.LOWER


def test_a_direction_in_doubt_in_either_run_must_be_given(make_run: MakeRun) -> None:
    stating = make_run([1.0], direction=Direction.LOWER)
    column = replace(stating.metrics["score"], direction=None, doubt="it was turned round")
    doubtful = make_run([1.0], metrics={"score": column}, path="doubtful.json")
    for runs in ((stating, doubtful), (doubtful, stating), (doubtful,)):
        with pytest.raises(ScoreFileError) as caught:
            resolved(*runs)
        assert caught.value.what == "which way the metric 'score' is better is in doubt: it was turned round"
        assert str(caught.value.where) == "doubtful.json"
        assert "`direction: higher` or `direction: lower` in gate.yml" in caught.value.remedy
        assert resolved(*runs, direction=Direction.HIGHER).direction is Direction.HIGHER


def test_a_given_scale_wins_over_the_format(make_run: MakeRun) -> None:
    metric = resolved(make_run([50.0], scale=PERCENT), scale=Scale(0.0, 200.0))
    assert (metric.scale, metric.scale_origin) == (Scale(0.0, 200.0), ScaleOrigin.GIVEN)
    assert metric.notes == ("score: higher is better, the scale is 0 to 200, as given",)


def test_the_scale_that_both_formats_state_holds(make_run: MakeRun) -> None:
    metric = resolved(make_run([50.0], scale=PERCENT), make_run([60.0], scale=PERCENT))
    assert (metric.scale, metric.scale_origin) == (PERCENT, ScaleOrigin.FORMAT)
    assert metric.notes == ("score: higher is better, the scale is 0 to 100, as the format states",)


def test_zero_to_one_is_assumed_where_every_score_of_both_runs_lies_in_it_and_is_told(make_run: MakeRun) -> None:
    metric = resolved(make_run([0.0, 1.0]), make_run([0.5, ItemStatus.ERROR]))
    assert (metric.scale, metric.scale_origin) == (Scale(0.0, 1.0), ScaleOrigin.ASSUMED)
    assert metric.notes == ("score: higher is better, the scale is 0 to 1, assumed, since every score lies in it",)


@pytest.mark.parametrize("outside", [-0.01, 1.01, 4.0])
def test_one_score_outside_zero_to_one_in_either_run_leaves_the_scale_unknown_and_is_told(
    make_run: MakeRun, outside: float
) -> None:
    for runs in ([[1.0], [outside]], [[outside], [1.0]]):
        metric = resolved(*map(make_run, runs))
        assert (metric.scale, metric.scale_origin) == (None, ScaleOrigin.UNKNOWN)
        assert "give `scale: [low, high]`" in metric.notes[0]


def test_a_cosine_a_rounding_error_over_one_is_on_the_scale(make_run: MakeRun) -> None:
    run = make_run([1.0000000000000002, -2e-16])
    assert resolved(run).scale_origin is ScaleOrigin.ASSUMED
    assert resolved(run, scale=Scale(0.0, 1.0)).scale_origin is ScaleOrigin.GIVEN


def test_percents_against_plain_numbers_are_an_error(make_run: MakeRun) -> None:
    with pytest.raises(ScoreFileError, match="do not seem to give the metric 'score' in one unit") as caught:
        resolved(make_run([85.0], scale=PERCENT), make_run([0.85]))
    assert "scale: [low, high]" in caught.value.remedy


def test_a_file_that_states_zero_to_one_agrees_with_one_that_states_nothing_and_lies_in_it(make_run: MakeRun) -> None:
    stating = make_run([1.0], scale=Scale(0.0, 1.0))
    metric = resolved(stating, make_run([0.5]))
    assert (metric.scale, metric.scale_origin) == (Scale(0.0, 1.0), ScaleOrigin.ASSUMED)
    with pytest.raises(ScoreFileError, match="do not seem to give the metric 'score' in one unit"):
        resolved(stating, make_run([50.0]))


def test_a_score_outside_the_given_scale_is_an_error_that_names_item_and_value(make_run: MakeRun) -> None:
    with pytest.raises(ScoreFileError, match=r"the score 1\.001 lies outside the scale 0 to 1") as caught:
        resolved(make_run({"q1": 1.0}), make_run({"q7": 1.001}), scale=Scale(0.0, 1.0))
    assert caught.value.where is not None
    assert "item 'q7'" in (caught.value.where.part or "")


def test_a_metric_without_any_score_in_a_run_is_refused(make_run: MakeRun) -> None:
    with pytest.raises(ScoreFileError, match="no score at all"):
        resolved(make_run([1.0, 1.0]), make_run([ItemStatus.ERROR, ItemStatus.TIMEOUT]))


def test_a_bar_on_an_unknown_scale_says_give_scale() -> None:
    with pytest.raises(ConfigError, match="needs the scale") as caught:
        require_bar_on_scale(0.7, metric_on(None, ScaleOrigin.UNKNOWN))
    assert "give scale" in caught.value.remedy


@pytest.mark.parametrize("bar", [-0.1, 1.1, 70.0])
def test_a_bar_outside_the_scale_is_refused(bar: float) -> None:
    with pytest.raises(ConfigError, match="outside the scale 0 to 1"):
        require_bar_on_scale(bar, metric_on(Scale(0.0, 1.0), ScaleOrigin.ASSUMED))


@pytest.mark.parametrize("bar", [0.0, 0.7, 1.0])
def test_a_bar_on_the_scale_is_taken(bar: float) -> None:
    require_bar_on_scale(bar, metric_on(Scale(0.0, 1.0), ScaleOrigin.ASSUMED))


def test_a_bar_of_at_most_one_on_percents_is_never_rescaled_silently() -> None:
    with pytest.raises(ConfigError, match="at most 1 on a scale of 0 to 100") as caught:
        require_bar_on_scale(0.7, metric_on(PERCENT, ScaleOrigin.FORMAT))
    assert "write 70 for 70 %" in caught.value.remedy


def test_a_bar_of_at_most_one_is_refused_on_a_given_percent_scale_too() -> None:
    with pytest.raises(ConfigError, match="at most 1 on a scale of 0 to 100"):
        require_bar_on_scale(0.7, metric_on(PERCENT, ScaleOrigin.GIVEN))


def test_a_ceiling_of_less_than_one_percent_is_taken() -> None:
    require_bar_on_scale(0.7, replace(metric_on(PERCENT, ScaleOrigin.GIVEN), direction=Direction.LOWER))


def test_shares_against_percentages_are_an_error_even_where_no_scale_is_stated(make_run: MakeRun) -> None:
    for runs in (([0.5, 1.0], [0.0, 100.0]), ([53.0, 60.0], [0.5, 0.6])):
        with pytest.raises(ScoreFileError, match="in one unit"):
            resolved(*map(make_run, runs))
        assert resolved(*map(make_run, runs), scale=PERCENT).scale == PERCENT


@pytest.mark.parametrize("name", ["latency", "cost_usd", "Error-rate", "total tokens"])
def test_a_name_that_speaks_of_cost_is_doubted_where_higher_is_better(make_run: MakeRun, name: str) -> None:
    run = make_run([1.0], metric=name)
    metric = resolve_metric(name, None, run, direction=None, scale=None)
    assert metric.notes[1] == f"{name}: by its name lower may be better: say `direction: lower` in gate.yml"
    assert len(resolve_metric(name, None, run, direction=Direction.LOWER, scale=None).notes) == 1


def test_a_bar_in_percent_is_taken() -> None:
    require_bar_on_scale(70.0, metric_on(PERCENT, ScaleOrigin.FORMAT))


def test_a_file_whose_format_states_zero_to_one_may_be_held_against_a_plain_one_that_stays_in_it(
    make_run: MakeRun,
) -> None:
    for runs in (
        (make_run([1.0, 0.0], scale=Scale(0.0, 1.0)), make_run([1.0, 1.0])),
        (make_run([1.0, 1.0]), make_run([1.0, 0.0], scale=Scale(0.0, 1.0))),
    ):
        assert resolved(*runs).scale == Scale(0.0, 1.0)
    with pytest.raises(ScoreFileError, match="do not seem to give the metric 'score' in one unit"):
        resolved(make_run([1.0, 0.0], scale=Scale(0.0, 1.0)), make_run([100.0, 1.0]))


def test_a_pattern_stands_for_the_shared_metrics_that_it_fits(make_run: MakeRun) -> None:
    column = make_run([1.0]).metrics["score"]
    run = make_run([1.0], metrics={"em,strict": column, "em,loose": column, "f1": column})
    assert choose_metrics(("em*", "f1"), run, run) == ("em,strict", "em,loose", "f1")
    with pytest.raises(ScoreFileError, match="there is no metric 'x\\*'"):
        choose_metrics(("x*",), run, run)
