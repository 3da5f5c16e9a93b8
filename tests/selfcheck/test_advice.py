from collections.abc import Callable
from pathlib import Path

import pytest

from gate.selfcheck import Measurement, Question, measure

MakeMeasured = Callable[..., Measurement]
PAIR = "baseline: a\n    candidate: b"


@pytest.fixture
def measured(write_csv: Callable[..., str], tmp_path: Path) -> MakeMeasured:
    """The measurement of pass/fail scores, so many of them passed, under the lines of a suite."""

    def make(
        n: int, passed: int, suite: str = PAIR, *, policies: str = "{}", missing: int = 0, **asked: object
    ) -> Measurement:
        path = tmp_path / "gate.yml"
        text = f"version: 1\npolicies: {policies}\nsuites:\n  - name: s\n    {suite}\n"
        path.write_text(text, encoding="utf-8")
        scores = [1] * passed + [0] * (n - passed - missing) + [""] * missing
        given = {"runs": 40, "rho": 0.5, **asked}
        return measure(Question(file=write_csv("a.csv", scores), config=str(path), **given))  # type: ignore[arg-type]  # one of many fields

    return make


def sentence(found: Measurement, words: str) -> str:
    (told,) = [each for each in found.advice if words in each]
    return told


def checks(text: str) -> str:
    return f"{PAIR}\n    checks: {{coverage: {{}}, {text}}}"


def test_where_nothing_is_amiss_nothing_is_advised(measured: MakeMeasured) -> None:
    assert measured(200, 160, drop=0.3).advice == ()


def test_a_bar_close_to_the_mean_is_told_with_one_that_holds_and_the_items_it_takes(measured: MakeMeasured) -> None:
    told = sentence(measured(60, 48, checks("threshold: {bar: 0.75}")), "close to the mean")
    assert told.startswith("threshold blocks ")
    assert "the bar 0.75 is close to the mean 0.800: 97.5 % of these runs clear 0." in told
    assert "items would clear the present one as often" in told


def test_a_bar_that_is_lowered_as_advised_blocks_no_more_than_one_run_in_twenty(measured: MakeMeasured) -> None:
    told = sentence(measured(60, 48, checks("threshold: {bar: 0.75}")), "close to the mean")
    bar = float(told.split("runs clear ")[1].split(",")[0])
    found = measured(60, 48, checks(f"threshold: {{bar: {bar}}}"))
    assert "threshold" not in found.unchanged.failing or found.unchanged.failing["threshold"].share <= 0.025


def test_a_bar_over_the_mean_is_told_apart(measured: MakeMeasured) -> None:
    told = sentence(measured(30, 15, checks("threshold: {bar: 0.9}")), "threshold blocks")
    assert told == (
        "threshold blocks 100 % of unchanged runs: the mean 0.500 does not clear the bar 0.90: "
        "no number of items would prove it"
    )


def test_a_ceiling_is_called_one(measured: MakeMeasured) -> None:
    found = measured(60, 12, f"{PAIR}\n    direction: lower\n    checks: {{threshold: {{bar: 0.25}}}}")
    told = sentence(found, "threshold blocks")
    assert "the ceiling 0.25 is close to the mean 0.200" in told
    assert float(told.split("runs clear ")[1].split(",")[0]) > 0.25


def test_a_guard_that_fails_is_told(measured: MakeMeasured) -> None:
    found = measured(20, 20, checks("threshold: {bar: 0.9, guard: fail}"))
    assert "`guard: warn` would warn" in sentence(found, "guard")


def test_bands_at_few_items_are_told(measured: MakeMeasured) -> None:
    found = measured(12, 8, checks("regression: false, drift: {rule: bands}"), rho=0.0)
    assert "the published bands are crossed by chance at 12 items" in sentence(found, "drift blocks")


def test_a_margin_that_cannot_be_told_is_told(measured: MakeMeasured) -> None:
    found = measured(40, 30, checks("regression: {margin: 0.02, cannot_tell: fail}"))
    assert "`cannot_tell: fail` blocks what so few items cannot tell" in sentence(found, "regression blocks")


def test_missing_scores_that_block_are_told(measured: MakeMeasured) -> None:
    found = measured(30, 20, f"{PAIR}\n    checks: {{coverage: {{missing: fail}}}}", missing=2)
    assert "`missing: fail` blocks at the first missing score" in sentence(found, "coverage blocks")
    found = measured(30, 20, f"{PAIR}\n    checks: {{coverage: {{min_coverage: 0.99}}}}", missing=2)
    assert "scores are missing" in sentence(found, "coverage blocks")


def test_so_few_pairs_that_the_rate_is_open_call_for_more(measured: MakeMeasured) -> None:
    found = measured(40, 32, checks("threshold: {bar: 0.6}"), runs=20)
    assert found.unchanged.block.share > 0.05 > found.unchanged.block.low
    assert "give more --runs" in sentence(found, "over 5 %")


def test_warnings_are_told_with_their_cause(measured: MakeMeasured) -> None:
    found = measured(20, 20, checks("threshold: {bar: 0.9}"))
    assert sentence(found, "WARN") == (
        "100 % of unchanged runs get a WARN, from threshold: a bar that these items can prove would be lower"
    )


def test_a_pipeline_that_stops_at_a_warning_is_told_so(measured: MakeMeasured) -> None:
    found = measured(20, 20, checks("threshold: {bar: 0.9}"), policies="{fail_on: warn}")
    assert sentence(found, "WARN").endswith("; `fail_on: warn` stops them all")


@pytest.mark.parametrize(
    ("suite", "why"),
    [
        (checks("regression: false"), "regression is off, which is the check that looks for it"),
        (checks("regression: {margin: 0.2}"), "it lies within the margin 0.20, which tolerates it"),
        ("candidate: b\n    checks: {threshold: {bar: 0.3}}", "the bar alone looks for it"),
        (PAIR, "items like these would catch it 80 % of the time"),
    ],
)
def test_why_a_drop_is_missed_is_told(measured: MakeMeasured, suite: str, why: str) -> None:
    assert why in sentence(measured(60, 45, suite, drop=0.03), "is caught")


def test_so_many_items_as_advised_do_catch_the_drop(measured: MakeMeasured) -> None:
    told = sentence(measured(60, 45, drop=0.1), "is caught")
    needed = int(told.split("about ")[1].split()[0])
    found = measured(needed, needed * 3 // 4, drop=0.1)
    assert found.dropped[0].block.low < 0.8 < found.dropped[0].block.high
