"""Markdown as GitHub shows it: rendered by comrak, dressed in GitHub's own style sheet."""

from pathlib import Path

import comrak

STYLE_SHEET = (
    Path(__file__).parents[2] / ".venv" / "screenshots" / "node_modules" / "github-markdown-css" / "github-markdown.css"
)
_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>{style}
:root {{ color-scheme: light dark }}
body {{ margin: 0; background: light-dark(#ffffff, #0d1117) }}
.markdown-body {{ padding: 16px; font-family: "Liberation Sans", Arial, "Noto Color Emoji", sans-serif }}
</style><article class="markdown-body">{body}</article></html>"""


def page_of(markdown: str) -> str:
    """A whole HTML document; GitHub's sanitizer is not at work here, so it holds no more than our own templates do."""
    extensions = comrak.ExtensionOptions()
    for name in ("alerts", "autolink", "strikethrough", "table", "tagfilter", "tasklist"):
        setattr(extensions, name, True)
    rendering = comrak.RenderOptions()
    rendering.unsafe_ = True
    body = comrak.render_markdown(markdown, extension_options=extensions, render_options=rendering)
    return _PAGE.format(style=STYLE_SHEET.read_text(encoding="utf-8"), body=body)
