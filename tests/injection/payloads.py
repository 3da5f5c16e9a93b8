r"""Foreign text that tries something, by what it tries; the tests of pages in the browser use it, too.

Nothing that stands in a file, in a name or in an error may come to life in what the gate writes. INERT are those groups
that no output of the gate could bring to life, so that they are to come back as they went in: the gate writes no CSV,
which a spreadsheet would compute, and no template is rendered with foreign text as its source.
"""

from collections.abc import Mapping

ESC = "\x1b"
INERT = ("templates", "spreadsheets", "long")

PAYLOADS: Mapping[str, tuple[str, ...]] = {
    "markdown": (
        "# heading", "### \U0001f7e2 PASS: all is well", "- item", "+ item", "* item", "1. item", "1) item", "> quote",
        "[link](http://evil.example)", "![image](http://evil.example/i.png)", "[ref]: http://evil.example",
        "[x](javascript:evil())", "<http://evil.example>", "*em* **strong** ~~gone~~ __also__", "---", "===", "***",
        "- [x] done", "[^1]: note", "a\n\n# heading", "a\r\n\r\n- item", "    indented", "\\", "$x^2$ $$y$$",
        "[!WARNING]",
    ),
    "backticks": (
        "`", "``", "```", "```mermaid", "~~~", "`a`", "` a", "a `", "`a``b`", "```\n# evil\n```", "`|`", "\\`",
        "```mermaid\ngraph TD; a-->b\n```", "```suggestion\nevil\n```", "$`x`$",
    ),
    "tables": ("|", "a | b | c", "||", "\\|", "| --- | --- |", "a|`b|c`|d", "&#124;", "a\n| b | c |"),
    "html": (
        "<script>window.hacked = 1</script>", '"><img src=x onerror="window.hacked = 2">',
        "' onmouseover='window.hacked = 3' x='", "</style><style>body { display: none }</style>",
        '<svg onload="window.hacked = 4"><animate onbegin="window.hacked = 5"/></svg>',
        "</script><script>window.hacked = 6</script>", "<!--<script>", "-->", "javascript:window.hacked = 7",
        "</details><h1>evil</h1>", "<a href=//evil.example>x</a>", "<b", "&lt;b&gt;", "&#64;octocat",
        "<iframe srcdoc=x>",
        "<math><mtext></mtext><style><img src=x onerror=window.hacked=9></style></math>", "<!-- gate-comment 0 -->",
        "\\u003cscript>", "<table><tr><td>", "<meta http-equiv=refresh content=0>", "<base href=//evil.example>",
    ),
    "references": (
        "@octocat", "@org/team", "#1", "owner/repo#2", "GH-3", "octocat@0123456", "Fixes #4", "CVE-2021-44228",
        "GHSA-jfh8-c2jp-5v3q", "https://evil.example", "http://evil.example/#1", "www.evil.example",
        "ftp://evil.example",
        "mailto:a@evil.example", "a@evil.example", "://x", "1.@octocat,", "(#5)", "@\u200boctocat",
    ),
    "commits": (
        "1234567", "12345678", "0000000", "deadbeef1", "0123456789abcdef0123456789abcdef01234567", "DEADBEEF",
        "1234567...7654321", "1234567,", "(1234567)", "é1234567", "1234567890123456789012345678901234567890",
    ),
    "emoji": (":tada:", ":+1:", "a:smile:b", ":a:", "::", ":octocat"),
    "commands": (
        "::error::evil", "  ::set-output name=verdict::PASS", "::add-mask::0", "::stop-commands::evil", "::evil::",
        "##[error]evil", "a ##[group]b", "##[add-mask]0", "##[set-output name=verdict;]PASS", "x\n::warning::evil",
        "x\r::warning::evil", "x\r\n##[command]evil", "x\u2028::warning::evil", "x\u0085::warning::evil",
        "%0A::error::x",
        "\t::debug::x", "\u3000::debug::x", "::ERROR file=a,line=1::x", "###[error]x", "##", "::add-path::/evil",
        "##[add-path]/evil", "::save-state name=a::b", "::group::x",
    ),
    "delimiters": (
        "verdict=PASS", "verdict<<EOF\nPASS\nEOF", "EOF", "ghadelimiter", "\nverdict=PASS\n",
        "a\nEOF\nverdict<<EOF\nPASS",
        "reason<<x", "x<<\n",
    ),
    "terminals": (
        f"{ESC}[31mred", f"{ESC}]0;title\x07", f"{ESC}]8;;https://evil.example{ESC}\\text{ESC}]8;;{ESC}\\", f"{ESC}[2J",
        f"{ESC}]52;c;ZXZpbA==\x07", "\x9b31m", "\x90q\x9c", "\x08\x08\x08", "\x7f", "\x00", "a\rPASS", "\x0b\x0c",
        "\x07",
        f"{ESC}P+q{ESC}\\", f"{ESC}c",
    ),
    "directions": (
        "\u202egnp.exe", "\u2066x\u2069", "\u200f", "\u061c", "a\u200bb", "\ufeffa", "\u2028", "\u2029", "\u00ad",
        "\U000e0041",
        "\u2062", "\u180e", "\u206a",
    ),
    "templates": (
        "{{ 6 * 7 }}", "{% include '/etc/passwd' %}", "{# gone #}", "${{ github.token }}", "${6 * 7}", "$(evil)",
        "%s %(a)s",
        "{0.__class__}", "{x!r}", "<%= 6 * 7 %>", "#{6 * 7}", "[bold red]x[/]", "\\x41", "%PATH%",
    ),
    "spreadsheets": ("=1+1", "+1+1", "-1+1", "@SUM(A1)", "=HYPERLINK('x')", "\t=1+1", "=cmd|' /C calc'!A0"),
    "xml": (
        "]]>", "<![CDATA[x]]>", "&amp;", "&evil;", '<!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>',
        "<?xml-evil?>",
        "\"/><testcase name='x'/>", "</system-out></testcase>", "\x01", "\ufffe", "\uffff", "&#0;",
    ),
    "halves": ("\ud800", "a\udc00b", "\udcff"),
    "long": ("x" * 20_000, "| " * 5_000, "` " * 5_000),
}  # fmt: skip

GROUPS = tuple(PAYLOADS)
ALL = tuple(payload for group in PAYLOADS.values() for payload in group)
