"""A design out of score files: one run, or a baseline and a candidate on the same items."""

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gate.alignment import Alignment, align, align_alone, pair_metric
from gate.baselines import located
from gate.errors import Place, ScoreFileError, UsageError
from gate.metrics import UNIT_SCALE, Metric, choose_metric, resolve_metric
from gate.planning.design import ASSUMED_RHO, Design, Origin, paired_sd
from gate.planning.question import Question
from gate.reductions import Reduction, reduce_runs
from gate.scores import read_run
from gate.scores.model import Run, Wanted
from gate.scores.reducers import MEAN, Reducer, parse_reducer
from gate.stats.lattice import ROUNDING, exact_mean, scale_to_unit
from gate.stats.units import design_effect, gather_units
from gate.wording import count

Floats = NDArray[np.float64]
_LEAST = 2


def pilot_design(question: Question) -> Design:
    """The design that one or two pilot files show.

    Raises:
        GateError: where they cannot be read or compared, or are too few or too much alike to show any spread.
    """
    runs = [_read(path, question.format) for path in question.pilots]
    first, last = runs[0] if len(runs) > 1 else None, runs[-1]
    reduction = Reduction(choose_metric(question.metric, first, last), _reducer(question))
    first, last, told = reduce_runs([reduction], first, last)
    metric = resolve_metric(reduction.name, first, last, direction=None, scale=None)
    sample = _take(align_alone(last) if first is None else align(first, last), metric)
    sample = sample._replace(notes=(*told, *sample.notes))
    _require_items(sample, last)
    return _design(sample, metric, last, question.rho)


def _read(path: str, format_name: str | None) -> Run:
    with located(path) as found:
        shown = found.mirror.shown(found.path)
        return read_run(Path(found.path), Wanted(whole_texts=False), shown=shown, format=format_name)


def _reducer(question: Question) -> Reducer:
    try:
        return MEAN if question.reduce is None else parse_reducer(question.reduce)
    except ValueError as fault:
        raise UsageError(f"--reduce: {fault}", remedy="write one of these: pass@5 for one pass of five") from fault


class _Second(NamedTuple):
    """The candidate's side of two pilots: its scores, and the differences, positive is better; each float64 (n,)."""

    scores: Floats
    differences: Floats


class _Sample(NamedTuple):
    """The scored items of the pilots.

    Attributes:
        scores: float64 (n,), of the baseline, or of the one pilot.
        second: the candidate; None where there is one pilot.
        groups: intp (n,), or None where the file has none.
        notes: what was left out, and what the scores are made of.
    """

    scores: Floats
    second: _Second | None
    groups: NDArray[np.intp] | None
    notes: tuple[str, ...]


class _Pairing(NamedTuple):
    """How two runs' scores of an item hang together; fields as in Design."""

    rho: float
    rho_origin: Origin
    sd_of_differences: float
    effect: float


def _take(alignment: Alignment, metric: Metric) -> _Sample:
    pairs = pair_metric(alignment, metric.name, direction=metric.direction, scale=metric.scale)
    if alignment.baseline is None or pairs.baseline is None:
        taken, run, index = pairs.scored, alignment.candidate, alignment.candidate_index
        scores, second, where = pairs.candidate[taken], None, "in it"
    else:
        taken = pairs.scored & ~np.isnan(pairs.baseline)
        run, index = alignment.baseline, alignment.baseline_index
        scores, where = pairs.baseline[taken], "in both files"
        second = _Second(pairs.candidate[taken], pairs.differences())
    left_out = int((~taken).sum())
    notes = (f"left out: {count(left_out, 'item')} without a score {where}",) if left_out else ()
    return _Sample(scores, second, _groups(run, index[taken]), notes)


def _groups(run: Run, index: NDArray[np.intp]) -> NDArray[np.intp] | None:
    if run.groups is None:
        return None
    # not as an array of texts: it would take the longest name's room for each, and lose zero characters at their ends
    names = [run.groups[row] for row in index.tolist()]
    numbers = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([numbers[name] for name in names], dtype=np.intp)


