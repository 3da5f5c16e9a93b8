"""A corpus as a stream of documents: text files in pieces, JSON lines one by one, with a name for each as evidence."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from gate.contamination.decoding import TextDecoder
from gate.contamination.records import parse_json, read_record
from gate.contamination.sources import SourceFile
from gate.errors import CorpusError, Place
from gate.files import open_bytes
from gate.wording import count

MAX_RECORD_BYTES = 1 << 28
_FILES_TOLD = 5


class DocumentName(NamedTuple):
    """How evidence names a document: ``path``, ``path:line N`` or ``path:record N``, and the record's own id."""

    name: str
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """One document; its text comes in pieces, cut anywhere, and can be read once, before the next document."""

    name: DocumentName
    pieces: Iterable[str]


class CorpusReader:
    """Reads a corpus file by file; iterate over it once.

    Attributes:
        files_done: files read to their end.
        documents: documents handed out.
        bytes_read: bytes read, after decompression.
    """

    def __init__(self, files: Sequence[SourceFile], *, piece_size: int) -> None:
        self.files_done = 0
        self.documents = 0
        self.bytes_read = 0
        self._files = files
        self._piece_size = piece_size
        self._replaced: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Document]:
        """The documents in order.

        Raises:
            CorpusError: where a file or a record in it cannot be read.
        """
        for file in self._files:
            decoder = TextDecoder(file.name)
            for document in self._read(file, decoder):
                self.documents += 1
                yield document
            self._replaced[file.name] = decoder.replaced
            self.files_done += 1

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about text that was not UTF-8."""
        faulty = +self._replaced
        if not faulty:
            return ()
        told = ", ".join(f"{name} ({count})" for name, count in list(faulty.items())[:_FILES_TOLD])
        more = f" and {count(len(faulty) - _FILES_TOLD, 'more file')}" if len(faulty) > _FILES_TOLD else ""
        return (f"not UTF-8, replaced: {count(faulty.total(), 'place')} in {told}{more}",)

    # each of these opens the file itself: what breaks while it is read must break inside ``open_bytes``

    def _read(self, file: SourceFile, decoder: TextDecoder) -> Iterator[Document]:
        if file.kind == ".jsonl":
            return self._read_lines(file, decoder)
        if file.kind == ".json":
            return self._read_array(file, decoder)
        return iter([Document(DocumentName(file.name), self._read_text(file, decoder))])

    def _read_text(self, file: SourceFile, decoder: TextDecoder) -> Iterator[str]:
        with open_bytes(file.path, error=CorpusError) as stream:
            while chunk := stream.read(self._piece_size):
                self.bytes_read += len(chunk)
                yield decoder.decode(chunk, final=False)
        yield decoder.decode(b"", final=True)

    def _read_lines(self, file: SourceFile, decoder: TextDecoder) -> Iterator[Document]:
        number = 0
        with open_bytes(file.path, error=CorpusError) as stream:
            while line := stream.readline(MAX_RECORD_BYTES + 1):
                number += 1
                where = Place(file.name, line=number)
                text = self._decode_record(line, decoder, where).strip()
                if text:
                    yield self._document(parse_json(text, where), f"{file.name}:line {number}", where)

    def _read_array(self, file: SourceFile, decoder: TextDecoder) -> Iterator[Document]:
        where = Place(file.name)
        with open_bytes(file.path, error=CorpusError) as stream:
            data = stream.read(MAX_RECORD_BYTES + 1)
        value = parse_json(self._decode_record(data, decoder, where), where)
        if not isinstance(value, list):
            yield self._document(value, file.name, where)
            return
        for number, entry in enumerate(value, start=1):
            yield self._document(entry, f"{file.name}:record {number}", Place(file.name, part=f"record {number}"))

    def _decode_record(self, data: bytes, decoder: TextDecoder, where: Place) -> str:
        if len(data) > MAX_RECORD_BYTES:
            raise CorpusError(
                f"there are more than {MAX_RECORD_BYTES >> 20} MB in one piece",
                where=where,
                remedy="write the corpus as .jsonl with one document a line",
            )
        self.bytes_read += len(data)
        return decoder.decode(data, final=True)

    def _document(self, value: object, name: str, where: Place) -> Document:
        record = read_record(value, where)
        size = self._piece_size
        pieces = [record.text[start : start + size] for start in range(0, len(record.text), size)]
        return Document(DocumentName(name, record.id), pieces)
