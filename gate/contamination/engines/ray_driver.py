"""The process that speaks with a Ray cluster: connects or starts one, hands out shards, stops what it started."""

import pickle
import socket
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from gate import __version__
from gate.contamination.engines.base import Outcome
from gate.contamination.engines.child import take_over
from gate.contamination.engines.ray import Order, place_of
from gate.contamination.engines.ray_folder import remove
from gate.contamination.engines.ray_task import scan_in_task
from gate.errors import CorpusError, GateError, Place, UsageError

# How often a task is done again whose worker or machine died.
RETRIES = 3
# Of our own cluster: the index, and packed tallies that wait to be fetched.
_OBJECT_STORE_BYTES = 1 << 28
_ANSWER_SECONDS = 10
# How often it is looked whether anybody still waits for the results.
_LOOK_SECONDS = 0.5


def main() -> None:
    """Answer with the number and outcome of each shard, in any order, and None at the end; or with an error."""
    import ray  # noqa: PLC0415  # an extra

    alone = threading.Event()
    pipe, told = take_over(alone.set)
    order: Order = pickle.loads(told)  # noqa: S301  # from the process that started this one
    try:
        # where the other end of the pipe is gone, nobody waits for an answer
        with suppress(OSError):
            try:
                _connect(ray, order)
                for answer in _Tasks(ray, order).results(alone):
                    pipe.send(answer)
                pipe.send(None)
            except GateError as fault:
                pipe.send(fault)
    finally:
        ray.shutdown()
        # the one who would do so may be gone
        remove(Path(order.folder))


class _Tasks:
    """At most so many tasks at once, each result taken as soon as it is there."""

    def __init__(self, ray: ModuleType, order: Order) -> None:
        self._ray = ray
        self._order = order
        self._task = ray.remote(num_cpus=1, max_retries=RETRIES)(scan_in_task)
        # in a list, a reference is handed on as it is: a worker fetches the index once, not with every shard
        self._index = [ray.put(order.eval_index)]

    def results(self, alone: threading.Event) -> Iterator[tuple[int, Outcome]]:
        """Each shard's, until nobody waits for them any more."""
        waiting = deque(range(len(self._order.shards)))
        flying: dict[Any, int] = {}
        try:
            while (waiting or flying) and not alone.is_set():
                while waiting and len(flying) < self._order.workers:
                    number = waiting.popleft()
                    flying[self._start(number)] = number
                done, _ = self._ray.wait(list(flying), num_returns=1, timeout=_LOOK_SECONDS)
                for task in done:
                    number = flying.pop(task)
                    yield number, self._outcome(task, number)
        finally:
            for task in flying:
                self._ray.cancel(task, force=True)

    def _start(self, number: int) -> Any:
        order = self._order
        return self._task.remote(self._index, __version__, order.shards[number], order.fields)

    def _outcome(self, task: Any, number: int) -> Outcome:
        try:
            outcome: Outcome = self._ray.get(task)
        except self._ray.exceptions.RayError as fault:
            raise CorpusError(
                f"no worker of the cluster could finish this: {_first_line(fault)}",
                where=Place(self._order.shards[number].name),
                remedy="look at the cluster's logs: each machine needs this version of gate, Python and memory enough",
            ) from fault
        return outcome


def _connect(ray: ModuleType, order: Order) -> None:
    own = {
        "num_cpus": order.workers,
        "object_store_memory": _OBJECT_STORE_BYTES,
        "include_dashboard": False,
        "_temp_dir": order.folder,
    }
    address = order.address
    try:
        _require_answer(address)
        ray.init(address=address or "local", log_to_driver=False, logging_level="ERROR", **({} if address else own))
    except (OSError, RuntimeError, ValueError) as fault:
        raise UsageError(
            f"the Ray cluster cannot be reached: {_first_line(fault)}",
            where=place_of(address),
            remedy="check RAY_ADDRESS; without it a cluster is started here",
        ) from fault


def _require_answer(address: str | None) -> None:
    """Raise OSError where nobody listens at ``HOST:PORT``: Ray itself would try for minutes."""
    host, _, port = (address or "").removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER_SECONDS).close()


def _first_line(fault: Exception) -> str:
    return str(fault).strip().split("\n", 1)[0]


if __name__ == "__main__":
    main()
