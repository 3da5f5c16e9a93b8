"""What sound keys must come to: every suite has something to judge, and something to judge by."""

from collections.abc import Iterator

from gate.checks import CHECKS
from gate.config.location import Location
from gate.config.model import GateConfig, SuiteConfig
from gate.config.problems import Origin
from gate.errors import ConfigError

# coverage counts what is there; it does not say whether that is any good
_JUDGES = tuple(name for name in CHECKS if name != "coverage")
_OF_SCORES = ("format", "metrics", "direction", "scale")
_COLUMNS_OF_SCORES = ("score", "group", "sample")


def require_purpose(config: GateConfig, origin: Origin) -> None:
    """Raise ConfigError at a suite that would be green for nothing, and at a key that would not be read.

    A suite needs a baseline with regression or drift on, a bar, or a corpus.
    """
    for index, suite in enumerate(config.suites):
        place: Location = ("suites", index)
        if suite.candidate is None:
            _require_questions_alone(suite, place, origin)
        if suite.checks.is_asked("threshold") and not suite.has_grounds("threshold"):
            raise ConfigError(
                "threshold is asked for without a bar: it needs one",
                where=origin.place((*place, "checks", "threshold")),
                remedy="give `bar: ...` there, in the unit of the scores, or --threshold BAR",
            )
        if not any(suite.has_grounds(name) for name in _JUDGES):
            raise ConfigError(
                "there is nothing to judge by: no bar, no corpus, and no baseline with regression or drift on",
                where=origin.place(place),
                remedy="give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or `checks.threshold.bar`",
            )


def _require_questions_alone(suite: SuiteConfig, place: Location, origin: Origin) -> None:
    """Without a candidate, contamination of a file of questions is all that can be asked for."""
    contamination = suite.checks.options("contamination")
    if suite.baseline is not None or getattr(contamination, "items", None) is None:
        raise ConfigError(
            "a suite needs `candidate` (or, for contamination alone, `checks.contamination.items`)",
            where=origin.place(place),
            remedy="give --candidate FILE; in gate.yml, `candidate: FILE`",
        )
    stray = next(_keys_of_scores(suite), None)
    if stray is not None:
        raise ConfigError(
            f"{stray[-1]!r} needs a candidate, and this suite has none",
            where=origin.place((*place, *stray)),
            remedy="give `candidate: FILE`, or take the key out: without scores only contamination is judged",
        )


def _keys_of_scores(suite: SuiteConfig) -> Iterator[Location]:
    """The keys given that speak of scores."""
    yield from ((name,) for name in _OF_SCORES if getattr(suite, name))
    yield from (("columns", name) for name in _COLUMNS_OF_SCORES if getattr(suite.columns, name) is not None)
    yield from (("checks", name) for name in CHECKS if name != "contamination" and suite.checks.is_asked(name))
