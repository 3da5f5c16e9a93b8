"""What speaks against a baseline itself: that there is none yet, its age, a verdict of its own."""

import datetime as dt

import pytest

from gate.checks.trust import doubt_baseline, tell_missing
from gate.results import CheckResult, Origin, Status

MADE = dt.date(2026, 1, 2)
SHALLOW = (
    "this clone is shallow: let the checkout fetch the whole history, by two lines under its step in the workflow: "
    "`with:` and, indented below it, `fetch-depth: 0`"
)


def origin(age_days: int | None, *, date: dt.date | None = MADE, told_by: str = "git") -> Origin:
    return Origin("c" * 40, date, age_days, told_by, "main")


@pytest.mark.parametrize(
    ("near", "typo"), [(None, ""), ("", ""), ("scores/a.csv", "; did you mean 'scores/a.csv'?")], ids=repr
)
def test_a_baseline_that_never_was_warns_and_says_how_to_make_one(near: str | None, typo: str) -> None:
    assert tell_missing("git:main:a.csv", near) == CheckResult(
        "coverage",
        Status.WARN,
        "no-baseline-yet",
        "there is no baseline yet: no commit ever held git:main:a.csv",
        remedy=f"once this candidate is accepted, commit its scores there: `gate promote`{typo}",
    )


@pytest.mark.parametrize(
    ("age", "max_age", "told"),
    [
        (31, 30, "the baseline is 31 days old, and `max_age` is 30 days"),
        (2, 1, "the baseline is 2 days old, and `max_age` is 1 day"),
        (1, 0, "the baseline is 1 day old, and `max_age` is 0 days"),
    ],
)
def test_a_baseline_older_than_it_may_be_warns(age: int, max_age: int, told: str) -> None:
    assert doubt_baseline(origin(age), max_age, None) == [
        CheckResult(
            "coverage",
            Status.WARN,
            "baseline-too-old",
            told,
            remedy="run the baseline again, or accept a newer candidate as the baseline",
        )
    ]


@pytest.mark.parametrize(
    ("found", "max_age"), [(origin(30), 30), (origin(0), 0), (origin(31), None), (origin(None), None), (None, None)]
)
def test_a_baseline_that_is_young_enough_or_may_be_of_any_age_is_not_doubted(
    found: Origin | None, max_age: int | None
) -> None:
    assert doubt_baseline(found, max_age, None) == []


@pytest.mark.parametrize(
    ("found", "why", "remedy"),
    [
        (
            None,
            "",
            "name the baseline by git, `git:REF:PATH`, which tells when it last changed; or take `max_age` out",
        ),
        (
            origin(None, date=None, told_by="report"),
            "",
            "name the baseline by git, `git:REF:PATH`, which tells when it last changed; or take `max_age` out",
        ),
        (
            origin(None, date=None),
            "",
            SHALLOW,
        ),
        (
            origin(None),
            ": 2026-01-02 lies after the day of this run",
            "check the clocks of the machines, or run the baseline again",
        ),
        (origin(None, date=dt.date.min), "", "check the clocks of the machines, or run the baseline again"),
    ],
    ids=["no origin", "a report without a day", "a shallow clone", "a day to come", "no day in the calendar"],
)
@pytest.mark.parametrize("max_age", [0, 30])
def test_an_age_that_is_asked_for_and_not_known_warns_with_the_reason(
    found: Origin | None, why: str, remedy: str, max_age: int
) -> None:
    assert doubt_baseline(found, max_age, None) == [
        CheckResult(
            "coverage",
            Status.WARN,
            "baseline-age-unknown",
            f"the age of the baseline is not known{why}",
            remedy=remedy,
        )
    ]


@pytest.mark.parametrize("verdict", ["PASS", "WARN", "ERROR", None])
def test_a_baseline_that_was_not_blocked_is_not_doubted(verdict: str | None) -> None:
    assert doubt_baseline(origin(1), 30, verdict) == []


def test_a_baseline_that_was_blocked_warns_beside_its_age() -> None:
    too_old, blocked = doubt_baseline(origin(31), 30, "BLOCK")
    assert too_old.reason == "baseline-too-old"
    assert blocked == CheckResult(
        "coverage",
        Status.WARN,
        "baseline-was-blocked",
        "the baseline is the report of a candidate that the gate would have kept back (BLOCK)",
        remedy="give the report of a run that passed, or accept this one openly: `gate promote --force --reason TEXT`",
    )
    assert doubt_baseline(None, None, "BLOCK") == [blocked]
