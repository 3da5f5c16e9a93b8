"""What other tests hold logs and outputs against reads them as the runner does."""

import pytest

from tests.runner import obey, read_outputs


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
def test_a_command_is_found_where_the_runner_would_find_it(line: str) -> None:
    assert len(obey(f"before\n{line}\nafter\n")) == 1


@pytest.mark.parametrize(
    "line", ["id ::error::x", "::error", "::no-such-command::x", "##[error", "first\x0b::error::x"]
)
def test_other_text_is_no_command(line: str) -> None:
    assert obey(f"{line}\n") == []


def test_nothing_between_stop_commands_and_its_token_is_a_command() -> None:
    log = "::stop-commands::t0ken\n::error::a\n::stop-commands::other\n::other::\n::t0ken::\n::notice title=b::c\n"
    assert [tuple(command) for command in obey(log)] == [("notice", {"title": "b"}, "c")]


def test_outputs_are_read_in_both_forms_and_the_later_one_counts() -> None:
    assert read_outputs("a=1=2\nb<<END\nx\n\ny=z\nEND\na<<E\n3\nE\n") == {"a": "3", "b": "x\n\ny=z"}


@pytest.mark.parametrize("text", ["verdict\n", "=x\n", "<<END\nEND\n", "a<<END\nx\n", "a<<\n\n"])
def test_a_wrong_output_file_is_refused(text: str) -> None:
    with pytest.raises(AssertionError):
        read_outputs(text)
