"""Real text for a corpus: Debian's documentation packages, fetched by apt and read where they are, not installed."""

import subprocess
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from studies.contamination.texts import Page

# Each package of Debian 12 with its pages; where a page is there twice, as source and as HTML, the source.
PACKAGES: Mapping[str, str] = {
    "anarchism": "*/html/*.html",
    "cppreference-doc-en-html": "*/html/en/*.html",
    "git-doc": "*.txt",
    "libreoffice-help-en-us": "*.html",
    "linux-doc-6.1": "*/_sources/*.txt",
    "openjdk-17-doc": "*/api/*.html",
    "perl-doc": "*.pod",
    "postgresql-doc-15": "*/html/*.html",
    "python3.11-doc": "*/_sources/*.txt",
}


class PackagesError(Exception):
    """The packages cannot be had; the message says why."""


def fetch_packages(names: Sequence[str], folder: Path) -> dict[str, str]:
    """Fetch packages into a folder, and say which version of each.

    Raises:
        PackagesError: where this is no Debian, or a package is not to be had.
    """
    _run("apt-get", "download", "--quiet", *names, folder=folder)
    return {
        name: _run("dpkg-deb", "--field", archive(name, folder), "Version", folder=folder).strip() for name in names
    }


def archive(name: str, folder: Path) -> str:
    """The file of a package that was fetched."""
    (path,) = folder.glob(f"{name}_*.deb")
    return str(path)


def read_pages(path: str, pattern: str) -> Iterator[Page]:
    """The files in a package whose paths match, where ``*`` also stands for folders."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE) as unpacking:  # noqa: S607
        with tarfile.open(fileobj=unpacking.stdout, mode="r|") as files:
            for member in files:
                if member.isfile() and fnmatchcase(member.name, pattern):
                    content = files.extractfile(member)
                    yield Page(member.name, content.read() if content else b"")
        if unpacking.wait():
            raise PackagesError(f"dpkg-deb cannot read {path}")


def _run(*command: str, folder: Path) -> str:
    try:
        return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    except FileNotFoundError as error:
        raise PackagesError(f"{command[0]} is not on this machine: name a folder of text with --corpus") from error
    except subprocess.CalledProcessError as error:
        raise PackagesError(f"{command[0]} failed: {error.stderr.strip()}") from error
