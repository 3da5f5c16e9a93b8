import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ScoreFileError
from gate.scores.ids import as_text, digest

parts = st.lists(st.none() | st.text(), max_size=4)


@given(parts, parts)
def test_digests_are_equal_only_where_all_parts_are(one: list[str | None], other: list[str | None]) -> None:
    plain = [[part and part.replace("\r\n", "\n") for part in each] for each in (one, other)]
    assert (digest(*one) == digest(*other)) is (plain[0] == plain[1])


def test_a_digest_is_known_and_stays_what_it_is() -> None:
    assert digest("Why?", None) == "727376d82c04e13735210e69919804d9"


@given(st.text(st.characters()))
def test_every_text_can_be_written_as_utf_8(text: str) -> None:
    assert (as_text(text) or "").encode() is not None


def test_a_cell_of_any_type_is_the_text_that_csv_would_hold() -> None:
    assert [as_text(cell) for cell in (1, 1.5, "1", True, None, "", {"b": 1, "a": [2]})] == [
        "1",
        "1.5",
        "1",
        "true",
        None,
        None,
        '{"a":[2],"b":1}',
    ]


def test_a_value_nested_too_deeply_is_an_error_and_no_crash() -> None:
    nested: list[object] = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(ScoreFileError, match="nested too deeply"):
        as_text(nested)
