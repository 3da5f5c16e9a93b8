"""What a proposed gate.yml would change in the one in force, key by key, defaults filled in; the laxer first."""

import os.path
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from gate.checks import CHECKS
from gate.checks.base import Options
from gate.checks.contamination import AllowedText
from gate.config.laxness import Rule, bar_rule, by_direction, in_parts, rule_of
from gate.config.load import load_config
from gate.config.metric import MetricSettings, ReductionSettings
from gate.config.model import GateConfig, SuiteConfig
from gate.config.waiver import WaiverSettings
from gate.errors import ConfigError, GateError, Place
from gate.results import ConfigChange, Effect, SuiteReport
from gate.results.naming import is_of
from gate.wording import count, limit

_ORDER = list(Effect)
_OFF, _ON, _ASKED = "off", "on by default", "asked for"
_STATES = (_ASKED, _ON, _OFF)  # from the strictest: one that was asked for fails where it lacks its data
_IN, _OUT = "judged", "none"

Judged = Mapping[str, Mapping[str, str]]
"""Suite -> metric -> direction, as the score files say it."""


def read_changes(in_force: GateConfig, proposed: str, suites: Sequence[SuiteReport]) -> tuple[ConfigChange, ...]:
    """What the proposed gate.yml would change; never an error, since nothing is judged by it.

    Args:
        in_force: the configuration in force, its paths as they are written: the two files lie in folders of their own.
        proposed: the path of the proposed gate.yml.
        suites: what was judged, whose metrics may tell which way is better; none where nothing could be.
    """
    try:
        if os.path.lexists(proposed):
            return compare(in_force, _read(proposed), _judged_directions(suites, in_force))
    except GateError as fault:
        line = f"line {fault.where.line}: " if fault.where is not None and fault.where.line is not None else ""
        return (ConfigChange(proposed, "", f"{line}{fault.what}", Effect.INVALID),)
    except Exception as fault:  # whatever a pull request writes there, the verdict stands
        return (ConfigChange(proposed, "", f"it cannot be compared: {type(fault).__name__}", Effect.INVALID),)
    return (ConfigChange(proposed, "", "", Effect.DELETED),)


def _read(path: str) -> GateConfig:
    if Path(path).is_symlink():  # a pull request could have any file of the machine read and quoted
        raise ConfigError("it is a link", where=Place(path), remedy="commit the file itself")
    return load_config(Path(path), whole=False, base="")


def _judged_directions(suites: Sequence[SuiteReport], config: GateConfig) -> Judged:
    """The directions of the metrics of each suite of the configuration, those of its tasks together."""
    return {
        suite.name: {
            metric: column.direction
            for judged in suites
            if is_of(judged.name, suite.name)
            for metric, column in judged.items.metrics.items()
        }
        for suite in config.suites
    }


def compare(before: GateConfig, after: GateConfig, judged: Judged) -> tuple[ConfigChange, ...]:
    """All keys that differ, what became laxer first; in the order of the models beside that."""
    found = [*_options(before, after, ""), *_options(before.policies, after.policies, "policies.")]
    old, new = ({suite.name: suite for suite in config.suites} for config in (before, after))
    for name in {**old, **new}:
        place = f"suites[{name}]"
        if name not in new:
            found.append(ConfigChange(place, _IN, _OUT, Effect.LAXER))
        elif name not in old:
            found.append(ConfigChange(place, _OUT, _IN, Effect.STRICTER))
        else:
            found.extend(_Suites(old[name], new[name], judged.get(name, {})).changes(place))
    found.extend(_waivers(before, after))
    return tuple(sorted(found, key=lambda change: _ORDER.index(change.effect)))


class _Pair(NamedTuple):
    """A value in force and the proposed one."""

    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class _Suites:
    """One suite in both configurations, and the directions of the metrics that were judged in it."""

    before: SuiteConfig
    after: SuiteConfig
    judged: Mapping[str, str]

    def changes(self, place: str) -> Iterator[ConfigChange]:
        yield from _options(self.before, self.after, f"{place}.")
        yield from _options(self.before.columns, self.after.columns, f"{place}.columns.")
        suite_wide = self._suite_wide()
        yield from self._metrics(f"{place}.metrics", suite_wide)
        yield from self._reductions(
            _Pair(self.before.reduce, self.after.reduce), f"{place}.reduce", suite_wide, self._direction(None)
        )
        yield from self._checks(f"{place}.checks")

    def _suite_wide(self) -> dict[str, _Pair]:
        """The bar and the margin that hold where a metric has none of its own."""
        return {
            key: _Pair(*(getattr(suite.checks.options(check), key, None) for suite in (self.before, self.after)))
            for key, check in (("bar", "threshold"), ("margin", "regression"))
        }

    def _checks(self, place: str) -> Iterator[ConfigChange]:
        for name in CHECKS:
            states = _Pair(_state(self.before, name), _state(self.after, name))
            if states.before != states.after:
                is_laxer = _STATES.index(states.after) > _STATES.index(states.before)
                yield ConfigChange(f"{place}.{name}", *states, Effect.LAXER if is_laxer else Effect.STRICTER)
            old, new = self.before.checks.options(name), self.after.checks.options(name)
            if old is not None and new is not None:
                yield from _options(old, new, f"{place}.{name}.", direction=self._direction(None))

    def _metrics(self, place: str, suite_wide: Mapping[str, _Pair]) -> Iterator[ConfigChange]:
        named = _Pair(self.before.metrics, self.after.metrics)
        for name, settings in _by_name(named, place, MetricSettings()):
            if isinstance(settings, ConfigChange):
                yield settings
                continue
            inner, direction = f"{place}[{name}]", self._direction(name)
            yield from _own_settings(settings, f"{inner}.", suite_wide, direction)
            own = {
                key: _Pair(*(_first(getattr(each, key), held) for each, held in zip(settings, pair, strict=True)))
                for key, pair in suite_wide.items()
            }
            reductions = _Pair(settings.before.reduce, settings.after.reduce)
            yield from self._reductions(reductions, f"{inner}.reduce", own, direction)

    def _reductions(
        self, named: _Pair, place: str, inherited: Mapping[str, _Pair], direction: str | None
    ) -> Iterator[ConfigChange]:
        for name, settings in _by_name(named, place, ReductionSettings()):
            if isinstance(settings, ConfigChange):
                yield settings
            else:
                yield from _own_settings(settings, f"{place}[{name}].", inherited, direction)

    def _direction(self, metric: str | None) -> str | None:
        """Which way is better for a metric, or for all that have no settings; None where that is not one way."""
        given: set[str | None] = {
            suite.direction if metric is None else suite.metric_direction(metric) for suite in (self.before, self.after)
        }
        if given == {None}:
            given.clear()
            given |= {way for name, way in self.judged.items() if metric is None or _is_named(name, metric)}
        return given.pop() if len(given) == 1 else None if given else "higher"


