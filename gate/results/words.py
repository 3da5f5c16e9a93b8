"""Statuses, verdicts and policies in one word each."""

from enum import StrEnum

Figure = float | int | str | bool | None

REPOSITORY = "OWNER/gate"
# Absolute: a report is read on a pull request's page, in a log, far from this repository.
GLOSSARY = f"https://github.com/{REPOSITORY}/blob/main/docs/glossary.md"

# The outermost element of the JUnit report has this name, by which the reader of score files knows that it is none.
REPORT_TITLE = "gate report"


class Status(StrEnum):
    """One check's outcome."""

    PASS = "pass"  # noqa: S105  # a status, not a password
    WARN = "warn"
    FAIL = "fail"
    NOT_RUN = "not_run"


class Word(StrEnum):
    """The verdict in one word."""

    PASS = "PASS"  # noqa: S105  # a verdict, not a password
    WARN = "WARN"
    BLOCK = "BLOCK"
    ERROR = "ERROR"


class FailOn(StrEnum):
    """The mildest verdict that makes the process exit 1."""

    BLOCK = "block"
    WARN = "warn"
    NEVER = "never"


class ShowText(StrEnum):
    """Whether reports may quote the eval's own text: a public log that does contaminates the eval."""

    IDS = "ids"
    SNIPPETS = "snippets"
