"""Braintrust's results, one ``EvalResult.as_dict()`` a line: input, output, expected, scores, metadata, error.

An item is its input and what is expected of it, for the ids of logged rows are new in every run; trials are its
samples. A score of null was skipped by its scorer. A case with an error, be it of the task or of a scorer, is an error
in every score that it lacks.
"""

from collections.abc import Iterator, Mapping

from gate.errors import ScoreFileError
from gate.scores.cells import require_score
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_records, text_under

_SIGNATURE = frozenset({"input", "output", "expected", "scores", "metadata", "tags"})
# Score of the SDK refuses what is not between 0 and 1
_FORM = Form("braintrust", repeats=True, traits=lambda _metric: RATE)


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a case with a map of scores."""
    scores = first.fields.get("scores")
    listed = first.is_json and not first.is_map
    return listed and first.fields.keys() >= _SIGNATURE and (scores is None or isinstance(scores, dict))


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a list of results; its metrics are the names in ``scores``.

    Raises:
        ScoreFileError: where a case has no input, or a score is no number.
    """
    return run_of_records(file, _FORM, _records(file), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The cases' inputs."""
    return items_of_records(file, _FORM, (_record(numbered, {}, file) for numbered in iter_records(file)), columns)


def _records(file: ScoreFile) -> Iterator[Record]:
    """The cases; first those with scores, for only then is it known which ones an errored case lacks."""
    failed: list[Record] = []
    metrics: dict[str, None] = {}
    for numbered in iter_records(file):
        scores = _scores(numbered, file)
        metrics.update(dict.fromkeys(scores))
        record = _record(numbered, scores, file)
        if _has_failed(numbered.record):
            failed.append(record)
        else:
            yield record
    if failed and not metrics:
        raise ScoreFileError(
            "every case ended in an error",
            where=file.place(failed[0].line, 'key "error"'),
            remedy="see what the error says, and run the evaluation again",
        )
    for record in failed:
        yield record._replace(scores={**dict.fromkeys(metrics, ItemStatus.ERROR), **record.scores})


def _has_failed(record: Mapping[str, object]) -> bool:
    """Whether the task fell, which the case tells as its error, or a scorer, which stands in its metadata."""
    metadata = record.get("metadata")
    return record.get("error") is not None or (isinstance(metadata, dict) and bool(metadata.get("scorer_errors")))


def _record(numbered: Numbered, scores: Mapping[str, float | ItemStatus], file: ScoreFile) -> Record:
    line, record = numbered
    remedy = "write the results of cases with inputs, which are what names an item here"
    inputs = text_under(numbered, "input", file, missing="the case has no input", remedy=remedy)
    target = as_text(record.get("expected"))
    parts = [inputs] if target is None else [inputs, target]
    return Record(
        id=make_id(parts, is_text=True, file=file, line=line).id,
        scores=scores,
        line=line,
        inputs=inputs,
        target=target,
    )


def _scores(numbered: Numbered, file: ScoreFile) -> dict[str, float | ItemStatus]:
    line, record = numbered
    named = record.get("scores")
    if named is not None and not isinstance(named, dict):
        raise ScoreFileError(
            f"the scores are {quote(named)}, not an object from names to numbers",
            where=file.place(line, 'key "scores"'),
            remedy="write each result as the SDK has it: json.dumps(result.as_dict(), default=str)",
        )
    scores: dict[str, float | ItemStatus] = {}
    for name, value in (named or {}).items():
        score = require_score(value, file.place(line, f"scores, key {quote(name)}"))
        scores[name] = ItemStatus.SKIPPED if value is None else score
    return scores