def _is_named(judged: str, metric: str) -> bool:
    """Whether a metric that was judged, or the one its scores are made of, goes by this name or pattern."""
    return any(fnmatchcase(name, metric) or name == metric for name in (judged, judged.rpartition(" ")[0]))


def _state(suite: SuiteConfig, check: str) -> str:
    if suite.checks.options(check) is None:
        return _OFF
    return _ASKED if suite.checks.is_asked(check) else _ON


def _by_name(named: _Pair, place: str, default: Options) -> Iterator[tuple[str, "ConfigChange | _Pair"]]:
    """What came and what went; and the pairs of settings to compare, defaults where one side has none.

    An empty mapping stands for a choice that the score files make: what takes its place is not ranked.
    """
    ranked = bool(named.before) and bool(named.after)
    for name in {**named.before, **named.after}:
        old, new = named.before.get(name), named.after.get(name)
        if new is None:
            yield name, ConfigChange(f"{place}[{name}]", _IN, _OUT, Effect.LAXER if ranked else Effect.CHANGED)
        elif old is None:
            yield name, ConfigChange(f"{place}[{name}]", _OUT, _IN, Effect.STRICTER if ranked else Effect.CHANGED)
        if new is not None or not ranked:
            yield name, _Pair(old or default, new or default)


def _own_settings(
    settings: _Pair, place: str, inherited: Mapping[str, _Pair], direction: str | None
) -> Iterator[ConfigChange]:
    """The settings of one metric or score: a bar that it has not is the suite's, and is ranked as such."""
    for key in type(settings.before).model_fields:
        rule = _rule(settings.before, key, direction)
        old, new = getattr(settings.before, key), getattr(settings.after, key)
        if rule is in_parts or old == new:
            continue
        held = inherited.get(key, _Pair(None, None))
        effect = _effect(rule, _first(old, held.before), _first(new, held.after))
        texts = _shown_own(old, held.before), _shown_own(new, held.after)
        yield ConfigChange(f"{place}{key}", *texts, effect)


def _options(before: Options, after: Options, place: str, *, direction: str | None = None) -> Iterator[ConfigChange]:
    """The keys of one model that are values."""
    for key in type(before).model_fields:
        rule, old, new = _rule(before, key, direction), getattr(before, key), getattr(after, key)
        if rule is not in_parts and old != new:
            yield ConfigChange(f"{place}{key}", _shown(old), _shown(new), rule(old, new))


def _rule(options: Options, key: str, direction: str | None) -> Rule:
    rule = rule_of(type(options), key)
    return bar_rule(direction) if rule is by_direction else rule


def _effect(rule: Rule, before: object, after: object) -> Effect:
    return Effect.CHANGED if before == after else rule(before, after)


def _waivers(before: GateConfig, after: GateConfig) -> Iterator[ConfigChange]:
    old, new = (_waivers_of(config) for config in (before, after))
    for key in {**old, **new}:
        if key not in new:
            yield ConfigChange(key, _waived(old[key]), _OUT, Effect.STRICTER)
        elif key not in old:
            yield ConfigChange(key, _OUT, _waived(new[key]), Effect.LAXER)
        else:
            for change in _options(old[key], new[key], f"{key}."):
                if change.key != f"{key}.suite":  # said in one and meant in the other
                    yield change


def _waivers_of(config: GateConfig) -> dict[str, WaiverSettings]:
    """The waivers by what they cover, which no two may share."""
    known = {}
    for given, waiver in zip(config.waivers, config.agreed_waivers(), strict=True):
        metric = f" of {waiver.metric}" if waiver.metric is not None else ""
        known[f"waivers[{waiver.check}{metric} of {waiver.suite}]"] = given
    return known


def _waived(waiver: WaiverSettings) -> str:
    return f"until {waiver.expires.isoformat()} by {waiver.approved_by}"


def _first(own: Any, held: Any) -> Any:
    return held if own is None else own


def _shown_own(own: Any, held: Any) -> str:
    return _shown(own) if own is not None or held is None else f"{_shown(held)} (the suite's)"


def _shown(value: Any) -> str:
    """A value much as gate.yml would have it; allowed texts are counted, since they may be the eval's own."""
    match value:
        case None:
            text = "none"
        case bool():
            text = str(value).lower()
        case float():
            text = limit(value)
        case Enum():
            text = str(value.value)
        case (AllowedText(), *_):
            text = count(len(value), "text")
        case tuple():
            text = f"[{', '.join(map(_shown, value))}]"
        case _:
            text = str(value)
    return text
