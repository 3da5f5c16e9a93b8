"""The kernels of the scan: each is held to the same tests."""

from typing import cast

import pytest

import hatch_build
from gate.contamination import compiled
from gate.contamination.kernels import VARIABLE, KernelName


def require_compiled() -> None:
    """Skip where there is no compiler; where there is one the kernel has to be built, from the source at hand."""
    if compiled.load() is not None:
        return
    if hatch_build.compiler() is None:
        pytest.skip("no C compiler here, so there is no compiled kernel")
    pytest.fail("there is a C compiler, but no kernel of this source: run `python hatch_build.py`")


@pytest.fixture(params=KernelName)
def kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> KernelName:
    """The test runs with each kernel, also in processes that it starts."""
    name = cast("KernelName", request.param)
    if name is KernelName.COMPILED:
        require_compiled()
    monkeypatch.setenv(VARIABLE, name)
    return name
