"""The report as one page for a browser: charts, every item, the JSON itself; it loads nothing from anywhere."""

from gate.reports.html.page import render

__all__ = ["render"]
