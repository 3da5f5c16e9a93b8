import numpy as np
import pytest
from numpy.typing import NDArray

from gate.stats.resampling import resample_mean, resample_ratio
from gate.stats.units import Units

DRAW = np.random.default_rng(3)
STRATA = np.repeat([0, 1], [12, 8])
WEIGHTS = DRAW.integers(1, 5, 20).astype(np.float64)
UNEVEN = {
    "whole totals": Units(WEIGHTS * DRAW.integers(0, 3, 20), WEIGHTS, STRATA),
    "floats": Units(WEIGHTS * DRAW.random(20), WEIGHTS * DRAW.uniform(1, 2, 20), STRATA),
}


def means_of(units: Units | NDArray[np.float64]) -> NDArray[np.float64]:
    rng = np.random.default_rng(1)
    if isinstance(units, Units):
        return resample_ratio(units, n_resamples=103, rng=rng).means
    return resample_mean(units, n_resamples=103, rng=rng).means


@pytest.mark.parametrize("scores", [DRAW.integers(0, 5, 40) / 4, DRAW.normal(size=40)], ids=["lattice", "floats"])
@pytest.mark.parametrize("cells", [1, 200, 777])
def test_batches_of_bounded_memory_change_no_resample(
    scores: NDArray[np.float64], cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = means_of(scores)
    monkeypatch.setattr("gate.stats.resampling._BATCH_CELLS", cells)
    # products of matrices of another height may differ in the last digit
    assert means_of(scores) == pytest.approx(whole, rel=0, abs=1e-13)
    assert whole.size == 103


@pytest.mark.parametrize("name", UNEVEN)
def test_batches_leave_nothing_out_in_any_stratum(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gate.stats.resampling._BATCH_CELLS", 100)
    means = means_of(UNEVEN[name])
    values = UNEVEN[name].values
    assert values.min() < means.min() < UNEVEN[name].mean < means.max() < values.max()
    assert means.mean() == pytest.approx(UNEVEN[name].mean, abs=0.1)
