"""A copy of the repository with every fault in it, each asleep until it is named in ``MUTANT_UNDER_TEST``."""

import difflib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from mutmut.mutation.data import LineSpan
from mutmut.mutation.file_mutation import mutate_file_contents

_COPIED = ("gate", "tests", "examples", "schemas", "pyproject.toml", "hatch_build.py")


class Fault(NamedTuple):
    """One change of one function.

    Attributes:
        file: that it is planted in.
        function: the changed function, as mutmut calls it.
        name: what wakes it.
        sound: the lines of the unchanged function in the copy.
        planted: those of the changed one.
    """

    file: str
    function: str
    name: str
    sound: LineSpan
    planted: LineSpan

    @property
    def room(self) -> str:
        """The folder that it lies in, or the file where that is gate itself."""
        folder, _, _ = self.file.rpartition("/")
        return self.file if folder == "gate" else folder


def plant(files: Sequence[str], root: Path, field: Path) -> list[Fault]:
    """Copy the repository to ``field`` and plant all faults of these files there."""
    shutil.rmtree(field, ignore_errors=True)
    field.mkdir(parents=True)
    for name in _COPIED:
        if (root / name).is_dir():
            shutil.copytree(root / name, field / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(root / name, field / name)
    return [fault for file in files for fault in _plant_in(file, field)]


def _plant_in(file: str, field: Path) -> Iterator[Fault]:
    path = field / file
    mutated = mutate_file_contents(file, path.read_text(encoding="utf-8"))
    path.write_text(mutated.code, encoding="utf-8")
    module = file.removesuffix(".py").replace("/", ".")
    spans = mutated.line_span_by_function_name
    for name in mutated.mutant_names:
        function, mark, _ = name.rpartition("__mutmut_")
        sound = spans[f"{function}{mark}orig"]
        yield Fault(file, f"{module}.{function}", f"{module}.{name}", sound, spans[name])


def difference(fault: Fault) -> str:
    """What the fault changes, as a diff; the working directory is the copy."""
    lines = Path(fault.file).read_text(encoding="utf-8").splitlines()
    marks = ("__mutmut_orig", fault.name.removeprefix(fault.function))
    sound, planted = (
        [line.replace(mark, "") for line in lines[span.start - 1 : span.end]]
        for span, mark in zip((fault.sound, fault.planted), marks, strict=True)
    )
    changes = list(difflib.unified_diff(sound, planted, lineterm="", n=1))
    return "\n".join([f"# {fault.name}", *changes[2:]])
