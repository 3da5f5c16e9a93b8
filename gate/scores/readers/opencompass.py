"""OpenCompass's result of a data set with the details of its evaluation: an object or, in newer versions, a list.

In the object the keys are positions in the data set, so the references are compared; in the list each entry has the
lists of its replicas, which are repeats of one item.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.cells import parse_value
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.recorded import RATE, Form, run_of_records, without_questions
from gate.scores.strict_json import parse_document

_METRIC = "correct"
_CORRECT = ("correct", "is_correct", "cascade_correct")  # the tool's own order
_FORM = Form("opencompass", repeats=True, traits={_METRIC: RATE}.get, part="sample {number}")
_NAME = "example_abbr"


class _Detail(NamedTuple):
    """One entry of the details: its id, what it holds, and where it stands."""

    id: str
    fields: Mapping[str, object]
    part: str


def matches(first: FirstRecord) -> bool:
    """Whether the whole file is one object whose details are numbered, or a list of named examples."""
    details = first.fields.get("details")
    if first.container is not Container.JSON or not first.is_map:
        return False
    if isinstance(details, dict):
        return isinstance(details.get("0"), dict)
    return isinstance(details, list) and bool(details) and isinstance(details[0], dict) and _NAME in details[0]


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a result: ``correct`` of each sample.

    Raises:
        ScoreFileError: where a detail is not as the tool writes it, or none says whether it is correct.
    """
    details = list(_details(file))
    if details and not any(key in detail.fields for detail in details for key in _CORRECT):
        raise ScoreFileError(
            f"no sample in the details says whether it is {_METRIC}",
            where=file.place(part='key "details"'),
            remedy="use an evaluator that judges each sample, and run it with --dump-eval-details",
        )
    return run_of_records(file, _FORM, _records(details, file), wanted)


read_items = without_questions(
    "an OpenCompass result holds rendered prompts, not the questions alone",
    remedy="give the data set that the run was made from, with columns: {inputs: NAME}",
)


def _details(file: ScoreFile) -> Iterator[_Detail]:
    whole = parse_document(file)
    details = whole.get("details") if isinstance(whole, dict) else None
    if isinstance(details, dict):
        found = [(key, value, f"details[{quote(key)}]") for key, value in details.items() if key != "type"]
    elif isinstance(details, list):
        found = [
            (value.get(_NAME) if isinstance(value, dict) else None, value, f"details[{index}]")
            for index, value in enumerate(details)
        ]
    else:
        found = []
    for number, (key, value, part) in enumerate(found, start=1):
        if not isinstance(value, dict):
            raise _strange(value, part, file)
        name = make_id([key], is_text=False, file=file, line=number, part="details[{index}]").id
        yield _Detail(name, value, part)


def _records(details: list[_Detail], file: ScoreFile) -> Iterator[Record]:
    number = 0
    for detail in details:
        fields = detail.fields
        listed = _NAME in fields
        key = next((key for key in _CORRECT if key in fields), _METRIC)
        told = fields.get(key)
        references = fields.get("references", fields.get("answer"))
        if listed and isinstance(references, list):  # one for each replica, all alike
            references = references[0] if references else None
        for value in told if listed and isinstance(told, list) and told else [told]:
            number += 1
            yield Record(
                id=detail.id,
                scores={_METRIC: _score(value, f"{detail.part}.{key}", file)},
                line=number,
                target=as_text(references),
                prompt=as_text(fields.get("prompt")),
            )


def _score(value: object, part: str, file: ScoreFile) -> float | ItemStatus:
    score = parse_value(value)
    if not isinstance(score, float | ItemStatus):
        raise _strange(value, part, file)
    return score


def _strange(value: object, part: str, file: ScoreFile) -> ScoreFileError:
    return ScoreFileError(
        f"{quote(value)} is not what OpenCompass writes here",
        where=file.place(part=part),
        remedy="run the evaluation again with --dump-eval-details",
    )
