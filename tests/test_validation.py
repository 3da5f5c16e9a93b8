import pytest
from pydantic import TypeAdapter, ValidationError

from gate.validation import Problem, first_problem


def problem_of(value: object) -> Problem:
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(dict[str, list[int]]).validate_python(value)
    return first_problem(caught.value)


def test_the_first_problem_is_told_with_its_place_and_without_the_value() -> None:
    problem = problem_of({"a": [1, "secret", "secret too"]})
    assert problem.part == "a.1"
    assert problem.told.startswith("input should be a valid integer")
    assert "secret" not in str(problem)


def test_a_file_that_is_wrong_as_a_whole_has_no_place_within() -> None:
    assert problem_of(7) == Problem("dict_type", "input should be a valid dictionary", None)
