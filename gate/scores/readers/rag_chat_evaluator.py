"""ai-rag-chat-evaluator's ``eval_results.jsonl``: question, truth, answer, context, latency, and what was rated.

A row is known by its question and its truth: a data set may ask one thing twice. Where the app did not answer, the tool
writes the error's message as the answer, has that rated, and marks the row with a latency of -1.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gate.errors import ScoreFileError
from gate.scores.azure_evaluators import NO_SCORES, RATING, VERDICTS, decode, traits_of
from gate.scores.cells import Fault, Percent
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import counted, quote, quoted_listing
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, Traits, items_of_records, run_of_records
from gate.scores.records import Numbered, iter_records
from gate.scores.roles import can_be_metric

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


_FORM = Form(
    "rag_chat_evaluator",
    remedy="take the rows that are too many out of the data set: they have the same question and the same truth",
    traits=_traits,
)


@dataclass(slots=True)
class _Rows:
    """What has been read of the file so far.

    Attributes:
        scored: metric -> the line on which it was first a score, or an error in a score's place.
        texts: key -> the line on which it was first a text.
        unanswered: how many questions the app did not answer.
    """

    scored: dict[str, int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    unanswered: int = 0


def matches(first: FirstRecord) -> bool:
    """Whether the first record is a question with its truth, the app's answer and how many seconds that took."""
    listed = first.container in {Container.JSON, Container.JSONL} and not first.is_map
    latency = first.fields.get(_LATENCY)
    return listed and first.fields.keys() >= _TEXTS and isinstance(latency, int | float)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a result; a question that the app did not answer is an error of every metric.

    Raises:
        ScoreFileError: where a row has no question, or a metric is a score in one row and a text in another.
    """
    rows = _Rows()
    return run_of_records(file, _FORM, _records(file, rows), wanted, notes=_notes(rows))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The questions."""
    return items_of_records(file, _FORM, _records(file, _Rows()), columns)


def _records(file: ScoreFile, rows: _Rows) -> Iterator[Record]:
    """The rows; first those with an answer, for only then is it known which metrics the others lack."""
    unanswered: list[Record] = []
    for numbered in iter_records(file):
        if numbered.record.get(_LATENCY) == _NO_ANSWER:
            unanswered.append(_record(numbered, {}, file))
        else:
            yield _record(numbered, _scores(numbered, rows, file), file)
    rows.unanswered = len(unanswered)
    if unanswered and not rows.scored:
        raise ScoreFileError(
            "the app answered none of the questions",
            where=file.place(unanswered[0].line, 'key "answer"'),
            remedy="see what the error there says, and run the evaluation again",
        )
    for key in sorted(rows.scored.keys() & rows.texts.keys()):
        raise ScoreFileError(
            f"{quote(key)} is a score on line {rows.scored[key]} and a text here",
            where=file.place(rows.texts[key], f"key {quote(key)}"),
            remedy="let the metric give a number in every row, or NaN where it has none",
        )
    for record in unanswered:
        yield record._replace(scores=dict.fromkeys(rows.scored, ItemStatus.ERROR))


def _record(numbered: Numbered, scores: Mapping[str, float | ItemStatus], file: ScoreFile) -> Record:
    line, row = numbered
    question, truth = as_text(row.get("question")), as_text(row.get("truth"))
    if question is None:
        raise ScoreFileError(
            "the row has no question",
            where=file.place(line, 'key "question"'),
            remedy="write the results of rows with questions, which are what names an item here",
        )
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
        if isinstance(value, str) and value not in VERDICTS and value != _FAILED:
            rows.texts.setdefault(key, line)
            continue
        score = _score(row, key, line, file)
        if isinstance(score, float) or score is ItemStatus.ERROR:
            rows.scored.setdefault(key, line)
        if key in rows.scored:
            scores[key] = score
    return scores


def _score(row: Mapping[str, object], key: str, line: int, file: ScoreFile) -> float | ItemStatus:
    value = row[key]
    if value == _FAILED or (key in _OF_ANSWER and value == _NO_ANSWER):
        return ItemStatus.ERROR
    score = decode(row, key)
    if isinstance(score, Fault | Percent):
        what, remedy = (score if isinstance(score, Fault) else Fault.TEXT).value
        raise ScoreFileError(f"{quote(value)} {what}", where=file.place(line, f"key {quote(key)}"), remedy=remedy)
    return score


def _notes(rows: _Rows) -> Iterator[str]:
    if rows.unanswered:
        left_out = counted(rows.unanswered, "question", "questions")
        yield f"the app did not answer {left_out} (latency -1): the ratings there, of an error's message, are left out"
    if rows.texts:
        yield f"left out, as texts are no scores: {quoted_listing(rows.texts)}"
