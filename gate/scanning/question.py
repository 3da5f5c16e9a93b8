"""What `gate scan` is asked for."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from gate.errors import UsageError

# Where finished shards are kept until the scan is whole, if no other place is named.
_KEPT = ".shards"


class Part(NamedTuple):
    """Which part, counted from 1, of how many."""

    number: int
    of: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is looked for, in what, and who reads it.

    Attributes:
        items: file of the items: a score file or a table of questions, or a .txt with one item a line.
        corpus: files, folders, patterns and URLs.
        format: how to read the items.
        columns: ``ROLE=NAME`` of a plain table: id, inputs, target.
        ngram: words an n-gram; the first decides.
        mode: what counts as a word.
        text_field: where records of the corpus have their text.
        id_field: where they have their id.
        allow: file of texts whose n-grams are no evidence.
        engine: what reads the shards.
        workers: how many at once.
        shard: ``I/N``: only every N-th shard, from the I-th on.
        store: folder for finished shards.
        resume: go on with what a scan that did not end has kept.
        out: where to write the scan.
        no_text: leave the items' words out of it.
    """

    items: str
    corpus: tuple[str, ...]
    format: str | None = None
    columns: tuple[str, ...] = ()
    ngram: tuple[int, ...] = (3,)
    mode: str = "reference"
    text_field: tuple[str, ...] = ()
    id_field: str | None = None
    allow: str | None = None
    engine: str = "local"
    workers: int = 1
    shard: str | None = None
    store: str | None = None
    resume: bool = False
    out: str | None = None
    no_text: bool = False

    @property
    def folder(self) -> Path | None:
        """Where finished shards are kept; None where nowhere."""
        if self.store is not None:
            return Path(self.store)
        return None if self.out is None else Path(self.out + _KEPT)

    @property
    def part(self) -> Part | None:
        """Which part is asked for; None for the whole.

        Raises:
            UsageError: where it is not told as ``I/N``, or the part would be lost.
        """
        if self.shard is None:
            return None
        number, _, of = self.shard.partition("/")
        if not (number.isdecimal() and of.isdecimal()):
            raise UsageError(f"--shard {self.shard!r} is not I/N", remedy="say which part of how many: --shard 1/8")
        if self.store is None:
            raise UsageError("--shard needs a --store to keep its part in", remedy="add --store FOLDER")
        return Part(int(number), int(of))
