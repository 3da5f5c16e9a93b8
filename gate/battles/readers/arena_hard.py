"""Arena-Hard-Auto's judgments: two games of a model against the baseline, in the second with the positions swapped.

Each game is a battle, and one that is won by far (``>>``) weighs three, as in the tool's own ``show_result.py``.
"""

from collections.abc import Iterator

from gate.battles.log import UNJUDGED, Battle
from gate.scores.content import ScoreFile
from gate.scores.model import ItemStatus
from gate.scores.readers.arena_hard import Judgment, judgment_of, matches
from gate.scores.records import iter_records

__all__ = ["battles", "matches"]

_BY_FAR = ("<<", ">>")
_WEIGHT = 3.0
# v0.1 does not name the model that all others are judged against
_BASELINE = "(baseline)"


def battles(file: ScoreFile) -> Iterator[Battle]:
    """The games of a file.

    Raises:
        ScoreFileError: where a judgment names no model, has not two games, or a verdict that is none.
    """
    for numbered in iter_records(file):
        judgment = judgment_of(numbered, file)
        for place in (0, 1):
            yield _game(judgment, place, numbered.line)


def _game(judgment: Judgment, place: int, line: int) -> Battle:
    """In the first game the baseline's answer stands first."""
    judge, category, baseline = judgment.others
    score, verdict = judgment.scores[place], judgment.verdicts[place]
    models = (baseline or _BASELINE, judgment.model)
    first, second = models if place == 0 else models[::-1]
    of_first = score if isinstance(score, ItemStatus) or place == 1 else 1 - score
    return Battle(
        first=first,
        second=second,
        outcome=UNJUDGED if isinstance(of_first, ItemStatus) else of_first,
        line=line,
        prompt=judgment.question,
        judge=judge or None,
        weight=_WEIGHT if isinstance(verdict, str) and any(far in verdict for far in _BY_FAR) else 1.0,
        category=category or None,
    )
