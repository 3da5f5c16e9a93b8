"""Score files and configurations to measure."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

WriteCsv = Callable[..., str]
PAIR = "baseline: a\n    candidate: b\n    "


@pytest.fixture
def config(tmp_path: Path) -> Callable[[str], str]:
    """Writes a gate.yml of one suite with these lines; returns its path."""

    def write(lines: str) -> str:
        path = tmp_path / "gate.yml"
        path.write_text(f"version: 1\nsuites:\n  - name: s\n    {lines}\n", encoding="utf-8")
        return str(path)

    return write


def pass_fail(n: int, passed: int) -> list[int]:
    return [1] * passed + [0] * (n - passed)


def repeated(n: int, k: int) -> dict[str, object]:
    rng = np.random.default_rng(4)
    chance = np.repeat(rng.beta(4, 2, n), k)
    return {
        "id": [f"i{row:03d}" for row in range(n) for _ in range(k)],
        "sample": list(range(k)) * n,
        "score": (rng.random(n * k) < chance).astype(int).tolist(),
    }
