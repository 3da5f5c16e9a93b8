"""MT-bench's pairwise judgments (FastChat): two games of one pair, in the second with the positions swapped.

Each game is a battle. FastChat's own table makes one tie of two games that disagree, where here each side has a win:
the strengths are the same.
"""

from collections.abc import Iterator

from gate.battles.log import UNJUDGED, Battle
from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.fastchat import judge_of
from gate.scores.ids import as_text
from gate.scores.quoting import quote
from gate.scores.readers.mt_bench_pairwise import ERROR, WINNERS, matches
from gate.scores.records import Numbered, iter_records

__all__ = ["battles", "matches"]


def battles(file: ScoreFile) -> Iterator[Battle]:
    """The games of a file; the winner is told by model, whichever stood first.

    Raises:
        ScoreFileError: where a judgment names no models, or a winner that FastChat does not write.
    """
    for numbered in iter_records(file):
        first, second = (_model(numbered, key, file) for key in ("model_1", "model_2"))
        prompt, judge = as_text(numbered.record.get("question_id")), judge_of(numbered.record)
        of_first, again = (_outcome(numbered, key, file) for key in ("g1_winner", "g2_winner"))
        game = Battle(first, second, of_first, numbered.line, prompt, judge, turn=as_text(numbered.record.get("turn")))
        yield game
        yield game._replace(first=second, second=first, outcome=again if again == UNJUDGED else 1 - again)


def _model(numbered: Numbered, key: str, file: ScoreFile) -> str:
    model = as_text(numbered.record.get(key))
    if model is None:
        raise ScoreFileError(
            "a judgment needs two models",
            where=file.place(numbered.line, f"key {quote(key)}"),
            remedy="judge the pair again; FastChat writes the names of both as model_1 and model_2",
        )
    return model


def _outcome(numbered: Numbered, key: str, file: ScoreFile) -> float:
    """As model_1 sees it."""
    winner = numbered.record.get(key)
    if winner == ERROR:
        return UNJUDGED
    if not isinstance(winner, str) or winner not in WINNERS:
        raise ScoreFileError(
            f"the winner is {quote(winner)}",
            where=file.place(numbered.line, f"key {quote(key)}"),
            remedy=f"judge the pair again; FastChat writes {', '.join(map(quote, [*WINNERS, ERROR]))}",
        )
    return WINNERS[winner]
