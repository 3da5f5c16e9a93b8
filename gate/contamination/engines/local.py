"""Several processes on this machine, each with the index and one shard at a time."""

import pickle
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import NamedTuple

from gate.contamination.engines.base import Job, Scanned, packed_of
from gate.contamination.engines.child import Child
from gate.contamination.shards import Shard
from gate.contamination.shipping import dump_index
from gate.errors import CorpusError, Place
from gate.interrupts import held_back

# A worker that dies once may have met a full machine; a shard that ends two of them is at fault itself.
ATTEMPTS = 2
_WORKER = "gate.contamination.engines.worker"


def scan_in_processes(
    job: Job, shards: Sequence[Shard], *, workers: int, tell: Callable[[int, int], None]
) -> Iterator[Scanned]:
    """The engine of several processes; none of them outlives the iteration, or this process.

    Raises:
        CorpusError: where a shard cannot be read, or two workers died of it.
    """
    del tell
    pool = _Pool(job, shards)
    try:
        yield from pool.results(workers)
    finally:
        pool.end()


class _Task(NamedTuple):
    shard: Shard
    attempt: int


@dataclass(slots=True)
class _Worker:
    child: Child
    task: _Task


class _Pool:
    """Gives each worker that is done the next shard, and what a dead one left to a new one."""

    def __init__(self, job: Job, shards: Sequence[Shard]) -> None:
        self._told = pickle.dumps((dump_index(job.index), job.fields))
        self._waiting = deque(_Task(shard, 1) for shard in shards)
        self._workers: list[_Worker] = []

    def results(self, workers: int) -> Iterator[Scanned]:
        while self._waiting and len(self._workers) < workers:
            self._start(self._waiting.popleft())
        while self._workers:
            ready = wait([worker.child.pipe for worker in self._workers])
            for worker in [worker for worker in self._workers if worker.child.pipe in ready]:
                shard = worker.task.shard
                packed = self._received(worker)
                if packed is not None:
                    yield Scanned(shard, packed)

    def end(self) -> None:
        """Leave no process behind: those that are still at work hold nothing that is needed."""
        for worker in self._workers:
            worker.child.process.kill()
        for worker in self._workers:
            worker.child.kill()
        self._workers = []

    def _received(self, worker: _Worker) -> bytes | None:
        try:
            outcome = worker.child.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return None
        packed = packed_of(worker.task.shard, outcome)
        self._give_next(worker)
        return packed

    def _give_next(self, worker: _Worker) -> None:
        if self._waiting:
            worker.task = self._waiting.popleft()
            self._tell(worker, worker.task.shard)
        else:
            self._tell(worker, None)
            self._dismiss(worker)

    def _replace(self, worker: _Worker) -> None:
        self._dismiss(worker)
        shard, attempt = worker.task
        if attempt == ATTEMPTS:
            raise CorpusError(
                f"the processes that read this died, {ATTEMPTS} times (exit code {worker.child.process.returncode})",
                where=Place(shard.name),
                remedy="where memory is short, let one process read: `gate scan --workers 1`, whose file "
                "`gate check --scan` reads; the shards that are finished stay in the store",
            )
        self._start(_Task(shard, attempt + 1))

    def _start(self, task: _Task) -> None:
        with held_back():
            worker = _Worker(Child(_WORKER, self._told), task)
            self._workers.append(worker)
        self._tell(worker, task.shard)

    def _tell(self, worker: _Worker, shard: Shard | None) -> None:
        # a worker that has died since is noticed when its answer is read
        with suppress(OSError):
            worker.child.pipe.send(shard)

    def _dismiss(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.child.join()
