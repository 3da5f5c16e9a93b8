"""JSON files: an array of documents, or one value that is one."""

from collections.abc import Iterator

import jiter

from gate.contamination.documents import Document, document
from gate.contamination.lines import MAX_RECORD_BYTES
from gate.contamination.readers.reading import Reading
from gate.contamination.records import RecordReader, UnreadableRecordError, parse_json
from gate.contamination.tally import DocumentKey


def read_json(reading: Reading) -> Iterator[Document]:
    """The documents of the file; errors as ``ShardReader`` tells them."""
    with reading.open_text() as stream:
        data = stream.read(MAX_RECORD_BYTES + 1)
    if len(data) > MAX_RECORD_BYTES:
        raise reading.too_long()
    reading.bytes_read = len(data)
    value = _parse(reading, data)
    del data
    records = RecordReader(reading.fields)
    part = None
    try:
        if not isinstance(value, list):
            yield _document(reading, 0, records, value)
            reading.records = 1
            return
        for number, entry in enumerate(value, start=1):
            part = f"record {number}"
            yield _document(reading, number, records, entry)
            reading.records = number
    except UnreadableRecordError as fault:
        raise fault.at(reading.place(part=part)) from fault


def _parse(reading: Reading, data: bytes) -> object:
    try:
        return jiter.from_json(data, cache_mode="keys")
    except ValueError:
        return parse_json(reading.decode(data, at_start=True), reading.place())


def _document(reading: Reading, number: int, records: RecordReader, value: object) -> Document:
    text, identity = records.read(value)
    return document(DocumentKey(reading.file, 0, number, identity), text)
