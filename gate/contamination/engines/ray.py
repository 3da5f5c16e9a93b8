"""Ray tasks: on machines that all see the corpus under the same paths and have the same version of gate."""

import os
import signal
import socket
import tempfile
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from types import ModuleType
from typing import Any

from gate import __version__
from gate.contamination.engines.base import Job, Outcome, Scanner, packed_of
from gate.contamination.shards import Fields, Shard
from gate.contamination.shipping import dump_index, parse_index
from gate.errors import CorpusError, GateError, Place, UsageError

ADDRESS = "RAY_ADDRESS"
_USAGE_STATS = "RAY_USAGE_STATS_ENABLED"
# How often a task is done again whose worker or machine died.
RETRIES = 3
# Of our own cluster: the index, and packed tallies that wait to be fetched.
_OBJECT_STORE_BYTES = 1 << 28
_ANSWER_SECONDS = 10


def scan_on_ray(
    job: Job, shards: Sequence[Shard], *, workers: int, tell: Callable[[int, int], None]
) -> Iterator[tuple[Shard, bytes]]:
    """The engine of a Ray cluster.

    The cluster is the one that this process is connected to already, or that the environment names in ``RAY_ADDRESS``;
    else one of ``workers`` processes is started on this machine and stopped again. No other one that may be running
    is ever looked for. Where this process is killed, our cluster ends by itself within about a minute.

    Raises:
        UsageError: where Ray is not installed or the cluster cannot be reached.
        CorpusError: where a shard cannot be read, or its workers died time and again.
    """
    del tell
    if not shards:
        return
    ray = _import_ray()
    with _cluster(ray, workers):
        yield from _Tasks(ray, job).results(shards, workers)


class _Tasks:
    """At most so many tasks at once, each result taken as soon as it is there."""

    def __init__(self, ray: ModuleType, job: Job) -> None:
        self._ray = ray
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(_scan)
        # in a list, a reference is handed on as it is: a worker fetches the index once, not with every shard
        self._index = [ray.put(dump_index(job.index))]
        self._fields = job.fields

    def results(self, shards: Sequence[Shard], workers: int) -> Iterator[tuple[Shard, bytes]]:
        waiting = deque(shards)
        flying: dict[Any, Shard] = {}
        try:
            while waiting or flying:
                while waiting and len(flying) < workers:
                    shard = waiting.popleft()
                    flying[self._task.remote(self._index, __version__, shard, self._fields)] = shard
                (done,), _ = self._ray.wait(list(flying), num_returns=1)
                shard = flying.pop(done)
                yield shard, packed_of(shard, self._outcome(done, shard))
        finally:
            for task in flying:
                self._ray.cancel(task, force=True)

    def _outcome(self, task: Any, shard: Shard) -> Outcome:
        try:
            outcome: Outcome = self._ray.get(task)
        except self._ray.exceptions.RayError as fault:
            raise CorpusError(
                f"no worker of the cluster could finish this: {_first_line(fault)}",
                where=Place(shard.name),
                remedy="look at the cluster's logs: each machine needs this version of gate, Python and memory enough",
            ) from fault
        return outcome


def _scan(index: list[Any], version: str, shard: Shard, fields: Fields) -> Outcome:
    """The task: runs in a worker of the cluster."""
    if version != __version__:
        return UsageError(
            f"a machine of the cluster has gate {__version__}, this one {version}",
            remedy="install the same version on all of them",
        )
    try:
        return _scanner(index[0], fields).outcome(shard)
    except GateError as fault:
        return fault


@lru_cache(maxsize=1)
def _scanner(index: Any, fields: Fields) -> Scanner:
    """Built once a worker: that takes longer than to read a shard."""
    import ray  # noqa: PLC0415  # an extra

    return Scanner(Job(parse_index(ray.get(index), Place("the eval")), fields))


def _import_ray() -> ModuleType:
    try:
        import ray  # noqa: PLC0415  # an extra
    except ImportError as fault:
        raise UsageError(
            "the engine ray needs the package ray, which is not installed",
            remedy="install the extra: pip install 'gate[ray]'",
        ) from fault
    return ray  # type: ignore[no-any-return]


@contextmanager
def _cluster(ray: ModuleType, workers: int) -> Iterator[None]:
    if ray.is_initialized():
        yield
        return
    with tempfile.TemporaryDirectory(prefix="gate-ray-", ignore_cleanup_errors=True) as folder:
        try:
            _connect(ray, workers, folder)
            yield
        finally:
            ray.shutdown()


def _connect(ray: ModuleType, workers: int, folder: str) -> None:
    address = os.environ.get(ADDRESS)
    own = {
        "num_cpus": workers,
        "object_store_memory": _OBJECT_STORE_BYTES,
        "include_dashboard": False,
        "_temp_dir": folder,
    }
    try:
        _require_answer(address)
        with _habits_kept():
            ray.init(address=address or "local", log_to_driver=False, logging_level="ERROR", **({} if address else own))
    except (OSError, RuntimeError, ValueError) as fault:
        raise UsageError(
            f"the Ray cluster cannot be reached: {_first_line(fault)}",
            where=Place(f"{ADDRESS}={address}" if address else "a cluster on this machine"),
            remedy=f"check {ADDRESS}; without it a cluster is started here",
        ) from fault


def _require_answer(address: str | None) -> None:
    """Raise OSError where nobody listens at ``HOST:PORT``: Ray itself would try for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_SECONDS).close()


@contextmanager
def _habits_kept() -> Iterator[None]:
    """Ray would count its users over the network, and end the process in its own way on SIGTERM."""
    before = os.environ.get(_USAGE_STATS)
    os.environ[_USAGE_STATS] = "0"
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        os.environ.pop(_USAGE_STATS)
        if before is not None:
            os.environ[_USAGE_STATS] = before
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)


def _first_line(fault: Exception) -> str:
    return str(fault).strip().split("\n", 1)[0]
