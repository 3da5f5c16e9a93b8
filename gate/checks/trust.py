"""Whether the baseline itself is what a candidate should be held against; all that is found is a warning."""

from datetime import date

from gate.results import CheckResult, Origin, Status
from gate.wording import count

# What can be compared is coverage's question, and this is the part of it that no item answers.
_CHECK = "coverage"
_REFUSED = "BLOCK"


def tell_missing(shown: str, near: str | None) -> CheckResult:
    """There is no baseline yet, and git proves that there never was one.

    Args:
        shown: its name.
        near: the path of a file that may be meant.
    """
    typo = f"; did you mean {near!r}?" if near else ""
    return CheckResult(
        _CHECK,
        Status.WARN,
        "no-baseline-yet",
        f"there is no baseline yet: no commit ever held {shown}",
        remedy=f"once this candidate is accepted, commit its scores there: `gate promote`{typo}",
    )


def doubt_baseline(origin: Origin | None, max_age: int | None, verdict: str | None) -> list[CheckResult]:
    """What speaks against a baseline: its age, and that it was refused itself.

    Args:
        origin: which version it is; None where nothing tells it.
        max_age: the age in days up to which it is trusted; None: any.
        verdict: what the gate said of it when it was a candidate; None where that is not known.
    """
    found = []
    age = None if origin is None else origin.age_days
    if max_age is not None and age is None:
        sentence = f"the age of the baseline is not known{_why(origin)}"
        found.append(_warn("baseline-age-unknown", sentence, _remedy(origin)))
    elif max_age is not None and age is not None and age > max_age:
        found.append(
            _warn(
                "baseline-too-old",
                f"the baseline is {count(age, 'day')} old, and `max_age` is {count(max_age, 'day')}",
                "run the baseline again, or accept a newer candidate as the baseline",
            )
        )
    if verdict == _REFUSED:
        found.append(
            _warn(
                "baseline-was-blocked",
                "the baseline is the report of a candidate that the gate would have kept back (BLOCK)",
                "give the report of a run that passed, or accept this one openly: `gate promote --force --reason TEXT`",
            )
        )
    return found


def _warn(reason: str, sentence: str, remedy: str) -> CheckResult:
    return CheckResult(_CHECK, Status.WARN, reason, sentence, remedy=remedy)


def _why(origin: Origin | None) -> str:
    made = None if origin is None else origin.date
    if made is None or made == date.min:
        return ""
    return f": {made.isoformat()} lies after the day of this run"


def _remedy(origin: Origin | None) -> str:
    if origin is not None and origin.told_by == "git" and origin.date is None:
        return (
            "this clone is shallow: let the checkout fetch the whole history, by two lines under its step in the "
            "workflow: `with:` and, indented below it, `fetch-depth: 0`"
        )
    if origin is not None and origin.date is not None:
        return "check the clocks of the machines, or run the baseline again"
    return "name the baseline by git, `git:REF:PATH`, which tells when it last changed; or take `max_age` out"
