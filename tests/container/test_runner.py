"""The harness reads a log and an output file as the runner does; these tests need no Docker."""

from collections.abc import Callable
from typing import Any

import pytest

CommandsIn = Callable[[str], list[Any]]
OutputsIn = Callable[[str], dict[str, str]]


@pytest.mark.parametrize(
    "line",
    [
        "::error::x",
        "  ::error::x",
        "::ERROR file=a,line=1::x",
        "##[error]x",
        "id ##[error]x",
        "first\r::error::x",
        "first\r\n::error::x",
        "::endgroup::",
    ],
)
def test_a_command_is_found_where_the_runner_would_find_it(line: str, commands_in: CommandsIn) -> None:
    assert len(commands_in(f"before\n{line}\nafter\n")) == 1


@pytest.mark.parametrize(
    "line", ["id ::error::x", "::error", "::no-such-command::x", "##[error", "first\x0b::error::x"]
)
def test_other_text_is_no_command(line: str, commands_in: CommandsIn) -> None:
    assert commands_in(f"{line}\n") == []


def test_nothing_between_stop_commands_and_its_token_is_a_command(commands_in: CommandsIn) -> None:
    log = "::stop-commands::t0ken\n::error::a\n::stop-commands::other\n::other::\n::t0ken::\n::notice title=b::c\n"
    assert [tuple(command) for command in commands_in(log)] == [("notice", "title=b", "c")]


def test_outputs_are_read_in_both_forms_and_the_later_one_counts(outputs_in: OutputsIn) -> None:
    assert outputs_in("a=1=2\nb<<END\nx\n\ny=z\nEND\na<<E\n3\nE\n") == {"a": "3", "b": "x\n\ny=z"}


@pytest.mark.parametrize("text", ["verdict\n", "=x\n", "a<<END\nx\n"])
def test_a_wrong_output_file_is_refused(text: str, outputs_in: OutputsIn) -> None:
    with pytest.raises((AssertionError, StopIteration)):
        outputs_in(text)
