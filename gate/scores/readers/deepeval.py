"""DeepEval's test runs: ``.temp_test_run_data.json``, and ``.latest_test_run.json``, which wraps one in testRunData.

A test case's name is its position by default, so that its input and expected output name it. A metric that failed has
no score at all; the case's own ``success`` is false then, too, and says nothing.

No field tells which way a metric is better, and DeepEval 4.2 turned some round. What passed does: a success below the
threshold, or a failure above it, is of a metric that is better when lower.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.cells import parse_cell, require_score
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import listing, quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, UNIT, Form, Traits, items_of_records, run_of_records
from gate.scores.strict_json import parse_document

_RUN = "testRunData"
_CASES = ("testCases", "conversationalTestCases")
_SUCCESS = "success"
_REMEDY = "run `deepeval test run` again"
# Up to DeepEval 4.1 they score the share of violations and pass at or below the threshold; since 4.2 they score the
# share without any and pass at or above it, as every other metric of the tool does in both.
_TURNED = frozenset({"Bias", "Hallucination", "Misuse", "Toxicity"})
_SILENT = "DeepEval 4.2 turned it round, and no case passes or fails it by a threshold that its score is not equal to"
_TORN = (
    "some cases pass above their threshold or fail below it, others the other way round, as where DeepEval took "
    "results of a version before 4.2 from its cache"
)
_TIMED_OUT = "timed out"
_PART = "case {number}"


class _Directions:
    """Which way each metric is better, by the cases that passed it and those that failed it."""

    def __init__(self) -> None:
        self._told: dict[str, set[Direction]] = {}

    def add(self, name: str, metric: Mapping[str, object], score: float | ItemStatus) -> None:
        direction = _direction(name, metric, score)
        if direction is not None:
            self._told.setdefault(name, set()).add(direction)

    def traits(self, name: str) -> Traits:
        if name == _SUCCESS:
            return RATE
        match [*self._told.get(name, ())]:
            case [direction]:
                return Traits(UNIT, direction)
            case []:
                return Traits(UNIT, None, _SILENT if name in _TURNED else None)
        return Traits(UNIT, None, _TORN)


class _Case(NamedTuple):
    """One test case: its number in the file from 1, where it stands, and itself."""

    number: int
    part: str
    fields: Mapping[str, object]


def matches(first: FirstRecord) -> bool:
    """Whether the file is a test run, bare or wrapped."""
    run = first.fields.get(_RUN, first.fields)
    return first.is_map and isinstance(run, dict) and set(_CASES) <= run.keys()


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a file: each metric by its name, and ``success`` of the case as a whole.

    Raises:
        ScoreFileError: where a case or a metric is not as DeepEval writes it, or a case has no input.
    """
    facts: dict[str, str] = {}
    directions = _Directions()
    return run_of_records(file, _form(directions), _records(file, facts, directions), wanted, facts=facts)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The inputs of the cases."""
    directions = _Directions()
    return items_of_records(file, _form(directions), _records(file, {}, directions), columns)


def _form(directions: _Directions) -> Form:
    # `deepeval test run --repeat N` writes each case N times
    return Form("deepeval", repeats=True, traits=directions.traits, part=_PART)


def _records(file: ScoreFile, facts: dict[str, str], directions: _Directions) -> Iterator[Record]:
    judges: set[str] = set()
    for case in _cases(file):
        metrics = _metrics(case, file)
        judges.update(filter(None, (as_text(metric.get("evaluationModel")) for metric in metrics.values())))
        record = _record(case, metrics, file)
        for name, metric in metrics.items():
            directions.add(name, metric, record.scores[name])
        yield record
    if judges:
        facts["judge"] = listing(sorted(judges))


def _cases(file: ScoreFile) -> Iterator[_Case]:
    document = parse_document(file)
    run = document.get(_RUN, document) if isinstance(document, dict) else None
    number = 0
    for key in _CASES:
        cases = run.get(key) if isinstance(run, dict) else None
        if not isinstance(cases, list):
            raise ScoreFileError(f"the file has no list {quote(key)}", where=file.place(), remedy=_REMEDY)
        for index, case in enumerate(cases):
            number += 1
            part = f"{key}[{index}]"
            if not isinstance(case, dict):
                raise ScoreFileError(
                    f"a case is {quote(case)}, not an object", where=file.place(part=part), remedy=_REMEDY
                )
            yield _Case(number, part, case)


def _metrics(case: _Case, file: ScoreFile) -> dict[str, Mapping[str, object]]:
    """The case's metrics by name."""
    data = case.fields.get("metricsData") or []
    named: dict[str, Mapping[str, object]] = {}
    for metric in data if isinstance(data, list) else [data]:
        name = metric.get("name") if isinstance(metric, dict) else None
        if not isinstance(metric, dict) or not isinstance(name, str) or not name or name == _SUCCESS:
            raise ScoreFileError(
                f"a metric is {quote(metric)}, not an object with a name",
                where=file.place(part=f"{case.part}.metricsData"),
                remedy=_REMEDY,
            )
        if name in named:
            raise ScoreFileError(
                f"two metrics of the case are called {quote(name)}",
                where=file.place(part=f"{case.part}.metricsData"),
                remedy="give each metric a name of its own, e.g. GEval(name=...), and run the tests again",
            )
        named[name] = metric
    return named


