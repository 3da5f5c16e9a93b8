"""What a reader is: the protocol that each format's module satisfies."""

from typing import NamedTuple, Protocol

from gate.scores.content import ScoreFile
from gate.scores.first_record import FirstRecord
from gate.scores.model import Columns, Run, Wanted


class Item(NamedTuple):
    """One question of a file, whether or not it has a score.

    Attributes:
        id: as it stands in a run read from the same file.
        text: the question as the data set words it; empty where the row has none.
        line: where it stands, counted from 1.
        target: the expected answer, where the row has one.
    """

    id: str
    text: str
    line: int
    target: str | None = None


class ReadItems(Protocol):
    """A reader's ``read_items``, where it is made and not written."""

    def __call__(self, file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
        """As in Reader."""


class Reader(Protocol):
    """One format, in one module."""

    def matches(self, first: FirstRecord) -> bool:
        """Whether the first record carries this format's signature."""

    def read(self, file: ScoreFile, wanted: Wanted) -> Run:
        """The run in the file: of what is asked for.

        Raises:
            ScoreFileError: where the file is not what it must be.
        """

    def read_items(self, file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
        """The questions in the file, in its order; errors as in ``read``."""
