"""MT-bench's single-answer judgments (FastChat): question_id, model, judge, score from 1 to 10, turn.

Models, turns and judges are variants; the turns of one question are one group. A score of -1 says that the judge gave
no rating that could be read, and is none: averaging it gives 1.1 where the answers that were rated have 7.4.
"""

from gate.scores.cells import require_score
from gate.scores.content import ScoreFile
from gate.scores.fastchat import JUDGED_TWICE, judge_of, refuse_questions
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import ItemStatus, Record, Run, Scale, Wanted
from gate.scores.recorded import Form, Traits, run_of_records
from gate.scores.records import Numbered, iter_records

_METRIC = "score"
_NO_RATING = -1.0
_SIGNATURE = frozenset({"question_id", "model", "judge", "judgment", "score"})
_FORM = Form(
    "mt_bench",
    remedy=JUDGED_TWICE,
    traits={_METRIC: Traits(Scale(1.0, 10.0))}.get,
)


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a judgment of one answer."""
    return first.is_json and first.fields.keys() >= _SIGNATURE


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a file of judgments; its one metric is ``score``.

    Raises:
        ScoreFileError: where a judgment has no question or its score is no number, or a question stands twice.
    """
    return run_of_records(file, _FORM, (_record(numbered, file) for numbered in iter_records(file)), wanted)


read_items = refuse_questions


def _record(numbered: Numbered, file: ScoreFile) -> Record:
    line, record = numbered
    model, judge = as_text(record.get("model")) or "unknown", judge_of(record)
    question = make_id([record.get("question_id")], is_text=False, file=file, line=line).id
    turn = as_text(record.get("turn"))
    return Record(
        id=question,
        scores={_METRIC: _score(record.get("score"), file, line)},
        line=line,
        group=None if turn is None else question,
        variant=(model, "" if turn is None else f"turn {turn}", judge),
        facts={"judge": judge, "model": model},
    )


def _score(value: object, file: ScoreFile, line: int) -> float | ItemStatus:
    remedy = "judge the answer again; FastChat writes a number, or -1 where the judge gave none"
    score = require_score(value, file.place(line, 'key "score"'), remedy=remedy)
    return ItemStatus.ERROR if score == _NO_RATING else score
