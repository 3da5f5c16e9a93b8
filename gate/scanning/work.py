"""The scan carried out: planned, read shard by shard, kept, told; and parts of one put together."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO, cast

from gate.console import complain
from gate.contamination import Fields, Mode, Scan, ScanPlan, plan_scan, tell, write_scan
from gate.contamination import Question as Asked
from gate.contamination.engines import EngineName, ShardStore, Tell, run_shards
from gate.contamination.parts import keep_plan, merge_stores, part
from gate.errors import Place, UsageError
from gate.scanning.items import find_allowed, find_items
from gate.scanning.question import Question


def carry_out(question: Question, err: TextIO, progress: Tell | None = None) -> Scan:
    """Scan, and write the scan where it is wanted.

    Args:
        question: what is asked.
        err: where it is told what an interrupted scan has kept.
        progress: called while the corpus is read.

    Returns:
        The scan; with a part asked for, or one that was interrupted before, of the shards that are in the store.

    Raises:
        GateError: where the items or the corpus cannot be read, or the scan cannot be written.
    """
    plan = _plan(question)
    _refuse_clashes(question, plan)
    index, chosen = plan.index(), question.part
    shards = plan.shards if chosen is None else part(plan.shards, *chosen)
    store = None
    if question.folder is not None:
        _require_fresh(question)
        store = ShardStore(question.folder, index, plan.fields)
        keep_plan(store, plan)
    with _telling_what_is_kept(question, err):
        tally = run_shards(
            index,
            shards,
            plan.fields,
            engine=cast("EngineName", question.engine),
            workers=question.workers,
            store=store,
            progress=progress,
        )
    scan = _finished(tell(plan, index, tally), question.out, no_text=question.no_text)
    if question.folder is not None and question.store is None:
        shutil.rmtree(question.folder)
    return scan


def merge(stores: Sequence[str], out: str | None, *, no_text: bool = False) -> Scan:
    """Put parts of a scan together, and write it where it is wanted; errors as in ``merge_stores``."""
    merged = merge_stores([Path(store) for store in stores])
    scan = tell(merged.plan, merged.index, merged.tally)
    return _finished(replace(scan, notes=(*scan.notes, *merged.notes)), out, no_text=no_text)


def _plan(question: Question) -> ScanPlan:
    items = find_items(question.items, format_name=question.format, columns=question.columns)
    asked = Asked(
        sizes=question.ngram,
        mode=Mode(question.mode),
        allowed=find_allowed(question.allow),
        fields=Fields(question.text_field, question.id_field),
    )
    return plan_scan(items, question.corpus, asked)


def _finished(scan: Scan, out: str | None, *, no_text: bool) -> Scan:
    told = scan.without_words() if no_text else scan
    if out is not None:
        write_scan(Path(out), told)
    return told


def _require_fresh(question: Question) -> None:
    """Raise UsageError where a scan that did not end has left shards, and nobody said what to do with them."""
    folder = question.folder
    if question.store is None and not question.resume and folder is not None and folder.exists():
        raise UsageError(
            "a scan that did not end has left finished shards here",
            where=Place(str(folder)),
            remedy="go on with them: --resume; or remove the folder",
        )


@contextmanager
def _telling_what_is_kept(question: Question, err: TextIO) -> Iterator[None]:
    """Where the scan does not get to its end, by an interrupt too, say how to go on."""
    whole = False
    try:
        yield
        whole = True
    finally:
        if not whole:
            kept = "nothing is kept without --store or --out"
            if question.folder is not None:
                more = "the same command" if question.store is not None else "the same command with --resume"
                kept = f"finished shards are kept in {question.folder}; {more} goes on with them"
            complain(err, ["", kept])


def _refuse_clashes(question: Question, plan: ScanPlan) -> None:
    """Raise UsageError where what is written would replace what is read, or be read as corpus the next time."""
    if question.out is not None:
        read = {_real(path): path for path in (question.items, question.allow) if path is not None}
        read |= {_real(shard.path): shard.name for shard in plan.shards}
        if _real(question.out) in read:
            raise UsageError(
                f"--out {question.out} would overwrite {read[_real(question.out)]}", remedy="name a file of its own"
            )
    folders = [_real(given) for given in plan.given if Path(given).is_dir()]
    for flag, path in (("--out", question.out), ("--store", question.store)):
        if path is not None and any(Path(_real(path)).is_relative_to(folder) for folder in folders):
            raise UsageError(
                f"{flag} {path} lies in the corpus: the next scan would find every item there",
                remedy="name a place outside of the corpus",
            )


def _real(path: str) -> str:
    return os.path.realpath(path)
