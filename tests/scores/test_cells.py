import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import ScoreFileError
from gate.scores.cells import ABSENT, Fault, Percent, holds_scores, parse_cell
from gate.scores.model import ItemStatus, Run, Scale

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        ("0.5", 0.5),
        (" 1 ", 1.0),
        ("+1", 1.0),
        (".5", 0.5),
        ("1e-3", 0.001),
        (0.25, 0.25),
        (3, 3.0),
        (True, 1.0),
        (False, 0.0),
        ("True", 1.0),
        ("FALSE", 0.0),
        ("yes", 1.0),
        ("no", 0.0),
        ("Pass", 1.0),
        ("fail", 0.0),
        ("passed", 1.0),
        ("failed", 0.0),
        ("correct", 1.0),
        ("incorrect", 0.0),
        (10**100, 1e100),
    ],
)
def test_numbers_and_the_words_of_the_closed_list_are_scores(cell: object, score: float) -> None:
    assert parse_cell(cell) == score


@pytest.mark.parametrize("cell", ["", "  ", "NaN", "nan", "null", "None", "N/A", "na", None, math.nan, ABSENT])
def test_an_empty_cell_is_unscored(cell: object) -> None:
    assert parse_cell(cell) is ItemStatus.UNSCORED


@pytest.mark.parametrize(
    ("cell", "status"),
    [
        ("error", ItemStatus.ERROR),
        ("Errored", ItemStatus.ERROR),
        ("timeout", ItemStatus.TIMEOUT),
        ("timed out", ItemStatus.TIMEOUT),
        ("skipped", ItemStatus.SKIPPED),
        ("not submitted", ItemStatus.NOT_SUBMITTED),
        ("unscored", ItemStatus.UNSCORED),
    ],
)
def test_a_status_word_stands_in_a_scores_place(cell: str, status: ItemStatus) -> None:
    assert parse_cell(cell) is status


@pytest.mark.parametrize(
    ("cell", "fault"),
    [
        ("great", Fault.TEXT),
        ("1_000", Fault.TEXT),
        ("٣", Fault.TEXT),
        ("0x1", Fault.TEXT),
        ("1,234.5", Fault.TEXT),
        ("y", Fault.TEXT),
        ("1" * 201, Fault.TEXT),
        ("inf", Fault.INFINITE),
        ("-Infinity", Fault.INFINITE),
        (math.inf, Fault.INFINITE),
        ("1e400", Fault.TOO_LARGE),
        ("1e101", Fault.TOO_LARGE),
        (-1e200, Fault.TOO_LARGE),
        (10**400, Fault.TOO_LARGE),
        ("0,85", Fault.DECIMAL_COMMA),
        ("-1,5%", Fault.DECIMAL_COMMA),
        ({"value": 1}, Fault.NESTED),
        ([1], Fault.NESTED),
    ],
)
def test_anything_else_is_a_fault_of_its_own_kind(cell: object, fault: Fault) -> None:
    assert parse_cell(cell) is fault


@pytest.mark.parametrize(("cell", "figure"), [("85%", 85.0), ("85.5 %", 85.5), ("-3%", -3.0), ("-0%", 0.0)])
def test_a_percent_cell_keeps_the_figure_before_its_sign(cell: str, figure: float) -> None:
    assert parse_cell(cell) == Percent(figure)


@pytest.mark.parametrize("cell", ["-0.0", -0.0, "-0%"])
def test_minus_zero_becomes_zero(cell: object) -> None:
    parsed = parse_cell(cell)
    value = parsed.value if isinstance(parsed, Percent) else parsed
    assert math.copysign(1.0, float(value)) == 1.0  # type: ignore[arg-type]


@given(st.floats(-1e100, 1e100))
def test_every_float_in_range_is_read_as_itself_from_text_and_from_json(score: float) -> None:
    assert parse_cell(repr(score)) == score
    assert parse_cell(score) == score


