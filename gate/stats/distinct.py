"""The different values of an array."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)


def find_distinct(values: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """The different values of an array of any shape, rising, (k,); none of them may be NaN.

    ``np.unique`` gives the same, but first loads numpy's masked arrays: a third of what a small check does after its
    imports.
    """
    rising = np.sort(values, axis=None)
    is_new = np.ones(rising.size, dtype=np.bool_)
    is_new[1:] = rising[1:] != rising[:-1]
    return rising[is_new]
