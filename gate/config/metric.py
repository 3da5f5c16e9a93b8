"""What gate.yml can say of one metric, and of one score that is made of its samples."""

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, FiniteFloat

from gate.checks.base import Options
from gate.scores.model import Direction
from gate.scores.reducers import Reducer, parse_reducer


def _rising(scale: tuple[float, float]) -> tuple[float, float]:
    if scale[0] >= scale[1]:
        raise ValueError("the first number must be lower than the second")
    return scale


ScaleBounds = Annotated[tuple[FiniteFloat, FiniteFloat], AfterValidator(_rising)]


def _by_name(given: object) -> object:
    """A name or a list of names is short for a mapping without settings."""
    names = [given] if isinstance(given, str) else given
    if isinstance(names, list):
        if not names or not all(isinstance(name, str) and name for name in names):
            raise ValueError("this must be one name or more, each a text: put it in quotes if it is a number")
        return {name: {} for name in names}
    if isinstance(given, dict):
        return {name: {} if settings is None else settings for name, settings in given.items()}
    return given


def allow_names(schema: dict[str, Any]) -> None:
    """The same in the JSON schema."""
    settings = {"anyOf": [schema.pop("additionalProperties"), {"type": "null"}]}
    mapping = {"type": schema.pop("type"), "additionalProperties": settings}
    schema["anyOf"] = [mapping, {"type": "array", "items": {"type": "string"}, "minItems": 1}, {"type": "string"}]


ByName = BeforeValidator(_by_name)


class ReductionSettings(Options):
    """What holds for one score that is made of the samples of an item."""

    bar: FiniteFloat | None = Field(default=None, description="The bar of this score, instead of the metric's.")
    margin: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="The margin of this score, instead of the metric's."
    )


def _known(reductions: dict[str, ReductionSettings]) -> dict[str, ReductionSettings]:
    for name in reductions:
        parse_reducer(name)
    return reductions


Reductions = Annotated[dict[str, ReductionSettings], ByName, AfterValidator(_known)]


class MetricSettings(Options):
    """What the gate must know of one metric where the file does not say it."""

    direction: Direction | None = Field(default=None, description="Which way is better.")
    scale: ScaleBounds | None = Field(default=None, description="The lowest and the highest possible score.")
    bar: FiniteFloat | None = Field(default=None, description="The bar of this metric, instead of the suite's.")
    margin: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="The margin of this metric, instead of the suite's."
    )
    reduce: Reductions = Field(
        default_factory=dict,
        description="What is made of an item's samples, instead of the suite's.",
        json_schema_extra=allow_names,
    )

    def reduced(self, reduction: ReductionSettings) -> "MetricSettings":
        """The settings of a score made of this metric's samples: what is set for it itself goes first."""
        return self.model_copy(update=reduction.model_dump(exclude_none=True))


def reducers_of(reductions: dict[str, ReductionSettings]) -> tuple[Reducer, ...]:
    """In the words of the readers."""
    return tuple(parse_reducer(name) for name in reductions)
