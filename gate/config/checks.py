"""`checks` in gate.yml: a key for each check there is, with its options."""

from typing import TYPE_CHECKING, Annotated, Any, Optional

from pydantic import BeforeValidator, Field, create_model

from gate.checks import CHECKS
from gate.checks.base import Options


def _switch(value: object) -> object:
    """``drift: off`` turns a check off, ``drift: on`` asks for it with its defaults."""
    if isinstance(value, bool):
        return {} if value else None
    return value


def _allow_switch(schema: dict[str, Any]) -> None:
    options = schema.pop("anyOf", None) or [{"$ref": schema.pop("$ref")}]
    schema["anyOf"] = [*[option for option in options if option != {"type": "null"}], {"type": "boolean"}]


class CheckSettingsBase(Options):
    """Which checks run, each with its options; `false` turns one off."""

    def options(self, check: str) -> Options | None:
        """The options of a check, None where it is off."""
        options: Options | None = getattr(self, check)
        return options

    def is_asked(self, check: str) -> bool:
        """The check was asked for by name, so that lacking its data is a failure."""
        return check in self.model_fields_set and self.options(check) is not None


def _setting(name: str) -> tuple[Any, Any]:
    model = CHECKS[name].options
    needs_nothing = not (model.has_a_choice or any(field.is_required() for field in model.model_fields.values()))
    kind: Any = Annotated[Optional[model], BeforeValidator(_switch)]  # noqa: UP045  # a class held in a variable
    default = model() if needs_nothing else None
    return kind, Field(default=default, description=CHECKS[name].asks, json_schema_extra=_allow_switch)


if TYPE_CHECKING:
    CheckSettings = CheckSettingsBase
else:
    CheckSettings = create_model(
        "CheckSettings", __base__=CheckSettingsBase, **{name: _setting(name) for name in CHECKS}
    )
