import pytest

from gate.reports.answers import align_figures, fold, render_lines


def test_lines_of_an_answer_do_nothing_in_a_log() -> None:
    assert render_lines(["a", "::error::\x1b[31mb\nc"]) == "a\n\\x3a:error::\\x1b[31mb\\nc\n"


@pytest.mark.parametrize(
    ("label", "margin", "start"), [("note", 0, "note  "), ("note", 6, "note    "), ("advice", 6, "advice  ")]
)
def test_a_long_note_goes_on_below_its_own_beginning(label: str, margin: int, start: str) -> None:
    first, *others = fold("well-known " * 20, label, margin=margin)
    assert first.startswith(f"{start}well-known ")
    assert others
    assert {line[: len(start)] for line in others} == {" " * len(start)}
    assert max(map(len, [first, *others])) <= 80


def test_figures_stand_at_the_right_of_their_columns() -> None:
    assert align_figures([["n", "5", "10"], ["share", "0.1", "0.25"]]) == (" n  share", " 5    0.1", "10   0.25")
