"""Workflow commands: lines of the log that the runner obeys, and foreign text that it must not."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO

from gate.reports.escape import terminal, visible


class Level(StrEnum):
    """How loud an annotation is: the name of its command."""

    NOTICE = "notice"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Annotation:
    """A message beside the run, and beside a file where it has a place in one.

    Attributes:
        level: how loud.
        title: its first line.
        message: one line or several.
        file: a path from the workspace's root.
        line: counted from 1.
    """

    level: Level
    title: str
    message: str
    file: str | None = None
    line: int | None = None


def annotate(stream: TextIO, annotation: Annotation) -> None:
    """Write an annotation as one line that says only what it should, whatever its texts hold."""
    # a path that does not print could not be found by a reader either
    file = annotation.file if annotation.file is not None and annotation.file.isprintable() else None
    line = annotation.line if file is not None else None
    given = {"file": file, "line": line, "title": visible(annotation.title)}
    properties = ",".join(f"{name}={escape_property(str(value))}" for name, value in given.items() if value is not None)
    message = "\n".join(visible(part) for part in annotation.message.split("\n"))
    stream.write(f"::{annotation.level} {properties}::{escape_data(message)}\n")


def quote(stream: TextIO, text: str, *, draw: Callable[[], str] = lambda: secrets.token_hex(16)) -> None:
    """Write foreign lines so that the runner obeys none: each made harmless, and all of them between stop-commands.

    Args:
        stream: the log.
        text: lines.
        draw: a random token, which ends the stop.
    """
    token = draw()
    while token in text:
        token = draw()
    lines = [terminal(line) for line in text.removesuffix("\n").split("\n")]
    # in one piece: an interrupt must not leave the commands stopped that will tell of it
    stream.write("\n".join((f"::stop-commands::{token}", *lines, f"::{token}::", "")))


def escape_data(text: str) -> str:
    """The text as a command's message."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """The text as the value of a command's property."""
    return escape_data(text).replace(":", "%3A").replace(",", "%2C")
