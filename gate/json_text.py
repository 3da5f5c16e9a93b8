"""Values as JSON that a log may show: ASCII alone, and nothing in it that a terminal or a runner would obey."""

import json

# ASCII that JSON leaves as it is: what begins a workflow command anywhere in a line, and a control character.
_ACTIVE = (("##[", r"\u0023#["), ("\x7f", r"\u007f"))


def dump(value: object, *, indent: int | None = None) -> str:
    """The value as JSON without a line end after it; the same value gives the same text.

    Args:
        value: of plain lists, mappings, texts, finite numbers and None.
        indent: spaces a level; None for one line without spaces.

    Raises:
        ValueError: where a number is not finite.
    """
    separators = (",", ":") if indent is None else None
    text = json.dumps(value, indent=indent, allow_nan=False, separators=separators)
    for active, harmless in _ACTIVE:  # both stand in strings alone
        text = text.replace(active, harmless)
    return text
