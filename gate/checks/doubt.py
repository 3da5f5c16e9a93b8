"""What the doubt about a mean rests on, in words: how many items, in what groups, with how noisy repeats."""

import numpy as np
from numpy.typing import NDArray

from gate.alignment import Design
from gate.stats.repeats import share_of_repeats
from gate.stats.units import Units, design_effect
from gate.wording import count, number, percent

# From this share on, repeats are what is lacking.
_MOSTLY_REPEATS = 0.5


def tell_n(n: int, units: Units, design: Design) -> str:
    """How many items there are, and how many groups of them."""
    return f"n = {n}" if design.groups is None else f"n = {n} in {count(units.sizes.size, 'group')}"


def design_notes(values: NDArray[np.float64], design: Design) -> tuple[str, ...]:
    """What groups, strata and weights do to the doubt about the mean of (n,) values.

    Args:
        values: float64 (n,), n >= 1.
        design: of the same items.
    """
    notes = []
    if design.groups is not None:
        units = design.units(values)
        groups = units.sizes.size
        effect = design_effect(values, units, design.weights) if groups > 1 else float(values.size)
        notes.append(
            f"{count(values.size, 'item')} in {count(groups, 'group')} that vary as one: design effect "
            f"{number(effect)}, as much as {count(round(values.size / max(effect, 1.0)), 'item')} on their own"
        )
    if design.strata is not None:
        strata, kept = np.unique(design.strata).size, int(design.units(values).strata.max()) + 1
        merged = f", the small ones of {strata} taken together" if kept < strata else ""
        notes.append(f"resampled within {count(kept, 'stratum', 'strata')}{merged}")
    if design.weights is not None:
        notes.append("items count by their weights")
    return tuple(notes)


def noise_notes(scores: NDArray[np.float64], noise: NDArray[np.float64]) -> tuple[str, ...]:
    """Whether more items or more repeats would take the doubt away; nothing where no item has repeats.

    Args:
        scores: float64 (n,), the items' scores or differences.
        noise: float64 (n,), the variance that their repeats leave, NaN where an item has but one.
    """
    share = share_of_repeats(scores, noise)
    if share is None:
        return ()
    told = f"{percent(round(share, 2))} of the doubt is noise between repeats of one item"
    if share >= _MOSTLY_REPEATS:
        return (f"{told}: more repeats help, and so do more items",)
    return (f"{told}: more items help, more repeats hardly",)
