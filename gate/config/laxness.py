"""Which way each option of gate.yml makes the gate laxer: one table a model, a rule for every key there is."""

from collections.abc import Callable, Mapping
from typing import Any

from gate.checks.arena import ArenaOptions
from gate.checks.base import Options
from gate.checks.contamination import ContaminationOptions
from gate.checks.coverage import CoverageOptions
from gate.checks.decline import DeclineOptions
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.config.metric import MetricSettings, ReductionSettings
from gate.config.model import ColumnSettings, GateConfig, Policies, SuiteConfig
from gate.config.waiver import WaiverSettings
from gate.results import Effect

Rule = Callable[[Any, Any], Effect]
"""From the value in force and the proposed one, which differ, to what the change does."""


def unranked(_before: object, _after: object) -> Effect:
    """Neither value is known to be the laxer one."""
    return Effect.CHANGED


def larger_is_laxer(before: Any, after: Any) -> Effect:
    """Of two numbers; of a number and none nothing is known."""
    if before is None or after is None or before == after:
        return Effect.CHANGED
    return Effect.LAXER if after > before else Effect.STRICTER


def smaller_is_laxer(before: Any, after: Any) -> Effect:
    """Of two numbers; of a number and none nothing is known."""
    return larger_is_laxer(after, before)


def gone_is_laxer(before: object, after: object) -> Effect:
    """What is there and another one may be anything; without it the gate judges less."""
    if before is None:
        return Effect.STRICTER
    return Effect.LAXER if after is None else Effect.CHANGED


def _ranked(*words: object) -> Rule:
    """Words from the strictest to the laxest; several in a tuple are of one rank."""
    ranks = {word: rank for rank, each in enumerate(words) for word in (each if isinstance(each, tuple) else (each,))}

    def rule(before: object, after: object) -> Effect:
        return larger_is_laxer(ranks[before], ranks[after])

    return rule


def _fewer_is_laxer(*, none_is_all: bool) -> Rule:
    """Of two lists, or a single text for a list of one, the laxer lacks some of the other's entries and adds none."""

    def rule(before: Any, after: Any) -> Effect:
        old, new = (set(_listed(value)) for value in (before, after))
        if not old or not new:
            if none_is_all:
                return Effect.STRICTER if old else Effect.LAXER
            return Effect.CHANGED
        if new < old:
            return Effect.LAXER
        return Effect.STRICTER if old < new else Effect.CHANGED

    return rule


def _longer_first_is_laxer(before: Any, after: Any) -> Effect:
    """Of several sizes of n-grams the first decides: fewer long ones than short ones stand in a corpus."""
    return larger_is_laxer(_listed(before)[0], _listed(after)[0])


