"""The file of a scan: made once where the corpus lives, read wherever the eval is judged."""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gate.contamination.overlap import ItemOverlap, TextOverlap, digest_of
from gate.contamination.probes import Item
from gate.contamination.report import SCHEMA_VERSION, Scan
from gate.errors import CorpusError, Place
from gate.files import open_bytes
from gate.json_text import dump
from gate.validation import first_problem
from gate.writing import write_atomically

if TYPE_CHECKING:
    from pydantic import TypeAdapter

MAX_BYTES = 1 << 30
_REMEDY = "write it again with this version: gate scan --items FILE --corpus PATH --out FILE"


class Covered(NamedTuple):
    """A scan as far as it speaks of some items, and those that it does not know.

    Attributes:
        scan: with the items that it covers, in the order asked for, by the ids asked for.
        unknown: ids of the others: new since the scan, or worded anew.
    """

    scan: Scan
    unknown: tuple[str, ...]


def render_scan(scan: Scan) -> str:
    """The scan as JSON, one item a line; the same scan gives the same bytes.

    ASCII alone, so that neither half surrogate pairs nor bidirectional marks of foreign text stand in it as they are.
    """
    dumped = _adapter().dump_python(scan, mode="json")
    items = dumped.pop("items")
    head = dump(dumped, indent=1).removesuffix("\n}")
    lines = ",\n".join(dump(item) for item in items)
    return f'{head},\n "items": [\n{lines}\n ]\n}}\n' if items else f'{head},\n "items": []\n}}\n'


def write_scan(path: Path, scan: Scan) -> None:
    """Write the scan, whole or not at all.

    Raises:
        WriteError: where the file cannot be written.
    """
    write_atomically(path, render_scan(scan))


def read_scan(path: Path) -> Scan:
    """Read what ``write_scan`` wrote, plain, gzip or zstd.

    Raises:
        CorpusError: where the file is missing, is no scan, or one of another schema version.
    """
    where = Place(str(path))
    with open_bytes(path, error=CorpusError) as stream:
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise CorpusError(
            f"a scan has no more than {MAX_BYTES >> 20} MB", where=where, remedy="name the file of a scan"
        )
    return parse_scan(data, where)


def parse_scan(data: bytes, where: Place) -> Scan:
    """The scan in these bytes; errors as in ``read_scan``."""
    # imported here: its cost is paid only where a scan is read
    from pydantic import ValidationError  # noqa: PLC0415

    try:
        parsed = json.loads(data)
    except (ValueError, RecursionError) as fault:
        raise CorpusError("this is not JSON", where=where, remedy=_REMEDY) from fault
    version = parsed.get("schema_version") if isinstance(parsed, dict) else None
    if version != SCHEMA_VERSION:
        raise CorpusError(f"this is no scan of schema version {SCHEMA_VERSION}", where=where, remedy=_REMEDY)
    try:
        scan = _adapter().validate_python(parsed)
    except ValidationError as fault:
        problem = first_problem(fault)
        raise CorpusError(
            f"this is not a scan as gate writes it: {problem.told}",
            where=where._replace(part=problem.part),
            remedy=_REMEDY,
        ) from fault
    for number, item in enumerate(scan.items):
        if not all(_is_sound(text, scan.sizes) for text in _texts(item)):
            raise CorpusError(
                "the figures of an item are not those of a scan",
                where=where._replace(part=f"items.{number}"),
                remedy=_REMEDY,
            )
    return scan


def cover(scan: Scan, items: Sequence[Item]) -> Covered:
    """What a scan says of these items: they are known by the digest of their question, whatever their ids."""
    known = {item.digest: item for item in scan.items}
    digests = {item.id: digest_of(item.question) for item in items}
    found = tuple(replace(known[digest], id=item) for item, digest in digests.items() if digest in known)
    unknown = tuple(item for item, digest in digests.items() if digest not in known)
    return Covered(replace(scan, items=found), unknown)


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what ``write_scan`` writes."""
    body = _adapter().json_schema(mode="serialization")
    body["properties"]["schema_version"]["const"] = SCHEMA_VERSION
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **body, "title": "gate scan"}


def _texts(item: ItemOverlap) -> Iterator[TextOverlap]:
    yield item.question
    if item.answer is not None:
        yield item.answer


def _is_sound(text: TextOverlap, sizes: Sequence[int]) -> bool:
    """Whether a text has figures of each size, all of them shares; NaN is none, and would be under every bar."""
    shares = [
        share
        for size in text.sizes
        for share in (size.overlap, size.best_document_overlap, size.idf_overlap)
        if not (math.isfinite(share) and 0 <= share <= 1)
    ]
    return not shares and [size.size for size in text.sizes] == list(sizes) and bool(sizes)


@cache
def _adapter() -> "TypeAdapter[Scan]":
    from pydantic import TypeAdapter  # noqa: PLC0415  # building it is the dear part, and only scan files need it

    return TypeAdapter(Scan)
