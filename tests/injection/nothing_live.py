"""What an output may not hold: each function looks at one kind of output as its reader would, and asserts."""

import re
import unicodedata
import xml.parsers.expat
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser

from markdown_it import MarkdownIt
from markdown_it.token import Token

from gate.results import GLOSSARY
from tests.runner import REGISTERED, parsed

# What GitHub makes something of in plain text: mentions, references, addresses, commits, emoji, formulas.
ACTIVE = re.compile(
    r"@\w|#\d|\bgh-\d|\b(?:cve|ghsa)-\w|[a-z]://|www\.|:[\w+-]+:|\b[0-9a-f]{7,40}\b|\$", re.IGNORECASE | re.ASCII
)
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
OWN_BLOCKS = {
    "heading", "paragraph", "inline", "fence", "bullet_list", "list_item", "blockquote", "html_block", "table", "thead",
    "tbody", "tr", "th", "td",
}  # fmt: skip
OWN_INLINE = {"text", "code_inline", "softbreak", "html_inline", "strong", "link"}
OWN_HTML = re.compile(r"(?:<details(?: open)?>\n<summary>[\w ,:.-]*</summary>\n?|</details>\n?|</?sub>|<br>)+\n?")
OWN_LINKS = re.compile(
    rf"{re.escape(GLOSSARY)}|report\.html|https://github\.com/owner/repository/(?:actions/runs/12|commit/\w+)"
)
OWN_STRONG = {"pass", "warn", "fail", "not run", "What to do", "Waivers"}
MARK = re.compile(r"[\U0001f7e2\U0001f7e1\U0001f534\U0001f7e3] [A-Z]+")

OWN_TAGS = {
    *("html", "head", "meta", "title", "style", "script", "body", "header", "nav", "main", "footer", "section"),
    *("article", "h1", "h2", "h3", "h4", "p", "ul", "li", "dl", "dt", "dd", "div", "span", "a", "b", "i", "small"),
    *("mark", "code", "pre", "details", "summary", "table", "caption", "thead", "tbody", "tr", "th", "td", "button"),
    *("svg", "defs", "pattern", "g", "line", "rect", "circle", "path", "text"),
}
VOID = {"meta"}
OWN_HREF = re.compile(r"#[\w-]+|https://github\.com/[\w/.-]+")
XML_TAGS = {
    "testsuites", "testsuite", "properties", "property", "testcase", "failure", "error", "skipped", "system-out",
}  # fmt: skip


def in_text(text: str) -> None:
    """Anything that is printed or written: no control character but the end of a line, and no command of a runner."""
    hidden = {char for char in set(text) - {"\n"} if unicodedata.category(char) in HIDDEN or char in "\ufffe\uffff"}
    assert not hidden, f"characters that do not print: {sorted(map(ascii, hidden))}"
    commands = [line for line in text.split("\n") if parsed(line, REGISTERED) is not None]
    assert not commands, f"the runner would obey: {commands[0][:200]!a}"


def in_markdown(text: str) -> None:
    """A summary or a comment: no element, link or reference but the gate's own, and no table out of shape."""
    in_text(text)
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in tokens}
    assert kinds <= OWN_BLOCKS, f"blocks: {kinds - OWN_BLOCKS}"
    lines = text.split("\n")
    _require_whole_tables(tokens, lines)
    titles = 0
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "html_block":
            assert OWN_HTML.fullmatch(token.content), f"HTML: {token.content!a}"
        if token.type == "blockquote_open":
            quote = lines[token.map[0]] if token.map else ""
            assert quote in {"> [!WARNING]", "> [!NOTE]"}, f"a quote: {quote!a}"
        if token.type == "fence":
            assert token.info == "", f"a fence of {token.info!r}"
        if token.type == "inline":
            _require_own_inline(token.children or [])
            if before is not None and before.type == "heading_open":
                words = "".join(child.content for child in token.children or [] if child.type != "code_inline")
                titles += bool(words.strip("|"))
                assert words.strip("|") == "" or MARK.match(words), f"heading: {words!a}"
    assert titles <= 1
    folds = "".join(token.content for token in tokens if token.type == "html_block")
    assert folds.count("<details") == folds.count("</details>")


def in_html(text: str) -> None:
    """The page: its own elements, no handler, no style in an attribute, no address but its own."""
    in_text(text)
    page = _Page()
    page.feed(text)
    page.close()
    assert page.tags <= OWN_TAGS, f"elements: {page.tags - OWN_TAGS}"
    assert not page.comments
    assert (page.counts.get("script"), page.counts.get("style")) == (2, 1)
    assert (page.counts.get("h1"), page.counts.get("title")) == (1, 1)
    for name, value in page.attributes:
        assert not name.startswith("on"), f"a handler: {name}"
        assert name not in {"style", "src", "srcdoc", "action", "formaction", "xlink:href"}, f"an attribute: {name}"
        assert name != "href" or OWN_HREF.fullmatch(value), f"an address: {value!a}"


def in_xml(text: str) -> None:
    """The JUnit report: a strict reader reads it, and finds no element but those of the form, and no declaration."""
    in_text(text)
    seen: set[str] = set()
    parser = xml.parsers.expat.ParserCreate()
    parser.StartElementHandler = lambda name, _attributes: seen.add(name)
    parser.ProcessingInstructionHandler = lambda *_: seen.add("<?")
    parser.CommentHandler = lambda _: seen.add("<!--")
    parser.StartCdataSectionHandler = lambda: seen.add("<![CDATA[")
    parser.StartDoctypeDeclHandler = lambda *_: seen.add("<!DOCTYPE")
    parser.Parse(text.encode(), True)
    assert seen <= XML_TAGS, f"elements: {seen - XML_TAGS}"


def _require_whole_tables(tokens: Iterable[Token], lines: Sequence[str]) -> None:
    """A row with another number of cells than its heading is broken; a parser drops what is too much without a word."""
    for table in [token for token in tokens if token.type == "table_open" and token.map is not None]:
        start, end = table.map or (0, 0)
        # a cell ends at a bar even within code, and only a backslash keeps it from that
        bars = {len(re.findall(r"(?<!\\)\|", line)) for line in lines[start:end]}
        assert len(bars) == 1, f"a table out of shape: {lines[start:end]}"


def _require_own_inline(children: list[Token]) -> None:
    kinds = {child.type.removesuffix("_open").removesuffix("_close") for child in children}
    assert kinds <= OWN_INLINE, f"inline: {kinds - OWN_INLINE}"
    for child, following in zip(children, [*children[1:], None], strict=False):
        if child.type == "html_inline":
            assert OWN_HTML.fullmatch(child.content), f"HTML: {child.content!a}"
        if child.type == "link_open":
            assert OWN_LINKS.fullmatch(str(child.attrs["href"])), f"a link: {child.attrs}"
        if child.type == "strong_open":
            assert following is not None
            assert following.content in OWN_STRONG, f"strong: {following.content!a}"
        if child.type == "text":
            found = ACTIVE.search(child.content)
            assert found is None, f"GitHub would act on {child.content[:200]!a}"


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.counts: dict[str, int] = {}
        self.attributes: list[tuple[str, str]] = []
        self.comments: list[str] = []
        self._open: list[str] = []

    @property
    def tags(self) -> set[str]:
        return set(self.counts)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in VOID:
            self._open.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"an end without a beginning: {tag}"
        assert self._open.pop() == tag, f"an element is closed that is not open: {tag}"

    def handle_comment(self, data: str) -> None:
        self.comments.append(data)
