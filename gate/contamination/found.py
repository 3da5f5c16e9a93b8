"""What an entry of a corpus stands for: the files to read, and what was left out."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from gate.errors import CorpusError, Place
from gate.wording import count

KINDS = (".txt", ".md", ".jsonl", ".json", ".csv", ".parquet")
COMPRESSIONS = (".gz", ".zst")
# Parquet compresses what it holds itself.
_NEVER_COMPRESSED = ".parquet"
_READ = f"{', '.join(KINDS)}, each but {_NEVER_COMPRESSED} also with {' or '.join(COMPRESSIONS)}"
_ENDINGS_TOLD = 5


class SourceFile(NamedTuple):
    """One file to read: its path or URL, how the user would name it, and which of ``KINDS`` it is."""

    path: str
    name: str
    kind: str


@dataclass(slots=True)
class Found:
    """What one entry stands for; sets, because a pattern can meet a folder and the files in it."""

    given: str
    files: list[SourceFile] = field(default_factory=list)
    other: set[str] = field(default_factory=set)
    links_out: set[str] = field(default_factory=set)

    def notes(self) -> list[str]:
        """Sentences about what was left out."""
        notes = []
        if self.other:
            endings = Counter(PurePosixPath(name).suffix or "no ending" for name in self.other)
            commonest = sorted(endings.items(), key=lambda entry: (-entry[1], entry[0]))[:_ENDINGS_TOLD]
            told = ", ".join(f"{ending} {count}" for ending, count in commonest)
            more = ", ..." if len(endings) > _ENDINGS_TOLD else ""
            notes.append(
                f"not read in {self.given}: {count(len(self.other), 'file')} with other endings ({told}{more})"
            )
        if self.links_out:
            lead = "link that leads" if len(self.links_out) == 1 else "links that lead"
            notes.append(f"not read in {self.given}: {len(self.links_out)} {lead} out of it")
        return notes

    def add(self, path: str, name: str) -> bool:
        """Take in a file where its ending says how to read it."""
        kind = _kind(name)
        if kind is not None:
            self.files.append(SourceFile(path, name, kind))
        return kind is not None

    def in_order(self) -> "Found":
        """The same with its files in the order of their names.

        Raises:
            CorpusError: where there are none.
        """
        if not self.files:
            left_out = "".join(f"; {note}" for note in self.notes())
            raise CorpusError(
                f"there is no file here that can be read as text{left_out}",
                where=Place(self.given),
                remedy=f"name files or folders with files that end in {_READ}",
            )
        self.files.sort(key=lambda file: file.name)
        return self


def unknown_ending(given: str) -> CorpusError:
    """The error for a file that was named and does not say how to read it."""
    return CorpusError(
        "the file's ending does not say how to read it",
        where=Place(given),
        remedy=f"give it one of the endings that are read: {_READ}",
    )


def _kind(name: str) -> str | None:
    name = name.lower()
    for compression in COMPRESSIONS:
        bare = name.removesuffix(compression)
        if not bare.endswith(_NEVER_COMPRESSED):
            name = bare
    return next((kind for kind in KINDS if name.endswith(kind)), None)
