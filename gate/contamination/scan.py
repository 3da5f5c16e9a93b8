"""The whole scan: the corpus planned as shards, read by an engine, and told item by item."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gate import __version__
from gate.contamination.assembly import DocumentNames, item_overlaps, left_out
from gate.contamination.modes import UNICODE_VERSION, Mode
from gate.contamination.probes import SIZES, EvalIndex, Item, build_index
from gate.contamination.report import SCHEMA_VERSION, Allowed, Corpus, Scan
from gate.contamination.shards import Fields, Shard, plan_shards
from gate.contamination.sources import find_sources
from gate.contamination.tally import Tally
from gate.errors import CorpusError, Place, UsageError
from gate.wording import count, names

if TYPE_CHECKING:
    from gate.contamination.engines import EngineName, Progress, ShardStore

_FILES_TOLD = 5


@dataclass(frozen=True, slots=True)
class ScanPlan:
    """Everything that decides what a scan comes to: the same plan, the same scan, whoever reads which shard.

    Attributes:
        items: to be looked for; an id may stand twice.
        sizes: words an n-gram, each once; the first decides.
        mode: what counts as a word.
        allowed: texts whose n-grams are left out.
        fields: where records have their text and their id.
        given: the corpus as it was named.
        shards: the pieces of work, of all files in reading order.
        left_out: how many files were left out because of their ending.
        links_out: how many links, because they lead out of the corpus.
        notes: sentences about them.
    """

    items: tuple[Item, ...]
    sizes: tuple[int, ...]
    mode: Mode
    allowed: tuple[Allowed, ...]
    fields: Fields
    given: tuple[str, ...]
    shards: tuple[Shard, ...]
    left_out: int
    links_out: int
    notes: tuple[str, ...]

    def index(self) -> EvalIndex:
        """What the corpus is held against."""
        return build_index(self.items, self.sizes, self.mode, allowed=[allowed.text for allowed in self.allowed])


@dataclass(frozen=True, slots=True)
class Question:
    """What a scan asks, beside its items and its corpus; attributes as in ScanPlan."""

    sizes: tuple[int, ...] = (3,)
    mode: Mode = Mode.REFERENCE
    allowed: tuple[Allowed, ...] = ()
    fields: Fields = Fields()  # noqa: RUF009  # a tuple


def scan(  # noqa: PLR0913  # one call does it all; its parts have fewer
    items: Sequence[Item],
    corpus: str | Path | Sequence[str | Path],
    *,
    sizes: Sequence[int] = (3,),
    mode: Mode = Mode.REFERENCE,
    allowed: Sequence[Allowed] = (),
    fields: Fields = Fields(),  # noqa: B008  # a tuple
    base: Path = Path(),
    engine: "EngineName" = "local",
    workers: int | None = 1,
    store: "ShardStore | None" = None,
    progress: Callable[["Progress"], None] | None = None,
) -> Scan:
    """Find out how much of each item stands in the corpus.

    The overlap is the share of an item's distinct word n-grams, by ``text.lower().split()``, that occur anywhere in
    the corpus: exact, whatever the corpus's size. The corpus is read once; memory grows with the items, not with it.

    Args:
        items: the eval's items; an id may stand twice.
        corpus: files, folders or glob patterns, see ``find_sources``.
        sizes: words an n-gram, each 1 to 13; the first decides.
        mode: what counts as a word; an item of a script without spaces is always read character by character.
        allowed: texts whose n-grams are no evidence.
        fields: where records have their text and their id.
        base: the folder that relative paths start from.
        engine: what reads the shards, see ``run_shards``.
        workers: how many of them at once; None: as many as the corpus is worth on this machine.
        store: keeps what was found in each shard.
        progress: called now and then, and once at the end.

    Raises:
        UsageError: where a size is out of its range.
        CorpusError: where the corpus cannot be read or holds no word.
    """
    from gate.contamination.engines import fitting_workers, run_shards  # noqa: PLC0415  # a scan that is only read needs none

    plan = plan_scan(items, corpus, Question(tuple(sizes), mode, tuple(allowed), fields), base=base)
    index = plan.index()
    chosen = fitting_workers(plan.shards) if workers is None else workers
    tally = run_shards(index, plan.shards, plan.fields, engine=engine, workers=chosen, store=store, progress=progress)
    return tell(plan, index, tally)


def plan_scan(
    items: Sequence[Item],
    corpus: str | Path | Sequence[str | Path],
    question: Question = Question(),
    *,
    base: Path = Path(),
) -> ScanPlan:
    """List the work; arguments and errors as in ``scan``."""
    for size in question.sizes:
        if size not in SIZES:
            raise UsageError(
                f"n-grams of {size} words cannot be counted",
                remedy=f"choose from {SIZES.start} to {SIZES.stop - 1} words",
            )
    sources = find_sources(corpus, base)
    given = [corpus] if isinstance(corpus, (str, Path)) else corpus
    return ScanPlan(
        items=tuple(items),
        sizes=tuple(dict.fromkeys(question.sizes)),
        mode=question.mode,
        allowed=question.allowed,
        fields=question.fields,
        given=tuple(map(str, given)),
        shards=plan_shards(sources),
        left_out=len(sources.left_out),
        links_out=len(sources.links_out),
        notes=sources.notes,
    )


def tell(plan: ScanPlan, index: EvalIndex, tally: Tally) -> Scan:
    """What was found, of all shards or of some.

    Raises:
        CorpusError: where the whole corpus holds no word.
    """
    unread = [shard for shard in plan.shards if (shard.file, shard.start) not in tally.records]
    corpus = _corpus(plan, tally)
    if index.lanes and not tally.words and not unread:
        raise CorpusError(
            "the corpus holds no text, so nothing can be said about the items",
            where=Place(names(plan.given)),
            remedy=f"check what is in it: {count(corpus.files, 'file')} with "
            f"{count(corpus.documents, 'document')} read",
        )
    return Scan(
        schema_version=SCHEMA_VERSION,
        complete=not unread,
        versions={"gate": __version__, "unicode": UNICODE_VERSION},
        sizes=plan.sizes,
        mode=plan.mode,
        text_fields=plan.fields.text,
        id_field=plan.fields.id,
        allowed=plan.allowed,
        left_out=left_out(index),
        corpus=corpus,
        notes=(*plan.notes, *_notes_on_text(plan, tally), *_notes_on_unread(unread)),
        items=item_overlaps(index, tally, DocumentNames(plan.shards, tally.records)),
    )


def _corpus(plan: ScanPlan, tally: Tally) -> Corpus:
    files = {shard.file: shard for shard in plan.shards if (shard.file, shard.start) in tally.records}
    state = hashlib.sha256()
    for _, shard in sorted(files.items()):
        state.update(f"{shard.name}\0{shard.size}\n".encode("utf-8", "surrogatepass"))
    return Corpus(
        given=plan.given,
        digest=state.hexdigest(),
        files=len(files),
        left_out=plan.left_out,
        links_out=plan.links_out,
        documents=tally.documents,
        words=tally.words,
        bytes=tally.bytes,
    )


def _notes_on_text(plan: ScanPlan, tally: Tally) -> tuple[str, ...]:
    named = _file_names(plan)
    faulty = {named[file]: places for file, places in sorted(tally.replaced.items()) if places}
    if not faulty:
        return ()
    told = ", ".join(f"{name} ({places})" for name, places in list(faulty.items())[:_FILES_TOLD])
    more = f" and {count(len(faulty) - _FILES_TOLD, 'more file')}" if len(faulty) > _FILES_TOLD else ""
    return (f"not UTF-8, replaced: {count(sum(faulty.values()), 'place')} in {told}{more}",)


def _notes_on_unread(unread: Sequence[Shard]) -> tuple[str, ...]:
    files = tuple(dict.fromkeys(shard.name for shard in unread))
    return (f"not read yet, all or in part: {names(files, most=_FILES_TOLD)}",) if files else ()


def _file_names(plan: ScanPlan) -> dict[int, str]:
    return {shard.file: shard.name for shard in plan.shards}
