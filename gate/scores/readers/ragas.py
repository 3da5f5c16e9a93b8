"""ragas' ``EvaluationResult.to_pandas()``, as CSV, JSON, JSON Lines or Parquet; of ragas 0.1, and of 0.2 and later.

An item is what was asked and the reference, or the id that the user brought along. Of a conversation, which holds the
model's answers, only what the human says names it. ragas writes NaN for a metric that raised, and for one that found
nothing to judge: both are unscored.
"""

from collections.abc import Iterator, Mapping
from functools import partial

from gate.errors import Place, ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.conversations import as_cell, said
from gate.scores.first_record import Container, FirstRecord
from gate.scores.frame import Frame, is_by_column, open_frame
from gate.scores.ids import as_text, make_id
from gate.scores.kinds import Kinds
from gate.scores.literals import parse_literal
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.reader import Item
from gate.scores.recorded import RATE, UNIT, Form, Traits, items_of_records, run_of_records
from gate.scores.records import Numbered
from gate.scores.roles import ID_NAMES, can_be_metric, guess

_NEW_QUESTION, _OLD_QUESTION = "user_input", "question"
_LISTS = ("reference_tool_calls", "reference_topics")
_REFERENCES = ("reference", "ground_truth", "ground_truths", *_LISTS)
# the columns of a sample, of which ragas needs one beside user_input; of 0.1 it wrote the three
_SAMPLE = frozenset(
    {"response", "reference", "retrieved_contexts", "reference_contexts", "multi_responses"}
    | {"reference_tool_calls", "reference_topics", "rubrics"}
)
_OLD_SAMPLE = frozenset({_OLD_QUESTION, "answer", "contexts"})
_NO_METRICS = frozenset(
    {_NEW_QUESTION, *_REFERENCES, *_SAMPLE, *_OLD_SAMPLE}
    | {"retrieved_context_ids", "reference_context_ids", "persona_name", "query_style", "query_length"}
    | {"synthesizer_name", "evolution_type", "metadata", "episode_done"}
)
_RATES = frozenset(
    {
        "agent_goal_accuracy", "answer_correctness", "answer_similarity", "bleu_score", "chrf_score",
        "context_entity_recall", "context_precision", "context_recall", "context_utilization", "exact_match",
        "factual_correctness", "faithful_rate", "faithfulness", "faithfulness_with_hhem", "id_based_context_precision",
        "id_based_context_recall", "llm_context_precision_with_reference", "llm_context_precision_without_reference",
        "llm_sql_equivalence_with_reference", "non_llm_context_precision_with_reference", "non_llm_context_recall",
        "non_llm_string_similarity", "nv_accuracy", "nv_context_relevance", "nv_response_groundedness",
        "relevance_rate", "rouge_score", "semantic_similarity", "string_present", "summary_score", "tool_call_accuracy",
        "tool_call_f1", "topic_adherence",
    }
)  # fmt: skip
_LOWER = frozenset({"noise_sensitivity"})
_MESSAGES = "[{'content':"
_AS_LINES = 'write the table as JSON Lines: result.to_pandas().to_json(FILE, orient="records", lines=True)'


def _traits(metric: str) -> Traits | None:
    """As ragas documents its own metrics; the mode stands in brackets: ``noise_sensitivity(mode=relevant)``."""
    name = metric.partition("(")[0]
    if name in _LOWER:
        return Traits(UNIT, Direction.LOWER)
    return RATE if name in _RATES else None


def _form(frame: Frame, kinds: Kinds) -> Form:
    remedy = "give each sample an id of its own, in a column `id`: two have the same question and reference"
    return Form("ragas", remedy=remedy, traits=_traits, part=frame.part, left_out=lambda: kinds.texts)


def matches(first: FirstRecord) -> bool:
    """Whether the columns are those of a sample, whose values stand by row or, in one JSON object, by column."""
    names = first.fields.keys()
    if first.container in {Container.ZIP, Container.XML}:
        return False
    if not (_NEW_QUESTION in names and not names.isdisjoint(_SAMPLE)) and not names >= _OLD_SAMPLE:
        return False
    return not first.is_map or is_by_column(first.fields)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a result; its metrics are the columns of numbers beside those of a sample.

    Raises:
        ScoreFileError: where a row has no question, or a column is a score in one row and a text in another.
    """
    frame, kinds = open_frame(file), Kinds()
    return run_of_records(file, _form(frame, kinds), _records(frame, kinds), wanted, notes=kinds.notes())


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """What was asked."""
    frame = open_frame(file)
    records = (_record(numbered, {}, frame) for numbered in frame.rows())
    return items_of_records(file, _form(frame, Kinds()), records, columns)


def _records(frame: Frame, kinds: Kinds) -> Iterator[Record]:
    rows = 0
    for numbered in frame.rows():
        rows += 1
        yield _record(numbered, _scores(numbered, frame, kinds), frame)
    kinds.require_one_kind(
        remedy="take the column out if it is no metric, or name a plain format and the scores, e.g. format: csv"
    )
    if rows and not kinds.scored:
        raise ScoreFileError(
            "no metric has a score",
            where=frame.file.place(),
            remedy="write what `evaluate` returns, to_pandas(); see ragas' log where every metric raised",
        )


def _record(numbered: Numbered, scores: Mapping[str, float | ItemStatus], frame: Frame) -> Record:
    line, row = numbered
    name = _NEW_QUESTION if _NEW_QUESTION in row else _OLD_QUESTION
    question = _asked(row.get(name), frame.place(line, name))
    if question is None:
        raise ScoreFileError(
            "nothing was asked here",
            where=frame.place(line, name),
            remedy="give every sample a question, or a conversation with a message of the human: it names the item",
        )
    target = next((text for name in _REFERENCES if (text := _reference(row, name, frame, line)) is not None), None)
    own = guess(ID_NAMES, list(row))
    cells: list[object] = [row[own]] if own is not None else [question] if target is None else [question, target]
    return Record(
        id=make_id(cells, is_text=own is None, file=frame.file, line=line, part=frame.part).id,
        scores=scores,
        line=line,
        inputs="\n".join(map(str, question)) if isinstance(question, list) else as_text(question),
        target=target,
    )


def _reference(row: Mapping[str, object], name: str, frame: Frame, line: int) -> str | None:
    cell = row.get(name)
    if name in _LISTS and isinstance(cell, str) and cell.startswith("["):
        cell = parse_literal(cell, frame.place(line, name), remedy=_AS_LINES)
    return as_text(cell)


def _asked(cell: object, place: Place) -> object:
    """The question, or what the human says in a conversation; None where that is nothing."""
    if isinstance(cell, str) and cell.startswith(_MESSAGES):
        cell = parse_literal(cell, place, remedy=_AS_LINES)
    if not isinstance(cell, list):
        return as_text(cell)
    words = said(cell, key="type", role="human")
    return as_cell(words) if words else None


def _scores(numbered: Numbered, frame: Frame, kinds: Kinds) -> dict[str, float | ItemStatus]:
    line, row = numbered
    scores: dict[str, float | ItemStatus] = {}
    for name, cell in row.items():
        if not name or name in _NO_METRICS or not can_be_metric(name):
            continue
        score = kinds.take(name, cell, line, partial(frame.place, line, name))
        if score is not None:
            scores[name] = score
    return scores
