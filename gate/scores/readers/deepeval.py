"""DeepEval's test runs: ``.temp_test_run_data.json``, and ``.latest_test_run.json``, which wraps one in testRunData.

A test case's name is its position by default, so that its input and expected output name it. A metric that failed has
no score at all; the case's own ``success`` is false then, too, and says nothing.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.cells import Fault, Percent, parse_cell
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
# DeepEval passes these where the score is at most the threshold.
_LOWER = frozenset({"Bias", "Hallucination", "Toxicity"})
_TIMED_OUT = "timed out"


def _traits(metric: str) -> Traits:
    return Traits(UNIT, Direction.LOWER) if metric in _LOWER else RATE


# `deepeval test run --repeat N` writes each case N times
_FORM = Form("deepeval", repeats=True, traits=_traits, part="case {number}")


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
    return run_of_records(file, _FORM, _records(file, facts), wanted, facts=facts)


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The inputs of the cases."""
    return items_of_records(file, _FORM, _records(file, {}), columns)


def _records(file: ScoreFile, facts: dict[str, str]) -> Iterator[Record]:
    judges: set[str] = set()
    for case in _cases(file):
        metrics = _metrics(case, file)
        judges.update(filter(None, (as_text(metric.get("evaluationModel")) for metric in metrics.values())))
        yield _record(case, metrics, file)
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
        id=make_id(identity, is_text=True, file=file, line=case.number, part=_FORM.part).id,
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
    said = (
        [turn.get("content") for turn in turns if isinstance(turn, dict) and turn.get("role") == "user"]
        if (isinstance(turns, list))
        else []
    )
    return as_text(said) if said else None


def _score(metric: Mapping[str, object], name: str, case: _Case, file: ScoreFile) -> float | ItemStatus:
    score = parse_cell(metric.get("score"))
    if isinstance(score, Fault | Percent) or isinstance(metric.get("score"), str):
        raise ScoreFileError(
            f"{quote(metric.get('score'))} of {quote(name)} is not a score",
            where=file.place(part=f"{case.part}.metricsData"),
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


def _success(case: _Case, scores: Mapping[str, float | ItemStatus]) -> float | ItemStatus:
    """The case's outcome, where it is one: a failed metric makes it false whatever the others say."""
    success = case.fields.get(_SUCCESS)
    missing = [score for score in scores.values() if isinstance(score, ItemStatus)]
    if not isinstance(success, bool):
        return ItemStatus.UNSCORED
    return float(success) if success or not missing else missing[0]
