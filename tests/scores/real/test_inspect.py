"""Logs that Inspect wrote, against truths.json and against figures computed here from the samples alone."""

import json
from typing import Any

import numpy as np
import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import ItemStatus, Wanted
from tests.real_files import REAL_FILES, ROOT

pytestmark = REAL_FILES

SCORED = [
    "2025-02-11T15-18-04-05-00_popularity_mj7khqpMM4GBCfVQozKgzB.eval",
    "2025-05-12T20-28-13-04-00_popularity.json",
    "arc_qwen.json",
    "arc_sonnet.json",
    "log_formats.eval",
    "log_formats.json",
    "log_streaming.eval",
]


@pytest.fixture(scope="module")
def truths() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "truths.json").read_text())
    return found


@pytest.mark.parametrize("name", SCORED)
def test_logs_have_the_known_counts_and_means(truths: dict[str, Any], name: str) -> None:
    truth = truths[f"inspect_ai/{name}"]
    run = read_run(ROOT / "inspect_ai" / name, Wanted(unfinished=truth["status"] != "success"))
    assert (run.source.format, run.n_samples, run.n_items) == ("inspect", truth["samples"], truth["ids"])
    assert (run.facts["task"], run.facts["model"]) == (truth["task"], truth["model"])
    found = {
        metric: {"items": run.n_items, "mean": pytest.approx(run.item_scores(metric).values.mean(), abs=1e-12)}
        for metric in run.metrics
    }
    assert found == truth["scored"]


def test_both_containers_of_one_run_pair_in_full() -> None:
    whole, packed = (read_run(ROOT / "inspect_ai" / f"log_formats.{kind}") for kind in ("json", "eval"))
    assert whole.ids == packed.ids
    assert whole.content_digests == packed.content_digests


def test_two_models_on_one_task_pair_on_what_both_were_asked() -> None:
    qwen, sonnet = (read_run(ROOT / "inspect_ai" / f"arc_{name}.json") for name in ("qwen", "sonnet"))
    assert qwen.content_digests is not None
    assert sonnet.content_digests is not None
    assert dict(zip(qwen.ids, qwen.content_digests, strict=True)).items() <= set(
        zip(sonnet.ids, sonnet.content_digests, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval", "no sample has a score"),
        ("2025-05-12T20-28-13-04-00_no-samples.json", 'its status is "cancelled"'),
        ("2025-05-12T20-28-13-04-00_popularity.json", 'its status is "cancelled"'),
        ("log_tool_call_error.json", "no sample has a score"),
        ("made_0.3.285/all_samples_errored.eval", "each of 12 samples ended with an error"),
        ("made_0.3.285/demo_nan.json", "not a finite number"),
        ("made_0.3.285/demo_zstd.eval", "not a finite number"),
    ],
)
def test_logs_without_usable_scores_are_refused(name: str, what: str) -> None:
    with pytest.raises(ScoreFileError, match=what):
        read_run(ROOT / "inspect_ai" / name)


@pytest.mark.parametrize("name", ["demo_nan.json", "demo_zstd.eval"])
def test_a_log_with_errors_epochs_and_a_dictionary_has_the_tools_own_means(name: str) -> None:
    run = read_run(ROOT / "inspect_ai" / "made_0.3.285" / name, Wanted(metrics=("includes", "multi.*")))
    assert (run.n_items, run.n_samples) == (6, 12)
    values = {metric: run.item_scores(metric).values for metric in run.metrics}
    means = {metric: float(np.nanmean(found)) for metric, found in values.items()}
    assert means == pytest.approx({"includes": 0.6, "multi.len": 33.0, "multi.ok": 1.0, "multi.letter": 1.0}, abs=1e-12)
    assert run.metrics["includes"].status.tolist().count(ItemStatus.ERROR) == 2


def test_a_data_set_without_ids_gets_the_tools_numbers() -> None:
    run = read_run(ROOT / "inspect_ai" / "made_0.3.285" / "noid.json")
    assert (run.ids, run.metrics["match"].values.tolist()) == (("1", "2"), [1.0, 0.0])
