"""An index sent to another process is the same index there, or refused."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from gate.contamination import Item, Mode
from gate.contamination.probes import build_index
from gate.contamination.shipping import dump_index, parse_index
from gate.errors import CorpusError, Place

WHERE = Place("the eval")
INDEX = build_index(
    [Item("a", "Wo liegt die STRASSE? \ud800"), Item("b", "", None), Item("c", "日本語の質問", "答え")],
    (3, 5),
    Mode.NORMALISED,
    allowed=["wo liegt die"],
)


def test_it_is_the_same_index_afterwards() -> None:
    again = parse_index(dump_index(INDEX), WHERE)
    assert again.digest == INDEX.digest
    assert (again.items, again.sizes, again.mode, again.allowed) == (
        INDEX.items,
        INDEX.sizes,
        INDEX.mode,
        INDEX.allowed,
    )
    assert [[*search.numbers] for lane in again.lanes for search in lane.searches] == [
        [*search.numbers] for lane in INDEX.lanes for search in lane.searches
    ]
    assert dump_index(again).isascii()


def _spoiled(change: Callable[[dict[str, Any]], object]) -> bytes:
    content = json.loads(dump_index(INDEX))
    change(content)
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        _spoiled(lambda content: content.pop("items")),
        _spoiled(lambda content: content.update(items=[["a", 3, None]])),
        _spoiled(lambda content: content.update(items=[["a", "b", 5]])),
        _spoiled(lambda content: content.update(mode="other")),
        _spoiled(lambda content: content.update(sizes=[])),
        _spoiled(lambda content: content.update(sizes=[3, 0])),
        _spoiled(lambda content: content.update(sizes=[2**63])),
    ],
)
def test_what_is_no_index_is_refused(data: bytes) -> None:
    with pytest.raises(CorpusError) as fault:
        parse_index(data, WHERE)
    assert fault.value.where == WHERE


def test_an_index_that_comes_out_different_here_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = dump_index(INDEX)
    monkeypatch.setattr("gate.contamination.probes.UNICODE_VERSION", "1.0.0")
    with pytest.raises(CorpusError, match="not the same on this machine"):
        parse_index(data, WHERE)
