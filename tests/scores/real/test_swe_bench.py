"""Reports of a real pair of SWE-bench runs, against figures computed from them by other means (truths.json)."""

import json
from typing import Any

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Columns, Wanted
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT

NAMES = [f"claude-haiku-4-5-20251001.validation-{which}-eval.json" for which in ("baseline", "polydev")]

pytestmark = REAL_FILES


@pytest.fixture(scope="module")
def truths() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "truths.json").read_text())
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_report_has_the_known_rate_of_the_submitted(truths: dict[str, Any], name: str) -> None:
    truth, run = truths[f"swe-bench/{name}"], read_run(ROOT / "swe-bench" / name)
    told = describe(run).metrics["resolved"]
    assert (run.source.format, run.n_items, told.missing) == ("swe_bench", truth["submitted"], 0)
    assert told.mean == pytest.approx(truth["rate_of_submitted"], abs=1e-12)
    assert run.notes[0].startswith(f"left out: {truth['incomplete']} instances of the data set")
    assert sum("ended in an error" in note for note in run.notes) == (truth["error"] > 0)


def test_two_reports_pair_completely() -> None:
    baseline, candidate = (read_run(ROOT / "swe-bench" / name) for name in NAMES)
    assert set(baseline.ids) == set(candidate.ids)


def test_an_agents_log_of_runs_is_read_with_a_column_mapping(truths: dict[str, Any]) -> None:
    path, truth = ROOT / "swe-bench" / "metrics_baseline.jsonl", truths["swe-bench/metrics_baseline.jsonl"]
    with pytest.raises(ScoreFileError) as caught:
        read_run(path, Wanted(Columns(id=("instance_id",), score="success")))
    assert all(f'"{instance}"' in caught.value.what for instance in truth["dup_ids"])
    run = read_run(path, Wanted(Columns(id=("instance_id",), score="success", sample="timestamp")))
    assert (run.n_items, run.n_samples) == (truth["items"], truth["rows"])
    # `success` tells only that the agent ended
    assert run.metrics["success"].values.sum() == truth["success_true"]
