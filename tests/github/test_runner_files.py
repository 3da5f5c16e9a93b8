"""The runner's files: what we append is read as it was meant, whatever it says and whatever stands there."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ExitCode, WriteError
from gate.github.runner_files import OUTPUT, SUMMARY, RunnerFile, set_outputs

Read = Callable[[str], Mapping[str, str]]


@pytest.fixture
def file(tmp_path: Path) -> RunnerFile:
    return RunnerFile(OUTPUT, tmp_path / "set_output")


def content(file: RunnerFile) -> str:
    assert file.path is not None
    return file.path.read_text(encoding="utf-8")


@pytest.mark.parametrize("environ", [{}, {OUTPUT: ""}])
def test_a_file_that_the_environment_does_not_name_takes_everything_and_says_nothing(environ: dict[str, str]) -> None:
    file = RunnerFile.named_by(OUTPUT, environ)
    file.append("text")
    set_outputs(file, {"verdict": "PASS"})
    assert file.size() == 0


def test_a_file_is_the_one_that_the_environment_names(tmp_path: Path) -> None:
    assert RunnerFile.named_by(SUMMARY, {SUMMARY: str(tmp_path / "s")}) == RunnerFile(SUMMARY, tmp_path / "s")


def test_text_is_appended_to_what_stands_there(file: RunnerFile) -> None:
    file.append("one\n")
    file.append("two\n")
    assert content(file) == "one\ntwo\n"


def test_text_begins_on_a_new_line(file: RunnerFile) -> None:
    file.append("theirs")
    file.append("ours\n")
    assert content(file) == "theirs\nours\n"


def test_size_counts_bytes(file: RunnerFile) -> None:
    assert file.size() == 0
    file.append("🟢\n")
    assert file.size() == 5


def test_text_that_utf_8_cannot_hold_is_written_visibly(file: RunnerFile) -> None:
    file.append("a\ud800\n")
    assert content(file) == "a\\ud800\n"


@pytest.mark.parametrize("variable", [OUTPUT, SUMMARY])
@pytest.mark.parametrize("path", ["folder", "nowhere/file", "file/inside"])
def test_a_file_that_cannot_be_written_is_an_error_that_names_its_variable(
    variable: str, path: str, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    with pytest.raises(WriteError, match=f"the file {variable} names cannot be written: ") as caught:
        RunnerFile(variable, tmp_path / path).append("text")
    assert caught.value.exit_code is ExitCode.USAGE
    assert "run the container as the runner does" in caught.value.remedy


def test_an_output_stands_between_two_delimiters(file: RunnerFile) -> None:
    set_outputs(file, {"verdict": "PASS", "reason": "two\nlines"}, draw=iter(["d1", "d2"]).__next__)
    assert content(file) == "verdict<<d1\nPASS\nd1\nreason<<d2\ntwo\nlines\nd2\n"


def test_a_delimiter_that_stands_in_the_value_is_drawn_again(file: RunnerFile, outputs_in: Read) -> None:
    draws = iter(["guessed", "inside", "fresh"])
    value = "a\nguessed\nverdict<<x\nPASS\nx\nan inside job"
    set_outputs(file, {"reason": value}, draw=draws.__next__)
    assert outputs_in(content(file)) == {"reason": value}
    assert content(file).startswith("reason<<fresh\n")


def test_a_later_value_of_a_name_counts(file: RunnerFile, outputs_in: Read) -> None:
    set_outputs(file, {"verdict": "ERROR"})
    set_outputs(file, {"verdict": "PASS"})
    assert outputs_in(content(file)) == {"verdict": "PASS"}


def test_an_output_is_read_even_after_a_line_that_another_has_left_open(file: RunnerFile) -> None:
    file.append("left=open")
    set_outputs(file, {"verdict": "PASS"}, draw=lambda: "d")
    assert content(file) == "left=open\nverdict<<d\nPASS\nd\n"


@given(values=st.lists(st.text(st.characters(codec="utf-8")), max_size=4))
def test_any_value_is_read_as_it_was_set(
    values: Sequence[str], outputs_in: Read, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = RunnerFile(OUTPUT, tmp_path_factory.mktemp("outputs") / "file")
    given = {f"output-{row}": value for row, value in enumerate(values)}
    set_outputs(file, given)
    assert file.path is not None
    assert outputs_in(file.path.read_bytes().decode()) == given


def test_two_delimiters_are_never_the_same(file: RunnerFile) -> None:
    set_outputs(file, {"a": "", "b": ""})
    delimiters = [line.split("<<")[1] for line in content(file).splitlines() if "<<" in line]
    assert len(set(delimiters)) == 2
    assert all(len(delimiter) >= 32 for delimiter in delimiters)
