"""GateConfig: everything that gate.yml can say, with its defaults."""

import fnmatch
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from gate.checks.base import GatePath, Options
from gate.config.checks import CheckSettings
from gate.config.location import Location
from gate.config.metric import (
    ByName,
    MetricSettings,
    Reductions,
    ReductionSettings,
    ScaleBounds,
    allow_names,
    reducers_of,
)
from gate.config.waiver import WaiverSettings
from gate.reductions import Reduction
from gate.results import FailOn, ShowText, Waiver
from gate.scores import FORMATS
from gate.scores.model import Columns, Direction, Scale, Wanted
from gate.scores.reducers import MEAN


class ColumnSettings(Options):
    """Which column or key of a plain file holds what; what is not named is guessed by the usual names."""

    id: str | tuple[str, ...] | None = Field(default=None, description="Column that identifies an item, or several.")
    score: str | None = Field(default=None, description="Column with the score.")
    group: str | None = Field(default=None, description="Column with the passage, document or task of the item.")
    sample: str | None = Field(default=None, description="Column that numbers the repeats of an item.")
    inputs: str | None = Field(default=None, description="Column with the question.")
    target: str | None = Field(default=None, description="Column with the expected answer.")
    prompt: str | None = Field(default=None, description="Column with the rendered prompt.")
    stratum: str | None = Field(
        default=None, description="Column with the category the item was drawn from: resampling keeps to it."
    )
    weight: str | None = Field(default=None, description="Column with a number above 0: how much the item counts.")

    def as_columns(self) -> Columns:
        """The same in the words of the readers."""
        ids = (self.id,) if isinstance(self.id, str) else self.id
        return Columns(**{**self.model_dump(), "id": ids})


def _one_or_several(names: object) -> object:
    """A single name is short for a list of one."""
    return (names,) if isinstance(names, str) else names


def _allow_one(schema: dict[str, Any]) -> None:
    schema["anyOf"] = [{"type": schema.pop("type"), "items": schema.pop("items")}, {"type": "string"}]


def _known_format(name: str) -> str:
    if name not in FORMATS:
        raise ValueError(f"there is no format {name!r}; there are {', '.join(FORMATS)}")
    return name


FormatName = Annotated[str, AfterValidator(_known_format), WithJsonSchema({"type": "string", "enum": list(FORMATS)})]


class OwnSettings(NamedTuple):
    """What is set for one metric or one score made of its samples, and where in the suite."""

    place: Location
    settings: MetricSettings | ReductionSettings

    @property
    def named(self) -> str:
        """What it is set for, within a sentence."""
        kind = "the metric " if isinstance(self.settings, MetricSettings) else ""
        return f"{kind}{self.place[-1]!r}"


