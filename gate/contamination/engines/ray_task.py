"""What runs in the workers of a Ray cluster, on machines that all see the corpus under the same paths."""

from functools import lru_cache
from typing import Any

from gate import __version__
from gate.contamination.engines.base import Job, Outcome, Scanner
from gate.contamination.shards import Fields, Shard
from gate.contamination.shipping import parse_index
from gate.errors import GateError, Place, UsageError


def scan_in_task(index: list[Any], version: str, shard: Shard, fields: Fields) -> Outcome:
    """The task: one shard, held against the index that the reference in the list stands for."""
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
