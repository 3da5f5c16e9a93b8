"""SWE-bench's report of a run: one object of lists of instance ids, as the harness and sb-cli write it.

The items are the submitted instances, which is what the tool's resolved rate is of. It counts an empty patch and an
instance whose evaluation ended in an error (a patch that cannot be applied is one) as not resolved, and so does this.
"""

from collections.abc import Iterator, Mapping, Sequence

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import make_id
from gate.scores.model import ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote, quoted_listing
from gate.scores.recorded import RATE, Form, run_of_records, without_questions
from gate.scores.strict_json import parse_document
from gate.wording import count

_METRIC = "resolved"
_SUBMITTED = "submitted_ids"
_OUTCOMES = {"resolved_ids": 1.0, "unresolved_ids": 0.0, "empty_patch_ids": 0.0, "error_ids": 0.0}
_FORM = Form(
    "swe_bench",
    remedy="let the harness write the report again; an instance must stand once among the submitted",
    traits={_METRIC: RATE}.get,
    part=_SUBMITTED + "[{index}]",
)


def matches(first: FirstRecord) -> bool:
    """Whether the whole file is one object with the list of the resolved."""
    return first.container is Container.JSON and first.is_map and "resolved_ids" in first.fields


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a report: ``resolved`` of each submitted instance.

    Raises:
        ScoreFileError: where a list is none of ids, an instance has two outcomes, or the evaluation is still going on.
    """
    whole = parse_document(file)
    report = whole if isinstance(whole, dict) else {}
    if not wanted.unfinished:
        _require_finished(report, file)
    outcomes = _outcomes(report, file)
    submitted = _ids(report, _SUBMITTED, file)
    known = set(submitted)
    ids = [*submitted, *(instance for instance in outcomes if instance not in known)]
    return run_of_records(file, _FORM, _records(ids, outcomes, file), wanted, notes=_notes(report, file))


read_items = without_questions(
    "a SWE-bench report holds no problem statements",
    remedy="give the data set as JSON Lines, with columns: {id: instance_id, inputs: problem_statement}",
)


def _records(ids: Sequence[str], outcomes: Mapping[str, float], file: ScoreFile) -> Iterator[Record]:
    for number, instance in enumerate(ids, start=1):
        name = make_id([instance], is_text=False, file=file, line=number, part=_FORM.part).id
        # submitted and in none of the lists: it is not of the data set, and was not evaluated
        yield Record(id=name, scores={_METRIC: outcomes.get(instance, ItemStatus.UNSCORED)}, line=number)


def _outcomes(report: Mapping[str, object], file: ScoreFile) -> Mapping[str, float]:
    outcomes: dict[str, float] = {}
    list_of: dict[str, str] = {}
    for key, score in _OUTCOMES.items():
        for instance in _ids(report, key, file):
            if list_of.setdefault(instance, key) != key:
                raise ScoreFileError(
                    f"{quote(instance)} stands in {list_of[instance]} and in {key}",
                    where=file.place(part=f"key {quote(key)}"),
                    remedy="let the harness write the report again; an instance has one outcome",
                )
            outcomes[instance] = score
    return outcomes


def _ids(report: Mapping[str, object], key: str, file: ScoreFile) -> Sequence[str]:
    ids = report.get(key, [])
    if not isinstance(ids, list) or not all(isinstance(instance, str) for instance in ids):
        raise ScoreFileError(
            f"a list of instance ids is expected here, not {quote(ids)}",
            where=file.place(part=f"key {quote(key)}"),
            remedy="let the harness write the report again",
        )
    return ids


def _require_finished(report: Mapping[str, object], file: ScoreFile) -> None:
    pending = report.get("pending_instances")
    if isinstance(pending, int) and pending > 0:
        raise ScoreFileError(
            f"the evaluation of {count(pending, 'instance')} is still pending",
            where=file.place(part='key "pending_instances"'),
            remedy="get the report again once the run is done (`sb-cli get-report`), or set `allow_unfinished: true` "
            "in gate.yml / --allow-unfinished",
        )


def _notes(report: Mapping[str, object], file: ScoreFile) -> Iterator[str]:
    if incomplete := _ids(report, "incomplete_ids", file):
        yield f"left out: {_told(incomplete)} of the data set without a prediction"
    for key, why in (
        ("error_ids", "as the evaluation ended in an error"),
        ("empty_patch_ids", "as the patch is empty"),
        ("infra_failure_ids", "though it was probably the environment that failed"),
    ):
        if ids := _ids(report, key, file):
            yield f"counted as not resolved, {why}: {_told(ids)} ({quoted_listing(ids)})"


def _told(ids: Sequence[str]) -> str:
    return count(len(ids), "instance")
