"""An Inspect log as its header and its samples: one JSON object, or an archive with one member a sample."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from gate.errors import Place, ScoreFileError
from gate.scores.archive import open_archive
from gate.scores.content import Kind, ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.quoting import quote
from gate.scores.strict_json import decode, parse_document, parse_fast

REMEDY = "let Inspect write the log again: inspect log convert --to eval --output-dir DIR FILE"
_SIGNATURE = frozenset({"version", "status", "eval"})
_HEADER, _START, _SAMPLES = "header.json", "_journal/start.json", "samples/"


class Sample(NamedTuple):
    """One sample of a log, and where it stands."""

    place: Place
    fields: Mapping[str, object]


def is_log(first: FirstRecord) -> bool:
    """Whether the file is a log as one JSON object, or an archive with a log's header or its journal."""
    if first.container is Container.ZIP:
        return _HEADER in first.fields or _START in first.fields
    return first.is_map and first.fields.keys() >= _SIGNATURE and isinstance(first.fields["eval"], dict)


def header_of(file: ScoreFile) -> Mapping[str, object]:
    """The log without its samples; of a run that was killed, an archive has only what it was started with.

    Raises:
        ScoreFileError: where it is not as Inspect writes it.
    """
    if file.kind is not Kind.ZIP:
        return object_at(parse_document(file), file.place())
    with open_archive(file) as archive:
        if _HEADER in archive.names:
            return _parsed(archive.read(_HEADER), archive.place(_HEADER))
        return {**_parsed(archive.read(_START), archive.place(_START)), "status": "started"}


def samples_of(file: ScoreFile) -> Iterator[Sample]:
    """The samples one by one; errors as in ``header_of``."""
    if file.kind is Kind.ZIP:
        with open_archive(file) as archive:
            for name in archive.names:
                if name.startswith(_SAMPLES) and name.endswith(".json"):
                    yield Sample(archive.place(name), _parsed(archive.read(name), archive.place(name)))
        return
    samples = object_at(parse_document(file), file.place()).get("samples") or []
    if not isinstance(samples, list):
        raise ScoreFileError("the samples are no list", where=file.place(part="samples"), remedy=REMEDY)
    for index, sample in enumerate(samples):
        place = file.place(part=f"samples[{index}]")
        yield Sample(place, object_at(sample, place))


def object_at(value: object, place: Place, part: str | None = None) -> Mapping[str, object]:
    """The value, which must be an object; ScoreFileError, at a part of the place, where it is none."""
    if isinstance(value, dict):
        return value
    where = place if part is None else place._replace(part=f"{place.part}.{part}")
    raise ScoreFileError(f"an object is expected here, not {quote(value)}", where=where, remedy=REMEDY)


def _parsed(raw: bytes, place: Place) -> Mapping[str, object]:
    with suppress(ValueError):
        return object_at(parse_fast(raw), place)
    try:
        return object_at(decode(raw.decode()), place)
    except (ValueError, RecursionError) as fault:
        told = str(fault) or "it is nested too deeply"
        raise ScoreFileError(f"the member is not valid JSON ({told})", where=place, remedy=REMEDY) from fault
