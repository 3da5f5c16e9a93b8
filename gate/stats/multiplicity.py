"""Several tests, one error rate."""

from collections.abc import Sequence

# An unchanged run may be blocked in 5 % of cases: one half by the regression tests, one half by the drift tests.
ERROR_SHARE = 0.025


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the given order: reject where the adjusted value is at most alpha.

    Args:
        p_values: (m,) each in [0, 1].

    Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).
    """
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    adjusted = list(p_values)
    running = 0.0
    for rank, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = running
    return adjusted