def _record(case: _Case, metrics: Mapping[str, Mapping[str, object]], file: ScoreFile) -> Record:
    scores = {name: _score(metric, name, case, file) for name, metric in metrics.items()}
    question = _question(case.fields)
    target = as_text(case.fields.get("expectedOutput")) or as_text(case.fields.get("expectedOutcome"))
    identity = [question] if target is None else [question, target]
    return Record(
        id=make_id(identity, is_text=True, file=file, line=case.number, part=_PART).id,
        scores={**scores, _SUCCESS: _success(case, scores)},
        line=case.number,
        inputs=question,
        target=target,
    )


def _question(case: Mapping[str, object]) -> str | None:
    """The input; of a conversation the scenario, or else what the user says in it."""
    for key in ("input", "scenario"):
        if text := as_text(case.get(key)):
            return text
    turns = case.get("turns")
    listed = [turn for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
    said = [turn.get("content") for turn in listed if turn.get("role") == "user"]
    return as_text(said) if said else None


def _score(metric: Mapping[str, object], name: str, case: _Case, file: ScoreFile) -> float | ItemStatus:
    score = require_score(
        metric.get("score"),
        file.place(part=f"{case.part}.metricsData, metric {quote(name)}"),
        remedy="let the metric set a number as its score, and run the tests again",
    )
    if isinstance(score, float):
        return score
    if metric.get("skipped") is True:
        return ItemStatus.SKIPPED
    error = metric.get("error")
    if not error:
        return ItemStatus.UNSCORED
    return ItemStatus.TIMEOUT if _TIMED_OUT in str(error).lower() else ItemStatus.ERROR


def _direction(name: str, metric: Mapping[str, object], score: float | ItemStatus) -> Direction | None:
    """What one metric of one case tells of its direction; a score that is equal to its threshold tells nothing."""
    threshold, passed = parse_cell(metric.get("threshold")), metric.get("success")
    if metric.get("error") or not isinstance(threshold, float) or isinstance(score, ItemStatus):
        return None
    # strict mode sets the threshold itself, to the best score, and a case that passes has just that
    if name in _TURNED and metric.get("strictMode") is True and threshold in (0.0, 1.0):
        return Direction.HIGHER if threshold else Direction.LOWER
    if score == threshold or not isinstance(passed, bool):
        return None
    return Direction.HIGHER if (score > threshold) is passed else Direction.LOWER


def _success(case: _Case, scores: Mapping[str, float | ItemStatus]) -> float | ItemStatus:
    """The case's outcome, where it is one: a failed metric makes it false whatever the others say."""
    success = case.fields.get(_SUCCESS)
    missing = [score for score in scores.values() if isinstance(score, ItemStatus)]
    if not isinstance(success, bool):
        return ItemStatus.UNSCORED
    return float(success) if success or not missing else missing[0]
