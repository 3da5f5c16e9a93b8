"""The report as one page: verdict and why, what to do, each check drawn, every item, the JSON itself."""

from functools import cache
from pathlib import Path

from gate.reports.compiled import shared_context
from gate.reports.encoding import encode
from gate.reports.html.policy import embed_json, policy_of
from gate.reports.html.scripts import page_script
from gate.reports.html.surroundings import environment
from gate.reports.html.views import MOST_ROWS, links_of, overview_of, suites_of, trends_beside
from gate.reports.overview import first_rows, rows_of
from gate.results import Report, ShowText

_HERE = Path(__file__).parent


def render(report: Report) -> str:
    """Render the page: whole in itself, allowed nothing but its own style and script, the same bytes always.

    Without a script it shows all but the table of items; the eval's own text stands in it only where ``show_text``
    allows it.
    """
    # imported here: only reports by template need it, and start-up time counts
    from markupsafe import Markup  # noqa: PLC0415

    shown = report if report.show_text is ShowText.SNIPPETS else report.without_text()
    drawn, rows = suites_of(shown), rows_of(shown)
    script = page_script()
    return environment().get_template("page.html.j2").render(
        shared_context(shown),
        policy=policy_of(page_style(), script),
        style=Markup(page_style()),  # noqa: S704  # our own file
        script=Markup(script),  # noqa: S704  # our own files
        data=Markup(embed_json(encode(report))),  # noqa: S704  # JSON without a `<`
        rows=first_rows(rows, MOST_ROWS),
        hidden_rows=max(0, len(rows) - MOST_ROWS),
        suites=drawn,
        trends=trends_beside(shown, drawn),
        overview=overview_of(shown, drawn),
        reasons=links_of(shown.verdict.reasons, drawn),
        warnings=links_of(shown.verdict.warnings, drawn),
        has_items=any(suite.items.ids for suite in shown.suites),
    )  # fmt: skip


@cache
def page_style() -> str:
    """The style of the page."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(_HERE.rglob("*.css")))
