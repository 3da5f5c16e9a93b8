"""The page's modules that compute: tested by node's own runner, in the files beside this one."""

import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.parametrize("file", sorted(HERE.glob("*.test.mjs")), ids=lambda path: path.name)
def test_a_module_holds_what_its_tests_say(file: Path, node: str) -> None:
    command = [node, "--no-warnings", "--test", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 0" not in done.stdout
