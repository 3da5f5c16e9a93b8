"""Which metrics two runs are compared on, which way each is better, and on what scale."""

import difflib
import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from gate.errors import ConfigError, Place, ScoreFileError, UsageError
from gate.scores.model import Direction, Run, Scale
from gate.scores.quoting import listing
from gate.scores.reducers import Reducer
from gate.wording import limit, names

UNIT_SCALE = Scale(0.0, 1.0)
USUAL_NAMES = ("score", "metric")
PERCENT_SCALE = Scale(0.0, 100.0)
_FAR_BEYOND = 10.0
_COSTS = frozenset(
    {"latency", "duration", "seconds", "cost", "price", "tokens", "error", "errors", "loss", "perplexity"}
)
# A cosine of 1.0000000000000002 is a 1: scores may leave the scale by this share of its width.
_TOLERANCE = 1e-9


class ScaleOrigin(StrEnum):
    """How a metric's scale is known."""

    GIVEN = "given"
    FORMAT = "format"
    REDUCER = "reducer"
    ASSUMED = "assumed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric of a comparison.

    Attributes:
        name: its name in both files.
        direction: which way is better.
        scale: the lowest and highest possible score, or None where nobody says.
        scale_origin: who says so.
    """

    name: str
    direction: Direction
    scale: Scale | None
    scale_origin: ScaleOrigin

    @property
    def notes(self) -> tuple[str, ...]:
        """How the metric is read: its direction and its scale, and a doubt where its name speaks against that."""
        notes = [f"{self.name}: {self.direction.value} is better, {self._scale_in_words()}"]
        if self.direction is Direction.HIGHER and _COSTS.intersection(re.split(r"[^a-z]+", self.name.lower())):
            notes.append(f"{self.name}: by its name lower may be better: say `direction: lower` in gate.yml")
        return tuple(notes)

    def _scale_in_words(self) -> str:
        if self.scale is None:
            return "the scale is not known, so bounds that need it are off; give `scale: [low, high]` in gate.yml"
        origin = {
            ScaleOrigin.GIVEN: "as given",
            ScaleOrigin.FORMAT: "as the format states",
            ScaleOrigin.REDUCER: "as that of every share of samples",
            ScaleOrigin.ASSUMED: "assumed, since every score lies in it",
        }[self.scale_origin]
        return f"the scale is {self.scale.low:g} to {self.scale.high:g}, {origin}"


def choose_metrics(requested: Sequence[str], baseline: Run | None, candidate: Run) -> tuple[str, ...]:
    """The requested metrics, by name or pattern, else the only one, else the one named ``score`` or ``metric``.

    Raises:
        ScoreFileError: where a requested metric is missing in a run, or the choice is not clear.
    """
    runs = [run for run in (baseline, candidate) if run is not None]
    shared = [name for name in candidate.metrics if all(run.offers(name) for run in runs)]
    chosen: dict[str, None] = {}
    for name in requested:
        fitting = [name] if name in shared else fnmatch.filter(shared, name)
        if not fitting:
            raise _unknown_metric(name, next((run for run in runs if not run.offers(name)), runs[-1]))
        chosen |= dict.fromkeys(fitting)
    if requested:
        return tuple(chosen)
    for usual in USUAL_NAMES:
        if usual in shared:
            return (usual,)
    if len(shared) == 1:
        return (shared[0],)
    raise _unclear_choice(shared, runs)


def choose_metric(requested: str | None, baseline: Run | None, candidate: Run) -> str:
    """The same where but one is to be looked at.

    Raises:
        ScoreFileError: as ``choose_metrics``.
        UsageError: where the pattern fits several.
    """
    metric, *others = choose_metrics(() if requested is None else (requested,), baseline, candidate)
    if others:
        fitting = names((metric, *others))
        raise UsageError(f"--metric {requested!r} fits {len(others) + 1} metrics", remedy=f"name one: {fitting}")
    return metric


def resolve_metric(
    name: str, baseline: Run | None, candidate: Run, *, direction: Direction | None, scale: Scale | None
) -> Metric:
    """Direction and scale of one metric: as given, else as the format states, else [0, 1] where every score lies in it.

    A score of samples that pass or fail is on [0, 1] whatever scale the format states.

    Raises:
        ScoreFileError: where a run has no score at all, a score lies outside the scale, or no direction is given and
            the runs state opposite ones or leave it in doubt.
        ConfigError: where the scale given is not that of a share of samples.
    """
    runs = [run for run in (baseline, candidate) if run is not None]
    reducer = candidate.metrics[name].reducer
    _require_scale_of_shares(reducer, name, scale)
    for run in runs:
        if np.isnan(run.metrics[name].values).all():
            raise ScoreFileError(
                f"the metric {name!r} has no score at all", where=Place(run.source.path),
                remedy="run the evaluation again: `gate show` prints what was read and why scores are missing",
            )  # fmt: skip
    if scale is not None:
        known = _Known(scale, ScaleOrigin.GIVEN)
    elif reducer.counts_passes:
        known = _Known(UNIT_SCALE, ScaleOrigin.REDUCER)
    else:
        known = _known_scale(name, runs)
    for run in runs:
        _require_inside(run, name, known.scale)
    return Metric(name, direction or known_direction(name, runs), known.scale, known.origin)


def known_direction(name: str, runs: Sequence[Run]) -> Direction:
    """The direction that a run states and none contradicts, else higher.

    Of two runs the last is the candidate: if it alone says that lower is better, it turns its own drop into a rise.

    Raises:
        ScoreFileError: where they state opposite ones or leave it in doubt, or that candidate does so.
    """
    for run in runs:
        if run.metrics[name].doubt is not None:
            raise _doubtful_direction(name, run)
    stated = {direction: run for run in runs if (direction := run.metrics[name].direction) is not None}
    if len(stated) > 1 or [run.metrics[name].direction for run in runs] == [None, Direction.LOWER]:
        raise _opposite_directions(name, runs)
    return next(iter(stated), Direction.HIGHER)


def _require_scale_of_shares(reducer: Reducer, name: str, scale: Scale | None) -> None:
    """A sample that failed to come counts as the worst score, which must be a fail, and no less than that."""
    if reducer.counts_passes and scale not in (None, UNIT_SCALE):
        raise ConfigError(
            f"{reducer} is of samples that are 1 or 0, and the scale given is {scale.low:g} to {scale.high:g}",
            where=Place("scale", part=f"metric {name!r}"),
            remedy="take `scale` out for this metric; give other metrics theirs by name, under `metrics`",
        )


class _Known(NamedTuple):
    scale: Scale | None
    origin: ScaleOrigin


def _known_scale(name: str, runs: Sequence[Run]) -> _Known:
    """The scale that all formats state, else [0, 1] where no format states another and every score lies in it."""
    stated = {run.metrics[name].scale for run in runs}
    if len(stated) == 1 and None not in stated:
        return _Known(stated.pop(), ScaleOrigin.FORMAT)
    if stated - {None, UNIT_SCALE}:
        raise _mixed_scales(name, runs[-1])
    if all(_first_outside(run, name, UNIT_SCALE) is None for run in runs):
        return _Known(UNIT_SCALE, ScaleOrigin.ASSUMED)
    if UNIT_SCALE in stated or _seem_in_two_units(name, runs):
        raise _mixed_scales(name, runs[-1])
    return _Known(None, ScaleOrigin.UNKNOWN)


def _seem_in_two_units(name: str, runs: Sequence[Run]) -> bool:
    """One run lies wholly within 0 to 1, and the other's mean is far beyond: shares against percentages."""
    within = [_first_outside(run, name, UNIT_SCALE) is None for run in runs]
    over = [float(np.nanmean(run.metrics[name].values)) > _FAR_BEYOND for run in runs]
    return any(within) and any(over)


