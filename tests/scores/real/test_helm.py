"""A run that HELM wrote, against truths.json."""

import json
from typing import Any

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import ItemStatus, Wanted
from tests.real_files import REAL_FILES, ROOT

FOLDER = ROOT / "helm" / "mmlu_philosophy_gpt2"

pytestmark = REAL_FILES


@pytest.fixture(scope="module")
def truth() -> dict[str, Any]:
    found = json.loads((ROOT / "truths.json").read_text())["helm/mmlu_philosophy_gpt2/per_instance_stats.json"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("metric", ["exact_match", "quasi_exact_match"])
def test_a_run_has_the_known_means_over_all_and_helms_own_by_split(truth: dict[str, Any], metric: str) -> None:
    run = read_run(FOLDER / "per_instance_stats.json", Wanted(variant="all"))
    assert (run.source.format, run.n_items, len(run.metrics)) == ("helm", truth["rows"], truth["n_stat_names"])
    assert run.metrics[metric].values.mean() == pytest.approx(truth[metric]["mean"], abs=1e-12)
    means = [
        read_run(FOLDER / "per_instance_stats.json", Wanted(variant=split)).metrics[metric].values.mean()
        for split in ("test", "valid")
    ]
    assert means == pytest.approx(truth[metric]["tool"], abs=1e-12)


def test_statistics_over_nothing_are_unscored(truth: dict[str, Any]) -> None:
    run = read_run(FOLDER / "per_instance_stats.json", Wanted(variant="all"))
    unscored = sum(int((column.status == ItemStatus.UNSCORED).sum()) for column in run.metrics.values())
    assert unscored == truth["count0_stats"]


def test_the_texts_and_the_task_are_those_of_the_files_beside() -> None:
    run = read_run(FOLDER / "per_instance_stats.json", Wanted(variant="test"))
    assert run.facts == {"task": "mmlu:subject=philosophy,method=multiple_choice_joint", "model": "openai/gpt2"}
    assert run.inputs is not None
    assert all(question.endswith(("?", ".", ":")) or "___" in question for question in run.inputs)
    assert run.prompt_digests is not None
    assert len(set(run.prompt_digests)) == run.n_items


@pytest.mark.parametrize("name", ["stats.json", "run_spec.json", "scenario_state.json"])
def test_the_other_files_of_the_run_are_refused(name: str) -> None:
    with pytest.raises(ScoreFileError, match="one of HELM's other files"):
        read_run(FOLDER / name)
