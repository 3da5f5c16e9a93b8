"""MT-bench's pairwise judgments (FastChat): two games of one pair, in the second with the positions swapped.

Each game is a battle. FastChat's own table makes one tie of two games that disagree, where here each side has a win:
the strengths are the same.
"""

from collections.abc import Iterator

from gate.battles.log import UNJUDGED, Battle
from gate.scores.content import ScoreFile
from gate.scores.fastchat import judge_of
from gate.scores.ids import as_text
from gate.scores.readers.mt_bench_pairwise import matches, model_of, win_of
from gate.scores.records import iter_records

__all__ = ["battles", "matches"]


def battles(file: ScoreFile) -> Iterator[Battle]:
    """The games of a file; the winner is told by model, whichever stood first.

    Raises:
        ScoreFileError: where a judgment names no models, or a winner that FastChat does not write.
    """
    for numbered in iter_records(file):
        first, second = (model_of(numbered, key, file) for key in ("model_1", "model_2"))
        prompt, judge = as_text(numbered.record.get("question_id")), judge_of(numbered.record)
        won, again = (win_of(numbered, key, file) for key in ("g1_winner", "g2_winner"))
        of_first = UNJUDGED if won is None else won
        game = Battle(first, second, of_first, numbered.line, prompt, judge, turn=as_text(numbered.record.get("turn")))
        yield game
        yield game._replace(first=second, second=first, outcome=UNJUDGED if again is None else 1 - again)
