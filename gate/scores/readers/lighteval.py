"""lighteval's details, Parquet: ``doc`` and ``metric`` since 0.9, ``example`` and ``metrics`` before.

An id is the document's number in its task, or, in older files, a hash of its question and answer.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gate.errors import ScoreFileError
from gate.scores.cells import Fault, parse_value
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.parquet_file import column_tree, iter_rows
from gate.scores.quoting import quote, quoted_listing
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, Traits, items_of_records, run_of_records
from gate.scores.records import Numbered
from gate.scores.strict_json import as_object, canonical

NAME = "lighteval"

_PART = "row {number}"
_DOC = ("id", "query", "original_query", "choices", "gold_index", "task_name")
_OLD = ("example", "full_prompt", "choices", "gold", "metrics")
_RATES = frozenset(
    {"acc", "em", "f1", "exact_match", "extractive_match", "avg@n", "maj@n", "pass@k", "g-pass@k", "math-g-pass@k"}
    | {"latex-g-pass@k", "gpqa_pass@k", "loglikelihood_f1", "mrr", "recall", "rouge1", "rouge2", "rougeL", "rougeLsum"}
    | {"truthfulqa_mc1", "truthfulqa_mc2", "simpleqa_judge"}
)
_LOWER = frozenset({"bits_per_byte", "byte_perplexity", "word_perplexity", "ter"})
_DOUBLES_REMEDY = (
    "the task holds a question twice, and details before lighteval 0.9 do not number them: use a newer version"
)
_REMEDY = "give the details_<task>_<date>.parquet that lighteval writes with --save-details"


@dataclass(slots=True)
class _Details:
    """What has been read so far.

    Attributes:
        others: the metrics that are lists, texts or objects, of which no mean can be made.
        scored: some row has had a number.
    """

    others: dict[str, None] = field(default_factory=dict)
    scored: bool = False


def matches(first: FirstRecord) -> bool:
    """Whether the columns are those of one of the two schemas."""
    columns = first.fields
    if first.container is not Container.PARQUET:
        return False
    doc = columns.get("doc")
    newer = isinstance(doc, dict) and "query" in doc and "metric" in columns
    return newer or columns.keys() >= {"example", "full_prompt", "metrics"}


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a task's details.

    Raises:
        ScoreFileError: where no metric has a score per document, or a document stands twice.
    """
    details = _Details()
    form = Form(NAME, remedy=_DOUBLES_REMEDY, traits=_traits, part=_PART)
    return run_of_records(file, form, _records(file, details), wanted, notes=_notes(details))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The documents' questions."""
    records = (_record(number, row, {}, file) for number, row in _rows(file))
    return items_of_records(file, Form(NAME, part=_PART), records, columns)


def _records(file: ScoreFile, details: _Details) -> Iterator[Record]:
    number = 0
    for number, row in _rows(file):
        yield _record(number, row, _scores(number, row, details, file), file)
    if number and not details.scored:
        raise ScoreFileError(
            f"no metric has a score per document: {quoted_listing(details.others)}",
            where=file.place(),
            remedy="add a sample-level metric to the task, e.g. exact_match, and run it again",
        )


def _rows(file: ScoreFile) -> Iterator[Numbered]:
    """The rows with the columns that matter: token ids and log-likelihoods can be most of a file."""
    tree = column_tree(file)
    doc = as_object(tree.get("doc"))
    newer = [*(f"doc.{name}" for name in _DOC if name in doc), "metric", "model_response.input"]
    columns = newer if doc else [name for name in _OLD if name in tree]
    return iter_rows(file, columns)


def _scores(
    number: int, row: Mapping[str, object], details: _Details, file: ScoreFile
) -> dict[str, float | ItemStatus]:
    metrics = row.get("metric", row.get("metrics"))
    place = file.place(part=_PART.format(number=number))
    if metrics is not None and not isinstance(metrics, dict):
        raise ScoreFileError("the metrics are no object with a value for each metric", where=place, remedy=_REMEDY)
    scores: dict[str, float | ItemStatus] = {}
    for metric, value in _values(as_object(metrics)):
        if value is None:  # Parquet gives every row every field
            continue
        score = parse_value(value)
        if score in (Fault.TEXT, Fault.NESTED):
            details.others.setdefault(metric)
        elif isinstance(score, Fault):
            raise ScoreFileError(
                f"{quote(value)} of {quote(metric)} {score.value[0]}", where=place, remedy=score.value[1]
            )
        elif isinstance(score, float | ItemStatus):
            scores[metric] = score
    details.scored = details.scored or bool(scores)
    return scores


def _values(metrics: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    for metric, value in metrics.items():
        if isinstance(value, dict):
            yield from ((f"{metric}.{key}", element) for key, element in value.items())
        else:
            yield metric, value


def _record(
    number: int, row: Mapping[str, object], scores: Mapping[str, float | ItemStatus], file: ScoreFile
) -> Record:
    doc = as_object(row.get("doc"))
    task = as_text(doc.get("task_name"))
    inputs = as_text(doc.get("original_query")) or as_text(doc.get("query")) or as_text(row.get("example"))
    choices = doc.get("choices", row.get("choices"))
    target = _golds(choices, doc.get("gold_index")) if doc else as_text(row.get("gold"))
    content = canonical([inputs, choices, target])
    numbered = doc.get("id") is not None
    return Record(
        id=make_id([doc["id"] if numbered else content], is_text=not numbered, file=file, line=number, part=_PART).id,
        scores=scores,
        line=number,
        inputs=inputs,
        target=target,
        prompt=as_text(as_object(row.get("model_response")).get("input", row.get("full_prompt"))),
        content=content,
        facts=None if task is None else {"task": task},
    )


def _golds(choices: object, index: object) -> str | None:
    """The right choices in words; their numbers where a number fits none."""
    indices = index if isinstance(index, list) else [index]
    known = choices if isinstance(choices, list) else []
    golds = [known[one] for one in indices if isinstance(one, int) and 0 <= one < len(known)]
    if len(golds) < len(indices):
        return as_text(index)
    return as_text(golds[0] if len(golds) == 1 else golds)


def _traits(metric: str) -> Traits | None:
    """As lighteval's own list of metrics has them; parameters stand behind a colon: ``pass@k:k=1``."""
    name = metric.partition(":")[0]
    if name in _LOWER:
        return Traits(direction=Direction.LOWER)
    return RATE if name in _RATES else None


def _notes(details: _Details) -> Iterator[str]:
    if details.others:
        yield f"left out, as they have no score per document: {quoted_listing(details.others)}"
