"""Which version of a baseline was read: its commit, its day, its age."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING

from gate.results import Origin

if TYPE_CHECKING:
    from gate.baselines.stored import Stored

# Clocks of two machines differ, and midnight may lie between them.
_CLOCKS = timedelta(days=1)
_REPORT = "gate_report"


def origin_in_git(stored: "Stored", today: date | None) -> Origin:
    """The origin of what lies in git: its age is that of its last change, not that of the commit it was read from.

    Args:
        stored: what was read.
        today: the day by which it is judged; None: the age is not told.
    """
    change = stored.find_change()
    return Origin(
        commit=stored.commit.decode(),
        date=None if change is None else change.date,
        age_days=None if change is None else age(change.date, today),
        told_by="git",
        ref=stored.spec.ref,
        changed_in="" if change is None else change.commit,
    )


def origin_of(format_name: str, facts: Mapping[str, str], today: date | None) -> Origin | None:
    """The origin of a file that lies outside of git, as far as the run in it tells; None where it does not.

    Args:
        format_name: how it was read.
        facts: what it tells of how the run was made.
        today: as in ``origin_in_git``.
    """
    made = _day(facts.get("created", ""))
    if made is None:
        return None
    return Origin("", made, age(made, today), "report" if format_name == _REPORT else "run", "")


def age(made: date, today: date | None) -> int | None:
    """Days from one day to the other; None where that is not known, also where the first is yet to come."""
    if today is None or made > today + _CLOCKS:
        return None
    return max(0, (today - made).days)


def _day(text: str) -> date | None:
    """The day that a time begins with as ISO 8601 has it."""
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None
