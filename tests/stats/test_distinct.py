import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from gate.stats.distinct import find_distinct


@given(arrays(np.float64, array_shapes(max_dims=2, min_side=0), elements=st.floats(-2, 2, width=16)))
def test_it_gives_what_numpy_gives(values: np.ndarray) -> None:
    assert find_distinct(values).tolist() == np.unique(values).tolist()


@pytest.mark.parametrize(("values", "different"), [([], []), ([3, 1, 3], [1, 3]), (["b", "a", "b"], ["a", "b"])])
def test_whole_numbers_and_names_have_different_values_too(values: list[object], different: list[object]) -> None:
    assert find_distinct(np.array(values)).tolist() == different


def test_the_values_are_left_as_they_were() -> None:
    values = np.array([2.0, 1.0])
    find_distinct(values)
    assert values.tolist() == [2.0, 1.0]