@given(st.text(max_size=300))
def test_no_text_makes_reading_a_cell_fail(text: str) -> None:
    assert isinstance(parse_cell(text), float | ItemStatus | Percent | Fault)


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "0", "great"], True),
        (["1", "great"], True),
        (["1", "great", "bad"], False),
        (["1", "", "", "great"], True),
        (["", "", ""], False),
        (["error", "timeout"], False),
        (["0,5", "0,7"], True),
        ([{"value": 1}], False),
        (["85%"], True),
    ],
)
def test_a_column_holds_scores_where_half_of_its_filled_cells_are_meant_as_such(
    cells: list[object], expected: bool
) -> None:
    assert holds_scores([parse_cell(cell) for cell in cells]) is expected


def test_a_percent_column_has_the_scale_0_to_100(read: Read) -> None:
    column = read("id,score\na,85%\nb,\nc,12.5%\n").metrics["score"]
    assert column.scale == Scale(0.0, 100.0)
    assert column.values[[0, 2]].tolist() == [85.0, 12.5]


def test_a_percent_column_that_leaves_0_to_100_has_no_scale(read: Read) -> None:
    assert read("id,score\na,85%\nb,-3%\n").metrics["score"].scale is None


def test_a_plain_column_has_no_scale(read: Read) -> None:
    assert read("id,score\na,0.5\n").metrics["score"].scale is None


def test_percents_and_plain_numbers_in_one_column_are_an_error_naming_both_lines(refused: Refused) -> None:
    fault = refused("id,score\na,85%\nb,0.9\n")
    assert str(fault.where).endswith('line 3, column "score"')
    assert fault.what == 'the column mixes percents and plain numbers: "0.9" here, "85%" on line 2'


@pytest.mark.parametrize(
    ("cell", "what", "remedy"),
    [
        ("great", '"great" is not a score', "leave the cell empty"),
        ("Infinity", '"Infinity" is not a finite number', "finite"),
        ("1e400", '"1e400" is too large for a score', "within 1e100"),
        ('"0,85"', '"0,85" has a comma where a number has its point', "0.85"),
    ],
)
def test_a_bad_cell_is_an_error_with_its_line_its_column_and_a_remedy(
    refused: Refused, cell: str, what: str, remedy: str
) -> None:
    fault = refused(f"id,score\na,1\nb,{cell}\n")
    assert fault.what == what
    assert str(fault.where).endswith('line 3, column "score"')
    assert remedy in fault.remedy


def test_a_bad_cell_is_quoted_without_its_control_characters_and_cut(refused: Refused) -> None:
    fault = refused(f"id,score\na,\x1b[31m{'x' * 100}\nb,1\n")
    assert fault.what.startswith('"\\x1b[31mxxx')
    assert "…" in fault.what
    assert len(fault.what) < 100


@pytest.mark.parametrize("cell", ['{"value": 1}', "[0.5]"])
def test_a_nested_score_is_an_error_that_says_how_to_write_it(refused: Refused, cell: str) -> None:
    fault = refused(f'{{"id": 1, "score": {cell}}}\n{{"id": 2, "score": {cell}}}\n')
    assert "is an object or a list, not one score" in fault.what
    assert fault.where is not None
    assert fault.where.line == 1
    assert '"score": 0.5' in fault.remedy


def test_a_number_with_thousands_of_digits_is_an_error(refused: Refused) -> None:
    fault = refused('{"id": 1, "score": 1}\n{"id": 2, "score": ' + "9" * 5000 + "}\n")
    assert fault.what == "the line holds a number with thousands of digits"
    assert fault.where is not None
    assert fault.where.line == 2


def test_a_huge_whole_number_is_an_error_and_no_overflow(refused: Refused) -> None:
    fault = refused('{"id": 1, "score": 1}\n{"id": 2, "score": ' + "9" * 400 + "}\n")
    assert "is too large for a score" in fault.what
