"""What the benchmark of the contamination scan reads: a corpus from the standard library's text, and questions.

python -m benchmarks.contamination_corpus questions PATH MANY writes one a line; ... corpus FOLDER MEGABYTES KIND...
writes corpus.KIND, the same documents in every kind.
"""

import gzip
import inspect
import io
import json
import random
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from pydoc_data.topics import topics
from typing import IO, Any

SEED = 1
MEGABYTE = 1_000_000
CHARACTERS = 3_000
# Text of the web is rarely plain ASCII, that of a program mostly is: these shares have quotes as printed.
CURLY_EVERY = 3
PLANTED_EVERY = 100
_QUESTION_WORDS = (12, 30)
_ROWS = 10_000
_NOT_OURS = {"site-packages", "test", "tests", "idle_test"}
_PROSE = re.compile(r'"""(?:[^"]|"(?!""))*"""|(?:^[ ]*#.*\n)+', re.MULTILINE)
_COMMENT = re.compile(r'^[ ]*# ?|"""', re.MULTILINE)


@cache
def text_of(kind: str) -> str:
    """The library's ``sources``, or its ``prose``: documentation, docstrings and comments, whose words are shorter."""
    folder = Path(sysconfig.get_path("stdlib"))
    paths = [path for path in sorted(folder.rglob("*.py")) if not _NOT_OURS.intersection(path.parts)]
    sources = [path.read_text(encoding="utf-8", errors="ignore") for path in paths]
    if kind == "sources":
        return "".join(sources)
    pieces = [piece for source in sources for piece in _PROSE.findall(source)]
    return "\n".join([*topics.values(), *(inspect.cleandoc(_COMMENT.sub("", piece)) for piece in pieces)])


def documents(kind: str, megabytes: float) -> Iterator[str]:
    """Documents of 3 000 characters from anywhere in it, until they have so many MB of UTF-8; always the same."""
    draw, text, written = random.Random(SEED), text_of(kind), 0  # noqa: S311  # data, not secrets
    number = 0
    while written < megabytes * MEGABYTE:
        document = _piece(text, draw)
        if number % CURLY_EVERY == 0:
            document = document.replace("'", "’").replace('"', "“")
        written += len(document.encode())
        number += 1
        yield document


def questions(many: int) -> list[str]:
    """Questions of the prose's words as often as it has them, in no order; every hundredth is a piece of it."""
    draw, text = random.Random(SEED + 1), text_of("prose")  # noqa: S311  # as above
    counts = Counter(text.split())
    lengths = [draw.randint(*_QUESTION_WORDS) for _ in range(many)]
    words = iter(draw.choices(list(counts), list(counts.values()), k=sum(lengths)))
    drawn = ([next(words) for _ in range(length)] for length in lengths)
    return [
        " ".join(own if number % PLANTED_EVERY else _piece(text, draw).split()[1 : len(own) + 1])
        for number, own in enumerate(drawn)
    ]


def _piece(text: str, draw: random.Random) -> str:
    start = draw.randrange(len(text) - CHARACTERS)
    return text[start : start + CHARACTERS]


def write(folder: Path, megabytes: float, kinds: Sequence[str]) -> None:
    """The same documents in every kind of file."""
    with ExitStack() as stack:
        files = [stack.enter_context(_opened(folder / f"corpus.{kind}")) for kind in kinds if kind != "parquet"]
        rows = _ParquetRows(folder / "corpus.parquet") if "parquet" in kinds else None
        for document in documents("prose", megabytes):
            line = json.dumps({"text": document}, ensure_ascii=False).encode() + b"\n"
            for file in files:
                file.write(line)
            if rows:
                rows.add(document)
        if rows:
            rows.close()


def _opened(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return gzip.open(path, "wb", compresslevel=6)  # type: ignore[return-value]
    if path.suffix == ".zst":
        import zstandard  # noqa: PLC0415  # only this kind needs it

        return io.BufferedWriter(zstandard.open(path, "wb"))
    return path.open("wb")


class _ParquetRows:
    """Rows of one column, a group of many at a time."""

    def __init__(self, path: Path) -> None:
        import pyarrow as pa  # noqa: PLC0415  # only this kind needs it
        import pyarrow.parquet as pq  # noqa: PLC0415

        self._arrow: Any = pa
        self._writer: Any = pq.ParquetWriter(path, pa.schema([("text", pa.string())]), compression="zstd")
        self._held: list[str] = []

    def add(self, document: str) -> None:
        self._held.append(document)
        if len(self._held) == _ROWS:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        self._writer.write_table(self._arrow.table({"text": self._held}))
        self._held = []


def main(action: str, path: str, amount: str, *kinds: str) -> None:
    """Write the questions, or the corpus."""
    if action == "questions":
        Path(path).write_text("\n".join(questions(int(amount))) + "\n", encoding="utf-8")
    else:
        write(Path(path), float(amount), kinds)


if __name__ == "__main__":
    main(*sys.argv[1:])
