"""Text files: each is one document."""

from collections.abc import Iterator
from typing import BinaryIO

from gate.contamination.decoding import TextDecoder
from gate.contamination.documents import LONG, PIECE, Document
from gate.contamination.readers.reading import Reading
from gate.contamination.tally import DocumentKey
from gate.errors import CorpusError
from gate.files import telling_faults


def read_text(reading: Reading) -> Iterator[Document]:
    """The file as one document; errors as ``ShardReader`` tells them."""
    key = DocumentKey(reading.file, 0, 0)
    with reading.open_text() as stream:
        first = stream.read(LONG)
        reading.bytes_read += len(first)
        if len(first) < LONG:
            yield Document(key, reading.decode(first, at_start=True), None)
        else:
            yield Document(key, None, _pieces(reading, first, stream))
    reading.records = 1


def _pieces(reading: Reading, first: bytes, stream: BinaryIO) -> Iterator[str]:
    decoder = TextDecoder(reading.name)
    # they are read from outside ``read_text``, which therefore cannot tell what breaks in here
    with telling_faults(reading.place(), CorpusError):
        yield decoder.decode(first, final=False)
        while chunk := stream.read(PIECE):
            reading.bytes_read += len(chunk)
            yield decoder.decode(chunk, final=False)
        yield decoder.decode(b"", final=True)
    reading.replaced += decoder.replaced
