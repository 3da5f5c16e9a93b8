"""Inspect's logs, ``.json`` and ``.eval`` (a zip with one member a sample): scores of each scorer, epochs as repeats.

What identifies a sample is its input, choices and target; the messages in it carry random ids, which do not count.
"""

import fnmatch
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from gate.errors import Place, ScoreFileError
from gate.scores.cells import Fault, parse_cell
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.inspect_log import REMEDY, Sample, header_of, is_log, object_at, samples_of
from gate.scores.model import Columns, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote, quoted_listing
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, Traits, items_of_records, run_of_records
from gate.scores.strict_json import as_object, canonical
from gate.wording import count

NAME = "inspect"

# as Inspect's own value_to_float maps them; any other text it counts as 0 with a warning, and we as no score
_GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_TIME_LIMITS = frozenset({"time", "working"})
_OR_ANOTHER = "or name the metrics to be read: --metric NAME, in gate.yml `metrics`"
_UNFINISHED = "run inspect eval-retry FILE, or set `allow_unfinished: true` in gate.yml / --allow-unfinished"


@dataclass(slots=True)
class _Log:
    """What has been read of the log so far.

    Attributes:
        wanted: the metrics asked for; empty means all.
        numbers: metric -> where it was first a number.
        others: metric -> where it was first a text or a list, of which no mean can be made.
        grades: the metrics that were a grade or a truth value somewhere.
        invalid, errors: how many samples a user has marked as invalid, and how many ended with an error.
    """

    wanted: tuple[str, ...]
    numbers: dict[str, Place] = field(default_factory=dict)
    others: dict[str, Place] = field(default_factory=dict)
    grades: set[str] = field(default_factory=set)
    invalid: int = 0
    errors: int = 0

    def wants(self, metric: str) -> bool:
        return not self.wanted or any(metric == name or fnmatch.fnmatchcase(metric, name) for name in self.wanted)

    def traits(self, metric: str) -> Traits | None:
        return RATE if metric in self.grades else None


def matches(first: FirstRecord) -> bool:
    """Whether the file is a log of Inspect."""
    return is_log(first)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a log; a scorer that gives a dictionary becomes a metric ``scorer.key`` for each key.

    Raises:
        ScoreFileError: where the run did not end and that is not allowed, or it has no samples with scores.
    """
    header = header_of(file)
    _refuse_unfinished(header, wanted, file)
    log = _Log(wanted.metrics)
    form = Form(NAME, repeats=True, remedy=REMEDY, traits=log.traits, part="samples[{index}]")
    records = _records(samples_of(file), log, file)
    return run_of_records(file, form, records, wanted, notes=_notes(log, header), facts=_facts(header))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The samples' inputs, one for each id whatever the epochs."""
    records = (_record(sample, {}, number, place, file) for number, (place, sample) in enumerate(samples_of(file), 1))
    return items_of_records(file, Form(NAME, repeats=True), records, columns)


def _records(samples: Iterator[Sample], log: _Log, file: ScoreFile) -> Iterator[Record]:
    """The scored samples, then those that lack scores: only then is it known what they should have been scored by."""
    lacking: list[tuple[Record, ItemStatus]] = []
    number = 0
    for number, (place, sample) in enumerate(samples, start=1):
        scores = _scores(sample, log, place)
        record = _record(sample, scores, number, place, file)
        log.invalid += sample.get("invalidation") is not None
        log.errors += sample.get("error") is not None
        status = _status(sample)
        if scores and status is ItemStatus.UNSCORED:
            yield record
        else:
            lacking.append((record, status))
    for metric in sorted(log.numbers.keys() & log.others.keys()):
        raise ScoreFileError(
            f"{quote(metric)} is a number elsewhere and none here",
            where=log.others[metric],
            remedy=f"let the scorer give a value of one kind for every sample, {_OR_ANOTHER}",
        )
    if not log.numbers:
        raise _no_scores(number, log, file)
    for record, status in lacking:
        # where the second scorer fails, the first one's score stands beside the error
        yield record._replace(scores={**dict.fromkeys(log.numbers, status), **record.scores})


def _scores(sample: Mapping[str, object], log: _Log, place: Place) -> dict[str, float | ItemStatus]:
    scores: dict[str, float | ItemStatus] = {}
    for metric, value in _values(sample, place):
        if not log.wants(metric):
            continue
        score = _score(value)
        if score in (Fault.TEXT, Fault.NESTED):
            log.others.setdefault(metric, place)
            continue
        if isinstance(score, Fault):
            raise ScoreFileError(
                f"{quote(value)} of {quote(metric)} {score.value[0]}",
                where=place,
                remedy=f"let the scorer give a finite number, {_OR_ANOTHER}",
            )
        if isinstance(value, bool | str):
            log.grades.add(metric)
        log.numbers.setdefault(metric, place)
        scores[metric] = score
    return scores


