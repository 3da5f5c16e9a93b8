"""Battles that Arena-Hard published, against truths.json."""

import pytest

from gate.scores import read_run
from gate.scores.model import Wanted
from tests.real_files import REAL_FILES, ROOT, truth_of

pytestmark = REAL_FILES


NAME = "arena/arena_hard_battles_57a9881.jsonl"


def test_all_pairs_together_have_the_known_score() -> None:
    truth, run = truth_of(NAME), read_run(ROOT / NAME, Wanted(variant="all"))
    column = run.metrics["win"]
    assert (run.n_samples, len(set(run.strata or ()))) == (truth["rows"], len(truth["models"]) - 1)
    assert {
        word: int((column.values == score).sum()) for word, score in (("model_a", 0), ("model_b", 1), ("tie", 0.5))
    } == (truth["winners"])
    assert column.values.mean() == pytest.approx(truth["mean_score_model_b"], abs=1e-12)
