from typing import Any

import pytest

from gate.errors import UsageError
from gate.selfcheck.question import Question


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({"runs": 19}, "--runs 19 is out of range"),
        ({"runs": 100_001}, "--runs 100001 is out of range"),
        ({"rho": 1.0}, "--rho 1.0 is out of range"),
        ({"rho": -0.1}, "--rho -0.1 is out of range"),
        ({"rho": float("nan")}, "--rho nan is out of range"),
        ({"drop": 0.0}, "--drop 0.0 is out of range"),
        ({"drop": float("inf")}, "--drop inf is out of range"),
        ({"seed": -1}, "--seed -1 is out of range"),
        ({"seed": 2**63}, "is out of range"),
        ({"file": ""}, "FILE is empty"),
        ({"other": ""}, "OTHER is empty"),
        ({"config": ""}, "--config is empty"),
        ({"metrics": ("",)}, "--metric is empty"),
        ({"rho": 0.5, "other": "b.csv"}, "--rho and a second run are both given"),
        ({"suite": "s"}, "--suite names a suite of gate.yml, and there is none"),
    ],
)
def test_what_cannot_be_meant_is_an_error_with_a_remedy(asked: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what.replace(".", r"\.")) as caught:
        Question(**{"file": "a.csv", **asked}).require_sound()
    assert caught.value.remedy


@pytest.mark.parametrize("asked", [{}, {"rho": 0.0}, {"rho": 0.99, "runs": 20}, {"other": "b.csv", "seed": 7}])
def test_what_makes_sense_is_no_error(asked: dict[str, Any]) -> None:
    Question(**{"file": "a.csv", **asked}).require_sound()


def test_without_a_second_run_the_file_stands_for_both() -> None:
    assert (Question(file="a").flags.baseline, Question(file="a").flags.candidate) == ("a", "a")
    assert Question(file="a", other="b").flags.candidate == "b"
