"""One shard scanned, and what all engines share: how far they are, and what comes back from a worker."""

import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from gate.contamination.kernel import Kernel
from gate.contamination.packed import pack
from gate.contamination.probes import EvalIndex
from gate.contamination.shards import Fields, Shard, ShardReader
from gate.contamination.tally import Tally
from gate.errors import GateError

PROGRESS_SECONDS = 0.5


class Progress(NamedTuple):
    """How far a scan is; what a store already held counts as done.

    Attributes:
        shards_done: shards that are finished.
        shards: shards there are.
        documents: documents read.
        bytes: bytes of the corpus read, after decompression.
    """

    shards_done: int
    shards: int
    documents: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Job:
    """What a worker needs to know before its first shard."""

    index: EvalIndex
    fields: Fields


class Scanned(NamedTuple):
    """A shard, and what was found in it: its packed tally."""

    shard: Shard
    packed: bytes


class Engine(Protocol):
    """Scans shards, in any order, and hands on each packed tally as it comes."""

    def __call__(
        self, job: Job, shards: Sequence[Shard], *, workers: int, tell: Callable[[int, int], None]
    ) -> Iterator[Scanned]:
        """Each shard once.

        Args:
            job: what each worker is told.
            shards: what is to be read.
            workers: how many are read at the same time.
            tell: may be called with the documents and bytes read of a shard that is not finished.
        """


def scan_here(
    job: Job, shards: Sequence[Shard], *, workers: int, tell: Callable[[int, int], None]
) -> Iterator[Scanned]:
    """The engine of one process: this one."""
    del workers
    scanner = Scanner(job)
    for shard in shards:
        yield Scanned(shard, pack(scanner.scan(shard, tell)))


class Crash(NamedTuple):
    """An error of ours in a worker: its traceback."""

    text: str


class CrashError(RuntimeError):
    """A worker met an error of ours."""


Outcome = bytes | GateError | Crash


def packed_of(shard: Shard, outcome: Outcome) -> bytes:
    """What a worker found, or its error raised here."""
    if isinstance(outcome, GateError):
        raise outcome
    if isinstance(outcome, Crash):
        raise CrashError(f"a worker failed on {shard.name}:\n{outcome.text}")
    return outcome


class Scanner:
    """Holds shard after shard against the eval; each result is that of the shard alone."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._kernel: Kernel | None = None

    def scan(self, shard: Shard, progress: Callable[[int, int], None] | None = None) -> Tally:
        """As ``scan_shard``."""
        # what an error interrupts is not used again
        kernel, self._kernel = self._kernel or Kernel(self._job.index), None
        reader = ShardReader(shard, self._job.fields)
        meter = _Meter(reader, kernel, progress)
        for document in reader:
            if document.pieces is not None:
                kernel.read_long(document.key, meter.through(document.pieces))
            elif document.text is not None:
                kernel.read(document.key, document.text)
                meter.tick()
        tally = kernel.take()
        tally.bytes = reader.bytes
        tally.records = {(shard.file, shard.start): reader.records}
        if reader.replaced:
            tally.replaced = {shard.file: reader.replaced}
        self._kernel = kernel
        return tally

    def outcome(self, shard: Shard) -> Outcome:
        """Scan a shard in a worker: what goes wrong is a value there, because it has a way to go."""
        try:
            return pack(self.scan(shard))
        except GateError as fault:
            return fault
        except Exception:  # told in the process that asked
            return Crash(traceback.format_exc())


def scan_shard(
    index: EvalIndex, shard: Shard, fields: Fields, progress: Callable[[int, int], None] | None = None
) -> Tally:
    """Hold the documents of one shard against the eval.

    Args:
        index: the eval.
        shard: the part of the corpus.
        fields: which fields of records hold text and id.
        progress: called every half second with the documents and bytes read so far.

    Raises:
        CorpusError: where the shard cannot be read.
    """
    return Scanner(Job(index, fields)).scan(shard, progress)


class _Meter:
    """Tells how far a shard is, at most every ``PROGRESS_SECONDS``."""

    def __init__(self, reader: ShardReader, kernel: Kernel, tell: Callable[[int, int], None] | None) -> None:
        self._reader = reader
        self._kernel = kernel
        self._tell = tell
        self._told = time.monotonic()

    def through(self, pieces: Iterable[str]) -> Iterator[str]:
        for piece in pieces:
            yield piece
            self.tick()

    def tick(self) -> None:
        if self._tell is not None and time.monotonic() - self._told >= PROGRESS_SECONDS:
            self._tell(self._kernel.tally.documents, self._reader.bytes)
            self._told = time.monotonic()