def require_bar_on_scale(bar: float, metric: Metric) -> None:
    """Raise ConfigError unless the bar can be meant on the metric's scale."""
    where = Place("threshold", part=f"metric {metric.name!r}")
    if metric.scale is None:
        raise ConfigError(
            f"the bar {limit(bar)} needs the scale of the scores, which do not lie in 0 to 1", where=where,
            remedy="give scale: `scale: [0, 100]` in the suite of gate.yml, and the bar in that unit (70, not 0.70)",
        )  # fmt: skip
    low, high = metric.scale
    if not low <= bar <= high:
        raise ConfigError(
            f"the bar {limit(bar)} lies outside the scale {low:g} to {high:g}", where=where,
            remedy="give the bar in the unit of the scores",
        )  # fmt: skip
    if metric.scale == PERCENT_SCALE and metric.direction is Direction.HIGHER and 0 < bar <= 1:
        raise ConfigError(
            f"the bar {limit(bar)} is at most 1 on a scale of 0 to 100", where=where,
            remedy=f"write {bar * 100:g} for {bar * 100:g} %",
        )  # fmt: skip


def require_margin_on_scale(margin: float, metric: Metric) -> None:
    """Raise ConfigError where no drop could exceed the margin, which would switch the regression check off unseen."""
    if metric.scale is not None and margin >= metric.scale.high - metric.scale.low:
        raise ConfigError(
            f"the margin {limit(margin)} is as wide as the whole scale {metric.scale.low:g} to {metric.scale.high:g}: "
            "no drop could exceed it",
            where=Place("regression", part=f"metric {metric.name!r}"),
            remedy="give the margin in the unit of the scores: 0.05 for 5 points on a scale of 0 to 1",
        )


