"""Flags over the data of a gate.yml: what they replace, and what they leave alone."""

from typing import Any

import pytest

from gate.config.overlay import Flags, overlay
from gate.results import FailOn

DATA: dict[str, Any] = {
    "version": 1,
    "policies": {"seed": 3},
    "suites": [
        {
            "name": "answers",
            "baseline": "a.csv",
            "candidate": "b.csv",
            "metrics": {"acc": {"scale": [0, 10]}, "f1": {}},
            "checks": {"threshold": {"bar": 5, "alpha": 0.1}, "drift": None},
        }
    ],
}


def test_no_flags_change_nothing() -> None:
    assert overlay(DATA, Flags()) == DATA


def test_flags_replace_their_key_and_leave_the_rest() -> None:
    (suite,) = overlay(DATA, Flags(candidate="new.csv", threshold=0.0))["suites"]
    assert (suite["baseline"], suite["candidate"]) == ("a.csv", "new.csv")
    assert suite["checks"] == {"threshold": {"bar": 0.0, "alpha": 0.1}, "drift": None}


def test_the_data_given_stay_as_they_are() -> None:
    overlay(DATA, Flags(candidate="new.csv", threshold=7, corpus=["c"], fail_on=FailOn.WARN))
    assert DATA["policies"] == {"seed": 3}
    assert DATA["suites"][0]["candidate"] == "b.csv"
    assert DATA["suites"][0]["checks"] == {"threshold": {"bar": 5, "alpha": 0.1}, "drift": None}


def test_a_check_that_is_off_is_on_where_a_flag_asks_for_it() -> None:
    off = {"suites": [{"name": "a", "checks": {"threshold": None, "contamination": None}}]}
    (suite,) = overlay(off, Flags(threshold=0.7, corpus=("x", "y")))["suites"]
    assert suite["checks"] == {"threshold": {"bar": 0.7}, "contamination": {"corpus": ["x", "y"]}}


def test_a_metric_chosen_keeps_its_settings() -> None:
    (suite,) = overlay(DATA, Flags(metrics=("acc", "new")))["suites"]
    assert suite["metrics"] == {"acc": {"scale": [0, 10]}, "new": {}}


def test_a_policy_goes_over_the_others_of_its_kind_alone() -> None:
    laid = overlay(DATA, Flags(fail_on=FailOn.NEVER))
    assert laid == {**DATA, "policies": {"seed": 3, "fail_on": "never"}}


@pytest.mark.parametrize(
    ("flags", "speak"),
    [
        (Flags(), False), (Flags(fail_on=FailOn.WARN), False), (Flags(baseline=""), True), (Flags(candidate="b"), True),
        (Flags(threshold=0.0), True), (Flags(corpus=["c"]), True), (Flags(metrics=["m"]), True),
        (Flags(format="csv"), True),
    ],
)  # fmt: skip
def test_all_flags_but_a_policy_speak_of_scores(flags: Flags, *, speak: bool) -> None:
    assert flags.speak_of_scores is speak


def test_every_key_laid_over_knows_its_flag() -> None:
    flags = Flags("a", "b", 0.5, ["c"], ["m"], ["best"], "csv", "v", True, FailOn.WARN)
    assert {flag: location[2:] for location, flag in flags.places().items()} == {
        "--baseline": ("baseline",), "--candidate": ("candidate",), "--format": ("format",), "--metric": ("metrics",),
        "--reduce": ("reduce",), "--select": ("select",), "--allow-unfinished": ("allow_unfinished",),
        "--threshold": ("checks", "threshold"), "--corpus": ("checks", "contamination"),
    }  # fmt: skip


def test_a_scan_that_is_asked_for_replaces_the_corpus_and_how_to_read_it() -> None:
    assert Flags(scan="s.json").places() == {("suites", 0, "checks", "contamination"): "--scan"}
    searched = {"corpus": "a", "text_field": "body", "bar": 0.7}
    (suite,) = overlay({"suites": [{"checks": {"contamination": searched}}]}, Flags(scan="s.json"))["suites"]
    assert suite["checks"]["contamination"] == {"scan": "s.json", "bar": 0.7}


def test_a_corpus_that_is_asked_for_replaces_the_scan_of_another() -> None:
    suite = {"checks": {"contamination": {"scan": "s.json", "bar": 0.7}}}
    (laid,) = overlay({"suites": [suite]}, Flags(corpus=("a", "b")))["suites"]
    assert laid["checks"]["contamination"] == {"corpus": ["a", "b"], "bar": 0.7}


def test_a_bar_that_is_asked_for_replaces_those_of_the_metrics_too() -> None:
    metrics = {"acc": {"scale": [0, 10], "bar": 7}, "f1": {"margin": 0.1}}
    data = {**DATA, "suites": [{**DATA["suites"][0], "metrics": metrics}]}
    (suite,) = overlay(data, Flags(threshold=6))["suites"]
    assert suite["metrics"] == {"acc": {"scale": [0, 10]}, "f1": {"margin": 0.1}}
    (kept,) = overlay(data, Flags(candidate="b.csv"))["suites"]
    assert kept["metrics"] == metrics


def test_a_variant_that_is_asked_for_is_that_of_both_runs() -> None:
    data = {**DATA, "suites": [{**DATA["suites"][0], "baseline_select": "a", "select": "b"}]}
    (suite,) = overlay(data, Flags(select="c"))["suites"]
    assert suite["select"] == "c"
    assert "baseline_select" not in suite


def test_reducers_that_are_asked_for_replace_those_of_the_metrics_and_keep_their_own_settings() -> None:
    suite = {"reduce": {"pass@1": {"bar": 0.2}}, "metrics": {"passed": {"reduce": {"best": {}}, "margin": 0.1}}}
    (laid,) = overlay({"suites": [suite]}, Flags(reduce=("pass@1", "pass@5")))["suites"]
    assert laid["reduce"] == {"pass@1": {"bar": 0.2}, "pass@5": {}}
    assert laid["metrics"] == {"passed": {"margin": 0.1}}


def test_a_reducer_that_is_asked_for_keeps_the_bar_that_a_metric_has_for_it() -> None:
    own = {"pass@1": {"bar": 0.6}, "best": {"bar": 0.9}}
    suite = {
        "reduce": {"pass@5": {"bar": 0.7}, "pass@1": {"bar": 0.1}},
        "metrics": {"passed": {"reduce": own}, "plus": {}},
    }
    (laid,) = overlay({"suites": [suite]}, Flags(reduce=("pass@1", "pass@5")))["suites"]
    assert laid["metrics"] == {"passed": {"reduce": {"pass@1": {"bar": 0.6}, "pass@5": {"bar": 0.7}}}, "plus": {}}


def test_a_bar_that_is_asked_for_replaces_those_of_the_scores_made_of_samples() -> None:
    metrics = {"passed": {"reduce": {"pass@1": {"bar": 0.2, "margin": 0.1}}}}
    (laid,) = overlay({"suites": [{"metrics": metrics, "reduce": {"best": {"bar": 1}}}]}, Flags(threshold=0.5))[
        "suites"
    ]
    assert (laid["metrics"], laid["reduce"]) == (
        {"passed": {"reduce": {"pass@1": {"margin": 0.1}}}},
        {"best": {}},
    )
