"""The outermost element of an XML file, told safely: a document type, which could define entities, is refused."""

import xml.parsers.expat
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.content import ScoreFile

_CHUNK = 1 << 16
_HTML = ("html", "!doctype html")


class Element(NamedTuple):
    """An element's name and its attributes."""

    name: str
    attributes: Mapping[str, str]


class _FoundError(Exception):
    """The outermost element is reached, and the rest does not matter here."""


def root_of(file: ScoreFile) -> Element:
    """The outermost element.

    Raises:
        ScoreFileError: where the file is HTML, has a document type, or is not XML up to there.
    """
    found: list[Element] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        found.append(Element(name, attributes))
        raise _FoundError

    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = lambda *_: refuse_doctype(file)
    with suppress(_FoundError):
        feed(parser, file)
    return found[0]  # a file that ends without an element is a fault of its own


def feed(parser: xml.parsers.expat.XMLParserType, file: ScoreFile) -> None:
    """Let the parser read the whole file; its handlers are called on the way.

    Raises:
        ScoreFileError: where the file is HTML, or not XML; and what the handlers raise.
    """
    try:
        with file.open() as stream:
            head = stream.read(_CHUNK)
            if head.lstrip(b"\xef\xbb\xbf \t\r\n<").lower().startswith(tuple(word.encode() for word in _HTML)):
                raise _html(file)
            while head:
                parser.Parse(head, False)
                head = stream.read(_CHUNK)
            parser.Parse(b"", True)
    except xml.parsers.expat.ExpatError as fault:
        raise _broken(file, fault) from fault
    except (LookupError, ValueError) as fault:  # what the parser raises of an encoding that it does not know
        raise ScoreFileError(
            "the XML file is in an encoding that is not known", where=file.place(), remedy="write it as UTF-8"
        ) from fault


def refuse_doctype(file: ScoreFile) -> None:
    """Raise ScoreFileError: no tool writes a document type, and one can expand to gigabytes."""
    raise ScoreFileError(
        "the XML file has a document type, which could hide what it says",
        where=file.place(),
        remedy="write the file again with the test runner itself",
    )


def _broken(file: ScoreFile, fault: xml.parsers.expat.ExpatError) -> ScoreFileError:
    """The error of a file that is not XML, with the line."""
    return ScoreFileError(
        f"this is not valid XML ({xml.parsers.expat.ErrorString(fault.code)})",
        where=file.place(fault.lineno),
        remedy="write the file again and check that the step that writes it runs to its end",
    )


def _html(file: ScoreFile) -> ScoreFileError:
    return ScoreFileError(
        "this is an HTML page, not scores: a report for people, or an error page that was saved in a file's place",
        where=file.place(),
        remedy="give the results file itself, and check what the download step fetched",
    )
