"""A corpus repeated until it is as large as it must be, one piece in memory at a time.

python -m benchmarks.contamination_grown SOURCE TARGET TIMES
"""

import shutil
import sys
from pathlib import Path


def grow(source: Path, target: Path, times: int) -> None:
    """Write the documents of the source so many times, in a file of the same kind: .jsonl or .parquet."""
    if source.suffix == ".parquet":
        _grow_parquet(source, target, times)
        return
    with target.open("wb") as file:
        for _ in range(times):
            with source.open("rb") as lines:
                shutil.copyfileobj(lines, file)


def _grow_parquet(source: Path, target: Path, times: int) -> None:
    import pyarrow.parquet as pq  # noqa: PLC0415  # only this kind needs it

    with pq.ParquetFile(source) as file, pq.ParquetWriter(target, file.schema_arrow, compression="zstd") as writer:
        for _ in range(times):
            for group in range(file.num_row_groups):
                writer.write_table(file.read_row_group(group))


if __name__ == "__main__":
    grow(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
