"""Test runs that DeepEval wrote, against truths.json."""

import pytest

from gate.scores import read_run
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT, truth_of

pytestmark = REAL_FILES


NAMES = [
    "0975bb2b_temp_test_run_data.json",
    "4a87983d_temp_test_run_data.json",
    "cfbc9c32_latest_test_run.json",
    "cfbc9c32_temp_test_run_data.json",
]


@pytest.mark.parametrize("name", NAMES)
def test_each_metric_has_its_known_score_or_none(name: str) -> None:
    truth, run = truth_of(f"deepeval/{name}"), read_run(ROOT / "deepeval" / name)
    assert (run.source.format, run.n_items) == ("deepeval", truth["items"])
    told = describe(run).metrics
    assert set(told) == {*truth["metrics"], "success"}
    for metric, (score, _, _, error) in truth["metrics"].items():
        if score == "ABSENT":
            assert (told[metric].scored, bool(error)) == (0, True)
            assert set(told[metric].missing_by_status) == {"timeout"}
        else:
            assert told[metric].mean == pytest.approx(score, abs=1e-12)
