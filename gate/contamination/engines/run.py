"""All shards put through an engine, and what comes back put together in whatever order it comes."""

from collections.abc import Callable, Sequence
from typing import Literal

from gate.contamination.engines.base import Engine, Job, Progress, scan_here
from gate.contamination.engines.store import ShardStore
from gate.contamination.packed import unpack
from gate.contamination.probes import EvalIndex
from gate.contamination.shards import Fields, Shard
from gate.contamination.tally import Tally, empty_tally
from gate.errors import UsageError

EngineName = Literal["local", "ray"]
Tell = Callable[[Progress], None]


def run_shards(  # noqa: PLR0913  # each is a choice of its own
    index: EvalIndex,
    shards: Sequence[Shard],
    fields: Fields,
    *,
    engine: EngineName = "local",
    workers: int = 1,
    store: ShardStore | None = None,
    progress: Tell | None = None,
) -> Tally:
    """Hold all shards against the eval.

    Args:
        index: the eval.
        shards: the parts of the corpus, in any order.
        fields: which fields of records hold text and id.
        engine: ``local``, processes on this machine, or ``ray``, tasks on a cluster.
        workers: shards that are read at the same time, from 1.
        store: finished shards are kept there, and what it holds is not read again.
        progress: called after each shard; with one local worker also every half second.

    Returns:
        The same for every engine, number of workers and order of shards.

    Raises:
        UsageError: where ``workers`` or ``engine`` is not one that there is.
        CorpusError: where a shard cannot be read.
        WriteError: where the store cannot be written.
    """
    if workers < 1:
        raise UsageError(f"{workers} workers cannot scan anything", remedy="ask for at least 1")
    run = _Run(index, len(shards), store, progress)
    left = [shard for shard in shards if not run.take_stored(shard)]
    for shard, packed in _engine(engine, workers)(Job(index, fields), left, workers=workers, tell=run.tell_within):
        run.take(shard, packed)
    return run.tally


def _engine(name: EngineName, workers: int) -> Engine:
    # imported here: most scans are of one process, and start-up time counts
    if name == "ray":
        from gate.contamination.engines.ray import scan_on_ray  # noqa: PLC0415

        return scan_on_ray
    if workers > 1:
        from gate.contamination.engines.local import scan_in_processes  # noqa: PLC0415

        return scan_in_processes
    return scan_here


class _Run:
    """Puts together what comes back, in whatever order it comes."""

    def __init__(self, index: EvalIndex, shards: int, store: ShardStore | None, tell: Tell | None) -> None:
        self.tally = empty_tally(index)
        self._index = index
        self._shards = shards
        self._done = 0
        self._store = store
        self._tell = tell

    def take_stored(self, shard: Shard) -> bool:
        """Take in a shard from the store, if it is there."""
        stored = self._store.load(shard) if self._store is not None else None
        if stored is not None:
            self._add(stored)
        return stored is not None

    def take(self, shard: Shard, packed: bytes) -> None:
        """Take in a shard that was scanned; kept in the store first, so that an interrupt costs nothing."""
        if self._store is not None:
            self._store.save(shard, packed)
        self._add(unpack(packed, self._index))

    def tell_within(self, documents: int, read: int) -> None:
        """Tell how far the shard at hand is."""
        if self._tell is not None:
            own = self.tally
            self._tell(Progress(self._done, self._shards, own.documents + documents, own.bytes + read))

    def _add(self, tally: Tally) -> None:
        self.tally.add(tally)
        self._done += 1
        self.tell_within(0, 0)
