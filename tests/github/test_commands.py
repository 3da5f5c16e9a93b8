"""Workflow commands: the runner obeys ours as they were meant, and none in the text that we quote."""

import io
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.github.commands import Annotation, Level, annotate, escape_data, escape_property, quote
from gate.reports.escape import visible

Obey = Callable[[str], Sequence[Any]]


def written(annotation: Annotation) -> str:
    stream = io.StringIO()
    annotate(stream, annotation)
    return stream.getvalue()


def quoted(text: str) -> str:
    stream = io.StringIO()
    quote(stream, text)
    return stream.getvalue()


def test_an_annotation_is_one_line() -> None:
    annotation = Annotation(Level.WARNING, "gate: drift warned", "one\ntwo", "conf/gate.yml", 4)
    assert written(annotation) == "::warning file=conf/gate.yml,line=4,title=gate%3A drift warned::one%0Atwo\n"


def test_an_annotation_without_a_place_has_none() -> None:
    assert written(Annotation(Level.NOTICE, "t", "m")) == "::notice title=t::m\n"


def test_a_line_without_a_file_is_left_out() -> None:
    assert written(Annotation(Level.NOTICE, "t", "m", None, 4)) == "::notice title=t::m\n"


@pytest.mark.parametrize("file", ["a\x1b[31m.csv", "a\u202e.csv", "a\n.csv"])
def test_a_file_whose_name_does_not_print_is_left_out_with_its_line(file: str) -> None:
    assert written(Annotation(Level.ERROR, "t", "m", file, 4)) == "::error title=t::m\n"


@pytest.mark.parametrize("level", Level)
def test_a_level_is_the_name_of_its_command(level: Level, obeyed: Obey) -> None:
    (command,) = obeyed(written(Annotation(level, "t", "m")))
    assert command.name == level


@given(title=st.text(min_size=1), message=st.text(), file=st.text(min_size=1))
def test_what_an_annotation_says_arrives_as_it_was_meant(obeyed: Obey, title: str, message: str, file: str) -> None:
    (command,) = obeyed(written(Annotation(Level.ERROR, f"t{title}", message, f"f{file}x", 7)))
    assert command.name == "error"
    assert command.properties["title"].rstrip() == f"t{visible(title)}".rstrip()
    assert command.message == "\n".join(map(visible, message.split("\n")))
    if file.isprintable():
        assert (command.properties["file"], command.properties["line"]) == (f"f{file}x", "7")
    else:
        assert command.properties.keys() == {"title"}


@pytest.mark.parametrize(
    ("text", "data", "value"),
    [
        ("50 %", "50 %25", "50 %25"),
        ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a:b,c", "a:b,c", "a%3Ab%2Cc"),
        ("%0A", "%250A", "%250A"),
        ("%25", "%2525", "%2525"),
        ("::error::x", "::error::x", "%3A%3Aerror%3A%3Ax"),
    ],
)
def test_what_means_something_in_a_command_is_escaped(text: str, data: str, value: str) -> None:
    assert escape_data(text) == data
    assert escape_property(text) == value


def test_quoted_text_stands_between_stop_and_resume(obeyed: Obey) -> None:
    stream = io.StringIO()
    quote(stream, "one\ntwo\n", draw=lambda: "token")
    assert stream.getvalue() == "::stop-commands::token\none\ntwo\n::token::\n"
    assert obeyed(stream.getvalue()) == []


@given(text=st.text())
def test_no_command_in_quoted_text_is_obeyed_and_later_ones_are(obeyed: Obey, text: str) -> None:
    assert [command.name for command in obeyed(quoted(text) + "::notice::after\n")] == ["notice"]


def test_hostile_lines_are_harmless_even_to_a_runner_that_does_not_stop(
    hostile: Sequence[str], obeyed_unstopped: Obey
) -> None:
    log = quoted("\n".join(hostile))
    assert obeyed_unstopped(log) == []
    assert "\x1b" not in log


def test_the_same_lines_would_be_obeyed_unquoted(hostile: Sequence[str], obeyed_unstopped: Obey) -> None:
    assert len(obeyed_unstopped("\n".join(hostile))) >= 10


def test_the_token_that_resumes_is_one_that_the_text_does_not_know(obeyed: Obey) -> None:
    tokens = iter(["guessed", "known too", "fresh"])
    stream = io.StringIO()
    quote(stream, "::guessed::\n::known too::\n::error::x", draw=lambda: next(tokens))
    assert stream.getvalue().startswith("::stop-commands::fresh\n")
    assert obeyed(stream.getvalue()) == []


def test_two_quotes_have_two_tokens() -> None:
    assert quoted("x").splitlines()[0] != quoted("x").splitlines()[0]


def test_a_quote_is_written_in_one_piece() -> None:
    class Counting(io.StringIO):
        writes = 0

        def write(self, text: str) -> int:
            Counting.writes += 1
            return super().write(text)

    quote(Counting(), "one\ntwo")
    assert Counting.writes == 1
