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
    assert not fit_by_mm(four_bots, most_iterations=20).converged


def test_the_undefeated_wanders_off_for_ever() -> None:
    trace = [row[0] for row in islice(trace_mm(np.array([[0, 4.0, 4.0], [0, 0, 2.0], [0, 1.0, 0]])), 300)]
    assert (np.diff(trace) > 0).all()
    assert trace[-1] < 1.0


def test_models_that_have_not_met_do_not_disturb_each_other() -> None:
    wins = np.array([[0, 3.0, 3.0], [0, 0, 0], [0, 0, 0]])
    assert next(islice(trace_mm(wins), 4, None)).tolist() == [1.0, 0.0, 0.0]


def test_a_model_without_a_battle_is_refused() -> None:
    with pytest.raises(ValueError, match="without a battle"):
        next(trace_mm(np.array([[0, 1.0, 0], [1.0, 0, 0], [0, 0, 0]])))


def test_where_there_is_no_maximum_there_is_no_fit() -> None:
    with pytest.raises(ValueError, match="not strongly connected"):
        fit_by_mm(np.array([[0, 1.0], [0, 0]]))
