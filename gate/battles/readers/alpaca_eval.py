"""AlpacaEval's annotations: each a battle of the model against the reference.

A preference between 1 and 2, as a weighted annotator writes it, is a win and a loss that share the weight. The tool
shows the two outputs in an order of its own, which it does not write down.
"""

from collections.abc import Iterator

from gate.battles.log import LOST, TIED, UNJUDGED, WON, Battle
from gate.scores.content import ScoreFile
from gate.scores.ids import as_text
from gate.scores.model import ItemStatus
from gate.scores.readers.alpaca_eval import matches, win_of
from gate.scores.records import Numbered, iter_records, text_under

__all__ = ["battles", "matches"]


def battles(file: ScoreFile) -> Iterator[Battle]:
    """The annotations of a file.

    Raises:
        ScoreFileError: where one does not name both models, or its preference is none that the tool writes.
    """
    for numbered in iter_records(file):
        yield from _battles(numbered, file)


def _battles(numbered: Numbered, file: ScoreFile) -> Iterator[Battle]:
    line, record = numbered
    remedy = 'write the names of both as "generator" into the outputs that AlpacaEval compares'
    model, reference = (
        text_under(numbered, key, file, missing="a battle needs two models", remedy=remedy)
        for key in ("generator_2", "generator_1")
    )
    win = win_of(record.get("preference"), file, line)
    whole = Battle(
        first=model,
        second=reference,
        outcome=UNJUDGED,
        line=line,
        prompt=as_text(record.get("instruction")),
        judge=as_text(record.get("annotator")),
        is_ordered=False,
    )
    if isinstance(win, ItemStatus):
        yield whole
    elif win in {LOST, TIED, WON}:
        yield whole._replace(outcome=win)
    else:
        yield whole._replace(outcome=WON, weight=win)
        yield whole._replace(outcome=LOST, weight=1 - win, is_rest=True)
