"""Drift: two rules on one index, and chance asked first unless the published bands are wanted."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from gate.alignment import Design, MetricPairs
from gate.checks.drift import DriftOptions, check, groups_of_both
from gate.evidence import BucketEvidence
from gate.results import CheckResult, Status
from gate.scores.model import Direction, ItemStatus, Scale
from gate.stats.buckets import Buckets

MakePairs = Callable[..., MetricPairs]

SCORE = st.sampled_from([0.0, 0.5, 1.0])
# the worked example: most items keep their score, six lose and two win
RUN_A = [1.0] * 12 + [0.5, 0.0, 0.5] + [1.0] * 5
RUN_B = [1.0] * 11 + [0.5, 0.5, 0.5, 1.0] + [0.0, 0.0, 0.0, 0.5, 0.5]


def drifted(pairs: MetricPairs, **options: object) -> CheckResult:
    return check(pairs, DriftOptions.model_validate(options), np.random.default_rng(0))


def buckets_of(result: CheckResult) -> BucketEvidence:
    assert isinstance(result.evidence, BucketEvidence)
    return result.evidence


def spread(counts: dict[float, int]) -> list[float]:
    return [score for score, times in counts.items() for _ in range(times)]


@pytest.fixture
def shape_change(make_pairs: MakePairs) -> MetricPairs:
    """200 pairs with one mean, the right and the wrong answers of the baseline having become partial ones."""
    return make_pairs(named(spread({0.0: 50, 0.5: 100, 1.0: 50})), named(spread({0.0: 10, 0.5: 180, 1.0: 10})))


def named(scores: list[float]) -> dict[str, float]:
    return {f"i{row:04d}": score for row, score in enumerate(scores)}


def test_the_worked_example_by_the_published_bands_fails(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs(RUN_A, RUN_B), rule="bands")
    assert (result.status, result.reason) == (Status.FAIL, "significant-drift")
    assert result.sentence == "PSI 0.334 is over 0.25"
    assert result.figures["psi"] == pytest.approx(0.334, abs=5e-4)
    assert result.p_value is None


def test_the_bands_say_openly_how_little_they_prove_at_this_n(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs(RUN_A, RUN_B), rule="bands")
    assert 0.19 < float(result.figures["p"] or 0) < 0.25
    assert result.notes[0].startswith("at n = 20 an unchanged run like this one is over 0.25 in ")
    assert result.notes[0].endswith(f" of cases; this PSI has p = {result.figures['p']:.3f}")


@pytest.mark.parametrize("rule", ["calibrated", "bands"])
def test_the_notes_tell_what_an_unchanged_run_does_what_the_bands_need_and_what_moved(
    make_pairs: MakePairs, rule: str
) -> None:
    first, second, third = drifted(make_pairs(RUN_A, RUN_B), rule=rule).notes
    assert first.startswith(
        "at n = 20 an unchanged run like this one is over 0.25 in 33.6 % and over 0.10 in 76.6 % of cases"
    )
    assert second == "with 3 buckets a band takes so many items to mean something: 0.10 from 120, 0.25 from 48"
    assert third == "the PSI comes most from 0.5: 0.137, 0: 0.110"


def test_only_the_band_that_n_is_too_small_for_is_noted(make_pairs: MakePairs) -> None:
    draw = np.random.default_rng(3)
    runs = [named(draw.choice([0.0, 0.5, 1.0], size=60, p=[0.2, 0.3, 0.5]).tolist()) for _ in range(2)]
    notes = drifted(make_pairs(*runs)).notes
    assert "with 3 buckets a band takes so many items to mean something: 0.10 from 120" in notes


def test_runs_that_agree_so_far_that_no_band_is_reached_by_chance_need_no_more_items(make_pairs: MakePairs) -> None:
    notes = drifted(make_pairs(RUN_A, RUN_A)).notes
    assert notes == ("at n = 20 an unchanged run like this one is over 0.25 in 0 % and over 0.10 in 0 % of cases",)


def test_the_figures_tell_what_the_notes_tell(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs(RUN_A, RUN_B))
    over = {"unchanged_over_significant": 0.336, "unchanged_over_moderate": 0.766}
    assert {name: result.figures[name] for name in over} == pytest.approx(over, abs=5e-4)
    assert (result.figures["n"], result.metric) == (20, "score")
    assert result.figures["p"] == pytest.approx(result.p_value, abs=1e-12)


def test_with_enough_items_the_bands_mean_something(shape_change: MetricPairs) -> None:
    notes = drifted(shape_change).notes
    assert notes[0].startswith("at n = 200 an unchanged run like this one is over 0.25 in ")
    assert not any("mean something" in note for note in notes)


def test_the_worked_example_by_the_calibrated_rule_is_chance(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs(RUN_A, RUN_B))
    assert (result.status, result.reason) == (Status.PASS, "chance")
    assert result.sentence == "PSI 0.334 is over 0.25, which chance explains at this n"
    assert result.detail.startswith("significant, p = 0.2")


def test_a_shape_change_under_an_equal_mean_fails(shape_change: MetricPairs) -> None:
    result = drifted(shape_change)
    assert (result.status, result.reason) == (Status.FAIL, "significant-drift")
    assert result.p_value is not None
    assert result.p_value <= 0.025
    assert shape_change.differences().sum() == 0


@pytest.mark.parametrize("rule", ["calibrated", "bands"])
def test_a_moderate_drift_that_chance_does_not_explain_warns(make_pairs: MakePairs, rule: str) -> None:
    pairs = make_pairs(named(spread({0.0: 50, 0.5: 100, 1.0: 50})), named(spread({0.0: 27, 0.5: 146, 1.0: 27})))
    result = drifted(pairs, rule=rule)
    assert 0.1 < float(result.figures["psi"] or 0) < 0.25
    assert result.detail.startswith("moderate, p ")
    assert result.detail.endswith(", n = 200")
    assert result.remedy == "look at the buckets that contribute most, and at their items"
    assert (result.status, result.reason) == (Status.WARN, "moderate-drift")
    assert result.sentence == f"PSI {result.figures['psi']:.3f} is over 0.10"


def test_a_sure_but_small_shift_passes(make_pairs: MakePairs) -> None:
    before = named([1.0] * 800 + [0.0] * 200)
    after = named([1.0] * 740 + [0.0] * 260)
    result = drifted(make_pairs(before, after))
    assert (result.status, result.reason) == (Status.PASS, "stable")
    assert 0 < float(result.figures["p"] or 0) < 0.001
    assert result.sentence.endswith("is at most 0.10")


@pytest.mark.parametrize("rule", ["calibrated", "bands"])
def test_an_improvement_that_is_shown_warns_and_never_fails(make_pairs: MakePairs, rule: str) -> None:
    pairs = make_pairs(named([0.0] * 60 + [1.0] * 40), named([0.0] * 20 + [1.0] * 80))
    result = drifted(pairs, rule=rule)
    assert (result.status, result.reason) == (Status.WARN, "drift-by-improvement")
    assert result.sentence.endswith("and the candidate is shown better")


def test_where_lower_is_better_a_rise_is_no_improvement(make_pairs: MakePairs) -> None:
    scores = (named([0.0] * 60 + [1.0] * 40), named([0.0] * 20 + [1.0] * 80))
    assert drifted(make_pairs(*scores, direction=Direction.LOWER)).status is Status.FAIL
    assert drifted(make_pairs(*reversed(scores), direction=Direction.LOWER)).reason == "drift-by-improvement"


@pytest.mark.parametrize("rule", ["calibrated", "bands"])
def test_the_same_scores_twice_are_stable(make_pairs: MakePairs, rule: str) -> None:
    result = drifted(make_pairs(RUN_A, RUN_A), rule=rule)
    assert (result.status, result.reason) == (Status.PASS, "stable")
    assert (result.figures["psi"], result.figures["p"]) == (0.0, 1.0)
    assert result.detail == "stable, p = 1.000, n = 20"
    assert result.remedy == ""


def test_scores_that_went_missing_are_a_bucket_of_their_own(make_pairs: MakePairs) -> None:
    candidate: list[float | ItemStatus] = [*[1.0] * 60, *[ItemStatus.ERROR] * 40]
    result = drifted(make_pairs(named([1.0] * 100), dict(zip(named([1.0] * 100), candidate, strict=True))))
    evidence = buckets_of(result)
    assert evidence.labels == ("1", "no score")
    assert (evidence.baseline, evidence.candidate) == ((100, 0), (60, 40))
    assert result.status is Status.FAIL


def test_a_score_put_in_for_a_missing_one_counts_as_missing(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, 0.0, 1.0], [1.0, 0.0]).with_worst_for_missing()
    evidence = buckets_of(drifted(pairs))
    assert evidence.labels == ("0", "1", "no score")
    assert evidence.candidate == (1, 1, 1)


def test_a_bucket_that_is_empty_in_one_run_is_smoothed_and_that_is_told(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs([1.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0]))
    # with a half added: 2.5 and 2.5 of 5 against 0.5 and 4.5 of 5
    assert result.figures["psi"] == pytest.approx(0.4 * np.log(5) + 0.4 * np.log(4.5 / 2.5))
    assert "a bucket is empty in one run: 1/2 was added to each bucket" in result.notes


def test_without_an_empty_bucket_nothing_is_smoothed(make_pairs: MakePairs) -> None:
    assert not any("1/2" in note for note in drifted(make_pairs(RUN_A, RUN_B)).notes)


def test_a_bucket_s_share_of_the_index_is_kept(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs(RUN_A, RUN_B))
    evidence = buckets_of(result)
    assert (evidence.labels, evidence.baseline, evidence.candidate) == (("0", "0.5", "1"), (1, 2, 17), (3, 5, 12))
    assert sum(evidence.contributions) == pytest.approx(result.figures["psi"])


def test_given_edges_are_the_buckets(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs([0.1, 0.4, 0.8], [0.2, 0.5, 0.9]), edges=[0.3, 0.5])
    evidence = buckets_of(result)
    assert evidence.labels == ("under 0.3", "[0.3, 0.5)", "0.5 and over")
    assert (evidence.baseline, evidence.candidate) == ((1, 1, 1), (1, 0, 2))


def test_many_distinct_scores_are_sorted_by_the_baselines_deciles(make_pairs: MakePairs) -> None:
    scores = named([row / 100 for row in range(100)])
    evidence = buckets_of(drifted(make_pairs(scores, scores)))
    assert evidence.baseline == (10,) * 10


def test_quantiles_asked_for_are_the_buckets(make_pairs: MakePairs) -> None:
    scores = named([row / 100 for row in range(100)])
    assert buckets_of(drifted(make_pairs(scores, scores), quantiles=4)).baseline == (25,) * 4


def test_without_a_baseline_it_is_not_run(make_pairs: MakePairs) -> None:
    result = drifted(make_pairs(None, [1.0]))
    assert (result.status, result.reason) == (Status.NOT_RUN, "no-baseline")
    assert (result.sentence, result.metric) == ("no baseline to compare with", "score")


def test_no_item_left_fails(make_pairs: MakePairs, make_samples: MakePairs) -> None:
    for pairs in (
        make_pairs({"a": 1.0}, {"a": 1.0}).without({"a"}),
        make_samples([1.0], [1.0]).without({"a0"}),
        make_samples([1.0], [1.0]).without({"b0"}),
    ):
        assert drifted(pairs) == CheckResult(
            "drift",
            Status.FAIL,
            "no-pairs",
            "no item is left in both runs",
            metric="score",
            remedy="look at the coverage and contamination lines: they say where the items went",
        )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"edges": [0.5, 0.5]}, "edges must rise"),
        ({"quantiles": 4, "edges": [0.5]}, "edges and quantiles are two ways to sort: give one of them"),
    ],
)
def test_a_wrong_way_to_sort_is_told(options: dict[str, object], told: str) -> None:
    with pytest.raises(ValidationError) as error:
        DriftOptions.model_validate(options)
    assert [one["msg"] for one in error.value.errors()] == [f"Value error, {told}"]


@pytest.mark.parametrize(
    "options",
    [
        {"rule": "psi"},
        {"edges": []},
        {"edges": [0.5, 0.5]},
        {"edges": [0.7, 0.2]},
        {"n_swaps": 10},
        {"quantiles": 1},
        {"quantiles": 51},
        {"quantiles": 4, "edges": [0.5]},
    ],
)
def test_options_that_mean_nothing_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        DriftOptions.model_validate(options)


@given(pairs=st.lists(st.tuples(SCORE, SCORE), min_size=1, max_size=40))
def test_negated_scores_with_the_direction_turned_give_the_mirror_image(
    make_pairs: MakePairs, pairs: list[tuple[float, float]]
) -> None:
    baseline, candidate = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    up = drifted(make_pairs(baseline, candidate), rule="bands", n_swaps=1000)
    negated = ([-score for score in baseline], [-score for score in candidate])
    down = drifted(make_pairs(*negated, direction=Direction.LOWER, scale=Scale(-1.0, 0.0)), rule="bands", n_swaps=1000)
    assert (down.status, down.reason) == (up.status, up.reason)
    assert down.figures["psi"] == pytest.approx(up.figures["psi"], abs=1e-12)
    assert buckets_of(down).baseline == buckets_of(up).baseline[::-1]
    # the swaps are drawn in another order: equal but for their noise
    assert down.figures["p"] == pytest.approx(up.figures["p"], abs=0.08)


@given(st.integers(0, 1000))
def test_the_calibrated_rule_never_fails_what_chance_explains(make_pairs: MakePairs, seed: int) -> None:
    draw = np.random.default_rng(seed)
    runs = [draw.choice([0.0, 0.5, 1.0], size=15, p=[0.1, 0.2, 0.7]).tolist() for _ in range(2)]
    result = drifted(make_pairs(*runs), n_swaps=1000)
    assert result.status is Status.PASS or float(result.figures["p"] or 1) <= 0.025


def test_items_of_a_group_are_swapped_together(make_pairs: MakePairs) -> None:
    # ten passages of ten items: two of them drop as a whole
    before = {f"{row:03d}": 1.0 for row in range(100)}
    after = {item: float(row >= 20) for row, item in enumerate(before)}
    pairs = make_pairs(before, after)
    grouped = replace(pairs, design=Design(groups=np.arange(100) // 10))
    assert drifted(pairs).status is Status.FAIL
    together = drifted(grouped)
    assert (together.status, together.reason) == (Status.PASS, "chance")
    assert isinstance(together.p_value, float)
    assert together.p_value > 0.4


def fallen(make_pairs: MakePairs, groups: int, *, lost: int) -> MetricPairs:
    """Ten items a group, all right before; of each group so many are wrong now."""
    before = {f"{row:03d}": 1.0 for row in range(10 * groups)}
    after = {item: float(row % 10 >= lost) for row, item in enumerate(before)}
    return replace(make_pairs(before, after), design=Design(groups=np.arange(10 * groups) // 10))


def test_groups_too_few_to_show_any_drift_are_not_green(make_pairs: MakePairs) -> None:
    # a swap of all groups gives the same PSI: of six groups p is 2 / 2**6 at best, which is over 2.5 %
    result = drifted(fallen(make_pairs, 6, lost=5))
    assert (result.status, result.reason) == (Status.WARN, "too-few-groups")
    assert result.sentence == (
        f"PSI {result.figures['psi']:.3f} is over 0.25, and so few groups cannot show that it is not chance"
    )
    assert result.remedy == "look at the buckets that contribute most, and at their items"
    assert drifted(fallen(make_pairs, 6, lost=5), rule="bands").reason == "significant-drift"
    assert drifted(fallen(make_pairs, 7, lost=5)).reason == "significant-drift"


def test_a_moderate_drift_in_too_few_groups_is_chance(make_pairs: MakePairs) -> None:
    before = {f"{row:02d}": float(row % 10 >= 2) for row in range(60)}
    after = {item: float(row % 10 >= 4) for row, item in enumerate(before)}
    result = drifted(replace(make_pairs(before, after), design=Design(groups=np.arange(60) // 10)))
    # 0.2 ln(0.4 / 0.2) + 0.2 ln(0.8 / 0.6)
    assert result.figures["psi"] == pytest.approx(0.2 * np.log(2) + 0.2 * np.log(4 / 3))
    assert (result.status, result.reason) == (Status.PASS, "chance")


def test_items_that_are_lost_count_neither_as_scores_nor_as_groups(make_pairs: MakePairs) -> None:
    before = {f"{row:02d}": 1.0 for row in range(80)}
    after = {item: float(row % 2) for row, item in enumerate(before) if row < 60}
    result = drifted(replace(make_pairs(before, after), design=Design(groups=np.arange(80) // 10)))
    assert result.reason == "too-few-groups"
    assert result.figures["n"] == 60


def test_runs_of_different_items_are_held_against_their_pool(make_samples: MakePairs) -> None:
    drawn = np.random.default_rng(5)
    before, same = (drawn.choice([0.0, 0.5, 1.0], p=[0.1, 0.2, 0.7], size=n) for n in (300, 250))
    worse = drawn.choice([0.0, 0.5, 1.0], p=[0.35, 0.35, 0.3], size=250)
    assert drifted(make_samples(before.tolist(), same.tolist())).status is Status.PASS
    result = drifted(make_samples(before.tolist(), worse.tolist()))
    assert (result.status, result.reason) == (Status.FAIL, "significant-drift")
    assert result.detail.endswith("n = 300 and 250")


def test_a_candidate_of_other_items_that_is_shown_better_only_warns(make_samples: MakePairs) -> None:
    result = drifted(make_samples([0.0, 0.5] * 60, [1.0, 0.5] * 60))
    assert (result.status, result.reason) == (Status.WARN, "drift-by-improvement")
    assert result.detail.endswith(", n = 120")
    worse = drifted(make_samples([0.0, 0.5] * 60, [1.0, 0.5] * 60, direction=Direction.LOWER))
    assert worse.reason == "significant-drift"
    better = drifted(make_samples([1.0, 0.5] * 60, [0.0, 0.5] * 60, direction=Direction.LOWER))
    assert better.reason == "drift-by-improvement"


def test_runs_of_other_items_are_sorted_as_asked(make_samples: MakePairs) -> None:
    pairs = make_samples([0.1, 0.4, 0.8, 0.9], [0.2, 0.9])
    by_edges = buckets_of(drifted(pairs, edges=[0.3, 0.5]))
    assert by_edges.labels == ("under 0.3", "[0.3, 0.5)", "0.5 and over")
    assert (by_edges.baseline, by_edges.candidate) == ((1, 1, 2), (1, 0, 1))
    by_quantiles = buckets_of(drifted(pairs, quantiles=2))
    assert (by_quantiles.baseline, by_quantiles.candidate) == ((2, 2), (1, 1))


def test_groups_of_other_items_are_drawn_together_in_the_run_that_has_them(make_samples: MakePairs) -> None:
    # a third of the candidate is wrong, all of it one group; the baseline is right throughout
    pairs = make_samples([1.0] * 60, [1.0] * 40 + [0.0] * 20)
    assert pairs.reference is not None
    alone, grouped = Design(), Design(groups=np.arange(60) // 20)
    p = {}
    for before, now in product((alone, grouped), repeat=2):
        made = replace(pairs, design=now, reference=replace(pairs.reference, design=before))
        p[before is grouped, now is grouped] = drifted(made).p_value or 0.0
    # the fewer units there are, the likelier chance deals the wrong ones out so unevenly
    assert p[False, False] < 0.001 < p[False, True] < 0.2 < p[True, True]
    assert p[False, False] < p[True, False] < p[True, True]


def test_runs_of_other_items_without_any_score_are_not_better(make_samples: MakePairs) -> None:
    scored: list[float | ItemStatus] = [1.0, 0.5] * 30
    silent: list[float | ItemStatus] = [ItemStatus.ERROR] * 60
    for runs in ((scored, silent), (silent, scored)):
        assert drifted(make_samples(*runs)).reason == "significant-drift"


def test_of_runs_of_other_items_those_without_groups_are_groups_of_one() -> None:
    buckets = Buckets(("0", "1"), np.array([0, 0, 1]), np.array([1, 1]))
    ours, theirs = np.array([4, 4, 5]), np.array([7, 7])
    assert groups_of_both(None, None, buckets) is None
    for before, now, expected in (
        (ours, None, [[4, 4, 5], [0, 1]]),
        (None, theirs, [[0, 1, 2], [7, 7]]),
        (ours, theirs, [[4, 4, 5], [7, 7]]),
    ):
        found = groups_of_both(before, now, buckets)
        assert found is not None
        assert [found.baseline.tolist(), found.candidate.tolist()] == expected


def test_weights_do_not_count_in_the_psi_and_that_is_told(make_pairs: MakePairs) -> None:
    pairs = make_pairs([1.0, 0.0, 1.0], [1.0, 0.0, 1.0])
    weighted = replace(pairs, design=Design(weights=np.array([1.0, 2.0, 3.0])))
    assert drifted(weighted).notes[-1] == "the PSI counts items, not their weights"
