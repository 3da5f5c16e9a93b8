"""A place in a configuration: the keys and list indices that lead to a value."""

Location = tuple[str | int, ...]


def dotted(location: Location) -> str | None:
    """The place as it is written in messages, ``suites[0].checks.drift``; None for the whole."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location).removeprefix(".")
    return text or None
