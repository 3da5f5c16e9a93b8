import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gate.errors import AlignmentError, ScoreFileError, UsageError
from gate.planning.design import Design, Origin
from gate.planning.pilots import pilot_design
from gate.planning.question import Question
from gate.scores.model import Scale

WriteCsv = Callable[..., str]


@pytest.fixture
def design(write_csv: WriteCsv) -> Callable[..., Design]:
    """The design of pilots given as scores or columns, on items in the same order."""

    def measure(*pilots: object, **asked: float | str) -> Design:
        paths = tuple(write_csv(f"{name}.csv", pilot) for name, pilot in zip("ab", pilots, strict=False))
        return pilot_design(Question(pilots=paths, **asked))  # type: ignore[arg-type]  # one of many fields

    return measure


def test_one_pilot_of_pass_and_fail_gives_its_pass_rate(design: Callable[..., Design]) -> None:
    found = design([1, 1, 1, 0])
    assert (found.pass_fail, found.mean, found.n) == (True, 0.75, 4)
    assert (found.rho, found.rho_origin) == (0.5, Origin.ASSUMED)
    assert found.sd == pytest.approx(0.5)
    assert found.sd_of_differences == pytest.approx(0.5)


def test_one_pilot_takes_a_correlation_that_is_given(design: Callable[..., Design]) -> None:
    found = design([0.2, 0.4, 0.9], rho=0.0)
    assert (found.pass_fail, found.rho_origin) == (False, Origin.GIVEN)
    assert found.sd_of_differences == pytest.approx(np.std([0.2, 0.4, 0.9], ddof=1) * np.sqrt(2))


def test_two_pilots_measure_correlation_and_spread(design: Callable[..., Design]) -> None:
    rng = np.random.default_rng(2)
    ours = rng.random(50).round(3)
    theirs = (0.5 * ours + 0.5 * rng.random(50)).round(3)
    found = design(ours.tolist(), theirs.tolist())
    assert found.rho_origin is Origin.MEASURED
    assert found.rho == pytest.approx(np.corrcoef(ours, theirs)[0, 1])
    assert found.sd_of_differences == pytest.approx(np.std(theirs - ours, ddof=1))
    assert found.mean == pytest.approx(ours.mean())


def test_two_pilots_are_pass_fail_where_both_are(design: Callable[..., Design]) -> None:
    assert design([1, 1, 0, 0], [1, 0, 0, 1]).pass_fail
    assert not design([1, 1, 0, 0], [1, 0, 0, 0.5]).pass_fail


def test_the_correlation_with_a_perfect_run_is_none(design: Callable[..., Design]) -> None:
    assert design([1, 1, 1, 1], [1, 0, 1, 1]).rho == 0.0


def test_items_without_a_score_are_left_out_and_counted(design: Callable[..., Design]) -> None:
    found = design([1, 0, "", 1, 1], [1, 1, 0, "error", 0])
    assert found.n == 3
    assert "left out: 2 items without a score in both files" in found.notes
    assert "left out: 1 item without a score in it" in design([1, 0, "", 1]).notes


def test_items_of_one_pilot_only_are_left_out(write_csv: WriteCsv) -> None:
    first = write_csv("a.csv", {"id": ["x", "y", "z", "v"], "score": [1, 0, 1, 1]})
    second = write_csv("b.csv", {"id": ["w", "z", "y", "x"], "score": [0, 0, 1, 1]})
    found = pilot_design(Question(pilots=(first, second)))
    assert found.n == 3
    assert found.mean == pytest.approx(2 / 3)


def test_the_metric_that_is_asked_for_is_planned(design: Callable[..., Design]) -> None:
    columns = {"id": ["a", "b", "c"], "score": [1, 1, 0], "f1": [20, 40, 90]}
    found = design(columns, metric="f1")
    assert (found.metric, found.mean, found.scale) == ("f1", 50.0, None)


def test_scores_of_zero_and_one_hundred_are_planned_in_their_own_unit(design: Callable[..., Design]) -> None:
    found = design({"id": ["a", "b"], "score": ["0%", "100%"]})
    assert (found.pass_fail, found.scale, found.room) == (False, Scale(0.0, 100.0), 50.0)


# groups


