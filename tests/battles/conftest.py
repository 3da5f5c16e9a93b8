"""Files of battles written on the spot, and what reading and ranking them gives or raises."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gate.battles import BattleLog, Ranking, rank_models, read_battles
from gate.errors import ScoreFileError


def battle_of(a: str, b: str, winner: object, **others: object) -> dict[str, object]:
    return {"model_a": a, "model_b": b, "winner": winner, **others}


@pytest.fixture(scope="session")
def battle() -> Callable[..., dict[str, object]]:
    """A row of an arena's table."""
    return battle_of


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Writes rows as JSON Lines, or a content as it is, into a file whose name says nothing; returns its path."""

    def write_file(content: Sequence[dict[str, object]] | str | bytes, name: str = "battles") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, str | bytes):
            content = "".join(json.dumps(row) + "\n" for row in content)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write_file


@pytest.fixture
def read(write: Callable[..., str]) -> Callable[..., BattleLog]:
    """The log of a file with this content."""
    return lambda content, **options: read_battles([write(content)], **options)


@pytest.fixture
def refused(read: Callable[..., BattleLog]) -> Callable[..., ScoreFileError]:
    """The error of reading a file with this content."""

    def refused_content(content: Any, **options: Any) -> ScoreFileError:
        with pytest.raises(ScoreFileError) as caught:
            read(content, **options)
        return caught.value

    return refused_content


@pytest.fixture
def rank(read: Callable[..., BattleLog]) -> Callable[..., Ranking]:
    """The ranking of a file with this content."""
    return lambda content, **options: rank_models(read(content), rng=np.random.default_rng(0), **options)


@pytest.fixture(scope="session")
def told() -> Callable[[BattleLog], list[tuple[str, str, float]]]:
    """The battles of a log, with names."""

    def named(log: BattleLog) -> list[tuple[str, str, float]]:
        columns = zip(log.battles.first.tolist(), log.battles.second.tolist(), log.battles.outcomes, strict=True)
        return [(log.models[first], log.models[second], float(outcome)) for first, second, outcome in columns]

    return named
