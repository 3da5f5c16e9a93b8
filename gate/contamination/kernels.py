"""Which kernel searches: the compiled one where it was built, else that of numpy; both find the same."""

import os
from collections.abc import Callable, Mapping
from enum import StrEnum

from gate.contamination import compiled
from gate.contamination.cutting import Cutter, NumpyCutter
from gate.errors import UsageError

VARIABLE = "GATE_KERNEL"


class KernelName(StrEnum):
    """The kernels there are."""

    COMPILED = "compiled"
    NUMPY = "numpy"


def chosen_kernel(environ: Mapping[str, str] = os.environ) -> KernelName:
    """The one that the environment variable GATE_KERNEL names; without it, the fastest there is.

    Raises:
        UsageError: where there is none of that name, or it was not built.
    """
    asked = environ.get(VARIABLE, "")
    if asked not in {"", *KernelName}:
        raise UsageError(
            f"{VARIABLE}={asked} names no kernel", remedy=f"choose from {', '.join(KernelName)}, or unset it"
        )
    if asked == KernelName.COMPILED and compiled.load() is None:
        raise UsageError(
            f"{VARIABLE}={asked}, but the compiled kernel was not built",
            remedy="install gate from source where there is a C compiler, or unset it: numpy's kernel finds the same",
        )
    return KernelName(asked) if asked else KernelName.NUMPY if compiled.load() is None else KernelName.COMPILED


def chosen_cutter() -> Cutter:
    """A cutter of that kernel; errors as ``chosen_kernel``."""
    return _CUTTERS[chosen_kernel()]()


def _compiled() -> Cutter:
    library = compiled.load()
    if library is None:
        raise AssertionError("the compiled kernel was chosen, but is not there")
    return compiled.CompiledCutter(library)


_CUTTERS: Mapping[KernelName, Callable[[], Cutter]] = {KernelName.COMPILED: _compiled, KernelName.NUMPY: NumpyCutter}
