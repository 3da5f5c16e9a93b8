"""JSON that a log may show."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.json_text import dump


@given(text=st.text() | st.lists(st.sampled_from(["#", "##[", "[error]", "\x7f", "::error::", "\\", '"'])).map("".join))
def test_what_was_written_is_read_back_and_nothing_in_it_is_obeyed(text: str) -> None:
    told = dump({text: [text, 1, None]}, indent=1)
    assert json.loads(told) == {text: [text, 1, None]}
    assert "##[" not in told
    assert all(char == "\n" or " " <= char <= "~" for char in told)
    assert not any(line.lstrip().startswith("::") for line in told.split("\n"))


def test_without_indent_it_is_one_line_without_spaces() -> None:
    assert dump({"a": [1, 2], "b": None}) == '{"a":[1,2],"b":null}'


def test_a_number_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        dump(float("nan"))
