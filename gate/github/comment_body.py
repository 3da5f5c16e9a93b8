"""The comment's text, for a phone: the verdict and why, then the numbers people argue about; the rest folded away."""

from collections.abc import Iterator

from gate.evidence import IntervalEvidence
from gate.github.comment_settings import RunPage
from gate.reports import markdown
from gate.reports.compiled import shared_context
from gate.reports.overview import Row, first_rows, headline, remedies, rows_of
from gate.reports.templating import environment
from gate.results import Report, Status, Word

# GitHub takes 65 536 characters; as bytes of UTF-8 this is under that however characters are counted, marker included.
LIMIT = 64_000

_SHA_SHOWN = 7
_MOST_ROWS = (12, 6, 3, 0)  # the next where so many do not leave half of the room to the whole report
_MOST_WHEN_WELL = 2
_FOLD = "\n<details>\n<summary>The whole report</summary>\n\n{}\n</details>\n"
_LEAST_FOLDED = 2048  # bytes; less would show nothing but what stands above
_STEP = 1024


def render(report: Report, page: RunPage, *, sha: str = "", key: str = "", limit: int = LIMIT) -> str:
    """Render the comment, without its marker, in at most ``limit`` bytes of UTF-8, which is no less than 16 000.

    Args:
        report: the judgement, or the report of an error.
        page: the run.
        sha: the commit that was judged, in hex; empty where it is not known.
        key: what tells this comment from others beside it; empty where there is nothing to show.
        limit: bytes.
    """
    top = next(text for text in _tops(report, page, sha, key) if _size(text) <= limit // 2)
    if report.verdict.word is Word.PASS or report.fault is not None:
        return top
    room = (limit - _size(top) - _size(_FOLD)) // _STEP * _STEP
    if room < _LEAST_FOLDED:
        return top
    # without its heading, which stands above
    whole = markdown.render(report, limit=room).partition("\n\n")[2].strip("\n")
    return top + _FOLD.format(whole)


def _tops(report: Report, page: RunPage, sha: str, key: str) -> Iterator[str]:
    """What stands above the fold, in less and less detail."""
    template = environment().get_template("comment.md.j2")
    every = _told(report)
    common = {
        **shared_context(report),
        "well": report.verdict.word is Word.PASS,
        "address": page.address,
        "commit": page.commit(sha),
        "sha": sha[:_SHA_SHOWN],
        "key": key,
        "job": "" if key else page.job,
    }
    for most in _MOST_ROWS:
        rows = first_rows(every, most)
        actions = remedies(report)[:most]
        yield template.render(
            common, rows=rows, more=len(every) - len(rows) if most else 0, most=most, remedies=actions
        )
    yield template.render(
        common | {"headline": headline(report)[:1], "config_changes": ()}, rows=(), more=0, most=0, remedies=()
    )


def _told(report: Report) -> tuple[Row, ...]:
    """The checks worth a line: all that were run, or where all is well the first intervals."""
    run = tuple(row for row in rows_of(report) if row.result.status is not Status.NOT_RUN)
    if report.verdict.word is not Word.PASS:
        return run
    return tuple(row for row in run if isinstance(row.result.evidence, IntervalEvidence))[:_MOST_WHEN_WELL]


def _size(text: str) -> int:
    return len(text.encode())
