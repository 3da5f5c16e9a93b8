"""What a proposed gate.yml changes: every key by name, the laxer first; a broken file is told and is no error."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gate.config import GateConfig
from gate.config.changes import compare, read_changes
from gate.results import ConfigChange, Effect

SUITE = {"name": "answers", "baseline": "a.csv", "candidate": "b.csv"}


def config(*suites: dict[str, Any], **rest: Any) -> GateConfig:
    return GateConfig.model_validate({"version": 1, "suites": list(suites) or [SUITE], **rest})


def suite(**keys: Any) -> GateConfig:
    return config({**SUITE, **keys})


def checks(**keys: Any) -> GateConfig:
    return suite(checks=keys)


def told(before: GateConfig, after: GateConfig, judged: dict[str, dict[str, str]] | None = None) -> list[str]:
    return [
        f"{each.key}: {each.before} -> {each.after} ({each.effect})" for each in compare(before, after, judged or {})
    ]


def test_the_same_configuration_changes_nothing() -> None:
    assert told(checks(threshold={"bar": 0.8}), checks(threshold={"bar": 0.8})) == []


def test_a_default_that_is_written_out_changes_nothing() -> None:
    assert told(config(), config(policies={"fail_on": "block", "seed": 0})) == []


def test_a_lower_bar_is_told_with_suite_check_and_key() -> None:
    changes = told(checks(threshold={"bar": 0.8}), checks(threshold={"bar": 0.6}))
    assert changes == ["suites[answers].checks.threshold.bar: 0.80 -> 0.60 (laxer)"]


def test_what_became_laxer_comes_first_and_what_became_stricter_last() -> None:
    before = suite(checks={"threshold": {"bar": 0.8, "alpha": 0.05, "n_resamples": 1000}})
    after = suite(checks={"threshold": {"bar": 0.9, "alpha": 0.10, "n_resamples": 2000}})
    assert [each.effect for each in compare(before, after, {})] == [Effect.LAXER, Effect.CHANGED, Effect.STRICTER]


def test_a_ceiling_is_laxer_where_it_is_higher() -> None:
    ceiling = suite(direction="lower", checks={"threshold": {"bar": 2.0}})
    higher = suite(direction="lower", checks={"threshold": {"bar": 3.0}})
    assert told(ceiling, higher) == ["suites[answers].checks.threshold.bar: 2.00 -> 3.00 (laxer)"]


def test_the_score_files_tell_a_direction_that_gate_yml_does_not() -> None:
    before, after = checks(threshold={"bar": 2.0}), checks(threshold={"bar": 3.0})
    assert told(before, after, {"answers": {"latency": "lower"}})[0].endswith("(laxer)")
    assert told(before, after, {"answers": {"latency": "lower", "score": "higher"}})[0].endswith("(changed)")


def test_a_bar_under_another_direction_is_not_ranked() -> None:
    before = suite(direction="higher", checks={"threshold": {"bar": 2.0}})
    after = suite(direction="lower", checks={"threshold": {"bar": 3.0}})
    assert [each.effect for each in compare(before, after, {})] == [Effect.CHANGED, Effect.CHANGED]


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ({}, {"drift": False}, "drift: on by default -> off (laxer)"),
        ({"drift": False}, {}, "drift: off -> on by default (stricter)"),
        ({"regression": {}}, {}, "regression: asked for -> on by default (laxer)"),
        ({"contamination": {"corpus": "c"}}, {}, "contamination: asked for -> off (laxer)"),
    ],
)
def test_a_check_is_off_on_or_asked_for(before: dict[str, Any], after: dict[str, Any], line: str) -> None:
    assert told(checks(**before), checks(**after)) == [f"suites[answers].checks.{line}"]


def test_a_suite_that_is_taken_out_is_laxer_and_a_new_one_stricter() -> None:
    other = {**SUITE, "name": "code"}
    assert told(config(SUITE, other), config(other)) == ["suites[answers]: judged -> none (laxer)"]
    assert told(config(other), config(other, SUITE)) == ["suites[answers]: none -> judged (stricter)"]


def test_the_order_of_suites_changes_nothing() -> None:
    other = {**SUITE, "name": "code", "baseline": "c.csv"}
    assert told(config(SUITE, other), config(other, SUITE)) == []


def test_a_metric_that_is_taken_out_is_laxer() -> None:
    assert told(suite(metrics=["em", "f1"]), suite(metrics=["em"])) == [
        "suites[answers].metrics[f1]: judged -> none (laxer)"
    ]


def test_a_choice_that_was_the_score_files_is_not_ranked() -> None:
    assert told(suite(), suite(metrics=["em"])) == ["suites[answers].metrics[em]: none -> judged (changed)"]


def test_a_bar_of_a_metric_is_ranked_against_the_suite_s_where_it_had_none() -> None:
    before = suite(checks={"threshold": {"bar": 0.8}}, metrics=["em"])
    after = suite(checks={"threshold": {"bar": 0.8}}, metrics={"em": {"bar": 0.5}})
    assert told(before, after) == ["suites[answers].metrics[em].bar: 0.80 (the suite's) -> 0.50 (laxer)"]


def test_a_new_metric_s_own_low_bar_does_not_hide_behind_its_being_new() -> None:
    before = suite(checks={"threshold": {"bar": 0.8}})
    after = suite(checks={"threshold": {"bar": 0.8}}, metrics={"score": {"bar": 0.1}})
    assert told(before, after)[0] == "suites[answers].metrics[score].bar: 0.80 (the suite's) -> 0.10 (laxer)"


def test_settings_that_go_with_the_last_metric_are_told() -> None:
    before = suite(metrics={"em": {"bar": 0.9}})
    assert "suites[answers].metrics[em].bar: 0.90 -> none (laxer)" in told(before, suite())


def test_a_score_made_of_samples_has_a_bar_of_its_own() -> None:
    before = suite(metrics={"passed": {"reduce": {"pass@1": {"bar": 0.4}, "pass@5": {}}}})
    after = suite(metrics={"passed": {"reduce": {"pass@1": {"bar": 0.3}}}})
    assert told(before, after) == [
        "suites[answers].metrics[passed].reduce[pass@1].bar: 0.40 -> 0.30 (laxer)",
        "suites[answers].metrics[passed].reduce[pass@5]: judged -> none (laxer)",
    ]


def test_a_reduction_of_the_suite_is_compared_by_name() -> None:
    before, after = suite(reduce={"pass@5": {"margin": 0.02}}), suite(reduce={"pass@5": {"margin": 0.1}})
    assert told(before, after) == ["suites[answers].reduce[pass@5].margin: 0.02 -> 0.10 (laxer)"]


def waiver(**keys: Any) -> dict[str, Any]:
    return {"check": "drift", "reason": "known", "approved_by": "Ada", "expires": "2026-12-31", **keys}


def test_a_waiver_is_laxer_and_so_is_its_extension() -> None:
    key = "waivers[drift of answers]"
    assert told(config(), config(waivers=[waiver()])) == [f"{key}: none -> until 2026-12-31 by Ada (laxer)"]
    assert told(config(waivers=[waiver()]), config()) == [f"{key}: until 2026-12-31 by Ada -> none (stricter)"]
    assert told(config(waivers=[waiver()]), config(waivers=[waiver(expires="2027-12-31")])) == [
        f"{key}.expires: 2026-12-31 -> 2027-12-31 (laxer)"
    ]


def test_a_waiver_that_names_the_only_suite_is_the_one_that_does_not() -> None:
    assert told(config(waivers=[waiver()]), config(waivers=[waiver(suite="answers")])) == []


def test_a_waiver_widened_to_all_metrics_is_another_waiver() -> None:
    before, after = config(waivers=[waiver(metric="em")]), config(waivers=[waiver()])
    assert [each.key for each in compare(before, after, {})] == [
        "waivers[drift of answers]", "waivers[drift of em of answers]"
    ]  # fmt: skip


def test_allowed_texts_are_counted_and_not_quoted() -> None:
    allowed = {"corpus": "c", "allow": [{"text": "the secret question", "reason": "template"}]}
    changes = told(checks(contamination={"corpus": "c"}), checks(contamination=allowed))
    assert changes == ["suites[answers].checks.contamination.allow: none -> 1 text (laxer)"]


def test_columns_scales_and_lists_are_told_as_they_are_written() -> None:
    before = suite(scale=[0, 1], columns={"id": "a"}, tasks=["x", "y"])
    after = suite(scale=[0, 100], columns={"id": ["a", "b"]}, tasks=["x"])
    assert told(before, after) == [
        "suites[answers].tasks: [x, y] -> [x] (laxer)",
        "suites[answers].scale: [0.00, 1.00] -> [0.00, 100.00] (changed)",
        "suites[answers].columns.id: a -> [a, b] (changed)",
    ]


# the proposed file

Write = Callable[[str | bytes], str]

SOUND = "version: 1\nsuites: [{name: answers, baseline: results/a.csv, candidate: b.csv}]\n"


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)

    def write_text(text: str | bytes) -> str:
        Path("gate.yml").write_bytes(text if isinstance(text, bytes) else text.encode())
        return "gate.yml"

    return write_text


def read(proposed: str) -> tuple[ConfigChange, ...]:
    return read_changes(config({**SUITE, "baseline": "results/a.csv"}), proposed, ())


def test_paths_are_compared_as_they_are_written(write: Write) -> None:
    assert read(write(SOUND)) == ()
    (change,) = read(write(SOUND.replace("results/a.csv", "other.csv")))
    assert (change.before, change.after, change.effect) == ("results/a.csv", "other.csv", Effect.CHANGED)


def test_a_file_that_is_not_there_is_told_as_deleted(tmp_path: Path) -> None:
    gone = str(tmp_path / "gate.yml")
    assert read(gone) == (ConfigChange(gone, "", "", Effect.DELETED),)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (SOUND + "waivrs: []\n", "line 3: unknown key 'waivrs'"),
        ("version: 1\nsuites: [\n", "line 3: this is not YAML: "),
        ("", "the file is empty"),
        (b"\x00\xff" * 40, "this is not a YAML text file"),
        ("x" * 1_000_001, "the file is over 1 MB"),
        ("&a [*a]", "the file is nested too deeply"),
        ("version: 99999999999999999999\nsuites: []\n", "line 1: 99999999999999999999 is not a whole number"),
    ],
)
def test_a_file_that_is_not_sound_is_told_with_the_line(text: str | bytes, what: str, write: Write) -> None:
    (change,) = read(write(text))
    assert (change.key, change.effect) == ("gate.yml", Effect.INVALID)
    assert change.after.startswith(what)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("password: hunter2\n", encoding="utf-8")
    link = tmp_path / "gate.yml"
    link.symlink_to(secret)
    (change,) = read(str(link))
    assert (change.after, change.effect) == ("it is a link", Effect.INVALID)


def test_a_folder_and_a_path_that_no_file_can_have_are_told(tmp_path: Path) -> None:
    assert [each.effect for each in read(str(tmp_path))] == [Effect.INVALID]
    assert [each.effect for each in read("a\0b")] == [Effect.DELETED]


def test_whatever_else_goes_wrong_is_told_too(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("gate.config.changes.load_config", fail)
    (change,) = read(write(SOUND))
    assert (change.after, change.effect) == ("it cannot be compared: MemoryError", Effect.INVALID)
