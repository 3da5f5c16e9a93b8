"""What the checks would say of one metric, draw by draw."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gate.stats.multiplicity import ERROR_SHARE


@dataclass(frozen=True, slots=True)
class Draws:
    """What the checks would say of one metric in r drawn runs.

    Attributes:
        fails: bool (r,), a check fails, whatever a p-value says.
        warns: bool (r,), a check warns.
        p_values: check -> float64 (r,), its p-value where it fails if that is small enough, else 1.
    """

    fails: NDArray[np.bool_]
    warns: NDArray[np.bool_]
    p_values: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)

    def blocked(self, tests: Mapping[str, int]) -> NDArray[np.bool_]:
        """Bool (r,): the draws that are blocked where so many tests share the error rate of each check."""
        blocked = self.fails.copy()
        for check, p_value in self.p_values.items():
            blocked |= p_value <= ERROR_SHARE / tests[check]
        return blocked

    def passed(self) -> NDArray[np.bool_]:
        """Bool (r,): the draws about which no check says anything."""
        return ~(self.warns | self.blocked(dict.fromkeys(self.p_values, 1)))
