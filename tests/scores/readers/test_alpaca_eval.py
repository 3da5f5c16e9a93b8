"""AlpacaEval's annotations."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import ItemStatus, Run, Scale
from gate.scores.summary import describe

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]
# written by alpaca_eval.evaluate of alpaca_eval 0.6.6, with an annotator that says what a list tells it to
WRITTEN = Path(__file__).parents[1] / "samples" / "alpaca_eval" / "alpaca_eval-0.6.6.json"


def annotation(instruction: object, preference: object, **others: object) -> dict[str, object]:
    row = {"instruction": instruction, "output_1": "no", "generator_1": "old", "output_2": "yes", "generator_2": "new",
           "annotator": "judge", "preference": preference}  # fmt: skip
    return {key: value for key, value in {**row, **others}.items() if value != "-"}


def as_json(*rows: object) -> str:
    return json.dumps(rows, indent=2)


def test_the_tool_s_own_file_gives_its_own_win_rate() -> None:
    # leaderboard.csv beside it: 2 wins, 1 win of the reference, 2 draws of 5, win_rate 60
    run = read_run(WRITTEN)
    told = describe(run).metrics["win"]
    assert (told.scored, told.missing_by_status) == (5, {"error": 1})
    assert told.mean == pytest.approx(0.6, abs=1e-12)
    assert run.metrics["win"].scale == Scale(0.0, 1.0)
    assert run.facts == {
        "judge": "made_up_judge",
        "task": "against old",
        "model": "new",
        "tool version": "alpaca_eval==0.6.6",
    }


def test_the_instructions_can_be_searched_for() -> None:
    assert read_items(WRITTEN)[0].text == "Made-up task one: say it"
    assert read_run(WRITTEN).inputs is not None


@pytest.mark.parametrize(
    ("preference", "score"), [(1, 0.0), (2.0, 1.0), (1.5, 0.5), (0, 0.5), (0.0, 0.5), (1.000013, 0.000013)]
)
def test_the_score_is_the_preference_less_one_and_an_old_draw_is_a_half(
    read: Read, preference: float, score: float
) -> None:
    assert read(as_json(annotation("a", preference))).metrics["win"].values.tolist() == pytest.approx([score])


def test_an_annotator_that_gave_no_preference_is_an_error_and_never_a_loss(read: Read) -> None:
    status = read(as_json(annotation("a", 2), annotation("b", None))).metrics["win"].status
    assert status.tolist() == [ItemStatus.SCORED, ItemStatus.ERROR]


@pytest.mark.parametrize("preference", [0.5, 3, -1, 2.0001, "2", True, "model", [2], {"a": 1}])
def test_any_other_preference_is_an_error_with_its_place(refused: Refused, preference: object) -> None:
    fault = refused(as_json(annotation("a", 1), annotation("b", preference)))
    assert fault.what.endswith("is not a preference from 1 to 2")
    assert 'key "preference"' in str(fault.where)


def test_models_and_annotators_are_variants(read: Read, refused: Refused) -> None:
    models = as_json(annotation("a", 1), annotation("a", 2, generator_2="newer"))
    assert refused(models).what == 'the file holds 2 variants: "new", "newer"'
    assert read(models, variant="newer").metrics["win"].values.tolist() == [1.0]
    assert '"other"' in refused(as_json(annotation("a", 1), annotation("a", 2, annotator="other"))).what


def test_an_instruction_that_stands_twice_is_one_item(read: Read) -> None:
    run = read(as_json(annotation("a", 1), annotation("b", 2), annotation("a", 2)))
    assert run.item_scores("win").values.tolist() == [0.5, 1.0]


def test_the_annotations_of_two_runs_in_one_file_are_refused(refused: Refused) -> None:
    twice = [annotation(name, 1) for name in ("a", "b", "a", "b")]
    fault = refused(as_json(*twice))
    assert fault.what.startswith("2 of 2 instructions stand several times")
    assert fault.where is not None
    assert fault.where.line is not None
    assert "keep the annotations of one run" in fault.remedy


def test_of_several_references_the_task_is_against_the_one_that_is_read(read: Read) -> None:
    both = as_json(annotation("a", 1, annotator="x"), annotation("a", 2, generator_1="older", annotator="y"))
    assert read(both, variant="older*").facts == {"judge": "y", "model": "new", "task": "against older"}


def test_the_annotator_s_cache_which_mixes_models_is_refused(refused: Refused) -> None:
    fault = refused(as_json(annotation("a", 1, generator_2="-", generator_1="-")))
    assert "names no model" in fault.what
    assert "--output_path" in fault.remedy


@pytest.mark.parametrize("instruction", [None, "", "-"])
def test_an_annotation_without_an_instruction_is_an_error(refused: Refused, instruction: object) -> None:
    fault = refused(as_json(annotation("a", 1), annotation(instruction, 1)))
    assert fault.what == "the row has no id"
