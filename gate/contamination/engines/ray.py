"""A Ray cluster, spoken with by a process of its own: Ray may end its driver, with an exit code of its own."""

import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import NamedTuple

from gate.contamination.engines.base import Job, Scanned, packed_of
from gate.contamination.engines.child import Child
from gate.contamination.engines.ray_folder import RayFolder
from gate.contamination.shards import Fields, Shard
from gate.contamination.shipping import dump_index
from gate.errors import CorpusError, GateError, Place, UsageError
from gate.interrupts import held_back

ADDRESS = "RAY_ADDRESS"
_DRIVER = "gate.contamination.engines.ray_driver"
# How long the driver may take to stop its cluster.
_PARTING_SECONDS = 20
_HABITS = {
    # Ray would count its users over the network
    "RAY_USAGE_STATS_ENABLED": "0",
}
_OWN_HABITS = {
    # how long the parts of our own cluster wait for its head: by default a minute, on one machine for nothing
    "RAY_gcs_rpc_server_reconnect_timeout_s": "10",
}


class Order(NamedTuple):
    """What the driver is to do.

    Attributes:
        eval_index: the eval, as ``dump_index`` writes it.
        fields: where records have their text and id.
        shards: what is to be read.
        workers: how many at once.
        address: of the cluster; None for one of its own.
        folder: for the files of that one.
    """

    eval_index: bytes
    fields: Fields
    shards: tuple[Shard, ...]
    workers: int
    address: str | None
    folder: str


def scan_on_ray(
    job: Job, shards: Sequence[Shard], *, workers: int, tell: Callable[[int, int], None]
) -> Iterator[Scanned]:
    """The engine of a Ray cluster.

    The cluster is the one that this process is connected to already, or that the environment names in ``RAY_ADDRESS``;
    else one of ``workers`` processes is started on this machine and stopped again. No other one that may be running
    is ever looked for. Where this process is killed, our cluster ends by itself within seconds.

    Raises:
        UsageError: where Ray is not installed or the cluster cannot be reached.
        CorpusError: where a shard cannot be read, its workers died time and again, or the cluster was lost.
    """
    del tell
    if not shards:
        return
    if find_spec("ray") is None:
        raise UsageError(
            "the engine ray needs the package ray, which is not installed",
            remedy="install the extra: pip install 'gate[ray]'",
        )
    address = _address()
    with RayFolder() as folder:
        order = Order(dump_index(job.index), job.fields, tuple(shards), workers, address, str(folder.path))
        yield from _results(order, folder)


def _address() -> str | None:
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        return str(ray.get_runtime_context().gcs_address)
    return os.environ.get(ADDRESS) or None


def _results(order: Order, folder: RayFolder) -> Iterator[Scanned]:
    driver: Child | None = None
    try:
        with held_back():
            habits = _HABITS if order.address else {**_HABITS, **_OWN_HABITS}
            driver = Child(_DRIVER, pickle.dumps(order), environment=habits, files=[folder.lock])
        while (answer := _answer(driver, order)) is not None:
            yield answer
    finally:
        if driver is not None:
            try:
                driver.release(_PARTING_SECONDS)
            finally:
                driver.kill()


def _answer(driver: Child, order: Order) -> Scanned | None:
    """The next shard that is done; None where there is none left."""
    try:
        answer = driver.pipe.recv()
    except (EOFError, OSError) as fault:
        raise CorpusError(
            f"the cluster was lost: the process that spoke with it ended (exit code {driver.process.wait()})",
            where=place_of(order.address),
            remedy="look at the cluster's logs; where finished shards are kept, the same command with --resume goes on",
        ) from fault
    if answer is None:
        return None
    if isinstance(answer, GateError):
        raise answer
    number, outcome = answer
    return Scanned(order.shards[number], packed_of(order.shards[number], outcome))


def place_of(address: str | None) -> Place:
    """The cluster, as errors name it."""
    return Place(f"{ADDRESS}={address}" if address else "a cluster on this machine")