class SuiteConfig(Options):
    """One pair of score files and what is asked of it."""

    name: str = Field(min_length=1, max_length=100, description="Shown in reports.")
    kind: Literal["scores", "battles"] = Field(
        default="scores",
        description="What the files hold: `scores` of items, or `battles` of two models, which arena judges.",
    )
    baseline: GatePath | None = Field(
        default=None,
        description="Score file of the run to compare with: a path, `git:REF:PATH`, or a report.json of the gate.",
    )
    candidate: GatePath | None = Field(default=None, description="Score file of the run that asks to ship.")
    max_age: int | None = Field(
        default=None,
        ge=0,
        description="The age in days over which a baseline warns; so does one whose age is not known.",
    )
    paired: bool = Field(
        default=True,
        strict=True,
        description="Compare item by item; `false` where the two runs are of different items, which shows far less.",
    )
    format: FormatName | None = Field(
        default=None, description="How to read both files; by default their content tells."
    )
    select: str | None = Field(
        default=None,
        min_length=1,
        description="Which of several variants in both files (a filter, a provider, a split), by name or pattern; "
        "`all` takes every one.",
    )
    baseline_select: str | None = Field(default=None, min_length=1, description="The same for the baseline alone.")
    candidate_select: str | None = Field(default=None, min_length=1, description="The same for the candidate alone.")
    tasks: Annotated[tuple[str, ...], BeforeValidator(_one_or_several)] = Field(
        default=(),
        description="Of folders or patterns as score files: the tasks to judge, by name or pattern; by default all.",
        json_schema_extra=_allow_one,
    )
    tasks_as: Literal["suites", "strata"] = Field(
        default="suites",
        description="`suites`: each task is judged on its own. `strata`: all together, each task a stratum.",
    )
    allow_unfinished: bool = Field(
        default=False, strict=True, description="Also read a run whose own status says that it did not end."
    )
    metrics: Annotated[dict[str, MetricSettings], ByName] = Field(
        default_factory=dict,
        description="The metrics to judge, by name or by a pattern such as `exact_match*`.",
        json_schema_extra=allow_names,
    )
    reduce: Reductions = Field(
        default_factory=dict,
        description="What is made of the samples of an item: `mean` (the default), `pass@K`, `pass^K`, `majority`, "
        "`best` or `worst`; several are several metrics.",
        json_schema_extra=allow_names,
    )
    columns: ColumnSettings = Field(default_factory=ColumnSettings, description="Column mapping of plain files.")
    direction: Direction | None = Field(default=None, description="Which way is better, for all metrics.")
    scale: ScaleBounds | None = Field(default=None, description="Lowest and highest possible score, for all metrics.")
    checks: CheckSettings = Field(default_factory=CheckSettings, description="The checks and their options.")

    def has_grounds(self, check: str) -> bool:
        """The check is on and has what it judges by: a bar, a corpus, a baseline; for coverage, a candidate."""
        options = self.checks.options(check)
        if (self.kind == "battles") is not (check == "arena"):
            return False
        grounds = {
            "coverage": self.candidate is not None,
            "threshold": getattr(options, "bar", None) is not None or self.has_own_bars,
            "contamination": True,  # its options hold the corpus
            "arena": True,  # and its the two models
            "decline": False,  # its ground is the history, which is that of all suites
        }
        return options is not None and grounds.get(check, self.baseline is not None)

    def settings_of(self, metric: str) -> MetricSettings:
        """What is set for a metric, or a score of its samples: ``METRIC REDUCER``, or for their mean ``METRIC``."""
        base, _, reducer = metric.rpartition(" ")
        if metric in self.metrics or reducer == str(MEAN) or reducer not in self._reductions_of(self._set_for(base)):
            base, reducer = metric, str(MEAN)
        own = self._set_for(base)
        reduction = self._reductions_of(own).get(reducer)
        return own if reduction is None else own.reduced(reduction)

    def reductions(self, metrics: Sequence[str]) -> tuple[Reduction, ...]:
        """What is to be made of the samples of these metrics' items: their mean, where nothing is said."""
        return tuple(
            Reduction(metric, reducer, self._set_for(metric).direction or self.direction)
            for metric in metrics
            for reducer in reducers_of(self._reductions_of(self._set_for(metric))) or (MEAN,)
        )

    def is_named(self, metric: str) -> bool:
        """Whether a metric, or a score made of its samples, is one that ``metrics`` names."""
        return metric in {*self.metrics, *(reduction.name for reduction in self.reductions(tuple(self.metrics)))}

    def _reductions_of(self, own: MetricSettings) -> dict[str, ReductionSettings]:
        return own.reduce or self.reduce

    def _set_for(self, metric: str) -> MetricSettings:
        """By its name, else by the first pattern that it fits."""
        if metric in self.metrics:
            return self.metrics[metric]
        fitting = (own for pattern, own in self.metrics.items() if fnmatch.fnmatchcase(metric, pattern))
        return next(fitting, MetricSettings())

    def wanted(self, role: Literal["baseline", "candidate"]) -> Wanted:
        """What to read of that run's file."""
        own = self.baseline_select if role == "baseline" else self.candidate_select
        return Wanted(
            self.columns.as_columns(),
            tuple(self.metrics),
            own or self.select,
            self.allow_unfinished,
            whole_texts=self._searches_own_texts,
            targets=self._searches_own_texts and self._has_corpus,
            suite=self.name,
            shared=own is None,
        )

    @property
    def _searches_own_texts(self) -> bool:
        """Whether a corpus is to be searched for the questions of the score files."""
        options = self.checks.options("contamination")
        return options is not None and getattr(options, "items", None) is None

    @property
    def _has_corpus(self) -> bool:
        """Whether a corpus is read here; a scan of one was made with the answers that it tells of."""
        return bool(getattr(self.checks.options("contamination"), "corpora", ()))

    @property
    def has_own_bars(self) -> bool:
        """Whether any metric, or score made of its samples, has a bar of its own."""
        return any(own.settings.bar is not None for own in self.own_settings())

    def own_settings(self) -> Iterator[OwnSettings]:
        """All that is set for single metrics, and for scores made of their samples."""
        yield from (OwnSettings(("reduce", name), settings) for name, settings in self.reduce.items())
        for metric, settings in self.metrics.items():
            yield OwnSettings(("metrics", metric), settings)
            yield from (OwnSettings(("metrics", metric, "reduce", name), own) for name, own in settings.reduce.items())

    def options_for(self, check: str, metric: str) -> Options | None:
        """The options of a check on one metric, None where it is off: the metric's own bar and margin count."""
        options, own = self.checks.options(check), self.settings_of(metric)
        changes = {"threshold": {"bar": own.bar}, "regression": {"margin": own.margin}}.get(check, {})
        given = {key: value for key, value in changes.items() if value is not None}
        return options.model_copy(update=given) if options is not None and given else options

    def is_asked(self, check: str) -> bool:
        """The check was asked for on every metric, so that lacking its data is a failure."""
        return self.checks.is_asked(check) and not (check == "threshold" and self.has_own_bars)

    def metric_direction(self, metric: str) -> Direction | None:
        """The direction set for a metric, by itself or for the suite."""
        own = self.settings_of(metric).direction
        return own if own is not None else self.direction

    def metric_scale(self, metric: str) -> Scale | None:
        """The scale set for a metric, by itself or for the suite."""
        bounds = self.settings_of(metric).scale or self.scale
        return None if bounds is None else Scale(*bounds)


