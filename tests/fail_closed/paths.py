"""What lies at the path is no file, or none that may be read or written."""

import os
import socket
from collections.abc import Callable
from pathlib import Path

from tests.fail_closed.case import CONFIG, GOOD, PAIR, Case, candidate, error


def link(target: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(target)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as bound:
        here = Path.cwd()
        os.chdir(path.parent)  # the name of a socket is short
        bound.bind(path.name)
        os.chdir(here)


def _locked(path: Path) -> None:
    path.write_bytes(GOOD)
    path.chmod(0)


def _locked_folder(path: Path) -> None:
    path.mkdir()
    (path / "candidate.csv").write_bytes(GOOD)
    path.chmod(0)


def linked_folders(path: Path) -> None:
    """Thirty folders, each with two links to the next one."""
    for level in range(30):
        (path / f"{level}").mkdir(parents=True)
        for name in "ab":
            (path / f"{level}" / name).symlink_to(f"../{level + 1}")
    (path / "30").mkdir()
    (path / "30" / "a.csv").write_bytes(GOOD)


def _many_links(path: Path) -> None:
    path.mkdir()
    (path / "a.csv").write_bytes(GOOD)
    for number in range(400):
        (path / f"link{number}").symlink_to(".")


CASES = (
    Case(
        "There is no such file",
        candidate(None),
        error("score-file", "candidate.csv", "there is no such file", "check the path and the step that writes it"),
    ),
    Case(
        "An empty folder stands in place of the file",
        candidate(lambda path: path.mkdir()),
        error(
            "score-file",
            "candidate.csv",
            "the folder holds no file",
            "check the path and the step that writes the files",
        ),
    ),
    Case(
        "A named pipe that nobody writes to",
        candidate(os.mkfifo),
        error(
            "score-file", "candidate.csv", "this is not a regular file", "name a regular file, not a pipe or a device"
        ),
        confined=True,
    ),
    Case(
        "A device without an end",
        candidate(link("/dev/zero")),
        error(
            "score-file", "candidate.csv", "this is not a regular file", "name a regular file, not a pipe or a device"
        ),
        confined=True,
    ),
    Case(
        "A socket",
        candidate(_socket),
        error(
            "score-file", "candidate.csv", "this is not a regular file", "name a regular file, not a pipe or a device"
        ),
    ),
    Case(
        "A link that leads nowhere",
        candidate(link("gone.csv")),
        error("score-file", "candidate.csv", "there is no such file", "check the path and the step that writes it"),
    ),
    Case(
        "A link that leads to itself",
        candidate(link("candidate.csv")),
        error(
            "score-file",
            "candidate.csv",
            "the path cannot be read: Too many levels of symbolic links",
            "check the path and its rights",
        ),
    ),
    Case(
        "A file without the right to read it",
        candidate(_locked),
        error(
            "score-file",
            "candidate.csv",
            "the file cannot be read: Permission denied",
            "check that it exists on this machine and that this user may read it",
        ),
        unprivileged=True,
    ),
    Case(
        "A folder without the right to look into it",
        {"locked": _locked_folder},
        error(
            "score-file",
            "locked/candidate.csv",
            "the path cannot be read: Permission denied",
            "check the path and its rights",
        ),
        (*PAIR[:3], "locked/candidate.csv"),
        unprivileged=True,
    ),
    Case(
        "A name longer than any file may have",
        {},
        error(
            "score-file",
            "x" * 300,
            "the path cannot be read: File name too long",
            "check the path and its rights",
        ),
        (*PAIR[:3], "x" * 300),
    ),
    Case(
        "A path with a NUL byte in it",
        {"gate.yml": b'version: 1\nsuites:\n  - {name: a, baseline: baseline.csv, candidate: "c\\0.csv"}\n'},
        error(
            "score-file",
            "c\0.csv",
            "the path cannot be read: no path can be written like this",
            "check the path and its rights",
        ),
        CONFIG,
    ),
    Case(
        "A pipe in a folder of score files",
        {"runs/a.csv": GOOD, "runs/b.csv": os.mkfifo},
        error("score-file", "runs/b.csv", "this is not a regular file", "name a regular file, not a pipe or a device"),
        (*PAIR[:3], "runs"),
        confined=True,
    ),
    Case(
        "A link that leads nowhere in a folder of score files",
        {"runs/a.csv": GOOD, "runs/b.csv": link("gone.csv")},
        error("score-file", "runs/b.csv", "there is no such file", "check the path and the step that writes it"),
        (*PAIR[:3], "runs"),
    ),
    Case(
        "A folder without the right to look into it in a folder of score files",
        {"runs/a.csv": GOOD, "runs/locked": _locked_folder},
        error(
            "score-file",
            "runs/locked",
            "the folder cannot be read: Permission denied",
            "check that this user may look into it, or take it out",
        ),
        (*PAIR[:3], "runs"),
        unprivileged=True,
    ),
    Case(
        "A pattern that no file fits",
        {},
        error(
            "score-file", "runs/*.csv", "no file fits this pattern", "check the path and the step that writes the files"
        ),
        (*PAIR[:3], "runs/*.csv"),
    ),
    Case(
        "gate.yml is a named pipe",
        {"gate.yml": os.mkfifo},
        error("config", "gate.yml", "this is not a regular file", "name a regular file, not a pipe or a device"),
        CONFIG,
        confined=True,
    ),
    Case(
        "gate.yml is a folder",
        {"gate.yml": lambda path: path.mkdir()},
        error("config", "gate.yml", "this is a directory, not a file", "name one file in it"),
        CONFIG,
    ),
    Case(
        "gate.yml is not there",
        {},
        error("config", "gate.yml", "there is no such file", "check the path; `gate init` writes one"),
        CONFIG,
    ),
    Case(
        "The disk is full: a report cannot be written",
        {},
        error(
            "write",
            "/dev/full",
            "the file cannot be written: No space left on device",
            "name a folder that this user may write to, on a disk with space left",
        ),
        (*PAIR, "--report", "markdown:/dev/full"),
    ),
    Case(
        "A report is to go where nobody may write",
        {"kept": lambda path: path.mkdir(mode=0o555)},
        error(
            "write",
            "kept/report.md",
            "the file cannot be written: Permission denied",
            "name a folder that this user may write to, on a disk with space left",
        ),
        (*PAIR, "--report", "markdown:kept/report.md"),
        unprivileged=True,
    ),
    Case(
        "A report is to go into a folder that is a file",
        {},
        error(
            "write",
            "baseline.csv/report.md",
            "the file cannot be written: File exists",
            "name a folder that this user may write to, on a disk with space left",
        ),
        (*PAIR, "--report", "markdown:baseline.csv/report.md"),
    ),
    Case(
        "A report is to be written over the candidate",
        {},
        error(
            "usage",
            "",
            "--report markdown:candidate.csv would overwrite the candidate",
            "name a file of its own for the report",
        ),
        (*PAIR, "--report", "markdown:candidate.csv"),
    ),
    Case(
        "Two reports are to be written to one file",
        {},
        error(
            "usage",
            "",
            "--report text:same.txt and --report markdown:same.txt would be written to",
            "name a place of its own for each report",
        ),
        (*PAIR, "--report", "markdown:same.txt", "--report", "text:same.txt"),
    ),
    Case(
        "Links to folders that lead to each other: a thousand million paths in a folder of score files",
        {"runs": linked_folders},
        error(
            "score-file",
            "runs",
            "over 100000 paths lead through links to folders",
            "take links to folders out that lead to each other, or name the folder that",
        ),
        (*PAIR[:3], "runs"),
        confined=True,
    ),
    Case(
        "Links to one folder, hundreds of them, and a pattern of several levels",
        {"runs": _many_links},
        error(
            "score-file",
            "runs/*/*/*.csv",
            "over 100000 paths lead through links to folders",
            "take links to folders out that lead to each other, or name the folder that",
        ),
        (*PAIR[:3], "runs/*/*/*.csv"),
        confined=True,
    ),
)
