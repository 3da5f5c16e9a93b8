"""The report on the run's page: appended to what the step has told there, under the size that GitHub takes."""

from gate.github.runner_files import RunnerFile
from gate.reports import markdown
from gate.reports.escape import prose
from gate.reports.overview import WORD_MARKS
from gate.results import Report, Word

_LEAST = 200  # bytes; the verdict alone takes no more
_SEPARATOR = 2  # bytes; a line end and a blank line


def append_summary(file: RunnerFile, report: Report, page: markdown.Page | None = None) -> bool:
    """Append the report, as much of it as there is room for; False where not even the verdict has room.

    Args:
        file: what GITHUB_STEP_SUMMARY names.
        report: the judgement, or the report of an error.
        page: where the HTML report lies, if it was written.

    Raises:
        WriteError: where the file cannot be written.
    """
    there = file.size()
    room = markdown.LIMIT - there - (_SEPARATOR if there else 0)
    if room < _LEAST:
        return False
    file.append(("\n" if there else "") + markdown.render(report, limit=room, page=page))
    return True


def append_line(file: RunnerFile, line: str) -> None:
    """Append a sentence as a paragraph of its own, where there is room for it.

    Raises:
        WriteError: where the file cannot be written.
    """
    paragraph = f"\n{prose(line)}\n"
    if file.size() + len(paragraph.encode()) < markdown.LIMIT:
        file.append(paragraph)


def append_bare_error(file: RunnerFile) -> None:
    """Append what needs no drawing, where drawing is what went wrong.

    Raises:
        WriteError: where the file cannot be written.
    """
    file.append(f"\n## {WORD_MARKS[Word.ERROR]} ERROR: the report could not be drawn\n\nThe log says why.\n")
