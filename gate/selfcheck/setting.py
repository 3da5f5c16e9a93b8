"""The configuration that is measured: one suite of gate.yml, or the defaults, with the given files in it."""

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gate.checks.drift import DriftOptions
from gate.config import GateConfig, SuiteConfig, load_config, validate_config
from gate.config.model import Policies
from gate.config.overlay import overlay
from gate.errors import ConfigError, Place, UsageError
from gate.selfcheck.question import Question
from gate.wording import names

_SUITE_NAME = "scores"
# A p-value of the drift test holds at any number of swaps; there are many runs to judge.
_MOST_SWAPS = 1000


class Setting(NamedTuple):
    """What is measured.

    Attributes:
        suite: the suite with the given files; its baseline is None where gate.yml lets a candidate stand alone.
        policies: what holds for all suites.
        notes: what of gate.yml does not count here.
    """

    suite: SuiteConfig
    policies: Policies
    notes: tuple[str, ...] = ()


def settle(question: Question) -> Setting:
    """The suite that a question is about.

    Raises:
        GateError: where gate.yml is wrong, the suite is not clear, or nothing in it can be measured.
    """
    places = {
        **question.flags.places(),
        ("suites", 0): "the command line",
        ("suites", 0, "baseline"): "FILE",
        ("suites", 0, "candidate"): "OTHER",
    }
    if question.config is None:
        data: dict[str, Any] = {"version": 1, "suites": [{"name": _SUITE_NAME}]}
        config = validate_config(overlay(data, question.flags), flags=places)
        return Setting(config.suites[0], config.policies)
    known = load_config(Path(question.config), whole=False)
    chosen = _choose(known, question)
    _require_scores(chosen, question)
    alone = chosen.candidate is not None and chosen.baseline is None
    _require_purpose(chosen, question, alone=alone)
    flags = replace(question.flags, baseline=None) if alone else question.flags
    data = {**known.model_dump(mode="json", exclude_unset=True), "suites": [_without_corpus(chosen)], "waivers": []}
    config = validate_config(overlay(data, flags), origin=question.config, flags=flags.places())
    return Setting(config.suites[0], config.policies, _notes(known, chosen, alone=alone))


def with_few_swaps(suite: SuiteConfig) -> SuiteConfig:
    """The same suite with a drift check that draws no more swaps than so many runs allow."""
    drift = suite.options_for("drift", "")
    if suite.baseline is None or not isinstance(drift, DriftOptions) or drift.n_swaps <= _MOST_SWAPS:
        return suite
    checks = suite.checks.model_copy(update={"drift": drift.model_copy(update={"n_swaps": _MOST_SWAPS})})
    return suite.model_copy(update={"checks": checks})


def _choose(config: GateConfig, question: Question) -> SuiteConfig:
    suites = {suite.name: suite for suite in config.suites}
    listed = names(tuple(suites), most=len(suites))
    if question.suite is None and len(suites) > 1:
        raise UsageError(
            f"{question.config} has {len(suites)} suites: it is not said which one is meant",
            remedy=f"name it: `--suite NAME`, with NAME one of {listed}",
        )
    if question.suite is not None and question.suite not in suites:
        raise UsageError(
            f"--suite {question.suite!r} is not in {question.config}", remedy=f"name one that there is: {listed}"
        )
    return config.suites[0] if question.suite is None else suites[question.suite]


def _require_scores(suite: SuiteConfig, question: Question) -> None:
    if suite.kind != "scores":
        raise ConfigError(
            f"suite {suite.name!r} is one of battles, and only runs of scores can be simulated",
            where=Place(str(question.config)),
            remedy="name a suite of scores with --suite; how sure a ranking is `gate arena FILE` tells",
        )


def _require_purpose(suite: SuiteConfig, question: Question, *, alone: bool) -> None:
    """Raise ConfigError at a suite in which nothing would be judged but the corpus."""
    has_bar = question.threshold is not None or suite.has_grounds("threshold")
    compares = not alone and any(suite.checks.options(check) is not None for check in ("regression", "drift"))
    if not has_bar and not compares:
        raise ConfigError(
            f"suite {suite.name!r} has nothing that can be measured: no bar, and no baseline with regression or drift "
            "on",
            where=Place(str(question.config)),
            remedy="give --threshold BAR, or turn one of these checks on in gate.yml",
        )


def _without_corpus(suite: SuiteConfig) -> dict[str, Any]:
    """What gate.yml says of the suite, without its files: the search of a corpus is the same for every run."""
    data = suite.model_dump(mode="json", exclude_unset=True, exclude={"baseline", "candidate"})
    checks = {name: options for name, options in data.get("checks", {}).items() if name != "contamination"}
    return {**data, "checks": checks}


def _notes(config: GateConfig, suite: SuiteConfig, *, alone: bool) -> tuple[str, ...]:
    notes = []
    if alone:
        notes.append("gate.yml names no baseline for this suite: each run is judged alone")
    if suite.checks.options("contamination") is not None:
        notes.append("contamination is left out: it does not depend on the scores")
    if config.waivers:
        notes.append("waivers are left out")
    if len(config.suites) > 1:
        notes.append(
            "the suites of gate.yml share their error rate, and here one is measured by itself: beside the others it "
            "is blocked less often where nothing changed, and its drops are caught less often"
        )
    return tuple(notes)
