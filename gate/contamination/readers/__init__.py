"""How each kind of file is read: one file a kind."""

from collections.abc import Callable, Iterator, Mapping

from gate.contamination.documents import Document
from gate.contamination.readers.csv import read_csv
from gate.contamination.readers.json import read_json
from gate.contamination.readers.json_lines import read_json_lines
from gate.contamination.readers.parquet import read_parquet
from gate.contamination.readers.reading import Reading
from gate.contamination.readers.text import read_text

__all__ = ["READERS", "Reading"]

READERS: Mapping[str, Callable[[Reading], Iterator[Document]]] = {
    ".txt": read_text,
    ".md": read_text,
    ".jsonl": read_json_lines,
    ".json": read_json,
    ".csv": read_csv,
    ".parquet": read_parquet,
}
