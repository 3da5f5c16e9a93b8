"""What runs the page's modules outside of a page."""

import os
import shutil

import pytest


@pytest.fixture(scope="session")
def node() -> str:
    """The program; a run of continuous integration without it must not look as if the modules had been tested."""
    found = shutil.which("node")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("node is not installed")
        pytest.skip("node is not installed")
    return found
