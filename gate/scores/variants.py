"""Several variants of the same items in one file: filters, providers, splits, turns; one is read, or all as strata."""

import fnmatch
from collections.abc import Sequence
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile
from gate.scores.quoting import did_you_mean, listing, quote
from gate.wording import count

ALL = "all"
# a name is there to be given back to us, and may differ from the others in its last words alone
_MOST_CHARACTERS = 200
_MOST_LISTED = 50


class Chosen(NamedTuple):
    """The records of the variant that is asked for.

    Attributes:
        rows: which they are.
        apart: they are of several variants, whose items are items of their own.
        notes: what a user should know of the choice.
    """

    rows: Sequence[int]
    apart: bool = False
    notes: tuple[str, ...] = ()


def name_variants(variants: Sequence[str | tuple[str, ...] | None]) -> list[str | None]:
    """The variants' names: of those in parts, the parts in which any two differ, joined with ``/``.

    All variants in parts have the same number of them.
    """
    parted = dict.fromkeys(variant for variant in variants if isinstance(variant, tuple))
    telling = [place for place, values in enumerate(zip(*parted, strict=True)) if len(set(values)) > 1]
    names: dict[str | tuple[str, ...] | None, str | None] = {
        variant: "/".join(variant[place] for place in telling) or None for variant in parted
    }
    return [names[variant] if isinstance(variant, tuple) else variant for variant in variants]


def choose_variant(of_record: Sequence[str | None], wanted: str | None, file: ScoreFile) -> Chosen:
    """The records of one variant; with ``all``, or a pattern that fits several, those of each.

    Args:
        of_record: the variant of each record, None where it is of none.
        wanted: a variant's name, a pattern, or ``all``; None where there is but one.
        file: named in errors.

    Raises:
        ScoreFileError: where there are several and none is asked for, or the one asked for is not there.
    """
    variants = list(dict.fromkeys(variant for variant in of_record if variant is not None))
    if wanted is None:
        if len(variants) > 1:
            raise ScoreFileError(
                f"the file holds {count(len(variants), 'variant')}: {_listing(variants)}",
                where=file.place(),
                remedy="say which: --select NAME, or in gate.yml `select`, `baseline_select` or `candidate_select`; "
                f"`{ALL}` takes every one, as items of their own",
            )
        return Chosen(range(len(of_record)))
    if wanted == ALL and not variants:
        return Chosen(range(len(of_record)))
    fitting = _fitting(variants, wanted)
    if not fitting:
        raise ScoreFileError(
            f"there is no variant {quote(wanted)}{did_you_mean(wanted, variants)}",
            where=file.place(),
            remedy=f"name one of the file's: {_listing(variants)}"
            if variants
            else "leave `select` out: the file tells no variants apart",
        )
    kept = set(fitting)
    rows = [row for row, variant in enumerate(of_record) if variant in kept]
    if len(fitting) > 1:
        note = f"the items of {count(len(fitting), 'variant')}: {_listing(fitting)}"
        return Chosen(rows, apart=True, notes=(note,))
    note = f"of {count(len(variants), 'variant')} it is {quote(fitting[0], _MOST_CHARACTERS)} that was read"
    return Chosen(rows, notes=(note,))


def _listing(variants: Sequence[str]) -> str:
    return listing([quote(variant, _MOST_CHARACTERS) for variant in variants], _MOST_LISTED)


def _fitting(variants: Sequence[str], wanted: str) -> list[str]:
    if wanted in variants:
        return [wanted]
    return [variant for variant in variants if wanted == ALL or fnmatch.fnmatchcase(variant, wanted)]
