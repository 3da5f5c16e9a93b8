"""Judgments that FastChat wrote, against truths.json."""

import pytest

from gate.scores import read_run
from gate.scores.model import Wanted
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT, truth_of

pytestmark = REAL_FILES


def test_failed_judgments_are_left_out_of_the_mean() -> None:
    name = "mt-bench/granite-7b-lab_gpt-4_single.jsonl"
    truth = truth_of(name)
    told = describe(read_run(ROOT / name, Wanted(variant="all"))).metrics["score"]
    assert (told.scored + told.missing, told.missing_by_status) == (truth["rows"], {"error": truth["neg1"]})
    assert told.mean == pytest.approx(truth["mean_excl_neg1"], abs=1e-12)


@pytest.mark.parametrize("turn", ["1", "2"])
def test_each_turn_has_its_known_mean(turn: str) -> None:
    name = "mt-bench/granite-7b-lab_gpt-4_single.jsonl"
    told = describe(read_run(ROOT / name, Wanted(variant=f"turn {turn}")))
    assert told.items == truth_of(name)["questions"]
    assert told.metrics["score"].mean == pytest.approx(truth_of(name)["by_turn"][turn], abs=1e-12)


def test_judgments_without_turns_are_read_and_a_null_is_no_score() -> None:
    name = "mt-bench/gpt-4_single.jsonl"
    truth, told = truth_of(name), describe(read_run(ROOT / name))
    assert (told.items, told.facts["model"]) == (truth["items"], truth["models"][0])
    assert told.metrics["score"].missing_by_status == {"unscored": truth["null_scores"]}
    assert told.metrics["score"].mean == pytest.approx(truth["mean_excl_null"], abs=1e-12)
