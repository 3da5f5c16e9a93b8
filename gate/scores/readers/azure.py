"""Azure AI evaluation's result: rows of ``inputs.*`` and ``outputs.<evaluator>.<metric>``, and their means.

A row is known by its question and expected answer, not by the response, which stands among the inputs where the data
set brought it along; a conversation by what its user says. An evaluator that raised is an error where the file tells.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.azure_evaluators import NO_SCORES, VERDICTS, decode, traits_of
from gate.scores.cells import Fault, Percent, parse_cell
from gate.scores.content import ScoreFile
from gate.scores.conversations import as_cell, said
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import Form, Traits, items_of_records, run_of_records
from gate.scores.roles import ID_NAMES, INPUTS_NAMES, TARGET_NAMES, guess
from gate.scores.strict_json import as_object, parse_document

_PART = "rows[{index}]"
_INPUTS, _OUTPUTS = "inputs.", "outputs."
# What the application answered, or fetched to answer: it changes with every run.
_CONVERSATION = "conversation"
_ANSWERS = frozenset({"response", "answer", "output", "actual", "context", "tool_calls", _CONVERSATION})


def _traits(metric: str) -> Traits | None:
    return traits_of(metric.rpartition(".")[2])


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
    outputs = _outputs(rows)
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise ScoreFileError(
                f"a row is {quote(row)}, not an object",
                where=file.place(part=_PART.format(index=index)),
                remedy="let the tool write the file again",
            )
        yield _record(row, index, outputs, file)


class _Outputs(NamedTuple):
    """What the evaluators of a file return.

    Attributes:
        metrics: the keys that hold a score in any row.
        signs: such a key -> what its evaluator returns beside it; empty where that does not tell whether it failed.
    """

    metrics: Sequence[str]
    signs: Mapping[str, Sequence[str]]


def _outputs(rows: list[object]) -> _Outputs:
    known = [row for row in rows if isinstance(row, dict)]
    keys = [key for key in dict.fromkeys(key for row in known for key in row) if _is_output(key)]
    by_evaluator: dict[str, list[str]] = defaultdict(list)
    for key in keys:
        by_evaluator[_evaluator(key)].append(key)
    telling = {
        evaluator: returned if any(_holds_words(known, key) for key in returned) else []
        for evaluator, returned in by_evaluator.items()
    }
    metrics = [key for key in keys if not key.endswith(NO_SCORES) and any(_is_score(row.get(key)) for row in known)]
    return _Outputs(metrics, {key: telling[_evaluator(key)] for key in metrics})


def _is_output(key: str) -> bool:
    return key.startswith(_OUTPUTS) and key.count(".") > 1


def _evaluator(key: str) -> str:
    return key.removeprefix(_OUTPUTS).partition(".")[0]


def _holds_words(rows: Sequence[Mapping[str, object]], key: str) -> bool:
    """Whether an output is ever a word, a boolean or nothing: only such a column keeps null and NaN apart."""
    return any(key in row and not (_is_number(row[key]) or isinstance(row[key], dict | list)) for row in rows)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_score(value: object) -> bool:
    """A number that is one, or a verdict; NaN alone, which stands for every kind of nothing, makes no metric."""
    if isinstance(value, str):
        return value in VERDICTS
    return isinstance(value, int | float) and isinstance(parse_cell(value), float)


def _has_failed(row: Mapping[str, object], returned: Sequence[str]) -> bool:
    """Whether an evaluator raised: the tool then writes NaN for all that it returns, its words and booleans, too.

    What an evaluator itself leaves out as None stays null where it is no column of numbers.
    """
    return bool(returned) and all(_is_nan(row.get(key)) for key in returned)


def _is_nan(value: object) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _record(row: Mapping[str, object], index: int, outputs: _Outputs, file: ScoreFile) -> Record:
    inputs = {key.removeprefix(_INPUTS): value for key, value in row.items() if key.startswith(_INPUTS)}
    # NaN stands where the row of a mixed data set has no such input
    asked = {name: value for name, value in inputs.items() if name not in _ANSWERS and not _is_nan(value)}
    own, question, target = (guess(known, list(asked)) for known in (ID_NAMES, INPUTS_NAMES, TARGET_NAMES))
    words = said(as_object(inputs.get(_CONVERSATION)).get("messages"), key="role", role="user")
    text = None if question is None else as_text(asked[question])
    if question is None and words:
        question, asked[_CONVERSATION], text = _CONVERSATION, as_cell(words), "\n".join(words)
    identity = [own] if own is not None else [name for name in (question, target) if name is not None] or list(asked)
    return Record(
        id=make_id(
            [as_text(asked[name]) for name in identity] or [None],
            is_text=own is None,
            file=file,
            line=index + 1,
            part=_PART,
        ).id,
        scores={
            key.removeprefix(_OUTPUTS): _score(row, key, index, outputs.signs[key], file)
            for key in outputs.metrics
            if key in row
        },
        line=index + 1,
        inputs=text,
        target=None if target is None else as_text(asked[target]),
    )


def _score(
    row: Mapping[str, object], key: str, index: int, returned: Sequence[str], file: ScoreFile
) -> float | ItemStatus:
    score = decode(row, key)
    if isinstance(score, Fault | Percent):
        raise ScoreFileError(
            f"{quote(row[key])} is not a score, and other rows have one",
            where=file.place(part=f"{_PART.format(index=index)}.{key}"),
            remedy="let the evaluator give a number or nothing, the same in every row",
        )
    return ItemStatus.ERROR if score is ItemStatus.UNSCORED and _has_failed(row, returned) else score
