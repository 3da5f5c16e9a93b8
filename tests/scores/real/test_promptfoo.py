"""Results that promptfoo wrote, against truths.json."""

import json
from typing import Any

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_run
from gate.scores.model import Wanted
from gate.scores.summary import describe
from tests.real_files import REAL_FILES, ROOT

pytestmark = REAL_FILES
TABLES = [
    "classification_results.csv",
    "classification_results_earlier-63f9d96.csv",
    "text_to_sql_results_2034210.csv",
    "text_to_sql_results_326eef3.csv",
    "text_to_sql_results_73c424d.csv",
]


def truth_of(name: str) -> Any:
    return json.loads((ROOT / "truths.json").read_text())[f"promptfoo/{name}"]


def variants_of(name: str) -> list[str]:
    """The variants of a file, in its own order."""
    run = read_run(ROOT / "promptfoo" / name, Wanted(variant="all"))
    return list(dict.fromkeys(run.strata or ()))


@pytest.mark.parametrize("level", ["retrieve_level_two", "retrieve_level_three", "retrieve_base"])
def test_each_provider_of_a_json_file_has_its_known_mean_and_pass_rate(level: str) -> None:
    name = "retrieval_results.json"
    truth = truth_of(name)["providers"][level]
    run = read_run(ROOT / "promptfoo" / name, Wanted(variant=f"*{level}*"))
    told = describe(run).metrics
    assert (run.source.format, run.n_items) == ("promptfoo", truth["items"])
    for metric, known in (("score", truth["mean_score"]), ("success", truth["pass_rate"])):
        mean = told[metric].mean
        assert mean is not None
        # promptfoo's own mean counts an error as 0; it adds nothing to the sum, and is no score here
        assert set(told[metric].missing_by_status) <= {"error"}
        assert mean * told[metric].scored == pytest.approx(known * truth["items"], abs=1e-12)


def test_providers_of_one_file_hold_the_same_items() -> None:
    levels = [
        read_run(ROOT / "promptfoo" / "retrieval_results.json", Wanted(variant=variant))
        for variant in variants_of("retrieval_results.json")
    ]
    assert [set(run.ids) == set(levels[0].ids) for run in levels] == [True] * 3


@pytest.mark.parametrize("name", TABLES)
def test_each_column_of_a_table_has_its_known_mean_and_counts(name: str) -> None:
    truth = list(truth_of(name)["cols"].values())
    variants = variants_of(name)
    assert len(variants) == len(truth)
    for variant, column in zip(variants, truth, strict=True):
        told = describe(read_run(ROOT / "promptfoo" / name, Wanted(variant=variant))).metrics
        score, success = told["score"], told["success"]
        assert score.mean is not None
        assert success.mean is not None
        # early versions call an error [FAIL] (0.00), too: it adds nothing to the sum, and is no score here
        assert score.scored + score.missing == column["parsed"]
        assert set(score.missing_by_status) <= {"error"}
        assert score.mean * score.scored == pytest.approx(column["mean_score"] * column["parsed"], abs=1e-12)
        assert success.mean * success.scored == pytest.approx(column["PASS"], abs=1e-12)


def test_only_the_one_error_of_the_early_table_is_left_out() -> None:
    runs = {name: read_run(ROOT / "promptfoo" / name, Wanted(variant="all")) for name in TABLES}
    missing = {name: describe(run).metrics["score"].missing for name, run in runs.items()}
    assert {name: count for name, count in missing.items() if count} == {
        "classification_results_earlier-63f9d96.csv": 1
    }


@pytest.mark.parametrize("name", [*TABLES, "retrieval_results.json"])
def test_several_prompts_and_providers_need_a_choice(name: str) -> None:
    with pytest.raises(ScoreFileError, match=r"the file holds \d+ variants"):
        read_run(ROOT / "promptfoo" / name)
