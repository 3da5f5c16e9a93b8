"""The line that intervals are drawn on."""

from itertools import pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from gate.reports.axes import Axis

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(low=finite, high=finite, values=st.lists(finite, min_size=2))
def test_a_greater_value_never_stands_left_of_a_smaller_one(low: float, high: float, values: list[float]) -> None:
    assume(low < high)
    axis = Axis(low, high)
    shares = [axis.share(value) for value in sorted(values)]
    assert all(left <= right for left, right in pairwise(shares))
    assert axis.share(low) == 0
    assert axis.share(high) == 1


def test_on_a_line_without_length_everything_stands_in_the_middle() -> None:
    assert Axis(1.0, 1.0).share(1.0) == 1 / 2
