"""What the checks say of many drawn runs at once."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.alignment import MetricPairs
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.error_rates.critical_mean import NO_BAR, CriticalMeans, find_critical_means
from gate.error_rates.draws import Draws
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.null_psi import own_p_values
from gate.stats.psi import MODERATE, SIGNIFICANT
from gate.stats.units import Units


@dataclass(frozen=True, slots=True)
class Asked:
    """The options of the checks on one metric, None where one is off."""

    threshold: ThresholdOptions | None
    regression: RegressionOptions | None
    drift: DriftOptions | None


class Reach(NamedTuple):
    """What a regression check on so many units can show.

    Attributes:
        doubt: how far the bound of the mean difference lies below it; None where no bound can be had.
        hidden_from: so few units changed that drops from this one on cannot be shown, and the check warns of them;
            None where enough did. Zero where there are too few groups to show any.
    """

    doubt: float | None
    hidden_from: float | None = None


def turns_of(pairs: MetricPairs, units: Units, options: ThresholdOptions | None) -> CriticalMeans:
    """Where the threshold check turns on scores like these, which are turned so that higher is better."""
    scale = pairs.turned_scale
    if options is None or options.bar is None or scale is None:
        return NO_BAR
    return find_critical_means(units, pairs.sign * options.bar, options, scale)


def judge_means(means: NDArray[np.float64], turns: CriticalMeans) -> Draws:
    """What the threshold check says of (r,) means."""
    return Draws(turns.fails(means), turns.warns(means))


def judge_deltas(
    deltas: NDArray[np.float64], p_values: NDArray[np.float64], options: RegressionOptions, reach: Reach
) -> Draws:
    """What the regression check says of (r,) mean differences with these p-values."""
    nothing = np.zeros(deltas.size, dtype=np.bool_)
    margin, doubt = options.margin, reach.doubt
    no_worse = nothing if doubt is None or margin is None else deltas - doubt >= -margin
    unsure = ~no_worse & (p_values > ERROR_SHARE)
    hidden = nothing
    if reach.hidden_from is not None:
        # too few groups to show any drop are told of whatever was seen
        hidden = unsure & ((deltas <= -reach.hidden_from) & (deltas < 0) | (reach.hidden_from == 0))
    tests = {"regression": np.where(no_worse, 1.0, p_values)}
    if margin is None:
        return Draws(nothing, hidden, tests)
    untold = unsure & ~hidden
    fails = untold if options.cannot_tell == "fail" else nothing
    warns = {"note": untold & (deltas < -margin), "warn": untold, "fail": nothing}[options.cannot_tell]
    return Draws(fails, warns | hidden, tests)


def judge_psi(values: NDArray[np.float64], options: DriftOptions, improved: NDArray[np.bool_]) -> Draws:
    """What the drift check says of (r,) indices of unchanged runs, some of which are shown better."""
    significant = (values > SIGNIFICANT) & ~improved
    mild = (values > MODERATE) & ~significant
    if options.rule == "bands":
        return Draws(significant, mild)
    p_values = own_p_values(values)
    nothing = np.zeros(values.size, dtype=np.bool_)
    return Draws(nothing, mild & (p_values <= ERROR_SHARE), {"drift": np.where(significant, p_values, 1.0)})


def together(parts: list[Draws]) -> Draws:
    """What all checks say of the same draws."""
    p_values = {check: p_value for part in parts for check, p_value in part.p_values.items()}
    fails = np.logical_or.reduce([part.fails for part in parts])
    return Draws(fails, np.logical_or.reduce([part.warns for part in parts]), p_values)
