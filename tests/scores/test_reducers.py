"""Reducers: their names, and what each makes of an item's samples."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scores.reducers import MEAN, ItemSamples, Kind, Reducer, parse_reducer, reduced_name

NAMES = st.one_of(
    st.sampled_from(["mean", "majority", "best", "worst"]),
    st.builds("pass{}{}".format, st.sampled_from("@^"), st.integers(1, 1_000_000)),
)


def samples(*items: Sequence[float]) -> ItemSamples:
    """The samples of items in turn; an empty item has none."""
    return ItemSamples(
        np.repeat(np.arange(len(items)), [len(item) for item in items]),
        np.array([score for item in items for score in item], dtype=float),
        len(items),
    )


@given(NAMES)
def test_a_name_that_is_read_is_written_the_same(name: str) -> None:
    assert str(parse_reducer(name)) == name


@pytest.mark.parametrize(
    "name",
    ["", "pass@", "pass@0", "pass@-1", "pass@1.5", "pass@01", "pass@1000001", "Mean", "pass@٣", "median"],
)
def test_any_other_name_is_refused_with_those_there_are(name: str) -> None:
    with pytest.raises(ValueError, match="there are mean, pass@K, pass\\^K, majority, best and worst"):
        parse_reducer(name)


def test_the_mean_keeps_the_name_of_its_metric() -> None:
    assert reduced_name("passed", MEAN) == "passed"
    assert reduced_name("passed", Reducer(Kind.PASS_AT, 5)) == "passed pass@5"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("mean", [2 / 5, 1.0, 0.0]),
        ("pass@1", [2 / 5, 1.0, 0.0]),
        ("pass@2", [7 / 10, 1.0, 0.0]),
        ("pass^2", [1 / 10, 1.0, 0.0]),
        ("majority", [0.0, 1.0, 0.0]),
        ("best", [1.0, 1.0, 0.0]),
        ("worst", [0.0, 1.0, 0.0]),
    ],
)
def test_each_makes_its_score_of_passes_and_fails(name: str, expected: list[float]) -> None:
    reduced = parse_reducer(name).reduce(samples([0, 1, 0, 0, 1], [1, 1], [0, 0, 0]))
    assert reduced.tolist() == pytest.approx(expected, abs=1e-15)


def test_a_majority_of_as_many_passes_as_fails_is_a_half() -> None:
    assert parse_reducer("majority").reduce(samples([1, 0], [1, 1, 0])).tolist() == [0.5, 1.0]


def test_the_best_of_what_should_be_low_is_the_lowest() -> None:
    latencies = samples([3.0, 1.5], [2.0])
    assert parse_reducer("best").reduce(latencies, lower_is_better=True).tolist() == [1.5, 2.0]
    assert parse_reducer("worst").reduce(latencies, lower_is_better=True).tolist() == [3.0, 2.0]


@pytest.mark.parametrize("name", ["mean", "pass@1", "pass^1", "majority", "best", "worst"])
def test_an_item_without_a_scored_sample_has_no_score(name: str) -> None:
    reduced = parse_reducer(name).reduce(samples([1.0], [], [0.0]))
    assert np.isnan(reduced).tolist() == [False, True, False]


def test_an_item_with_fewer_scored_samples_than_are_drawn_has_no_score() -> None:
    assert np.isnan(parse_reducer("pass@3").reduce(samples([1, 1], [1, 0, 0]))).tolist() == [True, False]


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=6), min_size=1, max_size=5), st.randoms())
def test_the_order_of_the_samples_makes_no_difference(items: list[list[float]], random: object) -> None:
    shuffled = [random.sample(item, len(item)) for item in items]  # type: ignore[attr-defined]
    for name in ("mean", "pass@2", "pass^2", "majority", "best", "worst"):
        reducer = parse_reducer(name)
        assert reducer.reduce(samples(*items)).tolist() == reducer.reduce(samples(*shuffled)).tolist()


def test_the_noise_of_a_mean_is_the_variance_of_its_samples_over_their_number() -> None:
    noise = MEAN.noise(samples([0.0, 1.0, 0.5], [1.0], []))
    assert noise[0] == pytest.approx(np.var([0.0, 1.0, 0.5], ddof=1) / 3)
    assert np.isnan(noise[1:]).all()


def test_samples_tell_the_noise_of_pass_at_k_but_not_that_of_the_best() -> None:
    some = samples([1, 0, 0, 1], [1, 1, 1, 1])
    assert parse_reducer("pass@2").noise(some).tolist()[1] == 0.0
    assert parse_reducer("pass@2").noise(some)[0] > 0.0
    assert parse_reducer("pass@1").noise(some).tolist() == pytest.approx(MEAN.noise(some).tolist())
    assert np.isnan(parse_reducer("best").noise(some)).all()
