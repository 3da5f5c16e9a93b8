"""Which version of a baseline a report speaks of, in words."""

from collections.abc import Iterator
from typing import NamedTuple

from gate.reports.escape import shorten
from gate.results import Origin, Report
from gate.wording import count

_DIGITS = 10
_REF_LIMIT = 60
_MADE = {"git": "last changed", "promotion": "promoted", "report": "judged", "run": "made"}


class Version(NamedTuple):
    """A baseline and which version of it was read."""

    path: str
    told: str


def versions_of(report: Report) -> tuple[Version, ...]:
    """The baselines whose version is known, each once, in the order of the suites."""
    read = (suite.baseline for suite in report.suites if suite.baseline is not None)
    return tuple(dict.fromkeys(Version(run.path, tell_origin(run.origin)) for run in read if run.origin is not None))


def tell_origin(origin: Origin) -> str:
    """The commit, the day and the age: commit and ref, last change, how many days ago."""
    return ", ".join(_parts(origin))


def _parts(origin: Origin) -> Iterator[str]:
    if origin.commit:
        # where the ref is a commit it would be said twice
        ref = "" if not origin.ref or origin.commit.startswith(origin.ref) else f" ({shorten(origin.ref, _REF_LIMIT)})"
        yield f"commit `{origin.commit[:_DIGITS]}`{ref}"
    if origin.date is None:
        yield "age not known"
        return
    changed = f" in `{origin.changed_in[:_DIGITS]}`" if origin.changed_in else ""
    # where no commit is told the history was not looked through to its end
    earlier = " or earlier" if origin.told_by == "git" and not changed else ""
    yield f"{_MADE.get(origin.told_by, 'made')} {origin.date.isoformat()}{earlier}{changed}"
    yield "age not known" if origin.age_days is None else _ago(origin.age_days)


def _ago(days: int) -> str:
    return f"{count(days, 'day')} ago" if days else "today"
