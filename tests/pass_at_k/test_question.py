import pytest

from gate.errors import UsageError
from gate.pass_at_k import Question


@pytest.mark.parametrize(
    ("k", "numbers"),
    [(None, ()), ("5", (5,)), ("1:5", (1, 2, 3, 4, 5)), ("10,1, 5", (1, 5, 10)), ("1:2,2:3", (1, 2, 3))],
)
def test_k_is_a_number_several_or_a_range(k: str | None, numbers: tuple[int, ...]) -> None:
    assert Question(n=5, c=1, k=k).numbers() == numbers


@pytest.mark.parametrize("k", ["", "0", "-1", "5:1", "a", "1:", "1.5", "1,,2", "1:1000001", "1000001", "٣"])
def test_any_other_k_is_refused(k: str) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        Question(n=5, c=1, k=k).numbers()


@pytest.mark.parametrize(
    ("asked", "flag"),
    [
        ({"n": 0, "c": 0}, "--n 0"), ({"n": 5, "c": 6}, "--c 6"), ({"n": 5, "c": -1}, "--c -1"),
        ({"rate": 1.1}, "--rate"),
        ({"rate": float("nan")}, "--rate"), ({"plan": True, "rate": 0.5, "k": "5", "half_width": 0.0}, "--half-width"),
        ({"plan": True, "rate": 0.5, "k": "5", "half_width": 0.1, "rho": 1.5}, "--rho"),
        ({"plan": True, "rate": 0.5, "k": "5", "half_width": 0.1, "tasks": 1}, "--tasks"),
    ],
)  # fmt: skip
def test_a_value_out_of_its_range_is_named(asked: dict[str, object], flag: str) -> None:
    with pytest.raises(UsageError, match=f"^{flag}.* is out of range"):
        Question(**asked).require_sound()  # type: ignore[arg-type]  # one of many fields


@pytest.mark.parametrize(
    ("asked", "what"),
    [
        ({}, "there is nothing to reckon with"),
        ({"n": 5, "c": 1, "rate": 0.5}, "a file, --rate and --n are three ways to ask"),
        ({"file": "a", "n": 5}, "a file, --rate and --n are three ways to ask"),
        ({"n": 5}, "--c is missing"),
        ({"rate": 0.5, "explain": True}, "--explain has no meaning here"),
        ({"rate": 0.5, "half_width": 0.5}, "--half-width has no meaning here"),
        ({"n": 5, "c": 1, "metric": "passed"}, "--metric has no meaning here"),
        ({"plan": True, "n": 5}, "--n has no meaning here"),
        ({"plan": True, "k": "5", "half_width": 0.1}, "a plan needs to know how often samples pass"),
        ({"plan": True, "file": "a", "rate": 0.1, "k": "5", "half_width": 0.1}, "a plan needs to know how often"),
        ({"plan": True, "file": "a", "rho": 0.1, "k": "5", "half_width": 0.1}, "--rho and a file are both given"),
        ({"plan": True, "rate": 0.1, "k": "5"}, "a plan is for one k and one half-width"),
        ({"plan": True, "rate": 0.1, "k": "1:5", "half_width": 0.1}, "a plan is for one k and one half-width"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(asked: dict[str, object], what: str) -> None:
    with pytest.raises(UsageError) as caught:
        Question(**asked).require_sound()  # type: ignore[arg-type]  # one of many fields
    assert caught.value.what.startswith(what)
    assert caught.value.remedy


@pytest.mark.parametrize("k", ["1:2000", "1:1001", "1:1000,2000", "1:600,5000:5600"])
def test_more_figures_than_anyone_reads_are_refused_as_that(k: str) -> None:
    with pytest.raises(UsageError, match="asks for over 1000 figures"):
        Question(n=5, c=1, k=k).numbers()
    assert len(Question(n=5, c=1, k="1:1000").numbers()) == 1000
