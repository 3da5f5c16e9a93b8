"""The file of a history: appended to and nothing else, by one at a time."""

import json
import multiprocessing
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gate.errors import GitError, RecordError, WriteError
from gate.history import file as history_file
from gate.history.file import append_run, read_history, render_run
from gate.results.record import RunRecord
from tests.conftest import Sandbox

Line = Callable[..., RunRecord]
Write = Callable[[Sequence[RunRecord]], str]


def test_what_is_added_is_read_back(line: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "new" / "history.jsonl")
    runs = (line(0.8), line(0.79, commit="abcdef1", promoted=False, psi=0.01, low=None))
    assert [append_run(path, run) for run in runs] == [True, True]
    assert read_history(path) == runs


def test_adding_leaves_the_lines_before_it_as_they_are(line: Line, write_history: Write) -> None:
    path = Path(write_history([line(0.8)]))
    before = path.read_bytes()
    append_run(str(path), line(0.7))
    assert path.read_bytes().startswith(before)


def test_an_empty_file_has_no_run_yet(write_history: Write) -> None:
    assert read_history(write_history([])) == ()


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"there is no such file\n  remedy: .*begins as an empty file"):
        read_history(str(tmp_path / "nowhere.jsonl"))


@pytest.mark.parametrize("again", [{"promoted": True}, {"promoted": False}], ids=str)
def test_the_same_run_is_not_added_twice(again: dict[str, bool], line: Line, write_history: Write) -> None:
    path = write_history([line(promoted=True)])
    assert not append_run(path, line(**again))
    assert len(read_history(path)) == 1


@pytest.mark.parametrize("change", [{"promoted": True}, {"commit": "abcdef1"}, {"report": "another"}])
def test_what_is_news_is_added(change: dict[str, object], line: Line, write_history: Write) -> None:
    run = line(promoted=False)
    path = write_history([run])
    assert append_run(path, replace(run, **change))  # type: ignore[arg-type]  # the tests name the fields


def test_a_file_that_is_too_large_is_refused_before_it_is_read_whole(
    line: Line, write_history: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, sizes, parsed = write_history([line(0.8), line(0.7)]), [], history_file._parsed

    def measured(raw: bytes, path: str) -> tuple[RunRecord, ...]:
        sizes.append(len(raw))
        return parsed(raw, path)

    monkeypatch.setattr(history_file, "_parsed", measured)
    monkeypatch.setattr(history_file, "_MOST_BYTES", 10)
    for read in (lambda: read_history(path), lambda: append_run(path, line(0.6))):
        with pytest.raises(RecordError, match="the history is over 0 MB") as caught:
            read()
        assert caught.value.remedy == "begin a new one"
    assert sizes == [11, 11]


def test_the_day_alone_makes_no_other_run(line: Line, write_history: Write) -> None:
    path = write_history([line()])
    assert not append_run(path, replace(line(), date=line().date.replace(day=9)))


def damaged(text: str, *, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('{"schema', "schema", "it is no JSON"),
        ('"schema_version":1', '"schema_version":2', "no line of schema version 1"),
        ('"mean":0.8', '"mean":"0.8"', "valid number"),
        ('"mean":0.8', '"mean":NaN', "not finite"),
        ('"mean":0.8', '"mean":1e999', "not finite"),
        ('"mean":0.8,', "", "field required"),
        ('"commit":""', '"commit":"::error::"', "its commit is none"),
        ('"direction":"higher"', '"direction":"up"', "a direction is neither"),
        ('"verdict":"PASS"', '"verdict":"FINE"', "input should be"),
    ],
)
def test_a_damaged_line_is_named_and_nothing_is_added(
    old: str, new: str, told: str, line: Line, write_history: Write
) -> None:
    path = Path(write_history([line(0.9), line(0.8)]))
    first, second = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text(first + damaged(second, old=old, new=new), encoding="utf-8")
    before = path.read_bytes()
    for act in (lambda: read_history(str(path)), lambda: append_run(str(path), line(0.7))):
        with pytest.raises(RecordError, match=told) as caught:
            act()
        assert caught.value.where is not None
        assert caught.value.where.line == 2
    assert path.read_bytes() == before