def _first_outside(run: Run, name: str, scale: Scale) -> int | None:
    """The index of the first sample whose score lies outside the scale by more than rounding."""
    values = run.metrics[name].values
    slack = _TOLERANCE * (scale.high - scale.low)
    outside = np.flatnonzero((values < scale.low - slack) | (values > scale.high + slack))
    return int(outside[0]) if outside.size else None


def _require_inside(run: Run, name: str, scale: Scale | None) -> None:
    sample = None if scale is None else _first_outside(run, name, scale)
    if scale is None or sample is None:
        return
    value = float(run.metrics[name].values[sample])
    raise ScoreFileError(
        f"the score {value!r} lies outside the scale {scale.low:g} to {scale.high:g}",
        where=Place(run.source.path, part=f"metric {name!r}, item {run.ids[run.item_of_sample[sample]]!r}"),
        remedy="mend the score, or give the metric's real scale: `scale: [low, high]`",
    )


def _mixed_scales(name: str, candidate: Run) -> ScoreFileError:
    return ScoreFileError(
        f"the two files do not seem to give the metric {name!r} in one unit",
        where=Place(candidate.source.path),
        remedy="write both files in one unit, or give the scale that holds for both in gate.yml: `scale: [low, high]`",
    )


def _doubtful_direction(name: str, run: Run) -> ScoreFileError:
    return ScoreFileError(
        f"which way the metric {name!r} is better is in doubt: {run.metrics[name].doubt}",
        where=Place(run.source.path),
        remedy="if all its scores mean the same, in both files, say what: `direction: higher` or `direction: lower` in "
        "gate.yml; else write the files again with one version of the tool",
    )


def _opposite_directions(name: str, runs: Sequence[Run]) -> ScoreFileError:
    told = ", ".join(f"{run.metrics[name].direction or 'not told'} in {run.source.path}" for run in runs)
    return ScoreFileError(
        f"the two files are at odds on which way the metric {name!r} is better: {told}",
        where=Place(runs[-1].source.path),
        remedy="write both with one version of the tool, as their scores mean opposite things; only if you know that "
        "they do not, give `direction: higher` or `direction: lower` in gate.yml",
    )


def _unknown_metric(name: str, run: Run) -> ScoreFileError:
    known = sorted(run.metrics)
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return ScoreFileError(
        f"there is no metric {name!r}", where=Place(run.source.path), remedy=f"{hint}the file has {listing(known)}"
    )


def _unclear_choice(shared: Sequence[str], runs: Sequence[Run]) -> ScoreFileError:
    where = Place(runs[-1].source.path)
    if not shared:
        listed = "; ".join(f"{run.source.path}: {listing(sorted(run.metrics))}" for run in runs)
        return ScoreFileError(
            "the two files share no metric", where=where, remedy=f"name one that both have ({listed})"
        )
    return ScoreFileError(
        f"there are {len(shared)} metrics and none is named 'score'",
        where=where,
        remedy=f"name one: `--metric NAME` or `metrics: [NAME]`, with NAME one of {listing(shared)}",
    )
