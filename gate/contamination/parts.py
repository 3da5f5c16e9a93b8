"""A scan in parts, each on a machine of its own and into a store of its own, and the parts put together."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gate.contamination.engines import ShardStore
from gate.contamination.probes import EvalIndex, require_sizes
from gate.contamination.scan import ScanPlan
from gate.contamination.shards import Shard
from gate.contamination.tally import Tally, empty_tally
from gate.errors import CorpusError, Place, UsageError
from gate.files import open_bytes
from gate.writing import write_atomically

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_VERSION = 1
_NAME = "plan.json"
_REMEDY = "write it again: gate scan ... --store FOLDER"


@dataclass(frozen=True, slots=True)
class Merged:
    """What several stores hold together.

    Attributes:
        plan: all of the work.
        index: the eval.
        tally: of the shards that were found.
        missing: the others; none where the scan is complete.
        notes: sentences about files of the stores that are not sound.
    """

    plan: ScanPlan
    index: EvalIndex
    tally: Tally
    missing: tuple[Shard, ...]
    notes: tuple[str, ...]


def part(shards: Sequence[Shard], number: int, count: int) -> tuple[Shard, ...]:
    """Every ``count``-th shard, from the ``number``-th on: 1 to ``count`` together are all of them, each once.

    Raises:
        UsageError: where there is no such part.
    """
    if not 1 <= number <= count:
        raise UsageError(f"there is no part {number} of {count}", remedy="parts are counted from 1: 1/N, 2/N, ..., N/N")
    return tuple(shards[number - 1 :: count])


def keep_plan(store: ShardStore, plan: ScanPlan) -> None:
    """Tell in the store what all of the work is, so that ``merge_stores`` can tell what is missing.

    Raises:
        WriteError: where the store cannot be written.
    """
    # every plan of a store is of the same eval and fields, so that what may differ is the corpus
    content = {"scan_plan": _VERSION, "plan": _adapter().dump_python(plan, mode="json")}
    write_atomically(store.folder / _NAME, json.dumps(content))


def merge_stores(folders: Sequence[Path]) -> Merged:
    """Put together what several runs of one scan have kept, each shard once.

    Args:
        folders: stores in which ``keep_plan`` has told of the scan; other scans may lie in them, too.

    Raises:
        UsageError: where no scan, or more than one, is in all of them.
        CorpusError: where a store cannot be read, or the corpus was not the same for all of them.
    """
    name = _common_scan(folders)
    plan, *others = (read_plan(folder / name / _NAME) for folder in folders)
    for folder, other in zip(folders[1:], others, strict=True):
        _require_same_corpus(plan, other, folder)
    index = plan.index()
    stores = [_opened(folder, name, index, plan) for folder in folders]
    tally, missing = empty_tally(index), []
    for shard in plan.shards:
        found = next((own for store in stores if (own := store.load(shard)) is not None), None)
        if found is None:
            missing.append(shard)
        else:
            tally.add(found)
    return Merged(plan, index, tally, tuple(missing), tuple(note for store in stores for note in store.notes))


def _common_scan(folders: Sequence[Path]) -> str:
    """The name of the one scan that all of the folders hold."""
    if not folders:
        raise UsageError("there is no store to merge", remedy="name the folder of at least one")
    held = {folder: {path.parent.name for path in folder.glob(f"*/{_NAME}")} for folder in folders}
    for folder, scans in held.items():
        if not scans:
            raise CorpusError("there is no part of a scan here", where=Place(str(folder)), remedy=_REMEDY)
    common = set.intersection(*held.values())
    if len(common) != 1:
        what = "hold parts of different scans" if not common else f"have {len(common)} scans in common"
        raise UsageError(
            f"the stores {what}", remedy="merge what was made of the same items, options and version of gate, alone"
        )
    return common.pop()


def _require_same_corpus(first: ScanPlan, other: ScanPlan, folder: Path) -> None:
    ours, theirs = ({shard.key: shard.name for shard in plan.shards} for plan in (first, other))
    differ = ours.items() ^ theirs.items()
    if not differ:
        return
    raise CorpusError(
        f"the corpus was not the same here as for the first store: it differs in {min(name for _, name in differ)}",
        where=Place(str(folder)),
        remedy="scan the part again: what is not affected is taken from the store",
    )


def _opened(folder: Path, name: str, index: EvalIndex, plan: ScanPlan) -> ShardStore:
    store = ShardStore(folder, index, plan.fields)
    if store.folder.name != name:
        raise CorpusError(
            "this part was made by another version of gate or Python, or its plan was changed",
            where=Place(str(folder / name)),
            remedy="merge with the version that scanned",
        )
    return store


def read_plan(path: Path) -> ScanPlan:
    """The plan that ``keep_plan`` wrote.

    Raises:
        CorpusError: where the file is missing or is none.
    """
    from pydantic import ValidationError  # noqa: PLC0415  # paid only where stores are merged

    with open_bytes(path, error=CorpusError) as stream:
        data = stream.read()
    try:
        content = json.loads(data)
        version, plan = content["scan_plan"], _adapter().validate_python(content["plan"])
        require_sizes(plan.sizes)
    except (ValueError, KeyError, TypeError, RecursionError, ValidationError) as fault:
        raise CorpusError("this is not the plan of a scan", where=Place(str(path)), remedy=_REMEDY) from fault
    if version != _VERSION:
        raise CorpusError(f"this is not a plan of version {_VERSION}", where=Place(str(path)), remedy=_REMEDY)
    return plan


def _adapter() -> "TypeAdapter[ScanPlan]":
    from pydantic import TypeAdapter  # noqa: PLC0415  # paid only where stores are planned or merged

    return TypeAdapter(ScanPlan)
