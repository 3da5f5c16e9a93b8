"""Foreign text made harmless: ids, file names and sentences come from files and may say anything."""

import re
from functools import lru_cache
from itertools import count

NAME_LIMIT = 80
SENTENCE_LIMIT = 1000

_EMPTY = "(empty)"
# Letters and digits of any script, and punctuation that means nothing to GitHub. Brackets are escaped on top of that.
_PLAIN_WORD = re.compile(r"(?:[^\W_]|[.,:;%()'\"!?+=/\[\]–—…→≤≥≠±×·-])+")
# A phrase in backticks that stands by itself, or else one word.
_WORDS = re.compile(r"(?<!\S)(?P<before>\(?)`(?P<phrase>[^`|]+)`(?P<after>[),.;:]{0,2})(?!\S)|\S+")
# What GitHub makes links, pictures or commits of even among plain characters. A commit's name may be digits alone, and
# seven of them are soon found for a commit of one's own.
_ACTIVE_WORD = re.compile(r"//|www\.|\bgh-\d|\bghsa-|\bcve-\d|:.*:|^:|\b[0-9a-f]{7,40}\b", re.IGNORECASE | re.ASCII)
_OPERATORS = frozenset({"<", ">", "<=", ">="})
_CLAUSE_ENDS = ",;:"
# As the first word of a line these would begin a list or underline a heading.
_BLOCK_START = re.compile(r"[-+=]+|\d+[.)]")


def visible(text: str) -> str:
    r"""The text on one line with every character shown: what does not print becomes ``\n``, ``\x1b``, ``\u202e``.

    That covers control characters, bidirectional overrides, zero-width characters, line separators, odd spaces and
    lone surrogates. ``##[`` is shown as ``\x23#[``: anywhere in a line of a log it begins a workflow command.
    """
    if not text.isprintable():
        text = "".join(char if char.isprintable() else _escaped(char) for char in text)
    return text.replace("##[", r"\x23#[")


def shorten(text: str, limit: int = NAME_LIMIT) -> str:
    """The text in at most ``limit`` characters, the middle cut out where it is longer."""
    if len(text) <= limit:
        return text
    tail = (limit - 1) // 2
    return f"{text[: limit - 1 - tail]}…{text[len(text) - tail :]}"


def code(text: str, limit: int = NAME_LIMIT) -> str:
    """A name as a markdown code span: nothing in it is markup, a mention, a reference or a link.

    A ``|`` stands as an entity between two spans, so that the result is the same in a table and outside.
    """
    return _spans(visible(shorten(text, limit))) or _EMPTY


def prose(text: str, limit: int = SENTENCE_LIMIT) -> str:
    """A sentence as one line of markdown: plain words as they are, any word that could be markup as a code span.

    A phrase between backticks, with nothing but punctuation beside it, is one code span, as the gate's own sentences
    write options and commands.
    """
    shown = " ".join(visible(shorten(text, limit)).split())
    found = enumerate(_WORDS.finditer(shown))
    return " ".join(_phrase(match) or _word(match[0], first=index == 0) for index, match in found)


def fence(text: str) -> str:
    """Lines of text as a fenced code block, its fence longer than any row of backticks inside."""
    body = "\n".join(terminal(line) for line in text.split("\n"))
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}\n{body}\n{ticks}"


def terminal(line: str) -> str:
    """One line for a terminal or a log, where neither an escape sequence nor a workflow command may get through."""
    shown = visible(line)
    indent = len(shown) - len(shown.lstrip())
    return f"{shown[:indent]}\\x3a{shown[indent + 1 :]}" if shown.startswith("::", indent) else shown


def _phrase(match: re.Match[str]) -> str:
    """A phrase that the sentence itself sets in backticks; empty where the match is a plain word."""
    return f"{match['before']}{_spans(match['phrase'])}{match['after']}" if match["phrase"] else ""


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def _spans(shown: str) -> str:
    return "&#124;".join(_span(piece) for piece in shown.split("|"))


def _span(piece: str) -> str:
    if not piece:
        return ""
    runs = {len(run) for run in re.findall("`+", piece)}
    ticks = "`" * next(length for length in count(1) if length not in runs)
    # markdown takes one space off each end where both have one
    padded = piece[0] == "`" or piece[-1] == "`" or (piece[0] == piece[-1] == " " and piece.strip(" ") != "")
    return f"{ticks} {piece} {ticks}" if padded else f"{ticks}{piece}{ticks}"


# remembered because a large report is rendered many times until it fits, and its sentences are much alike
@lru_cache(maxsize=4096)
def _word(word: str, *, first: bool) -> str:
    if first and _BLOCK_START.fullmatch(word):
        return _spans(word)
    if word in _OPERATORS:
        return word.replace("<", r"\<").replace(">", r"\>")
    if not _PLAIN_WORD.fullmatch(word) or _ACTIVE_WORD.search(word):
        # what ends the clause is the sentence's, not the word's
        core = word.rstrip(_CLAUSE_ENDS)
        ends_clause = core and len(word) - len(core) == 1 and not word.startswith(":")
        return f"{_spans(core)}{word[len(core) :]}" if ends_clause else _spans(word)
    return word.replace("[", r"\[").replace("]", r"\]")
