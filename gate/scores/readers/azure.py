"""Azure AI evaluation's result: rows of ``inputs.*`` and ``outputs.<evaluator>.<metric>``, and their means.

A row is known by its question and expected answer, not by the response, which stands among the inputs where the data
set brought it along.
"""

import re
from collections.abc import Iterator, Mapping

from gate.errors import ScoreFileError
from gate.scores.cells import Fault, Percent, parse_cell
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Scale, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, Traits, items_of_records, run_of_records
from gate.scores.roles import ID_NAMES, INPUTS_NAMES, TARGET_NAMES, guess
from gate.scores.strict_json import parse_document

_PART = "rows[{index}]"
_INPUTS, _OUTPUTS = "inputs.", "outputs."
# What the application answered, or fetched to answer: it changes with every run.
_ANSWERS = frozenset({"response", "answer", "output", "actual", "context", "tool_calls", "conversation"})
_NO_SCORES = (
    *("_threshold", "_tokens", "_reason", "_status", "_properties", "_details"),
    *("_sample_input", "_sample_output", "_model", "_finish_reason", "_label"),
)
_VERDICTS: Mapping[object, float | ItemStatus] = {
    "pass": 1.0, "fail": 0.0, "not_applicable": ItemStatus.SKIPPED, "unknown": ItemStatus.UNSCORED
}  # fmt: skip
_DERIVED = re.compile(r"_(score|passed|result)$")
_STATUSES: Mapping[object, ItemStatus] = {"error": ItemStatus.ERROR, "skipped": ItemStatus.SKIPPED}
_RATINGS = frozenset(
    {"coherence", "fluency", "groundedness", "intent_resolution", "relevance", "response_completeness", "retrieval",
     "similarity", "task_adherence"}
)  # fmt: skip
_SEVERITIES = frozenset({"hate_unfairness_score", "self_harm_score", "sexual_score", "violence_score"})
_RATES = frozenset(
    {"f1_score", "bleu_score", "gleu_score", "meteor_score", "rouge_f1_score", "rouge_precision", "rouge_recall"}
)


def _traits(metric: str) -> Traits | None:
    """What the tool's own evaluators fix: ratings of 1 to 5, rates, and severities of 0 to 7, better when lower."""
    name = metric.rpartition(".")[2]
    if name in _RATINGS:
        return Traits(Scale(1.0, 5.0))
    if name in _SEVERITIES:
        return Traits(Scale(0.0, 7.0), Direction.LOWER)
    return RATE if name in _RATES or name.endswith(("_result", "_passed")) else None


_FORM = Form(
    "azure",
    remedy="give each row of the data set an id of its own, in a column `id`: two have the same question and answer",
    traits=_traits,
    part=_PART,
)


def matches(first: FirstRecord) -> bool:
    """Whether the file is one object with rows whose keys begin with ``inputs.`` or ``outputs.``."""
    rows = first.fields.get("rows")
    if not first.is_map or "metrics" not in first.fields or not isinstance(rows, list) or not rows:
        return False
    return isinstance(rows[0], dict) and any(key.startswith((_INPUTS, _OUTPUTS)) for key in rows[0])


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a result; metrics are named ``evaluator.metric``, as in the tool's own means.

    Raises:
        ScoreFileError: where a row is no object, has no input, or a metric's value is of another kind than elsewhere.
    """
    return run_of_records(file, _FORM, _records(file), wanted)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The rows' questions."""
    return items_of_records(file, _FORM, _records(file), columns)


def _records(file: ScoreFile) -> Iterator[Record]:
    document = parse_document(file)
    rows = document.get("rows") if isinstance(document, dict) else None
    if not isinstance(rows, list):
        raise ScoreFileError(
            "the file has no list of rows",
            where=file.place(),
            remedy="give the file that `evaluate(..., output_path=...)` writes",
        )
    metrics = _metrics(rows)
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ScoreFileError(
                f"a row is {quote(row)}, not an object",
                where=file.place(part=_PART.format(index=index)),
                remedy="let the tool write the file again",
            )
        yield _record(row, index, metrics, file)


def _metrics(rows: list[object]) -> list[str]:
    """The keys that hold a score in any row."""
    keys = dict.fromkeys(key for row in rows if isinstance(row, dict) for key in row)
    return [
        key
        for key in keys
        if key.startswith(_OUTPUTS)
        and key.count(".") > 1
        and not key.endswith(_NO_SCORES)
        and any(_is_score(row.get(key)) for row in rows if isinstance(row, dict))
    ]


def _is_score(value: object) -> bool:
    """A number that is one, or a verdict; NaN alone, which stands for every kind of nothing, makes no metric."""
    if isinstance(value, str):
        return value in _VERDICTS
    return isinstance(value, int | float) and isinstance(parse_cell(value), float)


def _record(row: Mapping[str, object], index: int, metrics: list[str], file: ScoreFile) -> Record:
    inputs = {key.removeprefix(_INPUTS): value for key, value in row.items() if key.startswith(_INPUTS)}
    asked = {name: value for name, value in inputs.items() if name not in _ANSWERS}
    names = list(asked)
    own, question, target = (guess(known, names) for known in (ID_NAMES, INPUTS_NAMES, TARGET_NAMES))
    identity = [own] if own is not None else [name for name in (question, target) if name is not None] or names
    return Record(
        id=make_id(
            [as_text(asked[name]) for name in identity] or [None],
            is_text=own is None,
            file=file,
            line=index + 1,
            part=_PART,
        ).id,
        scores={key.removeprefix(_OUTPUTS): _score(row, key, index, file) for key in metrics if key in row},
        line=index + 1,
        inputs=None if question is None else as_text(asked[question]),
        target=None if target is None else as_text(asked[target]),
    )


def _score(row: Mapping[str, object], key: str, index: int, file: ScoreFile) -> float | ItemStatus:
    value = row[key]
    score = _VERDICTS[value] if isinstance(value, str) and value in _VERDICTS else parse_cell(value)
    if isinstance(score, Fault | Percent):
        raise ScoreFileError(
            f"{quote(value)} is not a score, and other rows have one",
            where=file.place(part=f"{_PART.format(index=index)}.{key}"),
            remedy="let the evaluator give a number or nothing, the same in every row",
        )
    if score is not ItemStatus.UNSCORED:
        return score
    told = row.get(f"{_DERIVED.sub('', key)}_status", row.get(f"{key}_status"))
    return _STATUSES.get(told, score) if isinstance(told, str) else score
