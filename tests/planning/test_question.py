import pytest

from gate.errors import UsageError
from gate.planning import Question


@pytest.mark.parametrize(
    "asked",
    [
        {"p": 0.0}, {"p": 1.5}, {"p": -0.1}, {"p": float("nan")}, {"sd": 0.0}, {"sd": float("inf")}, {"rho": 1.0},
        {"rho": -1.1}, {"n": 1}, {"n": 10**9 + 1}, {"bar": float("inf")}, {"margin": 0.0}, {"drop": -0.1},
        {"drop": float("nan")}, {"power": 0.0}, {"power": 1.0},
    ],
    ids=str,
)  # fmt: skip
def test_a_value_out_of_its_range_is_named_with_its_remedy(asked: dict[str, float]) -> None:
    with pytest.raises(UsageError) as caught:
        Question(**{"p": 0.8, **asked}).require_sound()  # type: ignore[arg-type]  # one of many fields
    ((name, value),) = asked.items()
    assert caught.value.what == f"--{name} {value!r} is out of range"
    assert caught.value.remedy.startswith("give ")


@pytest.mark.parametrize(
    "asked",
    [{"p": 1.0}, {"rho": -1.0}, {"rho": 0.99}, {"n": 2}, {"n": 10**9}, {"power": 0.1}, {"power": 0.999}],
    ids=str,
)
def test_the_ends_of_the_ranges_are_sound(asked: dict[str, float]) -> None:
    Question(**{"p": 0.8, **asked}).require_sound()  # type: ignore[arg-type]  # one of many fields


@pytest.mark.parametrize(
    ("question", "what"),
    [
        (Question(), "there is nothing to plan from"),
        (Question(n=100, rho=0.2), "there is nothing to plan from"),
        (Question(pilots=("a", "b", "c")), "there are more than two pilot files"),
        (Question(pilots=("a",), p=0.8), "--p and a pilot file are both given, and the file has its own"),
        (Question(pilots=("a",), sd=0.8), "--sd and a pilot file are both given, and the file has its own"),
        (
            Question(pilots=("a", "b"), rho=0.5),
            "--rho and two pilot files are both given, and the files have their own",
        ),
        (Question(p=0.8, metric="score"), "--metric is meant for pilot files, and there is none"),
        (Question(p=0.8, reduce="best"), "--reduce is meant for pilot files, and there is none"),
        (Question(p=0.8, format="csv"), "--format is meant for pilot files, and there is none"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_does_not_fit_together_is_told(question: Question, what: str) -> None:
    with pytest.raises(UsageError) as caught:
        question.require_sound()
    assert caught.value.what == what


@pytest.mark.parametrize(
    "question", [Question(sd=3.0), Question(pilots=("a",), rho=0.2), Question(pilots=("a", "b"), metric="x")]
)
def test_enough_to_plan_from_is_enough(question: Question) -> None:
    question.require_sound()
