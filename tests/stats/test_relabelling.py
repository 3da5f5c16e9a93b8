import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.stats.relabelling import relabelled_sums


def sums(rows: NDArray[np.float64], counts: list[int], chosen: int, n_draws: int = 4000) -> NDArray[np.float64]:
    return relabelled_sums(rows, np.array(counts), chosen, n_draws=n_draws, rng=np.random.default_rng(1))


@pytest.mark.parametrize("counts", [[1, 1, 1, 1, 1], [30, 40, 20]], ids=["by shuffles", "by numbers"])
def test_every_subset_is_as_likely(counts: list[int]) -> None:
    rows = np.array([[0.0, 1.0], [1.0, 1.0], [5.0, 2.0], [2.0, 1.0], [9.0, 3.0]])[: len(counts)]
    units, chosen = np.repeat(rows, counts, axis=0), 3
    found = sums(rows, counts, chosen)
    if len(units) < 10:
        every = np.array(
            [units[list(subset)].sum(axis=0) for subset in itertools.combinations(range(len(units)), chosen)]
        )
        assert set(map(tuple, found.tolist())) == set(map(tuple, every.tolist()))
    share = chosen / len(units)
    factor = chosen * (1 - share) * len(units) / (len(units) - 1)
    assert found.mean(axis=0) == pytest.approx(chosen * units.mean(axis=0), rel=0.06)
    assert found.var(axis=0) == pytest.approx(factor * units.var(axis=0), rel=0.1)


def test_both_ways_of_drawing_agree() -> None:
    rows, counts = np.array([[0.0], [1.0], [4.0]]), [20, 20, 20]
    shuffled = sums(np.repeat(rows, counts, axis=0), [1] * 60, 25)
    assert np.quantile(shuffled, [0.1, 0.5, 0.9]) == pytest.approx(
        np.quantile(sums(rows, counts, 25), [0.1, 0.5, 0.9]), abs=3
    )


def test_too_many_shuffles_are_fewer_draws_but_no_less_than_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.relabelling._MAX_SHUFFLED", 20_000)
    rows = np.arange(10.0)[:, None]
    assert sums(rows, [1] * 10, 4, n_draws=9000).shape == (2000, 1)
    monkeypatch.setattr("gate.stats.relabelling._MAX_SHUFFLED", 10)
    assert sums(rows, [1] * 10, 4, n_draws=9000).shape == (1000, 1)
    assert sums(rows, [1] * 10, 4, n_draws=50).shape == (50, 1)


@pytest.mark.parametrize("chosen", [0, 3])
@pytest.mark.parametrize("counts", [[1, 2], [3]])
def test_none_or_all_of_the_units_leave_nothing_to_chance(counts: list[int], chosen: int) -> None:
    rows = np.array([[2.0], [3.0]])[: len(counts)]
    total = float((rows[:, 0] * counts).sum()) if chosen else 0.0
    assert set(sums(rows, counts, chosen, n_draws=20).ravel().tolist()) == {total}


def test_batches_are_of_bounded_memory_and_seamless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.relabelling._BATCH_CELLS", 64)
    assert sums(np.arange(9.0)[:, None], [1] * 9, 4, n_draws=1003).shape == (1003, 1)
    assert sums(np.arange(2.0)[:, None], [20, 20], 4, n_draws=1003).mean() == pytest.approx(2.0, abs=0.2)
