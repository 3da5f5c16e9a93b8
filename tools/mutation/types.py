"""Which faults the type checker refuses."""

import bisect
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence

from tools.mutation.planting import Fault

# The plain rules: what --strict adds would complain of how a fault is planted, not of the fault.
_CHECKER = (
    sys.executable, "-m", "mypy", "--config-file=", "--explicit-package-bases", "--output=json",
    "--disable-error-code=has-type", "--disable-error-code=import-untyped", "--disable-error-code=var-annotated",
)  # fmt: skip


def check_types(files: Sequence[str]) -> subprocess.Popen[str]:
    """Begin to look through the files of the copy, which is the working directory."""
    return subprocess.Popen([*_CHECKER, *files], stdout=subprocess.PIPE, text=True)


def refused(checker: subprocess.Popen[str], faults: Sequence[Fault]) -> set[Fault]:
    """Wait for the checker's end; the faults that it has found.

    Raises:
        RuntimeError: where it could not do its work.
    """
    told, _ = checker.communicate()
    if checker.returncode not in {0, 1}:
        raise RuntimeError(f"mypy ended with {checker.returncode}: {told}")
    by_file = defaultdict(list)
    for fault in faults:
        by_file[fault.file].append(fault)
    found = (json.loads(line) for line in told.splitlines() if line.startswith("{"))
    places = {(error["file"], error["line"]) for error in found if error["severity"] == "error"}
    return {fault for file, line in places for fault in _at(line, by_file[file])}


def _at(line: int, faults: Sequence[Fault]) -> list[Fault]:
    """The one fault, if any, of a file's, in the order of their lines, that a line belongs to."""
    row = bisect.bisect_right(faults, line, key=lambda fault: fault.planted.start) - 1
    return [faults[row]] if row >= 0 and line <= faults[row].planted.end else []