def _values(sample: Mapping[str, object], place: Place) -> Iterator[tuple[str, object]]:
    """Each scorer's value, or each of them where it gives several under keys."""
    if "score" in sample:
        raise ScoreFileError("the sample is as the first Inspect wrote it: with one score", where=place, remedy=REMEDY)
    for scorer, score in object_at(sample.get("scores") or {}, place, "scores").items():
        value = object_at(score, place, f"scores.{scorer}").get("value")
        if isinstance(value, dict):
            yield from ((f"{scorer}.{key}", element) for key, element in value.items())
        else:
            yield scorer, value


def _score(value: object) -> float | ItemStatus | Fault:
    if isinstance(value, str):
        known = _GRADES.get(value, _WORDS.get(value.lower()))
        if known is not None:
            return known
    score = parse_cell(value)
    if isinstance(value, str) and not isinstance(score, float):
        return Fault.TEXT
    return score if isinstance(score, float | ItemStatus | Fault) else Fault.TEXT


def _status(sample: Mapping[str, object]) -> ItemStatus:
    if sample.get("error") is not None:
        return ItemStatus.ERROR
    limit = sample.get("limit")
    timed_out = isinstance(limit, dict) and limit.get("type") in _TIME_LIMITS
    return ItemStatus.TIMEOUT if timed_out else ItemStatus.UNSCORED


def _record(
    sample: Mapping[str, object], scores: Mapping[str, float | ItemStatus], number: int, place: Place, file: ScoreFile
) -> Record:
    inputs, choices, target = _question(sample.get("input")), sample.get("choices"), sample.get("target")
    try:
        item = make_id([sample.get("id")], is_text=False, file=file, line=number).id
    except ScoreFileError as fault:
        raise ScoreFileError(fault.what, where=place, remedy=REMEDY) from fault
    return Record(
        id=item,
        scores=scores,
        line=number,
        inputs=inputs,
        target=as_text(target),
        prompt=_prompt(sample.get("messages")),
        content=canonical([inputs, choices, target]),
    )


def _question(value: object) -> str | None:
    """The input; of chat messages the text alone where there is but one, else each with its role."""
    if not isinstance(value, list):
        return as_text(value)
    turns = [_turn(message) for message in value]
    return as_text(turns[0][1] if len(turns) == 1 else turns)


def _prompt(messages: object) -> str | None:
    """What the model was shown before it first answered."""
    if not isinstance(messages, list):
        return None
    shown = takewhile(lambda turn: turn[0] != "assistant", map(_turn, messages))
    return as_text(list(shown) or None)


def _turn(message: object) -> list[object]:
    """A message's role and content, without its random id."""
    return [message.get("role"), message.get("content")] if isinstance(message, dict) else [None, message]


def _refuse_unfinished(header: Mapping[str, object], wanted: Wanted, file: ScoreFile) -> None:
    status, message = header.get("status"), as_object(header.get("error")).get("message")
    if status == "success" or wanted.unfinished:
        return
    told = f"{quote(status)} ({quote(message, 200)})" if message else quote(status)
    raise ScoreFileError(f"the run did not end: its status is {told}", where=file.place(), remedy=_UNFINISHED)


def _no_scores(n_samples: int, log: _Log, file: ScoreFile) -> ScoreFileError:
    if not n_samples:
        what = "the log holds no samples"
        remedy = "run the task without --no-log-samples; a log without samples has only means"
    elif log.others:
        what = f"no scorer gives a number: {quoted_listing(log.others)} are texts or lists"
        remedy = "add a scorer whose value is a number, true or false, or one of C, I, P and N"
    elif log.errors == n_samples:
        what = f"no sample has a score: each of {count(n_samples, 'sample')} ended with an error"
        remedy = "look at the errors with inspect view, then run inspect eval-retry FILE"
    else:
        what = f"no sample has a score{' of what is asked for' if log.wanted else ''}"
        remedy = f"score the log: inspect score FILE --scorer NAME{', or ask for other metrics' if log.wanted else ''}"
    return ScoreFileError(what, where=file.place(), remedy=remedy)


def _notes(log: _Log, header: Mapping[str, object]) -> Iterator[str]:
    if header.get("status") != "success":
        yield f"the run did not end: its status is {quote(header.get('status'))}"
    if log.others:
        yield f"left out, as their values are texts or lists: {quoted_listing(log.others)}"
    if log.invalid:
        yield f"{count(log.invalid, 'sample is', 'samples are')} marked as invalid in the log, and read all the same"


def _facts(header: Mapping[str, object]) -> dict[str, str]:
    spec = as_object(header.get("eval"))
    task, version = as_text(spec.get("task")), spec.get("task_version")
    grader = as_object(spec.get("model_roles")).get("grader")
    found = {
        "task": f"{task} (version {version})" if task and version else task,
        "judge": as_text(grader.get("model") if isinstance(grader, dict) else grader),
        "tool version": as_text(as_object(spec.get("packages")).get("inspect_ai")),
        "model": as_text(spec.get("model")),
        "created": as_text(spec.get("created")),
    }
    return {name: value for name, value in found.items() if value is not None}
