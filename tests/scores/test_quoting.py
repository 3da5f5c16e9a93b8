import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.scores.quoting import did_you_mean, listing, quote, quoted_listing


@given(st.text(st.characters()))
def test_what_is_quoted_is_one_short_printable_line(text: str) -> None:
    quoted = quote(text)
    assert quoted.isprintable()
    assert quoted.startswith('"')
    assert quoted.endswith('"')
    assert len(quoted) <= 60 * 10 + 3


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        ("plain", '"plain"'),
        ("é ☃", '"é ☃"'),
        ("a\nb", '"a\\nb"'),
        ("\x1b[31m", '"\\x1b[31m"'),
        ("a\u202eb", '"a\\u202eb"'),
        ("\ud800", '"\\ud800"'),
        (0.5, '"0.5"'),
        ({"a": [1]}, "\"{'a': [1]}\""),
    ],
)
def test_a_value_is_quoted_with_all_that_could_act_escaped(value: object, quoted: str) -> None:
    assert quote(value) == quoted


def test_a_long_text_is_cut_with_a_sign() -> None:
    assert quote("x" * 61) == '"' + "x" * 60 + '…"'
    assert quote("x" * 60) == '"' + "x" * 60 + '"'


def test_a_listing_tells_ten_and_counts_the_rest() -> None:
    assert listing(["a", "b"]) == "a, b"
    assert listing([str(number) for number in range(12)]) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2 more"
    assert quoted_listing([]) == "none"


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("scroe", ["id", "score"], '; did you mean "score"?'),
        ("SCORE", ["id", "Score"], '; did you mean "Score"?'),
        ("zebra", ["id", "score"], ""),
        ("x", [], ""),
    ],
)
def test_the_nearest_known_name_is_offered_where_one_is_near(name: str, known: list[str], hint: str) -> None:
    assert did_you_mean(name, known) == hint
