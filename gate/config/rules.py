"""What sound keys must come to: a suite has something to judge and to judge by, a waiver names what there is."""

import difflib
from collections.abc import Iterator, Sequence

from gate.checks import CHECKS
from gate.config.location import Location
from gate.config.model import GateConfig, SuiteConfig
from gate.config.problems import Origin
from gate.errors import ConfigError
from gate.results import Waiver
from gate.results.naming import is_of
from gate.wording import names

# coverage counts what is there; it does not say whether that is any good
_JUDGES = tuple(name for name in CHECKS if name != "coverage")
_OF_SCORES = ("format", "select", "candidate_select", "tasks", "metrics", "reduce", "direction", "scale")
_OF_BATTLES = frozenset({"name", "kind", "baseline", "candidate", "max_age", "format", "checks"})
_COLUMNS_OF_SCORES = ("score", "group", "sample", "stratum", "weight")


def require_purpose(config: GateConfig, origin: Origin) -> None:
    """Raise ConfigError at a suite that would be green for nothing, and at a key that would not be read.

    A suite needs a baseline with regression or drift on, a bar, or a corpus.
    """
    for index, suite in enumerate(config.suites):
        place: Location = ("suites", index)
        _require_one_kind(suite, place, origin)
        if suite.candidate is None:
            _require_questions_alone(suite, place, origin)
        _require_effect(suite, place, origin)
        if suite.checks.is_asked("threshold") and not suite.has_grounds("threshold"):
            raise ConfigError(
                "threshold is asked for without a bar: it needs one",
                where=origin.place((*place, "checks", "threshold")),
                remedy="give `bar: ...` there, in the unit of the scores, or --threshold BAR",
            )
        if suite.checks.is_asked("decline") and config.history is None:
            raise ConfigError(
                "decline is asked for without a history: it needs one",
                where=origin.place((*place, "checks", "decline")),
                remedy="give --history FILE; in gate.yml, `history: FILE` beside `suites`",
            )
        if not any(suite.has_grounds(name) for name in _JUDGES):
            raise ConfigError(
                "there is nothing to judge by: no bar, no corpus, and no baseline with regression or drift on",
                where=origin.place(place),
                remedy="give --baseline FILE or --threshold BAR; in gate.yml, `baseline` or `checks.threshold.bar`",
            )


def require_sound_waivers(config: GateConfig, origin: Origin) -> None:
    """Raise ConfigError at a waiver of what there is not, and at one of two that cover the same."""
    suites = {suite.name: suite for suite in config.suites}
    agreed = config.agreed_waivers()
    for index, (given, waiver) in enumerate(zip(config.waivers, agreed, strict=True)):
        place: Location = ("waivers", index)
        if given.suite is None and len(suites) > 1:
            raise ConfigError(
                "the key 'suite' is missing: there are several suites",
                where=origin.place((*place, "suite")),
                remedy=f"add `suite: ...`: {names(tuple(suites))}",
            )
        suite = next((suite for name, suite in suites.items() if is_of(waiver.suite, name)), None)
        if suite is None:
            raise ConfigError(
                f"there is no suite {waiver.suite!r}",
                where=origin.place((*place, "suite")),
                remedy=_nearest(waiver.suite, tuple(suites)),
            )
        _require_known_metric(waiver, (*place, "metric"), origin, suite)
        _require_alone(waiver, index, agreed, origin)


def _require_known_metric(waiver: Waiver, place: Location, origin: Origin, suite: SuiteConfig) -> None:
    """What the score files hold shows when they are read; here the metrics that gate.yml names are known."""
    if waiver.metric is None:
        return
    if waiver.check == "contamination":
        raise ConfigError(
            "contamination is judged for a suite as a whole, not for a metric",
            where=origin.place(place),
            remedy="take `metric` out of this waiver",
        )
    # --metric narrows what is judged: what gate.yml names is known all the same
    narrowed = ("suites", 0, "metrics") in origin.flags
    if suite.metrics and not suite.is_named(waiver.metric) and not narrowed:
        raise ConfigError(
            f"suite {suite.name!r} has no metric {waiver.metric!r}",
            where=origin.place(place),
            remedy=_nearest(waiver.metric, tuple(suite.metrics)),
        )


def _require_alone(waiver: Waiver, index: int, agreed: Sequence[Waiver], origin: Origin) -> None:
    for before, other in enumerate(agreed[:index]):
        same = (other.check, other.suite) == (waiver.check, waiver.suite)
        if same and (other.metric == waiver.metric or None in {other.metric, waiver.metric}):
            raise ConfigError(
                f"waivers {before + 1} and {index + 1} cover the same: {waiver.check} of {waiver.suite!r}",
                where=origin.place(("waivers", index)),
                remedy="keep one of them, or give each a `metric` of its own",
            )


def _nearest(name: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"name one that there is: {names(known)}"


def _require_effect(suite: SuiteConfig, place: Location, origin: Origin) -> None:
    """Keys that only count together with another one must not stand alone."""
    if not suite.paired and suite.baseline is None:
        raise ConfigError(
            "`paired: false` needs a baseline, and this suite has none",
            where=origin.place((*place, "paired")),
            remedy="give `baseline: FILE`, or take `paired` out",
        )
    for name in ("baseline_select", "max_age"):
        if getattr(suite, name) is not None and suite.baseline is None:
            raise ConfigError(
                f"`{name}` needs a baseline, and this suite has none",
                where=origin.place((*place, name)),
                remedy=f"give `baseline: FILE`, or take `{name}` out",
            )
    for key, check in (("bar", "threshold"), ("margin", "regression")):
        for own in suite.own_settings():
            if getattr(own.settings, key) is not None and suite.checks.options(check) is None:
                raise ConfigError(
                    f"the {key} of {own.named} is not used: {check} is off",
                    where=origin.place((*place, *own.place, key)),
                    remedy=f"take `{check}: false` out, or the {key}",
                )


def _require_one_kind(suite: SuiteConfig, place: Location, origin: Origin) -> None:
    """Battles have no items, so that all that speaks of items would not be read; and scores have no battles."""
    if suite.kind == "scores":
        if suite.checks.is_asked("arena"):
            raise ConfigError(
                "arena judges battles, and this suite is one of scores",
                where=origin.place((*place, "checks", "arena")),
                remedy="say `kind: battles` in the suite, or take `arena` out",
            )
        return
    # --reduce lays an empty `metrics` beside what it means
    given = (key for key in SuiteConfig.model_fields if key in suite.model_fields_set and getattr(suite, key) != {})
    stray: Location | None = next(((key,) for key in given if key not in _OF_BATTLES), None)
    stray = stray or next(
        (("checks", name) for name in CHECKS if name != "arena" and suite.checks.is_asked(name)), None
    )
    if stray is not None:
        raise ConfigError(
            f"{stray[-1]!r} has no meaning in a suite of battles",
            where=origin.place((*place, *stray)),
            remedy="take it out: battles have no items, and the arena check alone judges them",
        )
    from gate.battles.reading import BATTLE_FORMATS  # noqa: PLC0415  # only suites of battles need it

    if suite.format is not None and suite.format not in BATTLE_FORMATS:
        raise ConfigError(
            f"{suite.format!r} is no format of battles",
            where=origin.place((*place, "format")),
            remedy=f"name one of {', '.join(BATTLE_FORMATS)}, or none: the files' content tells",
        )
    if suite.candidate is None or not suite.checks.is_asked("arena"):
        raise ConfigError(
            "a suite of battles needs `candidate` and the arena check",
            where=origin.place(place),
            remedy="give `candidate: FILE` and `checks: {arena: {model: NAME, against: NAME}}`",
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
