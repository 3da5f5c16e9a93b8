"""CSV files: a document a row, its text in the columns that the header names."""

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from gate.contamination.columns import choose_columns
from gate.contamination.documents import Document, document
from gate.contamination.lines import MAX_RECORD_BYTES, LongLineError, line_blocks
from gate.contamination.readers.reading import Reading
from gate.contamination.records import RecordReader, UnreadableRecordError
from gate.contamination.tally import DocumentKey
from gate.errors import CorpusError


def read_csv(reading: Reading) -> Iterator[Document]:
    """The documents of the rows below the header; errors as ``ShardReader`` tells them."""
    with reading.open_text() as stream, _long_fields():
        rows = csv.reader(_lines(reading, stream.read), strict=True)
        try:
            yield from _documents(reading, rows)
        except csv.Error as fault:
            raise CorpusError(
                f"the row that ends here is not CSV that can be read ({fault})",
                where=reading.place(rows.line_num),
                remedy='put texts with commas, quotes or line breaks in double quotes, and write a quote in one as ""',
            ) from fault
        except LongLineError:
            raise reading.too_long(rows.line_num + 1) from None
        except UnreadableRecordError as fault:
            raise fault.at(reading.place(rows.line_num)) from fault


def _documents(reading: Reading, rows: Iterator[list[str]]) -> Iterator[Document]:
    header = [name.strip() for name in next(rows, [])]
    columns = choose_columns(header, reading.fields, reading.place(1))
    places = [(name, header.index(name)) for name in columns.names]
    records = RecordReader(reading.fields)
    for row in rows:
        if not row:
            continue
        if len(row) != len(header):
            raise UnreadableRecordError(
                f"the row that ends here has {len(row)} fields, the header has {len(header)}",
                remedy="put a text with a comma in it in double quotes",
            )
        reading.records += 1
        text, identity = records.read({name: row[place] for name, place in places})
        yield document(DocumentKey(reading.file, 0, reading.records, identity), text)


def _lines(reading: Reading, read: Callable[[int], bytes]) -> Iterator[str]:
    """The lines as text, each with its end, which may stand within a field."""

    def counted(size: int) -> bytes:
        data = read(size)
        reading.bytes_read += len(data)
        return data

    at_start = True
    for block in line_blocks(counted):
        for line in block:
            yield (reading.decode(line, at_start=True) if at_start or not line.isascii() else line.decode()) + "\n"
            at_start = False


@contextmanager
def _long_fields() -> Iterator[None]:
    """Fields as long as a line may be: the csv module's own limit is one for the whole process."""
    before = csv.field_size_limit(MAX_RECORD_BYTES)
    try:
        yield
    finally:
        csv.field_size_limit(before)
