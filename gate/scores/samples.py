"""The samples of a file as columns, on their way to a run; and what is said where an id is doubled."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gate.errors import Place, ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.ids import name_part
from gate.scores.quoting import MOST_LISTED, listing, quote
from gate.wording import count

Texts = Sequence[str | None]
_MOST_LINES = 5


@dataclass(frozen=True, slots=True)
class Samples:
    """The samples of a file in its order; every sequence has one entry a sample.

    Attributes:
        ids: the item of each.
        lines: where each stands: its line, or its number where ``part`` names records otherwise.
        repeats: whether an id may stand on several lines.
        keys: what tells the repeats of an item apart, or None where only their order does.
        groups, inputs: as in Record; None where the file has no such column.
        targets: likewise; None also where they are not wanted.
        strata, weights: as in Run; None where no column is mapped to them.
        content_digests, prompt_digests: as in Run, an entry a sample.
        content_fields: as in Run.
        id_texts: the texts that hashed ids stand for.
        id_fields: as in Run.
        remedy: what to do about doubled ids.
        part: how a record is named, as in Form; None where it stands on a line of its own.
    """

    ids: Sequence[str]
    lines: Sequence[int]
    repeats: bool
    remedy: str
    keys: Texts | None = None
    groups: Texts | None = None
    strata: Texts | None = None
    weights: Sequence[float] | None = None
    inputs: Texts | None = None
    targets: Texts | None = None
    content_digests: Texts | None = None
    content_fields: tuple[str, ...] = ()
    prompt_digests: Texts | None = None
    id_texts: Texts | None = None
    id_fields: tuple[str, ...] = ()
    part: str | None = None

    def place(self, file: ScoreFile, sample: int) -> Place:
        """Where a sample stands in the file."""
        line = self.lines[sample]
        return file.place(line) if self.part is None else file.place(part=name_part(self.part, line))

    def name(self, sample: int) -> str:
        """The same within a sentence: ``line 7``, ``results[6]``."""
        line = self.lines[sample]
        return f"line {line}" if self.part is None else name_part(self.part, line)


def no_items(file: ScoreFile) -> ScoreFileError:
    """The error of a file without a single item."""
    return ScoreFileError(
        "the file has no items", where=file.place(), remedy="check the step that writes it; it may have no results"
    )


def refuse_doubles(file: ScoreFile, samples: Samples) -> None:
    """Raise ScoreFileError where an id stands more than once and that is no repeat, with the lines of each."""
    if samples.repeats and samples.keys is None:
        return
    keys: Texts = samples.keys if samples.repeats and samples.keys is not None else [None] * len(samples.ids)
    identities = list(zip(samples.ids, keys, strict=True))
    doubled = {identity for identity, count in Counter(identities).items() if count > 1}
    if not doubled:
        return
    samples_of: dict[tuple[str, str | None], list[int]] = {}
    for sample, identity in enumerate(identities):
        if identity in doubled:
            samples_of.setdefault(identity, []).append(sample)
    told = [_tell_double(samples, doubles) for doubles in samples_of.values()]
    excerpts = [_excerpt(samples, doubles[0]) for doubles in samples_of.values()]
    raise ScoreFileError(
        f"{count(len(told), 'id stands', 'ids stand')} more than once: {listing(told)}",
        where=samples.place(file, min(doubles[1] for doubles in samples_of.values())),
        remedy=samples.remedy,
        excerpt="\n".join(filter(None, excerpts[:MOST_LISTED])),
    )


def _tell_double(samples: Samples, doubles: list[int]) -> str:
    first = doubles[0]
    sample = f", sample {quote(samples.keys[first])}" if samples.repeats and samples.keys is not None else ""
    lines = listing([str(samples.lines[double]) for double in doubles], _MOST_LINES)
    return f"{quote(samples.ids[first])}{sample} ({'lines' if samples.part is None else 'records'} {lines})"


def _excerpt(samples: Samples, sample: int) -> str:
    """What a hashed id stands for, which must not get into a public log; empty where the id is no hash."""
    text = samples.id_texts[sample] if samples.id_texts is not None else None
    return "" if text is None else f"{quote(samples.ids[sample])} = {quote(text)}"
