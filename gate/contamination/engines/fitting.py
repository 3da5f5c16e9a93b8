"""How many processes a corpus is worth on this machine."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from gate.contamination.shards import Shard

# What one process reads in a second or two: below that, others would start for longer than they help.
WORTH_BYTES = 128 << 20
# Each holds the eval's tables.
MOST = 8
_QUOTA = Path("/sys/fs/cgroup/cpu.max")


def fitting_workers(shards: Sequence[Shard]) -> int:
    """One for a small corpus; else one a core that this process may use, at most one a shard and ``MOST``."""
    sizes = {shard.file: shard.size for shard in shards}
    if sum(sizes.values()) < WORTH_BYTES:
        return 1
    return min(cores(), len(shards), MOST)


def cores() -> int:
    """Cores that this process may use, by its affinity and by the quota of its container; at least 1."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # "max 100000", or so many microseconds of so many
    with suppress(OSError, ValueError):
        quota, period = map(int, _QUOTA.read_text(encoding="ascii").split())
        found = min(found, round(quota / period))
    return max(found, 1)
