"""Where a scan runs: in this process, in several, or on a cluster; the result is the same."""

from gate.contamination.engines.base import Progress, scan_shard
from gate.contamination.engines.fitting import fitting_workers
from gate.contamination.engines.run import EngineName, Tell, run_shards
from gate.contamination.engines.store import ShardStore

__all__ = ["EngineName", "Progress", "ShardStore", "Tell", "fitting_workers", "run_shards", "scan_shard"]
