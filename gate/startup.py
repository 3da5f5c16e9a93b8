"""What both entrances do around their imports, so that a small gate starts quickly."""

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def importing() -> Iterator[None]:
    """Import the heavy modules within this.

    The gate multiplies no matrices, so numpy's BLAS need not start threads; it uses nothing that other packages plug
    into pydantic, so nobody need look for it; and modules make many objects that stay to the end, which the garbage
    collector need not look through while they are made, nor ever after.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
