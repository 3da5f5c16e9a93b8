"""Battles written on the spot, and the board of them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from gate.arena import Question, make_board
from gate.arena.board import Board

EXAMPLE = Path(__file__).parents[2] / "examples" / "arena" / "battles.csv"


@pytest.fixture(scope="session")
def bots() -> Path:
    """The battles of the published example, in the order of the win matrix read row by row."""
    return EXAMPLE


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes (model_a, model_b, winner) rows, with any further keys for all of them."""

    def write_rows(rows: Sequence[tuple[str, str, str]], **others: object) -> Path:
        path = tmp_path / "battles.jsonl"
        told = [{"model_a": a, "model_b": b, "winner": winner, **others} for a, b, winner in rows]
        path.write_text("".join(json.dumps(row) + "\n" for row in told))
        return path

    return write_rows


@pytest.fixture(scope="session")
def board_of() -> Callable[..., Board]:
    """The board of a file; few orders, where nothing else is asked for."""

    def make(path: Path, **asked: Any) -> Board:
        return make_board(Question(files=(str(path),), **{"n_orders": 20, **asked}))

    return make
