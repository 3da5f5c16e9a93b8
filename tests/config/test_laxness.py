"""The table of which way is laxer: a rule for every option there is, and each the right way round."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from pydantic import BaseModel

from gate.checks import CHECKS
from gate.checks.base import Options
from gate.checks.contamination import AllowedText, ContaminationOptions
from gate.checks.coverage import CoverageOptions
from gate.checks.drift import DriftOptions
from gate.checks.regression import RegressionOptions
from gate.checks.threshold import ThresholdOptions
from gate.config.checks import CheckSettingsBase
from gate.config.laxness import RULES, bar_rule, by_direction, in_parts
from gate.config.model import GateConfig, Policies, SuiteConfig
from gate.config.waiver import WaiverSettings
from gate.results import Effect

LAXER, STRICTER, CHANGED = Effect.LAXER, Effect.STRICTER, Effect.CHANGED


def models_in(annotation: Any) -> Iterator[type[Options]]:
    if isinstance(annotation, type) and issubclass(annotation, Options):
        yield annotation
    for inner in get_args(annotation):
        yield from models_in(inner)


def reachable(model: type[BaseModel] = GateConfig) -> Iterator[type[Options]]:
    """All models of gate.yml that are compared key by key; a list of allowed texts is compared as a whole."""
    for field in model.model_fields.values():
        for inner in models_in(field.annotation):
            if inner is AllowedText:
                continue
            if not issubclass(inner, CheckSettingsBase):
                yield inner
            yield from reachable(inner)


def name_of(model: type[Options]) -> str:
    return model.__name__


FOUND: set[type[Options]] = {GateConfig, *reachable(), *(check.options for check in CHECKS.values())}
MODELS = sorted(FOUND, key=name_of)


@pytest.mark.parametrize("model", MODELS, ids=name_of)
def test_every_option_there_is_has_a_rule_and_no_other_has(model: type[Options]) -> None:
    assert list(RULES[model]) == list(model.model_fields)


def test_there_are_rules_for_the_models_of_gate_yml_and_for_no_other() -> None:
    assert set(RULES) == set(MODELS)


def test_what_is_compared_in_parts_holds_models_and_the_rest_does_not() -> None:
    marked = {
        (model.__name__, key): any(each is not AllowedText for each in models_in(field.annotation))
        for model in MODELS
        for key, field in model.model_fields.items()
    }
    assert {key for key, holds in marked.items() if holds} == {
        (model.__name__, key) for model, rules in RULES.items() for key, rule in rules.items() if rule is in_parts
    }


def test_every_bar_of_scores_goes_by_the_direction() -> None:
    bars = {model for model in MODELS if "bar" in model.model_fields} - {ContaminationOptions}
    assert bars == {model for model, rules in RULES.items() if by_direction in rules.values()}


@pytest.mark.parametrize(
    ("model", "key", "before", "after", "effect"),
    [
        (Policies, "fail_on", "block", "never", LAXER),
        (Policies, "fail_on", "never", "warn", STRICTER),
        (Policies, "seed", 0, 1, CHANGED),
        (SuiteConfig, "baseline", "a.csv", None, LAXER),
        (SuiteConfig, "baseline", None, "a.csv", STRICTER),
        (SuiteConfig, "baseline", "a.csv", "b.csv", CHANGED),
        (SuiteConfig, "paired", True, False, LAXER),
        (SuiteConfig, "allow_unfinished", False, True, LAXER),
        (SuiteConfig, "tasks", (), ("gsm8k",), LAXER),
        (SuiteConfig, "tasks", ("gsm8k",), (), STRICTER),
        (SuiteConfig, "tasks", ("a", "b"), ("a",), LAXER),
        (SuiteConfig, "tasks", ("a", "b"), ("a", "c"), CHANGED),
        (WaiverSettings, "reason", "x", "y", CHANGED),
        (CoverageOptions, "missing", "worst_case", "exclude", LAXER),
        (CoverageOptions, "missing", "worst_case", "fail", STRICTER),
        (CoverageOptions, "min_coverage", 0.9, 0.5, LAXER),
        (ThresholdOptions, "method", "exact", "bootstrap", LAXER),
        (ThresholdOptions, "method", "bootstrap", "resample", CHANGED),
        (ThresholdOptions, "alpha", 0.05, 0.2, LAXER),
        (ThresholdOptions, "guard", "warn", "off", LAXER),
        (RegressionOptions, "margin", 0.02, 0.05, LAXER),
        (RegressionOptions, "margin", 0.02, 0.01, STRICTER),
        (RegressionOptions, "margin", None, 0.05, CHANGED),
        (RegressionOptions, "cannot_tell", "fail", "warn", LAXER),
        (DriftOptions, "rule", "bands", "calibrated", LAXER),
        (ContaminationOptions, "corpus", ("a", "b"), ("a",), LAXER),
        (ContaminationOptions, "corpus", "a", ("a", "b"), STRICTER),
        (ContaminationOptions, "corpus", "a", None, CHANGED),
        (ContaminationOptions, "ngram", 3, 8, LAXER),
        (ContaminationOptions, "ngram", (3, 5), (3, 8), CHANGED),
        (ContaminationOptions, "bar", 0.8, 0.95, LAXER),
        (ContaminationOptions, "confirm", "pooled", "best_document", LAXER),
        (ContaminationOptions, "on_leak", "exclude", "warn", LAXER),
        (ContaminationOptions, "on_leak", "exclude", "fail", STRICTER),
        (ContaminationOptions, "max_leaked_share", 0.1, 0.5, LAXER),
        (ContaminationOptions, "allow", None, (AllowedText(text="x", reason="y"),), LAXER),
        (ContaminationOptions, "allow", (AllowedText(text="x", reason="y"),), None, STRICTER),
        (
            ContaminationOptions, "allow",
            (AllowedText(text="x", reason="y"),), (AllowedText(text="x", reason="z"),), CHANGED,
        ),
    ],
)  # fmt: skip
def test_which_way_is_laxer(model: type[Options], key: str, before: object, after: object, effect: Effect) -> None:
    assert RULES[model][key](before, after) is effect


@pytest.mark.parametrize(
    ("direction", "before", "after", "effect"),
    [
        ("higher", 0.8, 0.6, LAXER),
        ("higher", 0.6, 0.8, STRICTER),
        ("lower", 0.8, 0.6, STRICTER),
        ("lower", 0.6, 0.8, LAXER),
        (None, 0.8, 0.6, CHANGED),
        (None, 0.8, None, LAXER),
        ("lower", None, 0.8, STRICTER),
    ],
)
def test_a_bar_goes_by_the_direction(
    direction: str | None, before: float | None, after: float | None, effect: Effect
) -> None:
    assert bar_rule(direction)(before, after) is effect
