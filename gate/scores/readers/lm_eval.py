"""lm-eval's logged samples: a JSON array in a .jsonl (0.4.0), or JSON Lines with filter, metrics and hashes (since).

A row is a document under one filter; filters are variants. The content of an item is its document and target, never the
rendered prompt. How the run was made stands in ``results_<date>.json`` beside it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.beside import read_beside
from gate.scores.cells import require_score
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote, quoted_listing
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, Traits, run_of_records
from gate.scores.records import Numbered, iter_records
from gate.scores.strict_json import as_object, canonical
from gate.scores.tabulation import refuse_columns

NAME = "lm_eval"

_SIGNATURE = frozenset({"doc_id", "doc", "target", "arguments", "filtered_resps"})
_NO_METRICS = _SIGNATURE | {"resps", "filter", "metrics", "doc_hash", "prompt_hash", "target_hash"}
_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)\.jsonl(?:\.gz|\.zst)?")
_QUESTIONS = ("question", "Question", "problem", "query", "ctx", "input", "prompt", "goal", "sentence", "text")
_UNIT_METRICS = frozenset({"acc", "acc_norm", "acc_mutual_info", "exact_match", "em", "f1", "mc1", "mc2", "pass@1"})
_LOWER_METRICS = frozenset({"word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "ter"})
_LOG_LIKELIHOOD = "perplexity"
_DOUBLES_REMEDY = (
    "lm-eval appends to a file that is there: delete it and run again, or keep the lines of one run (its early versions"
    " do not name the filter of a line: use a newer one for tasks with several filters)"
)


@dataclass(slots=True)
class _Log:
    """What has been read of the file so far.

    Attributes:
        averageable: metric -> the line on which it was first a number.
        others: metric -> the line on which it was first something from which only a corpus figure can be made.
    """

    averageable: dict[str, int] = field(default_factory=dict)
    others: dict[str, int] = field(default_factory=dict)


class _Made(NamedTuple):
    """How the run was made: its facts, and of each metric whether higher is better, where that is stated."""

    facts: Mapping[str, str]
    higher_is_better: Mapping[str, object]


def matches(first: FirstRecord) -> bool:
    """Whether the first record has the fields that every version of lm-eval logs."""
    return first.is_json and first.fields.keys() >= _SIGNATURE


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a file of logged samples.

    Raises:
        ScoreFileError: where no metric has a score per document, a document stands twice under one filter, or the
            results beside the file are broken.
    """
    log, made = _Log(), _made(file)
    form = Form(NAME, remedy=_DOUBLES_REMEDY, traits=partial(_traits, stated=made.higher_is_better))
    return run_of_records(file, form, _records(file, log), wanted, notes=_notes(log), facts=made.facts)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The documents' questions, one per document whatever the filters."""
    refuse_columns(columns, NAME, file)
    items: dict[str, Item] = {}
    for line, record in iter_records(file):
        item_id = _id(record, file, line)
        items.setdefault(item_id, Item(item_id, _question(record) or "", line, as_text(record.get("target"))))
    return tuple(items.values())


def _records(file: ScoreFile, log: _Log) -> Iterator[Record]:
    n_rows = 0
    for numbered in iter_records(file):
        n_rows += 1
        yield _record(numbered, _scores(log, numbered, file), file)
    for metric in sorted(log.averageable.keys() & log.others.keys()):
        raise ScoreFileError(
            f"the metric {quote(metric)} is a number on line {log.averageable[metric]} and none here",
            where=file.place(log.others[metric], f"key {quote(metric)}"),
            remedy="run the task again; a metric must be of one kind in every document",
        )
    if n_rows and not log.averageable:
        raise _no_average(log, file)


def _scores(log: _Log, numbered: Numbered, file: ScoreFile) -> dict[str, float | ItemStatus]:
    line, record = numbered
    scores: dict[str, float | ItemStatus] = {}
    for metric in _metric_names(record):
        value = record.get(metric)
        if value is None:
            continue
        if not isinstance(value, str | list | dict):
            log.averageable.setdefault(metric, line)
            scores[metric] = require_score(value, file.place(line, f"key {quote(metric)}"))
        elif "metrics" in record or isinstance(value, list):
            log.others.setdefault(metric, line)
    return scores


