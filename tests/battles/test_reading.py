"""Files, folders and patterns of battles to one log."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.battles import BATTLE_FORMATS, BattleLog, read_battles
from gate.errors import GateError, ScoreFileError

Battle = Callable[..., dict[str, object]]
Write = Callable[..., str]
Refused = Callable[..., ScoreFileError]


def test_there_are_four_formats() -> None:
    assert set(BATTLE_FORMATS) == {"arena", "arena_hard", "mt_bench_pairwise", "alpaca_eval"}


def test_several_files_are_one_log_in_the_order_given(write: Write, battle: Battle) -> None:
    paths = [write([battle("x", "y", "tie")], "second"), write([battle("y", "z", "model_a")] * 2, "first")]
    log = read_battles(paths)
    assert (log.models, log.battles.outcomes.tolist()) == (("x", "y", "z"), [0.5, 1.0, 1.0])
    assert log.source.path == ", ".join(paths)
    assert log.source.digest != read_battles(paths[::-1]).source.digest


def test_a_prompt_of_two_files_is_one_prompt(write: Write, battle: Battle) -> None:
    row = battle("x", "y", "tie", question_id="1")
    assert read_battles([write([row], "a"), write([row], "b")]).n_prompts == 1


def test_files_of_several_formats_are_one_log(write: Write, battle: Battle) -> None:
    pair = {"question_id": 1, "model_1": "x", "model_2": "y", "g1_winner": "tie", "g2_winner": "model_1"}
    log = read_battles([write([battle("x", "y", "tie")], "a"), write([pair], "b")])
    assert (len(log), log.source.format) == (3, "arena, mt_bench_pairwise")


@pytest.mark.parametrize("pattern", ["folder", "folder/*.jsonl", "folder/**/*.jsonl"])
def test_a_folder_or_a_pattern_stands_for_its_files(pattern: str, write: Write, battle: Battle, tmp_path: Path) -> None:
    for name, winner in (("folder/b.jsonl", "model_b"), ("folder/a.jsonl", "model_a")):
        write([battle("x", "y", winner)], name)
    assert read_battles([str(tmp_path / pattern)]).battles.outcomes.tolist() == [1.0, 0.0]


def test_a_file_given_twice_is_refused_for_its_battles_would_count_twice(
    write: Write, battle: Battle, tmp_path: Path
) -> None:
    path = write([battle("x", "y", "tie")], "folder/a.jsonl")
    (tmp_path / "link").symlink_to(path)
    for again in (path, str(tmp_path / "folder"), str(tmp_path / "folder" / "*"), str(tmp_path / "link")):
        with pytest.raises(ScoreFileError, match="the file is given twice"):
            read_battles([path, again])


def test_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScoreFileError, match="holds no file"):
        read_battles([str(tmp_path)])


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GateError, match=r"none\.jsonl") as caught:
        read_battles([str(tmp_path / "none.jsonl")])
    assert caught.value.remedy


@pytest.mark.parametrize("content", ["", "\n\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_an_error(content: str | bytes, refused: Refused) -> None:
    assert refused(content).what == "the file is empty"


def test_a_header_alone_is_an_error(refused: Refused) -> None:
    assert refused("model_a,model_b,winner\n").what == "there are no battles"


def test_scores_are_no_battles(refused: Refused) -> None:
    fault = refused("id,score\na,1\n")
    assert fault.what == "the file's content matches no format that this version reads"
    assert "arena" in fault.remedy


def test_scores_said_to_be_battles_are_an_error_that_tells_what_battles_have(refused: Refused) -> None:
    fault = refused("id,score\na,1\n", format="arena")
    assert fault.what == "a battle needs two models"
    assert "model_a, model_b" in fault.remedy


def test_an_unknown_format_is_an_error_that_lists_the_known(refused: Refused, battle: Battle) -> None:
    fault = refused([battle("x", "y", "tie")], format="arema")
    assert fault.what.startswith('there is no format "arema"')
    assert all(name in fault.remedy for name in BATTLE_FORMATS)


def test_a_broken_last_line_is_an_error_and_not_one_battle_less(refused: Refused) -> None:
    fault = refused('{"model_a": "x", "model_b": "y", "winner": "tie"}\n{"model_a": "x", "mod')
    assert str(fault.where).endswith("line 2")


def test_a_single_battle_is_a_file_of_battles(read: Callable[..., BattleLog], battle: Battle) -> None:
    assert len(read([battle("x", "y", "tie")])) == 1


def test_a_table_by_column_as_pandas_writes_it_is_read(read: Callable[..., BattleLog]) -> None:
    table = '{"model_a":{"0":"x","1":"y"},"model_b":{"0":"y","1":"z"},"winner":{"0":"model_a","1":"tie"}}'
    assert read(table).battles.outcomes.tolist() == [1.0, 0.5]


def test_names_of_any_size_and_kind_are_names(read: Callable[..., BattleLog], battle: Battle) -> None:
    huge, hostile = "n" * 100_000, "a\x1b[31m|`\n::error::x"
    assert read([battle(huge, hostile, "tie")]).models == (hostile, huge)


def test_names_that_differ_by_white_space_are_two(read: Callable[..., BattleLog], battle: Battle) -> None:
    assert read([battle("x", "x ", "tie")]).models == ("x", "x ")
