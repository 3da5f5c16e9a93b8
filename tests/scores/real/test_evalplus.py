"""A real result of EvalPlus 0.2, against figures computed from it by other means (truths.json)."""

import json

import pytest

from gate.scores import read_run
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT

NAME = "evalplus/v0.2_all-timeout_eval_results.json"

pytestmark = REAL_FILES


def test_samples_that_all_timed_out_are_samples_that_failed() -> None:
    truth, run = json.loads((ROOT / "truths.json").read_text())[NAME], read_run(ROOT / NAME)
    told = describe(run)
    assert (run.source.format, run.n_items, run.n_samples) == ("evalplus", truth["items"], truth["samples"])
    assert list(run.ids[: len(truth["order_head"])]) == truth["order_head"]
    assert told.metrics["base"].missing == told.metrics["plus"].missing == 0
    assert told.metrics["base"].mean == pytest.approx(truth["base_pass1"], abs=1e-12)
    assert told.metrics["plus"].mean == pytest.approx(truth["plus_pass1"], abs=1e-12)
