"""Planted leaks: questions as they are, or with some words changed, put into documents of a corpus."""

import random
from collections.abc import Sequence

WORDS_AN_EDIT = 12


def edit(question: str, vocabulary: Sequence[str], rng: random.Random) -> str:
    """The question with one word in 12 replaced, at least one, each by another word of the vocabulary."""
    words = question.split()
    for place in rng.sample(range(len(words)), max(1, round(len(words) / WORDS_AN_EDIT))):
        others = [word for word in vocabulary if word.lower() != words[place].lower()]
        words[place] = rng.choice(others)
    return " ".join(words)


def plant(texts: Sequence[str], leaks: Sequence[str], rng: random.Random) -> list[str]:
    """The texts, each leak put as a line of its own into one of them, none into the same.

    Args:
        texts: at least as many as leaks.
        leaks: what to put in.
        rng: decides where.
    """
    planted = list(texts)
    for leak, place in zip(leaks, rng.sample(range(len(texts)), len(leaks)), strict=True):
        lines = planted[place].splitlines()
        lines.insert(rng.randint(0, len(lines)), leak)
        planted[place] = "\n".join(lines)
    return planted
