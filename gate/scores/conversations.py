"""Conversations as tools record them: what its people asked, apart from what the model answered to it."""

from collections.abc import Sequence

from gate.scores.ids import as_text


def said(messages: object, *, key: str, role: str) -> tuple[str, ...]:
    """What the messages of one role say, in order; empty where there is none, or no list of messages.

    Args:
        messages: objects, each with its ``content``.
        key: under which a message tells its role, e.g. ``role``.
        role: whose messages, e.g. ``user``.
    """
    listed = messages if isinstance(messages, list) else []
    turns = [message for message in listed if isinstance(message, dict) and message.get(key) == role]
    return tuple(text for turn in turns if (text := as_text(turn.get("content"))) is not None)


def as_cell(texts: Sequence[str]) -> object:
    """The texts as one cell of an id: a single one as it stands, so that it is named as a question without others."""
    return texts[0] if len(texts) == 1 else list(texts)
