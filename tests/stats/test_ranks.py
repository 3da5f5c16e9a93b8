import numpy as np

from gate.stats.ranks import ranks_of, ranks_within


def test_the_highest_is_first() -> None:
    assert ranks_of(np.array([[0.1, 3.0, 2.0], [3.0, 2.0, 1.0]])).tolist() == [[3, 1, 2], [1, 2, 3]]


def test_equals_share_the_better_rank() -> None:
    assert ranks_of(np.array([[1.0, 2.0, 1.0, 0.0]])).tolist() == [[2, 1, 2, 4]]


def test_what_differs_by_rounding_is_equal() -> None:
    assert ranks_of(np.array([[1000.3, 1000.1 + 0.2, 900.0]])).tolist() == [[1, 1, 3]]
    assert ranks_of(np.array([[0.3, 0.1 + 0.2, -0.3]])).tolist() == [[1, 1, 3]]


def test_all_may_be_equal() -> None:
    assert ranks_of(np.full((2, 3), 7.0)).tolist() == [[1, 1, 1], [1, 1, 1]]


def test_groups_are_ranked_apart() -> None:
    ranks = ranks_within(np.array([[1.0, 9.0, 2.0, 8.0, 3.0]]), np.array([0, 1, 0, 1, 2]))
    assert ranks.tolist() == [[2, 1, 1, 2, 1]]
