"""How foreign names and cells stand in our sentences: quoted, escaped, cut short, listed up to ten."""

import difflib
from collections.abc import Iterable, Sequence

MOST_LISTED = 10
_MOST_CHARACTERS = 60


def quote(value: object, limit: int = _MOST_CHARACTERS) -> str:
    """The value in double quotes, at most ``limit`` characters of it, with everything unprintable escaped.

    A line break or a terminal code from a score file must not act in our log.
    """
    text = value if isinstance(value, str) else repr(value)
    cut = "…" if len(text) > limit else ""
    return f'"{"".join(map(_printable, text[:limit]))}{cut}"'


def listing(parts: Sequence[str], most: int = MOST_LISTED) -> str:
    """The parts with commas between them, at most ``most`` of them, then how many more there are."""
    more = [f"{len(parts) - most} more"] if len(parts) > most else []
    return ", ".join([*parts[:most], *more])


def quoted_listing(names: Iterable[str]) -> str:
    """The names, each quoted, as a listing."""
    return listing([quote(name) for name in names]) or "none"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A half sentence that offers the nearest known name, or nothing where none is near."""
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower()[:200], by_lower, n=1)
    return f"; did you mean {quote(by_lower[near[0]])}?" if near else ""


def _printable(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
