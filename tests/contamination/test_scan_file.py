"""The file of a scan: the same scan the same bytes, read back whole, refused where it is something else."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gate.contamination import Allowed, Item, Mode, Scan, cover, read_scan, render_scan, scan, write_scan
from gate.contamination.scan_file import schema
from gate.errors import CorpusError

ITEMS = [
    Item("E1", "What is the capital of France", "Paris, the capital of France"),
    Item("E4", "What is the boiling point of water"),
    Item("short", "Who\ud800?"),
    Item("zh", "法国的首都是哪里呢"),
]


@pytest.fixture
def found(tmp_path: Path) -> Scan:
    (tmp_path / "c.jsonl").write_text(
        '{"id": "d1", "text": "what is the capital of france"}\n"法国的首都是哪里呢"\n"\\ud800 \\u202e who\\ud800?"\n'
    )
    allowed = (Allowed("Which of these is true?", "a template"),)
    return scan(ITEMS, "c.jsonl", base=tmp_path, sizes=(3, 5), mode=Mode.NORMALISED, allowed=allowed)


def test_what_was_written_is_read_back_whole(found: Scan, tmp_path: Path) -> None:
    write_scan(tmp_path / "scan.json", found)
    assert read_scan(tmp_path / "scan.json") == found


def test_a_scan_may_be_compressed(found: Scan, tmp_path: Path) -> None:
    (tmp_path / "scan.json.gz").write_bytes(gzip.compress(render_scan(found).encode()))
    assert read_scan(tmp_path / "scan.json.gz") == found


def test_a_scan_without_items_is_a_scan(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    found = scan([], "a.txt", base=tmp_path)
    write_scan(tmp_path / "scan.json", found)
    assert read_scan(tmp_path / "scan.json") == found


def test_a_scan_satisfies_its_schema(found: Scan) -> None:
    Draft202012Validator.check_schema(schema())
    assert list(Draft202012Validator(schema()).iter_errors(json.loads(render_scan(found)))) == []


def test_a_scan_is_ascii_with_one_item_a_line(found: Scan) -> None:
    text = render_scan(found)
    assert text.isascii()
    lines = [line for line in text.splitlines() if line.startswith('{"id"')]
    assert [json.loads(line.rstrip(","))["id"] for line in lines] == [item.id for item in ITEMS]


def _changed(change: Callable[[dict[str, Any]], object]) -> Callable[[str], str]:
    def apply(text: str) -> str:
        data = json.loads(text)
        change(data)
        return json.dumps(data)

    return apply


BROKEN = {
    "empty": lambda _: "",
    "no JSON": lambda text: text[:-10],
    "nested too deeply": lambda _: "[" * 100_000,
    "a list": lambda _: "[]",
    "a report": lambda _: '{"schema_version": "1", "verdict": {}}',
    "another version": _changed(lambda data: data.update(schema_version=2)),
    "an item without figures": _changed(lambda data: data["items"][0].pop("question")),
    "figures of another size": _changed(lambda data: data["items"][0]["question"]["sizes"].pop()),
    "a share over one": _changed(lambda data: data["items"][0]["question"]["sizes"][0].update(overlap=1.5)),
    "a share that is no number": _changed(
        lambda data: data["items"][0]["question"]["sizes"][0].update(best_document_overlap=float("nan"))
    ),
    "an answer without figures": _changed(lambda data: data["items"][0]["answer"].update(sizes=[])),
    "an unknown mode": _changed(lambda data: data.update(mode="loose")),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_what_is_no_scan_is_an_error_with_its_place(fault: str, found: Scan, tmp_path: Path) -> None:
    path = tmp_path / "scan.json"
    path.write_text(BROKEN[fault](render_scan(found)))
    with pytest.raises(CorpusError) as caught:
        read_scan(path)
    assert caught.value.where is not None
    assert caught.value.where.path == str(path)
    assert "gate scan" in caught.value.remedy


def test_a_scan_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CorpusError):
        read_scan(tmp_path / "nowhere.json")


def test_items_are_known_by_their_words_not_by_their_ids(found: Scan) -> None:
    covered = cover(found, [Item("other", "What is the\ncapital of France"), Item("E4", "What is it?")])
    assert [(item.id, item.overlap) for item in covered.scan.items] == [("other", 1.0)]
    assert covered.unknown == ("E4",)


def test_items_of_the_scan_that_are_not_asked_for_are_left_out(found: Scan) -> None:
    covered = cover(found, [ITEMS[1]])
    assert [item.id for item in covered.scan.items] == ["E4"]
    assert covered.unknown == ()
