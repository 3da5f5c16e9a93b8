"""A report.json of the gate: the candidate's scores of one of its suites, as the next baseline.

The report has one score an item, made of its samples where there were several; these are not in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np

from gate.errors import ScoreFileError
from gate.scores.assembly import assemble
from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.gate_report import ReportedMetric, ReportedSuite, suites_of
from gate.scores.model import ItemStatus, MetricScores, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.recorded import without_questions
from gate.scores.reducers import MEAN
from gate.scores.samples import Samples
from gate.scores.strict_json import parse_document
from gate.scores.variants import choose_variant

NAME = "gate_report"

_LOST = "lost"
_WORDS = {status.name.lower(): status for status in ItemStatus}


def matches(first: FirstRecord) -> bool:
    """Whether the file is one object with a verdict and its suites, as the gate writes it."""
    record = first.fields
    return (
        first.is_map
        and record.keys() >= {"schema_version", "verdict", "suites", "provenance"}
        and isinstance(record["verdict"], dict)
        and "word" in record["verdict"]
    )


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The candidate's run in a report: of its only suite, of the one selected, or of that with the suite's own name.

    Columns that are mapped are meant for the other file, and metrics are not narrowed: a report holds those alone that
    were judged.

    Raises:
        ScoreFileError: where it is of an error or of another schema version, has no items, or it is not clear which
            suite is meant.
    """
    found = suites_of(parse_document(file), file)
    suites = {suite.name: suite for suite in found.suites}
    asked = None if wanted.shared and wanted.variant not in suites else wanted.variant
    if asked is None and len(suites) > 1 and wanted.suite in suites:
        asked = wanted.suite
    names = list(suites)
    chosen = choose_variant(names, asked, file)
    if len(chosen.rows) > 1:
        raise ScoreFileError(
            f"{quote(asked)} fits {len(chosen.rows)} suites of the report",
            where=file.place(),
            remedy="name one of them by `baseline_select`: their items may be the same ones",
        )
    suite = suites[names[chosen.rows[0]]]
    made = {"verdict": found.verdict, **({} if found.day is None else {"created": found.day})}
    return _run(suite, file, notes=chosen.notes, facts={**made, **suite.facts})


read_items = without_questions(
    "a report of the gate holds no question texts",
    remedy="give the file of questions, or the score file that the report was made from",
)


def _run(suite: ReportedSuite, file: ScoreFile, *, notes: Sequence[str], facts: Mapping[str, str]) -> Run:
    # what the candidate had lost is no item of it
    held = [row for row, status in enumerate(suite.metrics[0].status) if status != _LOST]
    counts = [max(1, suite.n_samples[row]) if suite.n_samples else 1 for row in held]
    rows = [row for row, count in zip(held, counts, strict=True) for _ in repeat(None, count)]
    several = len(rows) > len(held)
    samples = Samples(
        ids=[suite.ids[row] for row in rows],
        lines=[row + 1 for row in rows],
        repeats=True,
        remedy="write the report again",
        groups=_of(suite.groups, rows),
        strata=_of(suite.strata, rows),
        weights=_weights(suite, rows, file),
        content_digests=_of(suite.digests, rows) if suite.content_fields else None,
        content_fields=suite.content_fields if suite.digests else (),
        part="items",
    )
    metrics = {metric.name: _scores(metric, held, counts, several=several) for metric in suite.metrics}
    told = [*notes]
    if any(scores.made for scores in metrics.values()):
        told.append("each item has the score that an earlier run made of its samples; what they were is not known")
    if suite.digests and not suite.content_fields:
        told.append("the report does not say what identifies the items: whether they changed cannot be told")
    run = assemble(file, NAME, samples, metrics, notes=told)
    return replace(run, facts=facts)


def _of(values: Sequence[str], rows: Sequence[int]) -> list[str | None] | None:
    return [values[row] or None for row in rows] if values else None


def _weights(suite: ReportedSuite, rows: Sequence[int], file: ScoreFile) -> list[float] | None:
    if not suite.weights:
        return None
    weights = []
    for row in rows:
        weight = suite.weights[row]
        if weight is None or not weight > 0:
            raise ScoreFileError(
                f"the weight of item {quote(suite.ids[row])} is not known",
                where=file.place(part=f"suite {quote(suite.name)}"),
                remedy="give the score file that the report was made from",
            )
        weights.append(weight)
    return weights


def _scores(metric: ReportedMetric, held: Sequence[int], counts: Sequence[int], *, several: bool) -> MetricScores:
    """A row for each sample that there was: the scored ones have the item's own score, the others none."""
    values: list[float] = []
    status: list[int] = []
    for row, count in zip(held, counts, strict=True):
        score = metric.candidate[row]
        scored = min(count, metric.n_scored[row]) if metric.n_scored and several else count
        scored = 0 if score is None else max(1, scored)
        word = _WORDS.get(metric.status[row], ItemStatus.UNSCORED)
        missing = ItemStatus.UNSCORED if word is ItemStatus.SCORED else word
        values += [np.nan if score is None else score] * scored + [np.nan] * (count - scored)
        status += [ItemStatus.SCORED] * scored + [missing] * (count - scored)
    return MetricScores(
        np.array(values, dtype=np.float64),
        np.array(status, dtype=np.uint8),
        scale=metric.scale,
        direction=metric.direction,
        reducer=metric.reducer,
        made=several or metric.reducer != MEAN,
    )
