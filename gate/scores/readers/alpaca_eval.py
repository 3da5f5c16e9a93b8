"""AlpacaEval's ``annotations.json``: instruction, output_1 of the reference, output_2 of the model, preference.

The metric ``win`` is the preference less 1, so that its mean is the tool's win rate. A preference of 0 was once written
for a draw, which is 1.5; null says that the annotator gave none.
"""

from collections.abc import Iterator

from gate.errors import ScoreFileError
from gate.scores.cells import parse_cell
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_records, text_under
from gate.wording import count

_METRIC = "win"
_OLD_DRAW, _DRAW = 0.0, 1.5
_REFERENCE_WINS, _MODEL_WINS = 1.0, 2.0
_SIGNATURE = frozenset({"instruction", "output_1", "output_2", "preference"})
_MODEL, _REFERENCE, _ANNOTATOR, _VERSION = "generator_2", "generator_1", "annotator", "preference_version"
_FORM = Form("alpaca_eval", repeats=True, traits={_METRIC: RATE}.get)


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a preference between two outputs."""
    return first.is_json and first.fields.keys() >= _SIGNATURE


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The annotations of one model by one annotator; the metric is ``win``, of the model, on the scale 0 to 1.

    Raises:
        ScoreFileError: where a record has no instruction or names no model, or its preference is none that the tool
            writes.
    """
    return run_of_records(file, _FORM, _records(file), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The instructions."""
    return items_of_records(file, _FORM, _records(file), columns)


def _records(file: ScoreFile) -> Iterator[Record]:
    lines: dict[tuple[object, str], int] = {}
    doubled: dict[tuple[object, str], int] = {}
    for numbered in iter_records(file):
        record = _record(numbered, file)
        key = (record.variant, record.id)
        if lines.setdefault(key, record.line) != record.line:
            doubled.setdefault(key, record.line)
        yield record
    # a data set may ask for one thing twice, but not for most things
    if 2 * len(doubled) > len(lines):
        raise ScoreFileError(
            f"{len(doubled)} of {count(len(lines), 'instruction')} stand several times, as where "
            "the annotations of several runs were put into one file",
            where=file.place(min(doubled.values())),
            remedy="keep the annotations of one run: each annotations.json is a run of its own",
        )


def _record(numbered: Numbered, file: ScoreFile) -> Record:
    line, record = numbered
    model = text_under(
        numbered,
        _MODEL,
        file,
        missing="the annotation names no model, so that those of several may be mixed",
        remedy="give the annotations.json that alpaca_eval writes to --output_path, not the annotator's cache, and"
        ' write the model\'s name as "generator" into its outputs',
    )
    instruction = as_text(record.get("instruction"))
    reference, annotator, version = (as_text(record.get(key)) for key in (_REFERENCE, _ANNOTATOR, _VERSION))
    facts = {"judge": annotator, "tool version": version, "model": model}
    # another reference is another task: a win against it is worth something else
    facts["task"] = None if reference is None else f"against {reference}"
    return Record(
        id=make_id([instruction], is_text=True, file=file, line=line).id,
        scores={_METRIC: win_of(record.get("preference"), file, line)},
        line=line,
        inputs=instruction,
        variant=(model, reference or "", annotator or ""),
        facts={name: value for name, value in facts.items() if value is not None},
    )


def win_of(preference: object, file: ScoreFile, line: int) -> float | ItemStatus:
    """What the model has of a preference, 0 to 1, or ERROR where the annotator gave none.

    Raises:
        ScoreFileError: where it is no preference that the tool writes.
    """
    score = None if isinstance(preference, str | bool) else parse_cell(preference)
    if isinstance(score, ItemStatus):
        return ItemStatus.ERROR
    if score == _OLD_DRAW:
        score = _DRAW
    if not isinstance(score, float) or not _REFERENCE_WINS <= score <= _MODEL_WINS:
        raise ScoreFileError(
            f"{quote(preference)} is not a preference from 1 to 2",
            where=file.place(line, 'key "preference"'),
            remedy="annotate the outputs again; AlpacaEval writes 1 where the reference wins, 2 where the model does,"
            " 1.5 or 0 for a draw, and null where the annotator gave none",
        )
    return score - _REFERENCE_WINS
