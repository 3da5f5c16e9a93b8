"""ai-rag-chat-evaluator's ``eval_results.jsonl``: question, truth, answer, context, latency, and what was rated.

A row is known by its question and its truth: a data set may ask one thing twice. Where the app did not answer, the tool
writes the error's message as the answer, has that rated, and marks the row with a latency of -1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial

from gate.errors import Place, ScoreFileError
from gate.scores.azure_evaluators import NO_SCORES, RATING, VERDICTS, decode, traits_of
from gate.scores.cells import Fault, Parsed
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.kinds import Kinds
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, Traits, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_records, text_under
from gate.scores.roles import can_be_metric
from gate.wording import count

_TEXTS = frozenset({"question", "truth", "answer", "context"})
_LATENCY = "latency"
_NO_ANSWER = -1
# of the app's answer alone: -1 where it was none
_OF_ANSWER = frozenset({"answer_length", "has_citation", "citation_match"})
_FAILED = "Failed"
_OWN: Mapping[str, Traits] = {
    _LATENCY: Traits(direction=Direction.LOWER),
    **dict.fromkeys(["has_citation", "citation_match"], RATE),
    **dict.fromkeys(["myrelevance", "mycoherence", "mygroundedness"], RATING),
    # asked of questions that the app should answer, and of those that it should not
    "dontknowness": Traits(RATING.scale, None, "to say so is right where the app cannot know, and wrong where it can"),
}


def _traits(metric: str) -> Traits | None:
    return _OWN.get(metric) or traits_of(metric)


@dataclass(slots=True)
class _Rows:
    """What has been read of the file so far.

    Attributes:
        kinds: which keys are metrics, also by an error in a score's place, and which are texts.
        unanswered: how many questions the app did not answer.
    """

    kinds: Kinds = field(default_factory=Kinds)
    unanswered: int = 0


def _form(rows: _Rows) -> Form:
    remedy = "take the rows that are too many out of the data set: they have the same question and the same truth"
    return Form("rag_chat_evaluator", remedy=remedy, traits=_traits, left_out=lambda: rows.kinds.texts)


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a question with its truth, the app's answer and how many seconds that took."""
    listed = first.is_json and not first.is_map
    latency = first.fields.get(_LATENCY)
    return listed and first.fields.keys() >= _TEXTS and isinstance(latency, int | float)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a result; a question that the app did not answer is an error of every metric.

    Raises:
        ScoreFileError: where a row has no question, or a metric is a score in one row and a text in another.
    """
    rows = _Rows()
    return run_of_records(file, _form(rows), _records(file, rows), wanted, notes=_notes(rows))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions."""
    rows = _Rows()
    return items_of_records(file, _form(rows), _records(file, rows), columns)


def _records(file: ScoreFile, rows: _Rows) -> Iterator[Record]:
    """The rows; first those with an answer, for only then is it known which metrics the others lack."""
    unanswered: list[Record] = []
    for numbered in iter_records(file):
        if numbered.record.get(_LATENCY) == _NO_ANSWER:
            unanswered.append(_record(numbered, {}, file))
        else:
            yield _record(numbered, _scores(numbered, rows, file), file)
    rows.unanswered = len(unanswered)
    if unanswered and not rows.kinds.scored:
        raise ScoreFileError(
            "the app answered none of the questions",
            where=file.place(unanswered[0].line, 'key "answer"'),
            remedy="see what the error there says, and run the evaluation again",
        )
    rows.kinds.require_one_kind(remedy="let the metric give a number in every row, or NaN where it has none")
    for record in unanswered:
        yield record._replace(scores=dict.fromkeys(rows.kinds.scored, ItemStatus.ERROR))


def _record(numbered: Numbered, scores: Mapping[str, float | ItemStatus], file: ScoreFile) -> Record:
    line, row = numbered
    remedy = "write the results of rows with questions, which are what names an item here"
    question = text_under(numbered, "question", file, missing="the row has no question", remedy=remedy)
    truth = as_text(row.get("truth"))
    return Record(
        id=make_id([question] if truth is None else [question, truth], is_text=True, file=file, line=line).id,
        scores=scores,
        line=line,
        inputs=question,
        target=truth,
    )


def _scores(numbered: Numbered, rows: _Rows, file: ScoreFile) -> Mapping[str, float | ItemStatus]:
    line, row = numbered
    scores: dict[str, float | ItemStatus] = {}
    for key, value in row.items():
        if key in _TEXTS or key.endswith(NO_SCORES) or not can_be_metric(key) or isinstance(value, dict | list):
            continue
        score = rows.kinds.take_parsed(key, _parsed(row, key), value, line, partial(_place, file, line, key))
        if score is ItemStatus.ERROR:
            rows.kinds.scored.setdefault(key, line)
        if score is not None:
            scores[key] = score
    return scores


def _place(file: ScoreFile, line: int, key: str) -> Place:
    return file.place(line, f"key {quote(key)}")


def _parsed(row: Mapping[str, object], key: str) -> Parsed:
    value = row[key]
    if value == _FAILED or (key in _OF_ANSWER and value == _NO_ANSWER):
        return ItemStatus.ERROR
    return Fault.TEXT if isinstance(value, str) and value not in VERDICTS else decode(row, key)


def _notes(rows: _Rows) -> Iterator[str]:
    if rows.unanswered:
        left_out = count(rows.unanswered, "question")
        yield f"the app did not answer {left_out} (latency -1): the ratings there, of an error's message, are left out"
    yield from rows.kinds.notes()
