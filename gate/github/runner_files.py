"""The files that the runner reads once the step has ended, outputs and summary: only ever appended to."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from gate.errors import WriteError

OUTPUT = "GITHUB_OUTPUT"
SUMMARY = "GITHUB_STEP_SUMMARY"

_REMEDY = "run the container as the runner does, as root with its usual capabilities, or let its user write that file"


@dataclass(frozen=True, slots=True)
class RunnerFile:
    """A file that the runner names in an environment variable; without a path, outside of a runner, nothing is written.

    Attributes:
        variable: the environment variable.
        path: the file.
    """

    variable: str
    path: Path | None

    @classmethod
    def named_by(cls, variable: str, environ: Mapping[str, str]) -> Self:
        """The file that the environment names, if it does."""
        name = environ.get(variable, "")
        return cls(variable, Path(name) if name else None)

    def size(self) -> int:
        """The bytes that stand there already, 0 where nothing does.

        Raises:
            WriteError: where the file cannot be looked at.
        """
        try:
            return self.path.stat().st_size if self.path is not None else 0
        except FileNotFoundError:
            return 0
        except OSError as fault:
            raise self._cannot_write(fault) from fault

    def append(self, text: str) -> None:
        """Append ``text`` as UTF-8, on a new line where the file ends within one.

        Raises:
            WriteError: where the file cannot be written.
        """
        if self.path is None:
            return
        start = "\n" if self.size() and not self._ends_a_line(self.path) else ""
        try:
            with self.path.open("ab") as file:
                file.write((start + text).encode("utf-8", "backslashreplace"))
        except OSError as fault:
            raise self._cannot_write(fault) from fault

    def _ends_a_line(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                file.seek(-1, 2)
                return file.read() == b"\n"
        except OSError as fault:
            raise self._cannot_write(fault) from fault

    def _cannot_write(self, fault: OSError) -> WriteError:
        return WriteError(
            f"the file {self.variable} names cannot be written: {fault.strerror or fault}", remedy=_REMEDY
        )


def set_outputs(
    file: RunnerFile, values: Mapping[str, str], *, draw: Callable[[], str] = lambda: secrets.token_hex(16)
) -> None:
    """Append the step's outputs; where a name is set twice, the runner takes the later value.

    Args:
        file: what GITHUB_OUTPUT names.
        values: name -> value, which may say anything.
        draw: a random token, for the line that ends a value.

    Raises:
        WriteError: where the file cannot be written.
    """
    file.append("".join(_entry(name, value, draw) for name, value in values.items()))


def _entry(name: str, value: str, draw: Callable[[], str]) -> str:
    delimiter = draw()
    while delimiter in value:
        delimiter = draw()
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
