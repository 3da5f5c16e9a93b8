import pytest

from gate.errors import UsageError
from gate.planning.demand import Demand, settle_demand
from gate.planning.design import Design, Origin, expected_design
from gate.planning.question import Question
from gate.scores.model import Direction, Scale

HUNDRED = Design(
    mean=70.0, sd=20.0, rho=0.5, rho_origin=Origin.MEASURED, sd_of_differences=20.0, pass_fail=False,
    scale=Scale(0.0, 100.0),
)  # fmt: skip


def settled(question: Question, design: Design | None = None) -> Demand:
    return settle_demand(question, expected_design(question) if design is None else design)


def note(demand: Demand, words: str) -> str:
    (found,) = [each for each in demand.notes if words in each]
    return found


# the drop


def test_a_drop_that_is_named_is_taken_without_a_word() -> None:
    demand = settled(Question(p=0.8, drop=0.02, margin=0.1))
    assert demand.drop == 0.02
    assert not any("no drop was named" in each for each in demand.notes)


@pytest.mark.parametrize(
    ("question", "design", "drop", "why"),
    [
        (Question(p=0.8), None, 0.05, "5 % of the scale"),
        (Question(), HUNDRED, 5.0, "5 % of the scale"),
        (Question(p=0.8, margin=0.02), None, 0.02, "it is the margin"),
        (Question(p=0.04), None, 0.02, "half of what the mean leaves room for"),
        (Question(p=0.1, margin=0.5), None, 0.05, "half of what the mean leaves room for"),
        (Question(sd=10.0), None, 2.0, "a fifth of the standard deviation, since the scale is not known"),
    ],
)
def test_where_no_drop_is_named_the_usual_one_is_taken_and_told(
    question: Question, design: Design | None, drop: float, why: str
) -> None:
    demand = settled(question, design)
    assert demand.drop == pytest.approx(drop)
    assert why in note(demand, "no drop was named")


def test_a_drop_of_all_that_there_is_is_possible() -> None:
    assert settled(Question(p=0.8, drop=0.8)).drop == 0.8


@pytest.mark.parametrize(
    ("question", "design", "remedy"),
    [
        (Question(p=0.8, drop=0.81), None, "give at most 0.8, in the unit of the scores"),
        (Question(drop=71.0), HUNDRED, "give at most 70.0, in the unit of the scores"),
    ],
)
def test_a_drop_beyond_the_scale_is_an_error(question: Question, design: Design | None, remedy: str) -> None:
    with pytest.raises(UsageError, match="is more than the mean leaves room for") as caught:
        settled(question, design)
    assert caught.value.remedy == remedy


def test_a_margin_as_wide_as_the_scale_is_an_error() -> None:
    with pytest.raises(UsageError, match=r"--margin 1\.0 is the whole scale or more"):
        settled(Question(p=0.8, margin=1.0))


# the bar


@pytest.mark.parametrize(("bar", "design"), [(0.0, None), (1.0, None), (1.5, None), (100.0, HUNDRED)])
def test_a_bar_beyond_the_scale_is_an_error(bar: float, design: Design | None) -> None:
    with pytest.raises(UsageError, match="does not lie between"):
        settled(Question(p=0.8, bar=bar), design)


def test_a_bar_needs_a_mean() -> None:
    with pytest.raises(UsageError, match="--bar needs the mean"):
        settled(Question(sd=3.0, bar=4.0))


def test_a_bar_over_the_mean_is_no_error() -> None:
    assert settled(Question(p=0.8, bar=0.9)).bar == 0.9


# the correlation


@pytest.mark.parametrize(
    ("question", "remedy"),
    [
        (Question(p=0.8, rho=0.95, drop=0.05), "give a correlation from -0.28 to 0.86"),
        (Question(p=0.8, rho=-0.3), "give a correlation from -0.25 to 0.99"),
    ],
)
def test_a_stated_correlation_that_the_pass_rates_rule_out_is_an_error(question: Question, remedy: str) -> None:
    with pytest.raises(UsageError, match="is not possible between pass rates") as caught:
        settled(question)
    assert caught.value.remedy == remedy


def test_a_correlation_that_is_possible_before_and_after_is_taken() -> None:
    assert settled(Question(p=0.8, rho=0.86, drop=0.05)).drop == 0.05


def test_the_correlation_of_scores_that_are_not_pass_or_fail_is_free() -> None:
    assert settled(Question(p=0.8, sd=0.2, rho=0.95, drop=0.5)).drop == 0.5


def test_an_assumed_correlation_that_is_not_possible_gives_way_and_is_told() -> None:
    told = note(settled(Question(p=0.99, drop=0.05)), "is possible")
    assert told == (
        "no correlation of 0.50 is possible where the pass rate falls from 0.990 to 0.940: the nearest possible one, "
        "0.398, is taken"
    )


def test_perfect_answers_have_no_correlation_to_speak_of() -> None:
    demand = settled(Question(p=1.0, rho=0.5, drop=0.1))
    assert not any("is possible" in each for each in demand.notes)


# what is told


def test_an_assumed_correlation_is_told() -> None:
    assert "--rho states it" in note(settled(Question(p=0.8)), "the correlation 0.50 is assumed")
    assert not any("assumed" in each for each in settled(Question(p=0.8, rho=0.5, drop=0.1)).notes)


def test_the_methods_are_told() -> None:
    assert note(settled(Question(p=0.8)), "exact McNemar test")
    assert note(settled(Question(p=0.8, margin=0.1)), "the margin is planned by the normal approximation")
    assert note(settled(Question(), HUNDRED), "all numbers are by the normal approximation")


def test_where_lower_is_better_a_drop_is_a_rise() -> None:
    design = Design(
        mean=0.2, sd=0.4, rho=0.5, rho_origin=Origin.GIVEN, sd_of_differences=0.4, pass_fail=True,
        direction=Direction.LOWER,
    )  # fmt: skip
    assert note(settled(Question(), design), "a drop is a rise of the score")


@pytest.mark.parametrize(("question", "design"), [(Question(p=0.8, drop=0.1), None), (Question(drop=5.0), HUNDRED)])
def test_it_is_told_that_the_plan_is_for_one_test_by_itself(question: Question, design: Design | None) -> None:
    told = note(settled(question, design), "one metric of one suite")
    assert told.startswith("each statement is one-sided at 2.5 %")
    assert "several share that error, and each then needs more items" in told
