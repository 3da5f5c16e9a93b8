"""Each format of battles, in small and as its tool wrote it, with its traps."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gate.battles import BattleLog, read_battles
from gate.errors import ScoreFileError
from gate.stats.battles import win_matrix

Battle = Callable[..., dict[str, object]]
Read = Callable[..., BattleLog]
Refused = Callable[..., ScoreFileError]
Told = Callable[[BattleLog], list[tuple[str, str, float]]]
SAMPLES = Path(__file__).parents[1] / "scores" / "samples"


def sample(name: str) -> BattleLog:
    return read_battles([str(SAMPLES / name)])


# tables of an arena


@pytest.mark.parametrize(
    ("winner", "outcome", "both_bad"),
    [
        ("model_a", 1.0, 0),
        ("model_b", 0.0, 0),
        ("tie", 0.5, 0),
        ("tie (inconsistent)", 0.5, 0),
        ("tie (bothbad)", 0.5, 1),
        ("bothbad", 0.5, 1),
        ("both_bad", 0.5, 1),
        ("x", 1.0, 0),
        ("y", 0.0, 0),
    ],
)
def test_a_winner_is_told_by_place_or_by_name(
    winner: str, outcome: float, both_bad: int, read: Read, battle: Battle, told: Told
) -> None:
    log = read([battle("x", "y", winner)])
    assert told(log) == [("x", "y", outcome)]
    assert log.n_both_bad == both_bad


@pytest.mark.parametrize(
    "winner", ["Model_A", "model_a ", "a", "z", "draw", "", None, 1, True, ["model_a"], {"model_a": 1}]
)
def test_an_unknown_winner_is_an_error_and_never_a_tie(winner: object, refused: Refused, battle: Battle) -> None:
    fault = refused([battle("x", "y", "tie"), battle("x", "y", winner)])
    assert fault.what.startswith("the winner is ")
    assert str(fault.where).endswith('line 2, column "winner"')
    assert "tie (bothbad)" in fault.remedy


@pytest.mark.parametrize(("a", "b", "winner"), [("model_b", "y", "model_b"), ("x", "model_a", "model_a")])
def test_a_winner_that_is_the_place_of_one_and_the_name_of_the_other_is_an_error(
    a: str, b: str, winner: str, refused: Refused, battle: Battle
) -> None:
    assert "the two disagree" in refused([battle(a, b, winner)]).what


def test_a_model_of_the_name_tie_cannot_win_by_name(refused: Refused, battle: Battle) -> None:
    assert "the two disagree" in refused([battle("tie", "y", "tie")]).what


def test_models_called_by_their_places_are_no_doubt(read: Read, battle: Battle, told: Told) -> None:
    assert told(read([battle("model_a", "model_b", "model_b")])) == [("model_a", "model_b", 0.0)]


@pytest.mark.parametrize("missing", ["model_a", "model_b"])
def test_a_battle_of_nobody_is_an_error(missing: str, refused: Refused, battle: Battle) -> None:
    fault = refused([battle("x", "y", "tie"), {**battle("x", "y", "tie"), missing: ""}])
    assert fault.what == "a battle needs two models"
    assert str(fault.where).endswith(f'line 2, column "{missing}"')


def test_a_battle_with_itself_is_an_error_with_its_line(refused: Refused, battle: Battle) -> None:
    fault = refused([battle("x", "y", "tie"), battle("x", "x", "model_a")])
    assert fault.what == 'the battle is one of "x" with itself'
    assert str(fault.where).endswith("line 2")


def test_weights_count_and_an_empty_one_is_one(read: Read, battle: Battle) -> None:
    log = read([battle("x", "y", "model_a", weight=weight) for weight in (2, "0.5", "", None)])
    assert log.battles.weights is not None
    assert log.battles.weights.tolist() == [2.0, 0.5, 1.0, 1.0]


def test_weights_of_one_are_none(read: Read, battle: Battle) -> None:
    assert read([battle("x", "y", "tie", weight=1), battle("x", "y", "tie", weight="1.0")]).battles.weights is None


@pytest.mark.parametrize("weight", [0, -1, "heavy", "nan", "inf", 1e308, 1e-300, True, [1]])
def test_a_weight_that_is_none_is_an_error(weight: object, refused: Refused, battle: Battle) -> None:
    fault = refused([battle("x", "y", "tie"), battle("x", "y", "tie", weight=weight)])
    assert fault.what.startswith("the weight is ")
    assert str(fault.where).endswith('line 2, column "weight"')


@pytest.mark.parametrize("name", ["question_id", "prompt_id", "prompt", "instruction"])
def test_a_prompt_goes_by_several_names(name: str, read: Read, battle: Battle) -> None:
    assert read([battle("x", "y", "tie", **{name: value}) for value in (7, "7", 8)]).n_prompts == 2


@pytest.mark.parametrize("judge", ["gpt", ["gpt", "pair-v2"]])
@pytest.mark.parametrize("name", ["judge", "annotator"])
def test_a_judge_is_a_name_or_fastchats_pair(name: str, judge: object, read: Read, battle: Battle) -> None:
    assert read([battle("x", "y", "tie", **{name: judge})]).judge_names == ("gpt",)


def test_what_arena_hard_wrote_is_read_row_by_row() -> None:
    # written by get_battles_from_row of Arena-Hard v0.1
    log = sample("arena/arena_hard_battles.jsonl")
    assert (len(log), log.n_prompts, log.models, log.source.format) == (14, 7, ("new-2", "old-1"), "arena")
    assert win_matrix(log.battles).tolist() == [[0.0, 7.5], [6.5, 0.0]]


# times


def test_battles_stand_in_the_order_of_their_times(read: Read, battle: Battle, told: Told) -> None:
    rows = [battle("x", "y", winner, tstamp=time) for winner, time in (("model_a", 3), ("tie", 1.5), ("model_b", "2"))]
    log = read(rows)
    assert log.is_timed
    assert [outcome for _, _, outcome in told(log)] == [0.5, 0.0, 1.0]


def test_times_of_iso_8601_keep_their_zone_and_without_one_are_utc(read: Read, battle: Battle, told: Told) -> None:
    times = ["2026-01-01T12:00:00", "2026-01-01T12:30:00+01:00", "2026-01-01T11:45:00Z"]
    log = read([battle("x", f"y{row}", "tie", timestamp=time) for row, time in enumerate(times)])
    assert [second for _, second, _ in told(log)] == ["y1", "y2", "y0"]


def test_a_time_without_a_zone_does_not_depend_on_the_machine(
    read: Read, battle: Battle, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time  # noqa: PLC0415  # its zone is changed for this test alone

    rows = [battle("x", "y", "model_a", timestamp="2026-01-01T12:00:00"), battle("x", "z", "tie", timestamp=1767268000)]
    orders = []
    for zone in ("Asia/Tokyo", "America/Los_Angeles"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        orders.append(told(read(rows)))
    monkeypatch.undo()
    time.tzset()
    assert orders[0] == orders[1] == [("x", "z", 0.5), ("x", "y", 1.0)]


def test_where_only_some_have_a_time_the_order_is_as_listed(read: Read, battle: Battle, told: Told) -> None:
    log = read([battle("x", "y", "model_a", timestamp=9), battle("x", "y", "tie"), battle("x", "y", "tie", time=1)])
    assert not log.is_timed
    assert [outcome for _, _, outcome in told(log)] == [1.0, 0.5, 0.5]


@pytest.mark.parametrize("time", ["yesterday", "nan", True, {"seconds": 1}, "99999-01-01"])
def test_a_time_that_is_none_is_an_error(time: object, refused: Refused, battle: Battle) -> None:
    fault = refused([battle("x", "y", "tie", timestamp=1), battle("x", "y", "tie", timestamp=time)])
    assert fault.what.startswith("the time is ")
    assert str(fault.where).endswith('line 2, column "timestamp"')


# containers


def test_a_battle_is_the_same_in_every_container(
    write: Callable[..., str], battle: Battle, told: Told, tmp_path: Path
) -> None:
    import gzip  # noqa: PLC0415

    parquet, arrow = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow")
    rows = [battle("x", "y", "model_a", question_id="1"), battle("y", "z", "tie", question_id="2")]
    csv = "model_a,model_b,winner,question_id\r\nx,y,model_a,1\r\ny,z,tie,2\r\n"
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "table")
    paths = [
        write(rows, "lines"),
        write(json.dumps(rows), "array"),
        write(json.dumps(rows, indent=1), "pretty"),
        write(csv, "csv"),
        write(b"\xef\xbb\xbf" + csv.encode(), "bom"),
        write(gzip.compress(csv.encode()), "gz"),
        str(tmp_path / "table"),
    ]
    for path in paths:
        log = read_battles([path])
        assert told(log) == [("x", "y", 1.0), ("y", "z", 0.5)], path
        assert (log.n_prompts, log.source.format) == (2, "arena")


# MT-bench


def test_mt_bench_has_two_games_a_judgment_of_which_one_may_be_unjudged(told: Told) -> None:
    # written by FastChat 0.2.36
    log = sample("mt_bench_pairwise/fschat-0.2.36_pair.jsonl")
    assert (len(log), log.n_unjudged, log.n_prompts, log.judge_names) == (22, 2, 6, ("gpt-4",))
    assert told(log)[:4] == [("new", "old", 1.0), ("old", "new", 0.0), ("new", "old", 1.0), ("old", "new", 1.0)]
    assert win_matrix(log.battles).tolist() == [[0.0, 11.0], [11.0, 0.0]]


def test_the_turns_of_mt_bench_are_questions_of_one_prompt() -> None:
    log = sample("mt_bench_pairwise/fschat-0.2.36_pair.jsonl")
    assert log.questions is not None
    assert np.unique(log.questions).size == 12


@pytest.mark.parametrize("winner", ["model_a", "", None, 1, ["model_1"]])
def test_a_winner_that_fastchat_does_not_write_is_an_error(winner: object, refused: Refused) -> None:
    row = {"question_id": 1, "model_1": "x", "model_2": "y", "g1_winner": "tie", "g2_winner": winner}
    fault = refused([{**row, "g2_winner": "tie"}, row])
    assert fault.what.startswith("the winner is ")
    assert str(fault.where).endswith('line 2, key "g2_winner"')


def test_a_pair_without_a_name_is_an_error(refused: Refused) -> None:
    row = {"question_id": 1, "model_1": "x", "model_2": None, "g1_winner": "tie", "g2_winner": "tie"}
    assert refused([row]).what == "a judgment needs two models"


# Arena-Hard


def test_arena_hard_swaps_the_places_in_the_second_game(told: Told) -> None:
    # written by Arena-Hard v0.1 at 01109e9, in which no baseline is named
    log = sample("arena_hard/v0.1-01109e9.jsonl")
    assert (len(log), log.n_unjudged, log.n_prompts) == (11, 3, 7)
    assert told(log)[:4] == [
        ("(baseline)", "new-2", 0.0),
        ("new-2", "(baseline)", 1.0),
        ("(baseline)", "new-2", 1.0),
        ("new-2", "(baseline)", 0.0),
    ]


def test_a_game_won_by_far_weighs_three_as_in_the_tools_own_leaderboard() -> None:
    log = sample("arena_hard/v0.1-01109e9.jsonl")
    assert log.battles.weights is not None
    assert log.battles.weights.tolist() == [1, 3, 1, 1, 1, 1, 1, 3, 1, 1, 1]
    # the same as in the 14 rows that Arena-Hard's own script makes of them, but for the weighing of whole questions
    assert win_matrix(log.battles).sum() == 15


def test_arena_hard_v2_names_baselines_and_categories() -> None:
    # written by Arena-Hard v2.0 at 9aa749d
    log = sample("arena_hard/v2.0-9aa749d.jsonl")
    assert (len(log), log.n_unjudged, log.n_prompts) == (13, 3, 8)
    assert log.models == ("new-2", "old-1", "poet-1")
    assert log.categories == ("creative_writing", "hard_prompt")


# AlpacaEval


def test_alpaca_eval_has_a_battle_an_annotation_against_the_reference(told: Told) -> None:
    # written by alpaca_eval 0.6.6
    log = sample("alpaca_eval/alpaca_eval-0.6.6.json")
    assert (len(log), log.n_verdicts, log.n_unjudged, log.n_prompts) == (5, 5, 1, 6 - 1)
    assert [outcome for _, _, outcome in told(log)] == [1.0, 0.0, 0.5, 1.0, 0.5]
    assert not log.is_ordered.any()


def test_a_weighted_preference_is_a_win_and_a_loss_of_one_verdict(read: Read, told: Told) -> None:
    row = {"instruction": "i", "output_1": "", "output_2": "", "generator_1": "old", "generator_2": "new"}
    log = read(json.dumps([{**row, "preference": 1.75, "annotator": "j"}]))
    assert told(log) == [("new", "old", 1.0), ("new", "old", 0.0)]
    assert log.battles.weights is not None
    assert log.battles.weights.tolist() == [0.75, 0.25]
    assert (log.n_verdicts, log.n_prompts) == (1, 1)


def test_an_annotation_of_nobody_is_an_error(refused: Refused) -> None:
    row = {"instruction": "i", "output_1": "", "output_2": "", "generator_1": "old", "preference": 2, "annotator": "j"}
    fault = refused(json.dumps([{**row, "generator_2": "new"}, {**row, "generator_2": ""}]))
    assert fault.what == "a battle needs two models"
