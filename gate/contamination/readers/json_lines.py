"""JSON Lines: a document a line, as fast as its JSON can be parsed."""

from collections.abc import Iterator

import jiter

from gate.contamination.documents import LONG, Document, document
from gate.contamination.lines import LineRange, LongLineError, count_lines, line_blocks
from gate.contamination.opening import open_unpacked
from gate.contamination.readers.reading import Reading
from gate.contamination.records import RecordReader, UnreadableRecordError, parse_json
from gate.contamination.tally import DocumentKey
from gate.errors import CorpusError

_BLANK = object()


def read_json_lines(reading: Reading) -> Iterator[Document]:
    """The documents of the lines that start in the shard; errors as ``ShardReader`` tells them."""
    with reading.open_text() as stream:
        lines = LineRange(stream, reading.start, reading.stop)
        try:
            for block in line_blocks(lines.read):
                yield from _documents(reading, block)
                reading.bytes_read = lines.bytes
        except LongLineError:
            raise reading.too_long(_line(reading, reading.records + 1)) from None
        except UnreadableRecordError as fault:
            raise fault.at(reading.place(_line(reading, reading.records))) from fault


def _documents(reading: Reading, lines: list[bytes]) -> Iterator[Document]:
    read_record = RecordReader(reading.fields).read
    parse, file, start = jiter.from_json, reading.file, reading.start
    for number, line in enumerate(lines, start=reading.records + 1):
        reading.records = number
        try:
            value = parse(line, cache_mode="keys")
        except ValueError:
            value = _parse_slowly(reading, line)
            if value is _BLANK:
                continue
        text, identity = read_record(value)
        key = DocumentKey(file, start, number, identity)
        yield Document(key, text, None) if len(text) <= LONG else document(key, text)


def _parse_slowly(reading: Reading, line: bytes) -> object:
    """What the fast parser refuses: blank lines, text that is not UTF-8, lone surrogates, deep nesting, and faults."""
    number = reading.records
    text = reading.decode(line, at_start=number == 1 and reading.start == 0).strip()
    if not text:
        return _BLANK
    try:
        return parse_json(text, reading.place(number))
    except CorpusError as fault:
        fault.where = reading.place(_line(reading, number))
        raise


def _line(reading: Reading, number: int) -> int:
    """The number in the file of a line in the shard: counted only where it is told that something is wrong there."""
    if reading.start == 0:
        return number
    with open_unpacked(reading.path, reading.size, reading.place()) as stream:
        # the lines that start before the shard end before the next one starts, the last of them perhaps in the shard
        return count_lines(stream, reading.start - 1) + number + 1
