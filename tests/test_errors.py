import pytest

from gate.errors import (
    AlignmentError,
    ConfigError,
    CorpusError,
    ExitCode,
    GateError,
    GitError,
    Place,
    RecordError,
    ScoreFileError,
    UsageError,
    WriteError,
)

KINDS = {
    UsageError: "usage",
    ConfigError: "config",
    ScoreFileError: "score-file",
    AlignmentError: "alignment",
    CorpusError: "corpus",
    GitError: "git",
    RecordError: "record",
    WriteError: "write",
}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (Place("b.csv"), "b.csv"),
        (Place("b.csv", 4), "b.csv, line 4"),
        (Place("b.csv", part='column "score"'), 'b.csv, column "score"'),
        (Place("runs/b.csv", 4, 'column "score"'), 'runs/b.csv, line 4, column "score"'),
        (Place("b.csv", 0), "b.csv, line 0"),
        (Place("b.csv", part=""), "b.csv, "),
    ],
)
def test_a_place_is_told_as_a_person_would(place: Place, expected: str) -> None:
    assert str(place) == expected


def test_an_error_tells_place_fault_and_remedy() -> None:
    error = ScoreFileError("it is empty", where=Place("b.csv", 1), remedy="write it again")
    assert str(error) == "b.csv, line 1: it is empty\n  remedy: write it again"
    assert (error.what, error.where, error.remedy) == ("it is empty", Place("b.csv", 1), "write it again")


def test_an_excerpt_of_the_eval_is_no_part_of_the_message() -> None:
    error = ScoreFileError("an id is doubled", remedy="remove it", excerpt="What is a secret?")
    assert error.excerpt == "What is a secret?"
    assert "secret" not in str(error)
    assert UsageError("nothing to do", remedy="say what").excerpt == ""


def test_an_error_without_a_place_tells_fault_and_remedy() -> None:
    assert str(UsageError("nothing to do", remedy="say what")) == "nothing to do\n  remedy: say what"


@pytest.mark.parametrize("error", KINDS)
def test_every_kind_of_error_has_its_code_and_exits_2(error: type[GateError]) -> None:
    assert (error.kind, error.exit_code) == (KINDS[error], ExitCode.USAGE)


def test_no_kind_of_error_is_left_out_here() -> None:
    assert set(GateError.__subclasses__()) == set(KINDS)


def test_the_exit_codes_are_what_scripts_rely_on() -> None:
    assert {code.name: code.value for code in ExitCode} == {
        "OK": 0,
        "BLOCKED": 1,
        "USAGE": 2,
        "INTERNAL": 3,
        "INTERRUPTED": 130,
        "KILLED": 137,
        "TERMINATED": 143,
    }
