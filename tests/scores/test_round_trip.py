"""Generated runs survive every plain format; damaged files give a run or a ScoreFileError and nothing else."""

import csv
import gzip
import io
import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run

ids = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=12)
scores = st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-1e100, 1e100)
runs = st.dictionaries(ids, scores, min_size=2, max_size=12).filter(lambda run: set(run.values()) != {None})
per_example = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def to_csv(run: dict[str, object]) -> str:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["id", "score"])
    writer.writerows([item, "" if score is None else score] for item, score in run.items())
    return buffer.getvalue()


def to_jsonl(run: dict[str, object]) -> str:
    return "".join(json.dumps({"id": item, "score": score}) + "\n" for item, score in run.items())


def to_array(run: dict[str, object]) -> str:
    return json.dumps([{"id": item, "score": score} for item, score in run.items()], ensure_ascii=False)


def to_map(run: dict[str, object]) -> str:
    return json.dumps(run, indent=1)


def read_or_refuse(read: Callable[[], object]) -> None:
    """Read, and let a ScoreFileError pass that tells what, where and the remedy; all else fails."""
    refused: ScoreFileError | None = None
    try:
        read()
    except ScoreFileError as fault:
        refused = fault
    assert refused is None or (refused.what and refused.where is not None and refused.remedy)


WRITERS = {"csv": to_csv, "jsonl": to_jsonl, "json": to_array, "map": to_map}


@per_example
@given(run=runs)
@pytest.mark.parametrize("name", list(WRITERS))
def test_a_written_run_is_read_as_it_was(tmp_path: Path, name: str, run: dict[str, object]) -> None:
    path = tmp_path / "x"
    path.write_bytes(WRITERS[name](run).encode())
    found = read_run(path, format="json" if name == "map" else name)
    assert found.ids == tuple(run)
    for value, score in zip(found.metrics["score"].values.tolist(), run.values(), strict=True):
        assert math.isnan(value) if score is None else value == score


LM_EVAL = json.dumps(
    {
        "doc_id": 0,
        "doc": {"question": "é"},
        "target": "x",
        "arguments": [["p"]],
        "resps": [],
        "filtered_resps": [],
        "acc": 1.0,
        "bleu": ["a", "b"],
    }
)
SOUND: dict[str, bytes] = {
    "csv": 'id,question,group,score\nq1,"a, ""b""",g,0.5\nq2,é,h,85\nq3,,g,error\n'.encode(),
    "percent": b"id,score\nq1,85%\nq2,0%\n",
    "jsonl": '{"id": 1, "question": "é", "score": 0.5}\n{"id": 2, "target": [1], "score": null}\n'.encode(),
    "json": b'[\n {"id": "q1", "score": true},\n {"id": "q2", "score": NaN, "meta": {"a": [1, 2]}}\n]',
    "map": b'{"q1": {"f1": 0.5}, "q2": {"f1": 1e3}}',
    "human_eval": b'{"task_id": "t/0", "result": "passed", "passed": true}\n' * 3,
    "lm_eval": f"[{LM_EVAL}]".encode(),
    "gzip": gzip.compress(b"id,score\nq1,1\nq2,0\n", mtime=0),
}


def damage(content: bytes, cut: int, flips: list[int]) -> bytes:
    damaged = bytearray(content[: len(content) - cut % len(content)])
    for flip in flips:
        damaged[flip // 8 % len(damaged)] ^= 1 << flip % 8
    return bytes(damaged)


@per_example
@given(cut=st.integers(0, 200), flips=st.lists(st.integers(0, 5000), max_size=4))
@pytest.mark.parametrize("name", list(SOUND))
def test_a_damaged_file_is_read_or_refused_and_nothing_else(
    tmp_path: Path, name: str, cut: int, flips: list[int]
) -> None:
    path = tmp_path / "x"
    path.write_bytes(damage(SOUND[name], cut, flips))
    readers: tuple[Callable[[Path], object], ...] = (read_run, read_items)
    for reader in readers:
        read_or_refuse(partial(reader, path))


@per_example
@given(
    content=st.binary(max_size=80) | st.text(max_size=80).map(str.encode),
    name=st.sampled_from(["csv", "json", "jsonl", "lm_eval", "human_eval"]),
)
def test_any_bytes_in_any_format_are_read_or_refused_and_nothing_else(
    tmp_path: Path, content: bytes, name: str
) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)
    read_or_refuse(partial(read_run, path, format=name))


def test_a_file_of_many_rows_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text("id,a,b,c,d\n" + "".join(f"q{row},0.5,1,0,0.25\n" for row in range(50_000)))
    run = read_run(path)
    assert (run.n_items, len(run.metrics)) == (50_000, 4)


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)
KEYS = st.sampled_from(
    [
        *("id", "score", "question", "target", "group", "sample", "prompt", "passed", "result", "task_id", "acc"),
        *("(key)", "doc_id", "doc", "arguments", "filtered_resps", "filter", "metrics", "doc_hash"),
    ]
)
RECORDS = st.dictionaries(KEYS, VALUES, max_size=9)


@per_example
@given(content=st.lists(RECORDS, max_size=4) | RECORDS | st.dictionaries(st.text(max_size=3), VALUES, max_size=4))
@pytest.mark.parametrize("name", [None, "json", "jsonl", "lm_eval", "human_eval"])
def test_records_of_any_shape_are_read_or_refused_and_nothing_else(
    tmp_path: Path, content: object, name: str | None
) -> None:
    path = tmp_path / "x"
    path.write_text(
        "\n".join(map(json.dumps, content)) if name == "jsonl" and isinstance(content, list) else json.dumps(content)
    )
    for read in (read_run, read_items):
        read_or_refuse(partial(read, path, format=name))
