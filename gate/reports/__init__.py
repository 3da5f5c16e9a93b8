"""TELL: a report rendered, one module for each form; every renderer is pure."""

from collections.abc import Callable

from gate.reports import json, markdown, text
from gate.results import Report

Renderer = Callable[[Report], str]

REPORTS: dict[str, Renderer] = {
    "markdown": markdown.render,
    "json": json.render,
    "text": text.render,
}
