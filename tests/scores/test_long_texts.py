"""Texts that are not kept whole where nobody wants them whole: the run is the same one, and small."""

import json
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scores import read_run
from gate.scores.ids import digest, short_form
from gate.scores.model import Columns, Run, Wanted

LONG = st.integers(1, 4000).flatmap(
    lambda n: st.text(st.characters(), min_size=1, max_size=4).map(lambda text: text * n)
)
QUESTIONS = [
    "What is it?",
    "  padded \n" * 400,
    "two\r\nlines" * 300,
    "half \ud800 pair " * 200,
    "é" * 2001,
    "x" * 2000,
]


@given(LONG)
def test_a_text_and_its_short_form_have_one_digest(text: str) -> None:
    short = short_form(text)
    assert len(short) <= 2000
    assert short_form(short) == short
    assert digest(short) == digest(text)


def test_long_texts_that_differ_in_the_middle_alone_are_told_apart() -> None:
    one, other = ("a" * 3000 + middle + "b" * 3000 for middle in "xy")
    assert short_form(one) != short_form(other)
    assert digest(one) != digest(other)


def as_csv(rows: Sequence[Mapping[str, object]]) -> str:
    cells: list[list[object]] = [list(rows[0]), *(list(row.values()) for row in rows)]
    return "".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in cells).replace("\ud800", "?")


def as_jsonl(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(f"{json.dumps(row)}\n" for row in rows)


def as_lm_eval(rows: Sequence[Mapping[str, object]]) -> str:
    return as_jsonl(
        [
            {"doc_id": at, "doc": {"question": row["question"]}, "target": row["answer"], "exact_match": row["score"]}
            | {
                "filter": "none",
                "metrics": ["exact_match"],
                "arguments": [[row["question"], {}]],
                "resps": [["1"]],
                "filtered_resps": ["1"],
            }
            for at, row in enumerate(rows)
        ]
    )


def told(run: Run) -> object:
    metrics = {name: column.values.tolist() for name, column in run.metrics.items()}
    return run.ids, run.content_digests, run.prompt_digests, run.groups, run.notes, run.id_fields, metrics


@pytest.mark.parametrize(
    "write_as", [as_csv, as_jsonl, json.dumps, as_lm_eval], ids=["csv", "jsonl", "json", "lm_eval"]
)
@pytest.mark.parametrize("id_columns", [None, ("question", "answer")])
def test_a_run_is_the_same_whether_its_texts_are_wanted_whole_or_not(
    write_as: Callable[..., str], id_columns: tuple[str, ...] | None, tmp_path: Path
) -> None:
    rows = [
        {"question": text, "answer": text[::-1], "group": text, "score": at % 2} for at, text in enumerate(QUESTIONS)
    ]
    path = tmp_path / "scores"
    path.write_text(write_as(rows), encoding="utf-8", newline="")
    columns = Columns() if write_as is as_lm_eval else Columns(id=id_columns, group="group")
    whole, short = (read_run(path, Wanted(columns, whole_texts=wanted)) for wanted in (True, False))
    assert told(whole) == told(short)
    assert whole.inputs is not None
    assert short.inputs is not None
    assert list(map(short_form, whole.inputs)) == list(short.inputs)
    assert max(map(len, whole.inputs)) > 2000 >= max(map(len, short.inputs))


@pytest.mark.parametrize("write_as", [as_csv, as_jsonl, json.dumps, as_lm_eval])
def test_expected_answers_are_kept_where_they_are_wanted_alone(write_as: Callable[..., str], tmp_path: Path) -> None:
    rows = [{"question": f"question {at}", "answer": f"answer {at} " * 900, "score": at} for at in (0, 1)]
    path = tmp_path / "scores"
    path.write_text(write_as(rows), encoding="utf-8")
    columns = Columns() if write_as is as_lm_eval else Columns(target="answer")
    kept, dropped = (read_run(path, Wanted(columns, targets=wanted)) for wanted in (True, False))
    assert kept.targets == tuple(row["answer"] for row in rows)
    assert dropped.targets is None
    assert told(kept) == told(dropped)


@pytest.mark.parametrize("write_as", [as_jsonl, as_lm_eval])
def test_long_prompts_are_let_go_while_the_file_is_read(write_as: Callable[..., str], tmp_path: Path) -> None:
    rows = [{"question": f"{at} " * 40_000, "answer": "x", "score": at % 2} for at in range(200)]
    path = tmp_path / "scores"
    path.write_text(write_as(rows), encoding="utf-8")
    assert path.stat().st_size > 20_000_000
    tracemalloc.start()
    read_run(path, Wanted(whole_texts=False))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000