def _record(numbered: Numbered, scores: Mapping[str, float | ItemStatus], file: ScoreFile) -> Record:
    line, record = numbered
    doc = record.get("doc") or record.get("doc_hash")
    return Record(
        id=_id(record, file, line),
        scores=scores,
        line=line,
        inputs=_question(record),
        target=as_text(record.get("target")),
        prompt=_prompt(record.get("arguments")),
        # the document itself, so that files of two versions agree; its hash where the file was stripped of it
        content=None if doc is None else canonical([doc, record.get("target")]),
        variant=as_text(record.get("filter")),
    )


def _metric_names(record: Mapping[str, object]) -> Iterable[str]:
    """The names in ``metrics``; the first generation has no such list, and there they are what is left over."""
    named = record.get("metrics")
    if isinstance(named, list):
        return [name for name in named if isinstance(name, str)]
    return [name for name in record if name not in _NO_METRICS]


def _id(record: Mapping[str, object], file: ScoreFile, line: int) -> str:
    return make_id([record.get("doc_id")], is_text=False, file=file, line=line).id


def _question(record: Mapping[str, object]) -> str | None:
    doc = record.get("doc")
    if not isinstance(doc, dict):
        return as_text(doc)
    found = (doc[key] for key in _QUESTIONS if isinstance(doc.get(key), str) and doc[key].strip())
    return as_text(next(found, doc))


def _prompt(arguments: object) -> str | None:
    """The first text in ``[[context, ...], ...]`` or ``{"gen_args_0": {"arg_0": context, ...}}``."""
    while isinstance(arguments, list | dict) and arguments:
        arguments = arguments[0] if isinstance(arguments, list) else next(iter(arguments.values()))
    return arguments if isinstance(arguments, str) else None


def _traits(metric: str, *, stated: Mapping[str, object]) -> Traits | None:
    """Which way is better as the run itself states it, else as lm-eval documents it; and the scale of rates."""
    known = RATE if metric in _UNIT_METRICS or metric.endswith("_acc") else None
    if metric in _LOWER_METRICS:
        known = Traits(direction=Direction.LOWER)
    higher = stated.get(metric)
    # of the perplexity it is stated for the whole, of which a document has the log-likelihood
    if not isinstance(higher, bool) or metric == _LOG_LIKELIHOOD:
        return known
    return Traits(known.scale if known else None, Direction.HIGHER if higher else Direction.LOWER)


def _no_average(log: _Log, file: ScoreFile) -> ScoreFileError:
    if not log.others:
        return ScoreFileError(
            "no document has a metric",
            where=file.place(),
            remedy="add a metric to the task's `metric_list`, e.g. exact_match, and run it again",
        )
    return ScoreFileError(
        f"no metric has a score per document: {quoted_listing(log.others)} can only be computed over all of them",
        where=file.place(),
        remedy="add a metric that scores each document to the task, e.g. exact_match, and run it again",
    )


def _notes(log: _Log) -> Iterator[str]:
    if log.others:
        yield f"left out, as they have no score per document: {quoted_listing(log.others)}"
    if _LOG_LIKELIHOOD in log.averageable:
        yield '"perplexity" is a log-likelihood per document here, so higher is better'


def _made(file: ScoreFile) -> _Made:
    """What the file's name and the results of the same run tell; nothing where the file has been renamed.

    The results' ``git_hash`` is left alone: it is that of the folder that lm-eval was started in.
    """
    name = _NAME.fullmatch(file.path.name)
    if name is None:
        return _Made({}, {})
    results = read_beside(file, f"results_{name['date']}.json")
    found = {
        "task": name["task"],
        "task version": as_text(as_object(results.get("versions")).get(name["task"])),
        "tool version": as_text(results.get("lm_eval_version")),
        "model": as_text(results.get("model_name")),
        "created": name["date"],
    }
    return _Made(
        {fact: told for fact, told in found.items() if told},
        as_object(as_object(results.get("higher_is_better")).get(name["task"])),
    )
