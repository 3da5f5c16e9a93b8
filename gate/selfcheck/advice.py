"""What to change where a configuration errs too often: sentences drawn from the measured rates."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.config import SuiteConfig
from gate.metrics import UNIT_SCALE, Metric
from gate.results import FailOn, Status
from gate.scores.model import Direction
from gate.selfcheck.material import Material, Way
from gate.selfcheck.rates import Caught, Rates
from gate.selfcheck.setting import Setting
from gate.selfcheck.trials import Trial, Trials
from gate.stats.mcnemar import PassFailDrops
from gate.stats.multiplicity import ERROR_SHARE
from gate.stats.power import MeanDrops, items_for_bar, items_for_shift
from gate.wording import amount, count, limit, names, number, percent

# An unchanged run may be blocked in 5 % of cases, warned about in more; a drop should be caught more often than not.
_MOST_BLOCKS = 2 * ERROR_SHARE
_MOST_WARNS = 0.2
_LEAST_CAUGHT = 0.5
_USUAL_POWER = 0.8
_RARELY = 0.025


@dataclass(frozen=True, slots=True)
class _Grounds:
    """All that advice is drawn from; fields as in their own classes."""

    suite: SuiteConfig
    material: Material
    trials: Sequence[Trial]
    rates: Rates

    def share(self, check: str, status: Status, reason: str | None = None) -> float:
        """How often a check did so for this reason; for any, at least how often."""
        shares = [
            cause.share.share
            for cause in self.rates.causes
            if (cause.check, cause.status) == (check, status) and reason in {None, cause.reason}
        ]
        return max(shares, default=0.0)


def advise(
    setting: Setting, material: Material, trials: Trials, rates: Rates, dropped: Sequence[Caught]
) -> tuple[str, ...]:
    """Sentences without a full stop, the most urgent first; empty where there is nothing to advise.

    Args:
        setting: what was measured.
        material: what runs were made of.
        trials: the simulated runs.
        rates: of unchanged ones.
        dropped: the rates of those with a drop.
    """
    grounds = _Grounds(setting.suite, material, trials.unchanged, rates)
    advice: list[str] = []
    if rates.block.low > _MOST_BLOCKS:
        advice += [sentence for check in rates.failing for sentence in _mend(check, grounds)]
    elif rates.block.share > _MOST_BLOCKS:
        advice.append(
            "over 5 % of these unchanged runs are blocked, yet so few pairs leave open whether that is the true rate: "
            "give more --runs"
        )
    advice += _of_warnings(setting, grounds)
    for caught in dropped:
        advice += _of_catching(caught, grounds)
    return tuple(dict.fromkeys(advice))


def _mend(check: str, grounds: _Grounds) -> Iterator[str]:
    """What mends the false BLOCKs of one check, where it has a part in them that counts."""
    share = grounds.rates.failing[check]
    if share.share <= ERROR_SHARE:
        return
    told = f"{check} blocks {percent(share.share)} of unchanged runs"
    if check == "threshold":
        yield from (f"{told}: {mend}" for mend in _mend_threshold(grounds))
    elif check == "drift":
        yield f"{told}: {_mend_drift(grounds)}"
    elif check == "regression":
        yield f"{told}: {_mend_regression(grounds)}"
    else:
        yield f"{told}: {_mend_coverage(grounds)}"


def _mend_threshold(grounds: _Grounds) -> Iterator[str]:
    for metric in grounds.material.metrics:
        options = grounds.suite.options_for("threshold", metric.name)
        if not isinstance(options, ThresholdOptions) or options.bar is None:
            continue
        lower = metric.direction is Direction.LOWER
        bar, mean = options.bar, grounds.material.mean(metric.name)
        word = "ceiling" if lower else "bar"
        of = f" of {metric.name!r}" if len(grounds.material.metrics) > 1 else ""
        if grounds.share("threshold", Status.FAIL, "not-proven") > ERROR_SHARE:
            yield f"`guard: warn` would warn where only the exact bound does not clear the {word} {limit(bar)}{of}"
        if (mean >= bar) if lower else (mean <= bar):
            yield (
                f"the mean {number(mean)} does not clear the {word} {limit(bar)}{of}: no number of items would prove it"
            )
            continue
        yield (
            f"the {word} {limit(bar)}{of} is close to the mean {number(mean)}: "
            f"{_clearable(metric, grounds, lower=lower)}{_more_items(metric, bar, mean, grounds)}"
        )


def _clearable(metric: Metric, grounds: _Grounds, *, lower: bool) -> str:
    """The strictest bar that nearly all of these runs clear, in hundredths of the scale."""
    ends = [trial.ends[metric.name] for trial in grounds.trials if metric.name in trial.ends]
    width = 1.0 if metric.scale is None else metric.scale.high - metric.scale.low
    digits = max(0, 2 - math.floor(math.log10(width)))
    end = sorted(ends, reverse=lower)[int(_RARELY * len(ends))]
    step = 10.0**digits
    rounded = math.ceil(end * step) / step if lower else math.floor(end * step) / step
    return f"97.5 % of these runs clear {rounded:.{digits}f}"


def _more_items(metric: Metric, bar: float, mean: float, grounds: _Grounds) -> str:
    """How many items clear the bar with a chance of 97.5 %, by the planning formulas."""
    levels = _levels(metric, grounds)
    if metric.scale is None:
        return ""
    room = metric.scale.high - mean if metric.direction is Direction.LOWER else mean - metric.scale.low
    power = 1 - _RARELY
    if _is_pass_fail(metric, grounds) and grounds.material.n_units == grounds.material.n:
        higher = metric.direction is Direction.HIGHER
        needed = items_for_bar(mean if higher else 1 - mean, bar if higher else 1 - bar, power)
    else:
        needed = items_for_shift(abs(mean - bar), sd=float(levels.std()), room=room, power=power)
    if needed is None or needed <= grounds.material.n:
        return ""
    return f", and about {needed} items would clear the present one as often"


def _mend_drift(grounds: _Grounds) -> str:
    options = grounds.suite.options_for("drift", "")
    if isinstance(options, DriftOptions) and options.rule == "bands":
        n = count(grounds.material.n, "item")
        return f"the published bands are crossed by chance at {n}; `rule: calibrated` asks chance first"
    return "turn it off (`drift: false`), or find out what makes these runs differ in shape"


def _mend_regression(grounds: _Grounds) -> str:
    if grounds.share("regression", Status.FAIL, "cannot-tell") > ERROR_SHARE:
        return "`cannot_tell: fail` blocks what so few items cannot tell; say `note` or `warn`, or widen the margin"
    return "these runs differ by more than the test allows for: look for what the file does not tell, such as groups"


def _mend_coverage(grounds: _Grounds) -> str:
    if grounds.share("coverage", Status.FAIL, "missing") > ERROR_SHARE:
        return "`missing: fail` blocks at the first missing score; `worst_case` asks whether it could matter"
    return "scores are missing: run these items again, or find out why they fail"


def _of_warnings(setting: Setting, grounds: _Grounds) -> Iterator[str]:
    warn = grounds.rates.warn
    stops = setting.policies.fail_on is FailOn.WARN
    if warn.low <= (_MOST_BLOCKS if stops else _MOST_WARNS):
        return
    causes = [cause for cause in grounds.rates.causes if cause.status is Status.WARN]
    checks = tuple(dict.fromkeys(cause.check for cause in causes if cause.share.share > ERROR_SHARE))
    told = f"{percent(warn.share)} of unchanged runs get a WARN, from {names(checks or (causes[0].check,), most=5)}"
    remedies: Mapping[str, str] = {
        "not-proven": "a bar that these items can prove would be lower",
        "missing-tolerated": "missing scores are what coverage warns of",
        "cannot-tell": "the margin is too narrow for so few items",
        "too-few-groups": "so few groups can show no drop",
    }
    why = [remedies[cause.reason] for cause in causes if cause.reason in remedies and cause.share.share > ERROR_SHARE]
    stop = "; `fail_on: warn` stops them all" if stops else ""
    yield f"{told}{': ' if why else ''}{'; '.join(dict.fromkeys(why))}{stop}"


def _of_catching(caught: Caught, grounds: _Grounds) -> Iterator[str]:
    """Which number of items catches what is missed every other time."""
    if caught.block.high >= _LEAST_CAUGHT:
        return
    told = f"a drop of {amount(caught.drop)} in {caught.metric!r} is caught {percent(caught.block.share)} of the time"
    if grounds.suite.baseline is None:
        yield f"{told}: the bar alone looks for it; a baseline would be compared item by item"
        return
    options = grounds.suite.options_for("regression", caught.metric)
    if not isinstance(options, RegressionOptions):
        yield f"{told}: regression is off, which is the check that looks for it"
        return
    if options.margin is not None and caught.drop < options.margin:
        yield f"{told}: it lies within the margin {limit(options.margin)}, which tolerates it"
        return
    needed = _items_to_catch(caught, grounds)
    if needed is None or needed <= grounds.material.n:
        yield f"{told}: add items"
        return
    likely = f"about {needed} items like these would catch it {percent(_USUAL_POWER)} of the time"
    yield f"{told}: {likely}{_repeats(caught.metric, needed, grounds)}"


def _repeats(metric: str, needed: int, grounds: _Grounds) -> str:
    # the best of more samples, or their majority, would be another score
    if grounds.material.way is not Way.REPEATS or not grounds.material.pool.columns[metric].reducer.estimates:
        return ""
    repeats = math.ceil(grounds.material.repeats * needed / grounds.material.n)
    return f"; {repeats} repeats of each instead of {grounds.material.repeats} would take away as much noise"


def _items_to_catch(caught: Caught, grounds: _Grounds) -> int | None:
    """By the planning formulas; None over a thousand million."""
    material = grounds.material
    metric = next(each for each in material.metrics if each.name == caught.metric)
    variances = [trial.variances[metric.name] for trial in grounds.trials if metric.name in trial.variances]
    # of one pair of scores, the groups' design effect counted in
    variance = float(np.mean(variances or [0.0])) * material.n
    if _is_pass_fail(metric, grounds) and material.n_units == material.n and grounds.suite.paired:
        rate = 1 - material.mean(metric.name) if metric.direction is Direction.LOWER else material.mean(metric.name)
        spread = 2 * rate * (1 - rate)
        return PassFailDrops(rate, 1 - variance / spread if spread > 0 else 0.0).items(caught.drop, _USUAL_POWER)
    # items that fall to the worst score while others do not add to the spread
    falling = max(0.0, caught.drop * (caught.room - caught.drop))
    return MeanDrops(math.sqrt(variance + falling)).items(caught.drop, _USUAL_POWER) if variance + falling > 0 else None


def _levels(metric: Metric, grounds: _Grounds) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    levels = grounds.material.levels(metric.name)
    scored: np.ndarray[tuple[int], np.dtype[np.float64]] = levels[~np.isnan(levels)]
    return scored


def _is_pass_fail(metric: Metric, grounds: _Grounds) -> bool:
    return metric.scale == UNIT_SCALE and bool(np.isin(_levels(metric, grounds), (0.0, 1.0)).all())
