"""Arena battles: question_id, model_a, model_b and winner, as Arena-Hard and the Chatbot Arena publish them.

A pair of models is a variant, and its metric ``win`` is the score of model_b: 1, 0, or 0.5 for a tie. What stands
several times for one question, such as a second game or a vote that weighs more, is a sample of it. Two turns of a
question are no such samples, and are refused.
"""

from collections.abc import Iterator, Mapping

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.recorded import RATE, Form, run_of_records, without_questions
from gate.scores.records import Numbered, iter_records, text_under

_METRIC = "win"
_WHOSE = "a win is one of model_b, the second of its pair"
_NO_MODELS = "a battle needs two models"
_FORM = Form("arena", repeats=True, traits={_METRIC: RATE}.get)
_SIGNATURE = frozenset({"question_id", "model_a", "model_b", "winner"})
WINNERS: Mapping[str, float] = {"model_a": 0.0, "model_b": 1.0, "tie": 0.5, "tie (bothbad)": 0.5}


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a battle of two models."""
    return first.is_json and first.fields.keys() >= _SIGNATURE


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The battles of one pair of models; the metric is ``win``, of model_b, on the scale 0 to 1.

    Raises:
        ScoreFileError: where a battle has no question or no models, or a winner that is none of WINNERS; or a question
            has battles of several turns.
    """
    return run_of_records(file, _FORM, _records(file), wanted, notes=[_WHOSE])


read_items = without_questions(
    "arena battles hold no question texts",
    remedy="give the file of questions, with columns: {id: question_id, inputs: NAME}",
)


def _records(file: ScoreFile) -> Iterator[Record]:
    turns: dict[str, str] = {}
    for numbered in iter_records(file):
        record = _record(numbered, file)
        _refuse_other_turn(record, as_text(numbered.record.get("turn")), turns, file)
        yield record


def _refuse_other_turn(record: Record, turn: str | None, turns: dict[str, str], file: ScoreFile) -> None:
    """The second turn asks something else. Where each question has one, it may be how long a conversation was."""
    if turn is not None and turns.setdefault(record.id, turn) != turn:
        raise ScoreFileError(
            f"the question {quote(record.id)} has battles of turn {quote(turns[record.id])} and of turn {quote(turn)}",
            where=file.place(record.line, 'key "turn"'),
            remedy="write the battles of each turn into a file of their own",
        )


def _record(numbered: Numbered, file: ScoreFile) -> Record:
    line, record = numbered
    winner = record.get("winner")
    opponent, model = (
        text_under(numbered, key, file, missing=_NO_MODELS, remedy="write the names of both: model_a, model_b")
        for key in ("model_a", "model_b")
    )
    if not isinstance(winner, str) or winner not in WINNERS:
        raise ScoreFileError(
            f"the winner is {quote(winner)}",
            where=file.place(line, 'key "winner"'),
            remedy=f"write one of {', '.join(map(quote, WINNERS))}",
        )
    return Record(
        id=make_id([record.get("question_id")], is_text=False, file=file, line=line).id,
        scores={_METRIC: WINNERS[winner]},
        line=line,
        variant=f"{opponent} vs {model}",
        facts={"model": model, "task": f"against {opponent}"},
    )