def test_items_that_repeat_each_other_in_groups_have_their_design_effect(design: Callable[..., Design]) -> None:
    scores = [1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    found = design({"id": range(16), "group": [row // 4 for row in range(16)], "score": scores})
    # the four groups' means are the four items that the file really has
    variance = np.var([1, 0, 1, 1], ddof=1) / 4
    assert found.effect_on_mean == pytest.approx(variance / (np.var(scores, ddof=1) / 16))
    assert found.effect_on_differences == found.effect_on_mean
    assert any("4 groups with a design effect of" in note for note in found.notes)


def test_two_pilots_have_the_design_effect_of_their_differences(design: Callable[..., Design]) -> None:
    groups = [row // 2 for row in range(8)]
    ours = {"id": range(8), "group": groups, "score": [1, 0, 1, 0, 1, 0, 1, 0]}
    theirs = {"id": range(8), "group": groups, "score": [0, 0, 1, 0, 1, 1, 1, 0]}
    found = design(ours, theirs)
    assert found.effect_on_mean == 1.0
    # the differences are -1, 1 and six zeros; their four groups' sums -1, 0, 1, 0
    assert found.effect_on_differences == pytest.approx((4 * 2 / 3) / (8 * 2 / 7))


def test_groups_that_vary_less_than_chance_are_no_reason_for_fewer_items(design: Callable[..., Design]) -> None:
    found = design({"id": range(8), "group": [row // 2 for row in range(8)], "score": [0, 1] * 4})
    assert found.effect_on_mean == 1.0


def test_a_single_group_cannot_show_how_groups_vary(design: Callable[..., Design]) -> None:
    found = design({"id": range(4), "group": ["x"] * 4, "score": [0, 1, 1, 1]})
    assert found.effect_on_mean == 1.0
    assert any("all items are of one group" in note for note in found.notes)


# what cannot be planned from


@pytest.mark.parametrize(
    ("pilots", "what"),
    [
        ([[1]], "1 scored item cannot show how scores vary"),
        ([[0, 0, 0]], "every score is the worst possible one, so nothing can get worse"),
        ([[0, 0, 0], [1, 0, 0]], "every score is the worst possible one, so nothing can get worse"),
        ([[0.5, 0.5, 0.5]], "every score is the same, so the file shows no spread"),
        ([[1, 0, 1], [1, 0, 1]], "the two runs differ by the same on every item, so they show no spread"),
        ([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]], "the two runs differ by the same on every item, so they show no spread"),
    ],
)
def test_a_pilot_without_any_spread_is_an_error(
    pilots: list[list[float]], what: str, design: Callable[..., Design]
) -> None:
    with pytest.raises(ScoreFileError) as caught:
        design(*pilots)
    assert caught.value.what == what
    assert "--p" in caught.value.remedy


def test_perfect_answers_are_a_pilot(design: Callable[..., Design]) -> None:
    found = design([1, 1, 1])
    assert (found.room, found.sd_of_differences) == (1.0, 0.0)


def samples(*tasks: str) -> dict[str, list[object]]:
    """Columns of tasks whose samples pass, 1, or fail, 0."""
    return {
        "id": [f"t{row}" for row, one in enumerate(tasks) for _ in one],
        "sample": [number for one in tasks for number in range(len(one))],
        "passed": [int(score) for one in tasks for score in one],
    }


def test_a_pilot_is_planned_from_by_what_is_made_of_its_samples(design: Callable[..., Design]) -> None:
    found = design(samples("1000", "1100", "0000", "1111"), reduce="pass@2")
    each = [1 / 2, 1 - 1 / 6, 0, 1]
    assert found.mean == pytest.approx(np.mean(each))
    assert found.sd == pytest.approx(np.std(each, ddof=1))
    assert (found.metric, found.n, found.pass_fail) == ("passed pass@2", 4, False)
    assert any(note.startswith("passed pass@2: the chance that of 2 samples") for note in found.notes)
    assert design(samples("1000", "1100", "0000", "1111"), reduce="best").pass_fail


def test_pilots_of_another_number_of_samples_show_no_pass_at_k(design: Callable[..., Design]) -> None:
    with pytest.raises(AlignmentError, match="the baseline has up to 4 samples an item, the candidate up to 2"):
        design(samples("1000", "0100"), samples("10", "01"), reduce="pass@2")


def test_a_reducer_that_there_is_not_is_refused(design: Callable[..., Design]) -> None:
    with pytest.raises(UsageError, match="--reduce: there is no reducer 'pass@'"):
        design([1, 0, 1], reduce="pass@")


def test_a_pattern_of_two_metrics_plans_for_none(design: Callable[..., Design]) -> None:
    with pytest.raises(UsageError, match="--metric 'a\\*' fits 2 metrics"):
        design({"id": ["x", "y"], "a1": [1, 0], "a2": [0, 1]}, metric="a*")


def test_groups_are_told_apart_by_their_whole_names(tmp_path: Path) -> None:
    names = ("a", "a\0", "b", "b" * 10_000)
    rows = [{"id": str(row), "group": names[row % 4], "score": row % 3 // 2} for row in range(12)]
    (tmp_path / "a.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    found = pilot_design(Question(pilots=(str(tmp_path / "a.jsonl"),)))
    assert any("4 groups" in note for note in found.notes)