def _listed(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _older_is_laxer(before: Any, after: Any) -> Effect:
    """Of two ages that a baseline may have; without one it may be of any."""
    if before is None or after is None:
        return gone_is_laxer(before, after)
    return larger_is_laxer(before, after)


def more_texts_are_laxer(before: Any, after: Any) -> Effect:
    """Of two lists of allowed texts: what is allowed is no evidence."""
    old, new = ({allowed.text for allowed in value or ()} for value in (before, after))
    if old < new:
        return Effect.LAXER
    return Effect.STRICTER if new < old else Effect.CHANGED


def in_parts(_before: object, _after: object) -> Effect:
    """The mark of a key that is compared part by part, by rules of their own."""
    return Effect.CHANGED


def by_direction(_before: object, _after: object) -> Effect:
    """The mark of a bar: ``bar_rule`` has its rule, once the metric's direction is known."""
    return Effect.CHANGED


def bar_rule(direction: str | None) -> Rule:
    """The rule of a bar: lower is laxer, for a ceiling higher; without a direction only that there is none."""
    by_size = {"higher": smaller_is_laxer, "lower": larger_is_laxer}.get(direction or "", unranked)

    def rule(before: Any, after: Any) -> Effect:
        return gone_is_laxer(before, after) if before is None or after is None else by_size(before, after)

    return rule


_CANNOT_TELL = _ranked("fail", "warn", "note")
# with a margin some drops pass that would fail without, and some warn that would pass: none and some are not ranked
_MARGIN = larger_is_laxer

RULES: Mapping[type[Options], Mapping[str, Rule]] = {
    GateConfig: {
        "version": unranked,
        "policies": in_parts,
        "suites": in_parts,
        "history": gone_is_laxer,
        "waivers": in_parts,
    },
    Policies: {"fail_on": _ranked("warn", "block", "never"), "show_text": unranked, "seed": unranked},
    SuiteConfig: {
        "name": unranked,
        "kind": unranked,
        "baseline": gone_is_laxer,
        "candidate": unranked,
        "max_age": _older_is_laxer,
        "paired": _ranked(True, False),
        "format": unranked,
        "select": unranked,
        "baseline_select": unranked,
        "candidate_select": unranked,
        "tasks": _fewer_is_laxer(none_is_all=True),
        "tasks_as": unranked,
        "allow_unfinished": _ranked(False, True),
        "metrics": in_parts,
        "reduce": in_parts,
        "columns": in_parts,
        "direction": unranked,
        "scale": unranked,
        "checks": in_parts,
    },
    ColumnSettings: {
        "id": unranked,
        "score": unranked,
        "group": unranked,
        "sample": unranked,
        "inputs": unranked,
        "target": unranked,
        "prompt": unranked,
        "stratum": unranked,
        "weight": unranked,
    },
    MetricSettings: {
        "direction": unranked,
        "scale": unranked,
        "bar": by_direction,
        "margin": _MARGIN,
        "reduce": in_parts,
    },
    ReductionSettings: {"bar": by_direction, "margin": _MARGIN},
    WaiverSettings: {
        # check, suite and metric are what a waiver is known by
        "check": unranked,
        "suite": unranked,
        "metric": unranked,
        "reason": unranked,
        "approved_by": unranked,
        "expires": larger_is_laxer,
    },
    CoverageOptions: {"missing": _ranked("fail", "worst_case", "exclude"), "min_coverage": smaller_is_laxer},
    ThresholdOptions: {
        "bar": by_direction,
        "method": _ranked("exact", ("bootstrap", "resample")),
        "alpha": larger_is_laxer,  # a narrower interval
        "guard": _ranked("fail", "warn", "off"),
        "n_resamples": unranked,
    },
    RegressionOptions: {"margin": _MARGIN, "cannot_tell": _CANNOT_TELL},
    DriftOptions: {
        "rule": _ranked("bands", "calibrated"),  # what chance explains counts by the bands
        "edges": unranked,
        "quantiles": unranked,
        "n_swaps": unranked,
    },
    DeclineOptions: {"margin": _MARGIN, "on_decline": _ranked("fail", "warn")},
    ContaminationOptions: {
        "corpus": _fewer_is_laxer(none_is_all=False),
        "scan": unranked,
        "items": unranked,
        "ngram": _longer_first_is_laxer,
        "mode": unranked,
        "text_field": unranked,
        "id_field": unranked,
        "allow": more_texts_are_laxer,
        "bar": larger_is_laxer,  # an overlap, from which an item is flagged
        "confirm": _ranked("pooled", "best_document"),
        "on_leak": _ranked("fail", "exclude", "warn"),
        "max_leaked_share": larger_is_laxer,
    },
    ArenaOptions: {
        "model": unranked,
        "against": unranked,
        "margin": _MARGIN,
        "cannot_tell": _CANNOT_TELL,
        "interval": unranked,
        "n_resamples": unranked,
    },
}


def rule_of(model: type[Options], key: str) -> Rule:
    """The rule of a key; tests hold that there is one for each."""
    return RULES[model][key]
