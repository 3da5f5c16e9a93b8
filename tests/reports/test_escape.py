"""Foreign text: whatever it says, a reader sees that text and nothing else happens."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from gate.reports.escape import NAME_LIMIT, SENTENCE_LIMIT, code, fence, prose, shorten, terminal, visible

FRAGMENTS = [
    "|", "`", "``", "```", "\n", "\n\n", "\r", "\t", "<b>", "</details>", "<!--", "-->", "&amp;", "&#64;", "[a](b)",
    "![a](b)", "[x]: http://y", "@user", "@org/team", "#1", "GH-1", "o/r#1", "http://x.io", "HTTPS://x", "www.x.io",
    "*a*", "_a_", "__", "~~a~~", "# a", "-", "- a", "+ a", "1. a", "1) a", ":smile:", ":a:", "\x1b[31m", "\x00", "\x9b",
    "\u202e", "\u2028", "\u200b", "\u00a0", "\u3000", "::error::", "##[group]", "$a$", "\\", "\\|", " ", "    ", "===",
    "---", "> a", "<a@b.io>", "a@b.io", "\ud800", "word", "0.5", "]", "[", "(", ")", "!", "é", "語", "deadbeef",
]  # fmt: skip
foreign = st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=12).map("".join))
CONTEXTS = {
    "paragraph": "{}\n",
    "heading": "## {}\n",
    "list": "- {}\n",
    "after a word": "word {} word\n",
    "table": "| a | b |\n| --- | --- |\n| {} | x |\n",
    "folded": "<details>\n<summary>x</summary>\n\n{}\n\n</details>\n",
}


def tokens_of(markdown: str) -> list[str]:
    parsed = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    return [token.type for token in parsed]


def shown_text(markdown: str) -> str:
    """The text of the one inline token; fails where anything but text and code is in it."""
    parsed = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(markdown)
    (inline,) = [token for token in parsed if token.type == "inline"]
    assert inline.children is not None
    assert {child.type for child in inline.children} <= {"text", "code_inline"}
    return "".join(child.content for child in inline.children)


def plain_text(markdown: str) -> str:
    """What stands outside code spans, where GitHub looks for mentions, references, links and emoji."""
    (inline,) = [token for token in MarkdownIt("commonmark").parse(markdown) if token.type == "inline"]
    return " ".join(child.content for child in inline.children or [] if child.type == "text")


@pytest.mark.parametrize("context", CONTEXTS.values(), ids=CONTEXTS.keys())
@given(text=foreign)
def test_a_name_is_shown_as_it_is_and_changes_no_structure(context: str, text: str) -> None:
    assert tokens_of(context.format(code(text))) == tokens_of(context.format("word"))
    assert shown_text(code(text)) == (visible(shorten(text)) or "(empty)")


@pytest.mark.parametrize("context", CONTEXTS.values(), ids=CONTEXTS.keys())
@given(text=foreign.filter(lambda text: visible(text).strip() != ""))
def test_a_sentence_is_shown_as_it_is_and_changes_no_structure(context: str, text: str) -> None:
    assert tokens_of(context.format(prose(text))) == tokens_of(context.format("word"))
    # a phrase that stands in backticks by itself is set as code: its backticks are markup
    phrase = re.compile(r"(?<!\S)(\(?)`([^`|]+)`([),.;:]{0,2})(?!\S)")
    assert shown_text(prose(text)) == phrase.sub(r"\1\2\3", " ".join(visible(text).split()))


@given(text=foreign.filter(lambda text: visible(text).strip() != ""))
def test_nothing_that_github_would_act_on_stands_outside_code(text: str) -> None:
    outside = plain_text(prose(text))
    assert not set("@#*_~$&`\\{}^") & set(outside)
    assert "//" not in outside
    assert "www." not in outside.lower()


@given(text=foreign)
def test_markdown_is_on_one_line_and_prints(text: str) -> None:
    assert code(text).isprintable()
    assert prose(text).isprintable()


@given(text=foreign)
def test_what_a_fence_holds_cannot_close_it(text: str) -> None:
    (block,) = MarkdownIt("commonmark").parse(fence(text))
    assert block.type == "fence"
    assert block.content == "\n".join(terminal(line) for line in text.split("\n")) + "\n"


@given(text=foreign)
def test_a_line_for_a_log_neither_steers_the_terminal_nor_the_workflow(text: str) -> None:
    line = terminal(text)
    assert line.isprintable()
    assert not line.lstrip().startswith("::")
    assert "##[" not in line


@given(text=foreign)
def test_making_a_line_harmless_twice_changes_nothing(text: str) -> None:
    assert terminal(terminal(text)) == terminal(text)


@given(text=foreign, limit=st.integers(1, 40))
def test_a_shortened_text_keeps_both_ends_within_the_limit(text: str, limit: int) -> None:
    short = shorten(text, limit)
    assert len(short) <= limit
    if len(text) > limit:
        head, tail = short.split("…", 1) if text.count("…") == 0 else (short[:0], short[:0])
        assert text.startswith(head)
        assert text.endswith(tail)
    else:
        assert short == text


def test_every_control_format_and_separator_character_is_shown_as_an_escape() -> None:
    hidden = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    for number in range(0x110000):
        char = chr(number)
        if unicodedata.category(char) in hidden:
            assert visible(char).startswith("\\"), hex(number)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb", r"a\nb"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("user\u202etxt.exe", r"user\u202etxt.exe"),
        ("a\u2028b", r"a\u2028b"),
        ("\ud800", r"\ud800"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("##[error]x", r"\x23#[error]x"),
        ("héllo wörld 語", "héllo wörld 語"),
    ],
)
def test_what_does_not_print_is_spelled_out(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("q1", "`q1`"),
        ("a`b", "``a`b``"),
        ("`a", "`` `a ``"),
        ("a`b``c", "```a`b``c```"),
        (" a ", "`  a  `"),
        ("a|b", "`a`&#124;`b`"),
        ("|", "&#124;"),
        ("", "(empty)"),
        ("<script>", "`<script>`"),
    ],
)
def test_a_name_stands_in_a_code_span(text: str, markdown: str) -> None:
    assert code(text) == markdown


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("low 0.550 is under the bar 0.70; PSI 0.334 is over 0.25", None),
        ("the file's 95 % interval (n = 20): runs/b.csv", None),
        ("[0.550, 0.875], p < 0.001", r"\[0.550, 0.875\], p \< 0.001"),
        ("see @octocat and #12", "see `@octocat` and `#12`"),
        ("a http://x.io b", "a `http://x.io` b"),
        ("a www.x.io b", "a `www.x.io` b"),
        ("fixes GH-12 and abc1234", "fixes `GH-12` and `abc1234`"),
        ("commits 1234567 and 123456 and é1234567", "commits `1234567` and 123456 and `é1234567`"),
        ("CVE-2021-44228 GHSA-jfh8-c2jp-5v3q", "`CVE-2021-44228` `GHSA-jfh8-c2jp-5v3q`"),
        (":smile: at 12:30", "`:smile:` at 12:30"),
        ("item a_b of *c*", "item `a_b` of `*c*`"),
        ("- not a list", "`-` not a list"),
        ("1. not a list", "`1.` not a list"),
        ("a - b + c = d", None),
        ("costs $5 or $6", "costs `$5` or `$6`"),
        ("two\nlines", r"`two\nlines`"),
        ("give it what it needs (`gate explain drift`), or not", None),
        ("say `scale: [0, 100]`", None),
        ("a`b c`d", "``a`b`` ``c`d``"),
        ("`a`b` `c|d`", "`` `a`b` `` `` `c ``&#124;`` d` ``"),
        ("  spaced   out  ", "spaced out"),
        ("", ""),
    ],
)
def test_a_sentence_reads_as_it_is_but_for_words_that_could_be_markup(text: str, markdown: str | None) -> None:
    assert prose(text) == (text if markdown is None else markdown)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("::error::x", r"\x3a:error::x"),
        ("  ::error::x", r"  \x3a:error::x"),
        ("a ::error::x", "a ::error::x"),
        ("\r::error::", r"\r::error::"),
    ],
)
def test_a_workflow_command_loses_its_first_colon(text: str, line: str) -> None:
    assert terminal(text) == line


def test_a_fence_is_longer_than_any_inside() -> None:
    assert fence("a\n````\nb") == "`````\na\n````\nb\n`````"


def test_a_long_name_is_cut_in_the_middle() -> None:
    assert shorten("a" * 100 + "b" * 100, 9) == "aaaa…bbbb"
    assert len(code("x" * 5_000_000)) == NAME_LIMIT + 2
    assert len(prose("x " * 5_000_000)) <= SENTENCE_LIMIT


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("commit 5f3c9a1: within", "commit `5f3c9a1`: within"),
        ("ask @octocat, then", "ask `@octocat`, then"),
        (":tada:", "`:tada:`"),
        ("a_b_c::", "`a_b_c::`"),
    ],
)
def test_what_ends_a_clause_stands_outside_of_the_code_span(sentence: str, expected: str) -> None:
    assert prose(sentence) == expected
