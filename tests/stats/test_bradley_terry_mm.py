from itertools import islice

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.stats.bradley_terry_mm import fit_by_mm, trace_mm


@pytest.mark.parametrize(
    ("iteration", "strengths"),
    [
        (1, [0.4444, 0.3333, 0.1667, 0.0556]),
        (2, [0.5195, 0.3274, 0.1179, 0.0352]),
        (3, [0.5655, 0.3122, 0.0933, 0.0290]),
        (20, [0.7015, 0.2314, 0.0506, 0.0164]),
    ],
)
def test_the_iterations_are_the_published_ones(
    iteration: int, strengths: list[float], four_bots: NDArray[np.float64]
) -> None:
    found = next(islice(trace_mm(four_bots), iteration - 1, None))
    assert found.round(4).tolist() == strengths
    assert found.sum() == pytest.approx(1.0)


def test_iteration_twenty_gives_the_published_chances(four_bots: NDArray[np.float64]) -> None:
    a, b, c, d = next(islice(trace_mm(four_bots), 19, None)).tolist()
    assert (round(a / (a + d), 3), round(b / (b + c), 3)) == (0.977, 0.821)


def test_it_converges_where_twenty_iterations_have_not(four_bots: NDArray[np.float64]) -> None:
    fit = fit_by_mm(four_bots)
    assert fit.converged
    assert fit.iterations > 20
    assert fit.strengths.round(5).tolist() == [0.70524, 0.22875, 0.04984, 0.01617]
    given_up = fit_by_mm(four_bots, most_iterations=20)
    assert (given_up.iterations, given_up.converged) == (20, False)


@pytest.mark.parametrize("most", [1, 20, 100_000])
def test_a_fit_has_the_strengths_of_the_iteration_that_it_tells(most: int, four_bots: NDArray[np.float64]) -> None:
    fit = fit_by_mm(four_bots, most_iterations=most)
    assert fit.strengths.tolist() == next(islice(trace_mm(four_bots), fit.iterations - 1, None)).tolist()


@pytest.mark.parametrize("factor", [2.0**-20, 2.0**20])
def test_multiplying_all_counts_changes_neither_the_strengths_nor_when_they_are_found(
    factor: float, four_bots: NDArray[np.float64]
) -> None:
    one, other = fit_by_mm(four_bots), fit_by_mm(four_bots * factor)
    assert (one.strengths.tolist(), one.iterations) == (other.strengths.tolist(), other.iterations)


def test_the_undefeated_wanders_off_for_ever() -> None:
    trace = [row[0] for row in islice(trace_mm(np.array([[0, 4.0, 4.0], [0, 0, 2.0], [0, 1.0, 0]])), 300)]
    assert (np.diff(trace) > 0).all()
    assert trace[-1] < 1.0


def test_models_that_have_not_met_do_not_disturb_each_other() -> None:
    wins = np.array([[0, 3.0, 3.0], [0, 0, 0], [0, 0, 0]])
    assert next(islice(trace_mm(wins), 4, None)).tolist() == [1.0, 0.0, 0.0]


def test_a_model_without_a_battle_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^a model without a battle has no strength$"):
        next(trace_mm(np.array([[0, 1.0, 0], [1.0, 0, 0], [0, 0, 0]])))


def test_where_there_is_no_maximum_there_is_no_fit() -> None:
    with pytest.raises(
        ValueError, match=r"^the win graph is not strongly connected: there are no likeliest strengths$"
    ):
        fit_by_mm(np.array([[0, 1.0], [0, 0]]))
