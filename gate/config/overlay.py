"""Flags laid over a configuration: over its one suite, and over its policies."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gate.config.location import Location
from gate.errors import UsageError
from gate.results import FailOn

_SUITE: Location = ("suites", 0)
_THRESHOLD: Location = (*_SUITE, "checks", "threshold")
_CONTAMINATION: Location = (*_SUITE, "checks", "contamination")


def refuse_empty(given: Mapping[str, Sequence[str | None]]) -> None:
    """Raise UsageError at an empty text: a shell hands one over where a variable is not set.

    Args:
        given: flag, or argument -> its values.
    """
    for name, values in given.items():
        if "" in values:
            raise UsageError(f"{name} is empty", remedy="give it a value, or leave it out: is a variable not set?")


@dataclass(frozen=True, slots=True)
class Flags:
    """What is asked for beside gate.yml; None or empty means: not given.

    Attributes:
        baseline: path of the baseline's score file.
        candidate: path of the candidate's score file.
        threshold: the bar.
        corpus: paths of the corpus.
        metrics: names of the metrics to judge.
        reduce: names of the reducers, what is to be made of an item's samples.
        format: how to read the score files.
        select: which of several variants in a file to read.
        allow_unfinished: whether to read a run that by its own status did not end.
        fail_on: the mildest verdict that exits 1.
        scan: path of the file of a scan, instead of a corpus.
        history: path of the history; it is that of all suites.
    """

    baseline: str | None = None
    candidate: str | None = None
    threshold: float | None = None
    corpus: Sequence[str] = ()
    metrics: Sequence[str] = ()
    reduce: Sequence[str] = ()
    format: str | None = None
    select: str | None = None
    allow_unfinished: bool = False
    fail_on: FailOn | None = None
    scan: str | None = None
    history: str | None = None

    @property
    def speak_of_scores(self) -> bool:
        """Whether any of them is meant for a suite, not for the run as a whole."""
        return bool(self.places())

    def places(self) -> Mapping[Location, str]:
        """The flag behind each key that one is laid over."""
        known: dict[Location, tuple[str, bool]] = {
            (*_SUITE, "baseline"): ("--baseline", self.baseline is not None),
            (*_SUITE, "candidate"): ("--candidate", self.candidate is not None),
            (*_SUITE, "format"): ("--format", self.format is not None),
            (*_SUITE, "select"): ("--select", self.select is not None),
            (*_SUITE, "allow_unfinished"): ("--allow-unfinished", self.allow_unfinished),
            (*_SUITE, "metrics"): ("--metric", bool(self.metrics)),
            (*_SUITE, "reduce"): ("--reduce", bool(self.reduce)),
            _THRESHOLD: ("--threshold", self.threshold is not None),
            _CONTAMINATION: (
                "--corpus" if self.corpus else "--scan",
                bool(self.corpus) or self.scan is not None,
            ),
        }
        return {location: flag for location, (flag, is_given) in known.items() if is_given}


def overlay(data: Mapping[str, Any], flags: Flags) -> dict[str, Any]:
    """The data of a configuration of one suite with the flags laid over it; of several where none speaks of scores."""
    laid = dict(data)
    if flags.fail_on is not None:
        laid["policies"] = {**data.get("policies", {}), "fail_on": flags.fail_on.value}
    if flags.history is not None:
        laid["history"] = flags.history
    if flags.speak_of_scores:
        laid["suites"] = [_suite(data["suites"][0], flags)]
    return laid


def _suite(suite: Mapping[str, Any], flags: Flags) -> dict[str, Any]:
    given = {
        "baseline": flags.baseline,
        "candidate": flags.candidate,
        "format": flags.format,
        "select": flags.select,
        "allow_unfinished": flags.allow_unfinished or None,
    }
    laid = {**suite, **{key: value for key, value in given.items() if value is not None}}
    if flags.select is not None:
        laid = {key: value for key, value in laid.items() if key not in {"baseline_select", "candidate_select"}}
    if flags.metrics:
        known = suite.get("metrics", {})
        # with the settings that gate.yml has for them
        laid["metrics"] = {name: known.get(name, {}) for name in flags.metrics}
    if flags.reduce:
        laid["reduce"] = {name: suite.get("reduce", {}).get(name, {}) for name in flags.reduce}
        laid["metrics"] = {name: _reduced(own, laid["reduce"]) for name, own in laid.get("metrics", {}).items()}
    if flags.threshold is not None:
        laid |= {key: _without_bars(laid[key]) for key in ("metrics", "reduce") if key in laid}
    laid["checks"] = _checks(suite.get("checks", {}), flags)
    return laid


def _reduced(metric: Mapping[str, Any], asked: Mapping[str, Any]) -> dict[str, Any]:
    """A metric's settings with the reducers asked for: one that it has itself keeps its bar and margin."""
    own, bare = metric.get("reduce", {}), _without(metric, "reduce")
    if own.keys().isdisjoint(asked):
        return bare
    return {**bare, "reduce": {name: own.get(name, settings) for name, settings in asked.items()}}


def _without(settings: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name != key}


def _without_bars(given: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Settings by name, without their bars and those of the scores made of a metric's samples."""
    bare = {name: _without(settings, "bar") for name, settings in given.items()}
    for settings in bare.values():
        if "reduce" in settings:
            settings["reduce"] = _without_bars(settings["reduce"])
    return bare


def _checks(checks: Mapping[str, Any], flags: Flags) -> dict[str, Any]:
    laid = dict(checks)
    if flags.threshold is not None:
        laid["threshold"] = {**(checks.get("threshold") or {}), "bar": flags.threshold}
    if flags.corpus or flags.scan is not None:
        laid["contamination"] = _searched(checks.get("contamination") or {}, flags)
    return laid


def _searched(options: Mapping[str, Any], flags: Flags) -> dict[str, Any]:
    """The options with what is to be searched instead; a scan was read as it was read, whatever the fields."""
    instead = {"corpus", "scan"} if flags.scan is None else {"corpus", "scan", "text_field", "id_field"}
    laid = {key: value for key, value in options.items() if key not in instead}
    if flags.corpus:
        laid["corpus"] = list(flags.corpus)
    if flags.scan is not None:
        laid["scan"] = flags.scan
    return laid