class Policies(Options):
    """What holds for all suites."""

    fail_on: FailOn = Field(default=FailOn.BLOCK, description="The mildest verdict that makes the process exit 1.")
    show_text: ShowText = Field(
        default=ShowText.IDS,
        description="`ids`: reports name items by id only, since eval text in a public log contaminates the eval. "
        "`snippets`: they may quote it.",
    )
    seed: int = Field(default=0, ge=0, lt=2**63, description="Seed of every random draw.")


def _named_apart(suites: tuple[SuiteConfig, ...]) -> tuple[SuiteConfig, ...]:
    first: dict[str, int] = {}
    for index, suite in enumerate(suites):
        if first.setdefault(suite.name, index) != index:
            raise ValueError(f"suites {first[suite.name] + 1} and {index + 1} share the name {suite.name!r}")
    return suites


class GateConfig(Options):
    """gate.yml."""

    version: Literal[1] = Field(description="The version of this file's form.")
    policies: Policies = Field(default_factory=Policies, description="What holds for all suites.")
    suites: Annotated[tuple[SuiteConfig, ...], AfterValidator(_named_apart)] = Field(
        min_length=1, description="What to judge."
    )
    history: GatePath | None = Field(
        default=None,
        description="The history that `gate history add` writes, or `git:REF:PATH`: trends are told, and decline is "
        "judged by it.",
    )
    waivers: tuple[WaiverSettings, ...] = Field(
        default=(), max_length=1000, description="Which checks may fail, until when, and who says so."
    )

    def agreed_waivers(self) -> tuple[Waiver, ...]:
        """The waivers in the words of results, in the order of the file."""
        return tuple(waiver.as_waiver(self.suites[0].name) for waiver in self.waivers)
