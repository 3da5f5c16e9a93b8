"""EvalPlus's ``*_eval_results.json``, of both its schemas; the samples of a task are its repeats.

Up to 0.2 a task has the lists base and plus of [status, details], since then it is a list of samples. A sample passes
``plus`` only where it also passes ``base``, and one that timed out has failed: the tool's own pass@k counts both so.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import make_id
from gate.scores.model import Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.recorded import RATE, Form, run_of_records, without_questions
from gate.scores.strict_json import parse_document

_BASE, _PLUS = "base", "plus"
_FORM = Form("evalplus", repeats=True, traits={_BASE: RATE, _PLUS: RATE}.get, part="sample {number}")
_STATUSES = {
    "pass": 1.0,
    "fail": 0.0,
    "timeout": 0.0,
    "success": 1.0,
    "failed": 0.0,
    "timed out": 0.0,
}


class _Statuses(NamedTuple):
    """What one sample came to, as the file words it; None where it was not tested so."""

    base: object
    plus: object


def matches(first: FirstRecord) -> bool:
    """Whether the whole file is one object with the data set's hash and the tasks."""
    record = first.fields
    return (
        first.container is Container.JSON
        and first.is_map
        and isinstance(record.get("hash"), str)
        and isinstance(record.get("eval"), dict)
    )


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a result: the metrics ``base`` and, unless only that was asked for, ``plus``.

    Raises:
        ScoreFileError: where a task is of neither schema, or a status is not one of the tool's.
    """
    whole = parse_document(file)
    result = whole if isinstance(whole, dict) else {}
    return run_of_records(file, _FORM, _records(result, file), wanted, facts=_facts(result))


read_items = without_questions(
    "an EvalPlus result holds no problem texts",
    remedy="give the problems as JSON Lines, with columns: {id: task_id, inputs: prompt}",
)


def _records(result: Mapping[str, object], file: ScoreFile) -> Iterator[Record]:
    tasks = result.get("eval")
    number = 0
    for task, samples in tasks.items() if isinstance(tasks, dict) else ():
        for index, statuses in enumerate(_samples(task, samples, file)):
            number += 1
            part = f"eval[{quote(task)}][{index}]"
            name = make_id([task], is_text=False, file=file, line=number, part=_FORM.part).id
            scores = {_BASE: _score(statuses.base, part, file)}
            if statuses.plus is not None:
                scores[_PLUS] = scores[_BASE] * _score(statuses.plus, part, file)
            yield Record(id=name, scores=scores, line=number)


def _samples(task: str, samples: object, file: ScoreFile) -> Iterator[_Statuses]:
    """The samples of a task, of either schema."""
    if isinstance(samples, list) and all(isinstance(sample, dict) for sample in samples):
        yield from (_Statuses(sample.get("base_status"), sample.get("plus_status")) for sample in samples)
        return
    base, plus = (samples.get(_BASE), samples.get(_PLUS)) if isinstance(samples, dict) else (None, None)
    if _is_pairs(base) and (not plus or (_is_pairs(plus) and len(plus) == len(base))):
        yield from (_Statuses(pair[0], plus[row][0] if plus else None) for row, pair in enumerate(base))
        return
    raise ScoreFileError(
        f"the samples of {quote(task)} are neither a list nor lists of base and plus, one entry for each sample",
        where=file.place(part=f"eval[{quote(task)}]"),
        remedy="evaluate the samples again with `evalplus.evaluate`",
    )


def _is_pairs(pairs: object) -> TypeGuard[Sequence[Sequence[object]]]:
    return isinstance(pairs, list) and all(isinstance(pair, list) and pair for pair in pairs)


def _score(status: object, part: str, file: ScoreFile) -> float:
    score = _STATUSES.get(status) if isinstance(status, str) else None
    if score is None:
        raise ScoreFileError(
            f"{quote(status)} is no status of EvalPlus",
            where=file.place(part=part),
            remedy="evaluate the samples again with `evalplus.evaluate`",
        )
    return score


def _facts(result: Mapping[str, object]) -> Mapping[str, str]:
    """The hash tells the version of the problems and of their tests."""
    tasks, version, date = result.get("eval"), result.get("hash"), result.get("date")
    first = next(iter(tasks), "") if isinstance(tasks, dict) else ""
    facts = {"task": f"{first.partition('/')[0]} {version}"}
    return facts | {"created": date} if isinstance(date, str) else facts
