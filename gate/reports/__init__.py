"""TELL: a report rendered, one module for each form; every renderer is pure."""

from collections.abc import Callable
from importlib import import_module

from gate.results import Report

Renderer = Callable[[Report], str]


def _renderer(form: str) -> Renderer:
    """The form's ``render``, loaded when it is first used: a run that prints text does not wait for the others."""

    def render(report: Report) -> str:
        rendered: str = import_module(f"gate.reports.{form}").render(report)
        return rendered

    return render


REPORTS: dict[str, Renderer] = {form: _renderer(form) for form in ("markdown", "json", "html", "text", "junit")}
