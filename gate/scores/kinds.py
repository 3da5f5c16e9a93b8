"""Which columns of a tool's table are scores and which are texts: told only by its rows, one after another."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from gate.errors import Place, ScoreFileError
from gate.scores.cells import Fault, Parsed, Percent, parse_cell
from gate.scores.model import ItemStatus
from gate.scores.quoting import quote, quoted_listing

PlaceOf = Callable[[], Place]  # to tell a place takes longer than to read a cell, and few are told


@dataclass(slots=True)
class Kinds:
    """What the rows have shown so far.

    Attributes:
        scored: name -> where it was first a score, as its row is numbered.
        texts: name -> where it was first a text, or else what no mean can be made of: no metric.
    """

    scored: dict[str, int] = field(default_factory=dict)
    texts: dict[str, Place] = field(default_factory=dict)

    def take(self, name: str, cell: object, row: int, place: PlaceOf) -> float | ItemStatus | None:
        """The cell as a score, or as why there is none; None where it is a text. Errors as in ``take_parsed``."""
        return self.take_parsed(name, parse_cell(cell), cell, row, place)

    def take_parsed(
        self, name: str, parsed: Parsed, cell: object, row: int, place: PlaceOf
    ) -> float | ItemStatus | None:
        """The same of a cell that the tool's own words have been read in.

        Raises:
            ScoreFileError: where it is a number, and none that can be a score.
        """
        if parsed is Fault.TEXT or parsed is Fault.NESTED or isinstance(parsed, Percent):
            if name not in self.texts:
                self.texts[name] = place()
            return None
        if isinstance(parsed, Fault):
            what, remedy = parsed.value
            raise ScoreFileError(f"{quote(cell)} {what}", where=place(), remedy=remedy)
        if isinstance(parsed, float):
            self.scored.setdefault(name, row)
        return parsed

    def require_one_kind(self, *, remedy: str, but: Collection[str] = ()) -> None:
        """Raise ScoreFileError where a name, ``but`` for these, is a score in one row and a text in another."""
        for name in sorted(self.scored.keys() & self.texts.keys() - set(but)):
            raise ScoreFileError(
                f"{quote(name)} is a score in one row ({self.scored[name]}) and a text here",
                where=self.texts[name],
                remedy=remedy,
            )

    def notes(self, *, but: Collection[str] = ()) -> Iterator[str]:
        """What is left out, ``but`` for these."""
        if texts := [name for name in self.texts if name not in but]:
            yield f"left out, as texts are no scores: {quoted_listing(texts)}"
