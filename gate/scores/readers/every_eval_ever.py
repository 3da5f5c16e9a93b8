"""Every Eval Ever's instance-level records, JSON Lines: a line for each sample and each of its results.

A sample with an error has a score of 0 in the file all the same; the error stands in its place here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gate.scores.cells import require_score
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.reader import Item
from gate.scores.recorded import Form, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_records
from gate.scores.strict_json import canonical

NAME = "every_eval_ever"

_SIGNATURE = frozenset({"schema_version", "evaluation_id", "evaluation_name", "sample_id", "evaluation"})
_UNNAMED = "score"
_REMEDY = "let every_eval_ever write the file again, and check it with every_eval_ever validate"
_FORM = Form(NAME, repeats=True, remedy=_REMEDY)


class _Result(NamedTuple):
    """One result of one item under one evaluation; ``metric`` is None where the line does not name it."""

    item: str
    variant: str | None
    metric: str | None


class _Key(NamedTuple):
    """A sample: one item under one evaluation, for the how-many-th time (from 0)."""

    item: str
    variant: str | None
    occurrence: int


@dataclass(slots=True)
class _Samples:
    """What has been read so far.

    Attributes:
        records: the samples, whose results stand on lines of their own.
        scores: the results of each.
        occurrences: how often each result of each item has been met.
        failed: the samples that ended with an error before any result.
    """

    records: dict[_Key, Record] = field(default_factory=dict)
    scores: dict[_Key, dict[str, float | ItemStatus]] = field(default_factory=dict)
    occurrences: dict[_Result, int] = field(default_factory=dict)
    failed: list[_Key] = field(default_factory=list)


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a sample's, with its evaluation as an object."""
    record = first.fields
    return first.is_json and record.keys() >= _SIGNATURE and isinstance(record["evaluation"], dict)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a file of instances; evaluations are variants, and epochs repeats.

    Raises:
        ScoreFileError: where a record has no sample id, or a score that is no number.
    """
    samples = _Samples()
    return run_of_records(file, _FORM, _records(file, samples), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The samples' raw inputs, one for each id."""
    return items_of_records(file, _FORM, (_record(numbered, file) for numbered in iter_records(file)), columns)


def _records(file: ScoreFile, samples: _Samples) -> Iterator[Record]:
    for numbered in iter_records(file):
        _add(numbered, samples, file)
    metrics: dict[str | None, dict[str, None]] = {}
    for key, scores in samples.scores.items():
        metrics.setdefault(key.variant, {}).update(dict.fromkeys(scores))
    for key in samples.failed:
        # a sample that failed names no result: it lacks every one that the others have
        samples.scores[key] = dict.fromkeys(metrics[key.variant] or [_UNNAMED], ItemStatus.ERROR)
    for key, record in samples.records.items():
        yield record._replace(scores=samples.scores[key])


def _add(numbered: Numbered, samples: _Samples, file: ScoreFile) -> None:
    line, row = numbered
    record, metric = _record(numbered, file), _metric(row)
    variant = None if record.variant is None else str(record.variant)
    result = _Result(record.id, variant, metric)
    occurrence = samples.occurrences.get(result, 0)
    samples.occurrences[result] = occurrence + 1
    key = _Key(record.id, variant, occurrence)
    failed = row.get("error") is not None
    if failed and metric is None:
        # what failed has no results whose lines could count with it
        key = key._replace(occurrence=-1 - occurrence)
        samples.failed.append(key)
    samples.records.setdefault(key, record)
    scores = samples.scores.setdefault(key, {})
    if not (failed and metric is None):
        scores[metric or _UNNAMED] = ItemStatus.ERROR if failed else _score(row, file, line)


def _record(numbered: Numbered, file: ScoreFile) -> Record:
    line, row = numbered
    given = row.get("input")
    asked = given if isinstance(given, dict) else {}
    reference = asked.get("reference")
    facts = {"task": as_text(row.get("evaluation_name")), "model": as_text(row.get("model_id"))}
    return Record(
        id=make_id([row.get("sample_id")], is_text=False, file=file, line=line).id,
        scores={},
        line=line,
        inputs=as_text(asked.get("raw")),
        target=as_text(reference[0] if isinstance(reference, list) and len(reference) == 1 else reference),
        prompt=as_text(asked.get("formatted")),
        content=canonical([asked.get("raw"), reference, asked.get("choices")]),
        variant=facts["task"],
        facts={name: told for name, told in facts.items() if told is not None},
    )


def _metric(row: Mapping[str, object]) -> str | None:
    """The result's name, without the evaluation's own id, which is another in every run."""
    name = as_text(row.get("evaluation_result_id"))
    return None if name is None else name.removeprefix(f"{row.get('evaluation_id')}#")


def _score(row: Mapping[str, object], file: ScoreFile, line: int) -> float | ItemStatus:
    evaluation = row.get("evaluation")
    value = evaluation.get("score") if isinstance(evaluation, dict) else evaluation
    return require_score(value, file.place(line, 'key "evaluation.score"'), remedy=_REMEDY)
