"""MT-bench's pairwise judgments (FastChat): question_id, model_1, model_2, g1_winner and g2_winner, turn.

A pair of models, a turn and a judge make a variant; its metric ``win`` is the score of model_1, the model that
FastChat judges against a baseline. The judge sees each pair in both orders: a win counts only where both games agree,
all else is a tie, and a pair with a game that could not be judged has no score, as in the tool's own table.
"""

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.fastchat import JUDGED_TWICE, judge_of, refuse_questions
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.recorded import RATE, Form, run_of_records
from gate.scores.records import Numbered, iter_records, text_under

_METRIC = "win"
_WHOSE = "a win is one of model_1, the first of its pair"
_ERROR = "error"
_TIE = 0.5
_WINNERS = {"model_1": 1.0, "model_2": 0.0, "tie": _TIE}
_SIGNATURE = frozenset({"question_id", "model_1", "model_2", "g1_winner", "g2_winner"})
_FORM = Form(
    "mt_bench_pairwise",
    remedy=JUDGED_TWICE,
    traits={_METRIC: RATE}.get,
)


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a judgment of two games between two models."""
    return first.is_json and first.fields.keys() >= _SIGNATURE


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The judgments of one pair of models in one turn; the metric is ``win``, of model_1, on the scale 0 to 1.

    Raises:
        ScoreFileError: where a judgment has no question or no models, or a winner that FastChat does not write, or a
            question stands twice.
    """
    records = (_record(numbered, file) for numbered in iter_records(file))
    return run_of_records(file, _FORM, records, wanted, notes=[_WHOSE])


read_items = refuse_questions


def model_of(numbered: Numbered, key: str, file: ScoreFile) -> str:
    """The name under ``model_1`` or ``model_2``.

    Raises:
        ScoreFileError: where there is none.
    """
    remedy = "judge the pair again; FastChat writes the names of both as model_1 and model_2"
    return text_under(numbered, key, file, missing="a judgment needs two models", remedy=remedy)


def win_of(numbered: Numbered, key: str, file: ScoreFile) -> float | None:
    """What model_1 has of the game under ``g1_winner`` or ``g2_winner``, 0 to 1; None where it could not be judged.

    Raises:
        ScoreFileError: where it is none that FastChat writes.
    """
    winner = numbered.record.get(key)
    if winner == _ERROR:
        return None
    if not isinstance(winner, str) or winner not in _WINNERS:
        raise ScoreFileError(
            f"the winner is {quote(winner)}",
            where=file.place(numbered.line, f"key {quote(key)}"),
            remedy=f"judge the pair again; FastChat writes {', '.join(map(quote, [*_WINNERS, _ERROR]))}",
        )
    return _WINNERS[winner]


def _record(numbered: Numbered, file: ScoreFile) -> Record:
    line, record = numbered
    question = make_id([record.get("question_id")], is_text=False, file=file, line=line).id
    turn, judge = as_text(record.get("turn")), judge_of(record)
    model, opponent = (model_of(numbered, key, file) for key in ("model_1", "model_2"))
    return Record(
        id=question,
        scores={_METRIC: _score(numbered, file)},
        line=line,
        group=None if turn is None else question,
        variant=(f"{model} vs {opponent}", "" if turn is None else f"turn {turn}", judge),
        facts={"judge": judge, "model": model, "task": f"against {opponent}"},
    )


def _score(numbered: Numbered, file: ScoreFile) -> float | ItemStatus:
    first, second = (win_of(numbered, key, file) for key in ("g1_winner", "g2_winner"))
    if first is None or second is None:
        return ItemStatus.ERROR
    return first if first == second else _TIE