def _design(sample: _Sample, metric: Metric, run: Run, rho: float | None) -> Design:
    mean, sd = exact_mean(sample.scores), _spread(sample.scores)
    both = sample.scores if sample.second is None else np.concatenate([sample.scores, sample.second.scores])
    pass_fail = metric.scale == UNIT_SCALE and bool(np.isin(both, (0.0, 1.0)).all())
    effect = _design_effect(sample.scores, sample.groups)
    if sample.second is None:
        known, origin = (ASSUMED_RHO, Origin.ASSUMED) if rho is None else (rho, Origin.GIVEN)
        pairing = _Pairing(known, origin, paired_sd(sd, known), effect)
    else:
        pairing = _measured_pairing(sample.scores, sample.second, sample.groups)
    design = Design(
        mean=mean,
        sd=sd,
        rho=pairing.rho,
        rho_origin=pairing.rho_origin,
        sd_of_differences=pairing.sd_of_differences,
        pass_fail=pass_fail,
        n=sample.scores.size,
        metric=metric.name,
        direction=metric.direction,
        scale=metric.scale,
        effect_on_mean=effect,
        effect_on_differences=pairing.effect,
        notes=(*metric.notes, *sample.notes, *_group_notes(sample, pairing.effect)),
    )
    _require_spread(design, run)
    return design


def _measured_pairing(scores: Floats, second: _Second, groups: NDArray[np.intp] | None) -> _Pairing:
    effect = _design_effect(second.differences, groups)
    return _Pairing(_correlation(scores, second.scores), Origin.MEASURED, _spread(second.differences), effect)


def _require_spread(design: Design, run: Run) -> None:
    """Perfect pass/fail scores can get worse in one way only; elsewhere a spread must have been seen."""
    what = ""
    if design.room <= 0:
        what = "every score is the worst possible one, so nothing can get worse"
    elif design.sd_of_differences == 0.0 and design.rho_origin is Origin.MEASURED:
        what = "the two runs differ by the same on every item, so they show no spread"
    elif design.sd_of_differences == 0.0 and not design.pass_fail:
        what = "every score is the same, so the file shows no spread"
    if what:
        raise ScoreFileError(
            what,
            where=Place(run.source.path),
            remedy="give another pilot, or what you expect: --p, or --sd with --drop",
        )


def _require_items(sample: _Sample, run: Run) -> None:
    if sample.scores.size < _LEAST:
        raise ScoreFileError(
            f"{count(sample.scores.size, 'scored item')} cannot show how scores vary",
            where=Place(run.source.path),
            remedy="give a pilot of some twenty items or more, or what you expect: --p",
        )


def _spread(values: Floats) -> float:
    """The standard deviation; zero where the values differ by rounding only."""
    scaled, exponent = scale_to_unit(values)
    if float(scaled.max() - scaled.min()) <= ROUNDING:
        return 0.0
    return math.ldexp(float(np.std(scaled, ddof=1)), exponent)


def _correlation(ours: Floats, theirs: Floats) -> float:
    """Pearson's; 0 where one run has the same score throughout."""
    if _spread(ours) == 0.0 or _spread(theirs) == 0.0:
        return 0.0
    first, second = (scaled - scaled.mean() for scaled in (scale_to_unit(ours).values, scale_to_unit(theirs).values))
    return float(first @ second / math.sqrt(float(first @ first) * float(second @ second)))


def _design_effect(values: Floats, groups: NDArray[np.intp] | None) -> float:
    """How many times more items the groups ask for; one below 1 is chance, and no reason to plan for fewer."""
    if groups is None or int(groups.max()) == 0:
        return 1.0
    return max(1.0, design_effect(values, gather_units(values, groups=groups)))


def _group_notes(sample: _Sample, effect: float) -> tuple[str, ...]:
    if sample.groups is None:
        return ()
    groups = int(sample.groups.max()) + 1
    if groups == 1:
        return ("all items are of one group, which does not show how groups vary: they count as items on their own",)
    return (f"{groups} groups with a design effect of {effect:.2f}: so many times more items are needed",)
