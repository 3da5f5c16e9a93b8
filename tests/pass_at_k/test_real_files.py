"""pass@k of other people's result files."""

import pytest

from gate.pass_at_k import Question
from gate.pass_at_k.curve import draw_curve
from tests.real_files import REAL_FILES, ROOT, truth_of

pytestmark = REAL_FILES


@pytest.mark.parametrize("name", ["davinci-002_3x163_results.jsonl", "davinci-002_3x164_results.jsonl"])
def test_the_figures_of_real_human_eval_files_are_the_independent_ones(name: str) -> None:
    truth = truth_of(f"human-eval/{name}")
    curve = draw_curve(Question(file=str(ROOT / "human-eval" / name)))
    assert curve.tasks == truth["items"]
    for row in curve.rows:
        assert row.pass_at_k == pytest.approx(truth[f"pass@{row.k}"], abs=1e-12)