def test_a_last_line_that_is_cut_short_is_damage(line: Line, write_history: Write) -> None:
    path = Path(write_history([line(0.9)]))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(RecordError, match="cut short"):
        append_run(str(path), line(0.8))


def test_keys_that_a_later_version_adds_are_let_through(line: Line, write_history: Write) -> None:
    path = Path(write_history([line()]))
    path.write_text(damaged(path.read_text(encoding="utf-8"), old="{", new='{"later":1,'), encoding="utf-8")
    assert read_history(str(path)) == (line(),)


def test_names_of_any_kind_stay_on_one_line(line: Line, tmp_path: Path) -> None:
    hostile = "a\nb\u2028c\x1b[31m"
    run = replace(line(), suites={hostile: line().suites["scores"]})
    path = tmp_path / "history.jsonl"
    append_run(str(path), run)
    assert path.read_bytes().count(b"\n") == 1
    assert path.read_bytes().isascii()
    assert read_history(str(path)) == (run,)


@pytest.mark.parametrize("kind", ["link", "folder", "pipe"])
def test_only_a_regular_file_is_added_to(kind: str, line: Line, tmp_path: Path) -> None:
    path = tmp_path / "history.jsonl"
    match kind:
        case "link":
            path.symlink_to(tmp_path / "elsewhere")
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
    with pytest.raises((RecordError, WriteError)):
        append_run(str(path), line())
    assert not (tmp_path / "elsewhere").exists()


def test_a_write_that_comes_to_no_end_is_taken_back(
    line: Line, write_history: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(write_history([line(0.9)]))
    before = path.read_bytes()
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: write(handle, data[:10]))
    with pytest.raises(WriteError, match="the disk is full"):
        append_run(str(path), line(0.8))
    assert path.read_bytes() == before


def test_writers_at_the_same_time_lose_no_line_and_double_none(line: Line, tmp_path: Path) -> None:
    path = str(tmp_path / "history.jsonl")
    context = multiprocessing.get_context("fork")
    # each of four adds ten runs of its own, and the same ten as the others
    writers = [context.Process(target=_add, args=(path, line, own)) for own in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [writer.exitcode for writer in writers] == [0] * 4
    reports = [run.report for run in read_history(path)]
    assert len(reports) == len(set(reports)) == 50


def _add(path: str, line: Line, own: int) -> None:
    for index in range(10):
        append_run(path, line(report=f"shared {index}"))
        append_run(path, line(report=f"own {own} {index}"))


def test_a_line_satisfies_its_schema(line: Line) -> None:
    from jsonschema import Draft202012Validator  # noqa: PLC0415  # only this test needs it

    schema = history_file.schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert not list(validator.iter_errors(json.loads(render_run(line()))))
    assert list(validator.iter_errors({**json.loads(render_run(line())), "promoted": "yes"}))


def test_a_line_is_small(line: Line) -> None:
    assert len(render_run(line(psi=0.012345678901, delta=-0.012345678901, low=0.712345678901))) < 700


def test_a_history_in_git_is_read_as_the_commit_has_it(sandbox: Sandbox, line: Line) -> None:
    append_run("runs/history.jsonl", line(0.8))
    sandbox.commit()
    append_run("runs/history.jsonl", line(0.7))
    assert read_history("git:main:runs/history.jsonl") == (line(0.8),)
    with pytest.raises(GitError, match="there is no such file at"):
        read_history("git:main:runs/histroy.jsonl")


def test_a_damaged_line_of_a_history_in_git_is_told_by_its_spec(sandbox: Sandbox) -> None:
    sandbox.commit(**{"history.jsonl": "{}\n"})
    with pytest.raises(RecordError, match=r"^git:main:history\.jsonl, line 1"):
        read_history("git:main:history.jsonl")


def test_a_history_in_git_is_not_added_to(line: Line) -> None:
    with pytest.raises(WriteError, match="in git is read, not added to"):
        append_run("git:main:history.jsonl", line())
    assert not Path("git:main:history.jsonl").exists()
