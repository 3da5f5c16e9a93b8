"""Several processes on this machine, each with the index and one shard at a time."""

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import NamedTuple, cast

from gate.contamination.engines.base import Job, Outcome, Scanner, packed_of
from gate.contamination.shards import Fields, Shard
from gate.contamination.shipping import dump_index, parse_index
from gate.errors import CorpusError, GateError, Place

# A worker that dies once may have met a full machine; a shard that ends two of them is at fault itself.
ATTEMPTS = 2


def scan_in_processes(
    job: Job, shards: Sequence[Shard], *, workers: int, tell: Callable[[int, int], None]
) -> Iterator[tuple[Shard, bytes]]:
    """The engine of several processes; none of them outlives the iteration, or this process.

    They are started anew (``spawn``), so that a script that calls this must be importable: its own work belongs under
    ``if __name__ == "__main__"``.

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
    process: SpawnProcess
    pipe: "Connection[_Task | None, Outcome]"
    task: _Task


class _Pool:
    """Gives each worker that is done the next shard, and what a dead one left to a new one."""

    def __init__(self, job: Job, shards: Sequence[Shard]) -> None:
        self._arguments = (dump_index(job.index), job.fields)
        self._waiting = deque(_Task(shard, 1) for shard in shards)
        self._workers: list[_Worker] = []

    def results(self, workers: int) -> Iterator[tuple[Shard, bytes]]:
        while self._waiting and len(self._workers) < workers:
            self._start(self._waiting.popleft())
        while self._workers:
            ready = wait([worker.pipe for worker in self._workers])
            for worker in [worker for worker in self._workers if worker.pipe in ready]:
                shard = worker.task.shard
                packed = self._received(worker)
                if packed is not None:
                    yield shard, packed

    def end(self) -> None:
        """Leave no process behind: those that are still at work hold nothing that is needed."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
            worker.pipe.close()
        self._workers = []

    def _received(self, worker: _Worker) -> bytes | None:
        try:
            outcome = worker.pipe.recv()
        except (EOFError, OSError):
            self._replace(worker)
            return None
        packed = packed_of(worker.task.shard, outcome)
        self._give_next(worker)
        return packed

    def _give_next(self, worker: _Worker) -> None:
        if self._waiting:
            worker.task = self._waiting.popleft()
            # a worker that has died since is noticed when its answer is read
            with suppress(OSError):
                worker.pipe.send(worker.task)
        else:
            with suppress(OSError):
                worker.pipe.send(None)
            self._dismiss(worker)

    def _replace(self, worker: _Worker) -> None:
        self._dismiss(worker)
        shard, attempt = worker.task
        if attempt == ATTEMPTS:
            raise CorpusError(
                f"the processes that read this died, {ATTEMPTS} times (exit code {worker.process.exitcode})",
                where=Place(shard.name),
                remedy="where memory is short, ask for fewer workers; the shards that are finished stay in the store",
            )
        self._start(_Task(shard, attempt + 1))

    def _start(self, task: _Task) -> None:
        ours, theirs = get_context("spawn").Pipe()
        process = get_context("spawn").Process(target=_work, args=(theirs, *self._arguments), daemon=True)
        with _signals_held():
            process.start()
            self._workers.append(_Worker(process, cast("Connection[_Task | None, Outcome]", ours), task))
        theirs.close()
        with suppress(OSError):
            ours.send(task)

    def _dismiss(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.process.join()
        worker.pipe.close()


@contextmanager
def _signals_held() -> Iterator[None]:
    """Let a signal wait until a new process is on the list of those to end.

    The new process inherits this: Ctrl-C, which the terminal sends to both, is for this one alone to act on.
    """
    # multiprocessing's own helper, which starts with the first process, would let the signals through
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(pipe: "Connection[Outcome, _Task | None]", index: bytes, fields: Fields) -> None:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # where the other end of the pipe is gone, nobody waits for an answer
    with suppress(EOFError, OSError):
        try:
            scanner = Scanner(Job(parse_index(index, Place("the eval")), fields))
        except GateError as fault:
            pipe.send(fault)
            return
        while (task := pipe.recv()) is not None:
            pipe.send(scanner.outcome(task.shard))


def _end_with_parent() -> None:
    """Where the parent is gone without a word, nobody waits for the shard at hand."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
