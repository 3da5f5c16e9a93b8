"""What all checks share: options closed to unknown keys, paths in them, and the form of an outcome."""

import os.path
from pathlib import Path
from typing import Annotated, ClassVar, NamedTuple

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo

from gate.baselines import from_folder, from_spec, is_in_git
from gate.files import is_url
from gate.results import Status


class Options(BaseModel):
    """The base of a check's options model, and of every other part of gate.yml.

    Attributes:
        has_a_choice: for what it judges by there are several keys, none of them required: without any it is off.
    """

    has_a_choice: ClassVar[bool] = False

    model_config = ConfigDict(frozen=True, extra="forbid")


def _from_base(path: str, info: ValidationInfo) -> str:
    """Paths in gate.yml, unless they are URLs, are meant from its own folder: the context's ``base``, by the loader.

    Where gate.yml is in git itself, by the context's ``spec``, what it names there is meant within the same commit's
    folders, whatever the working tree has in their place.
    """
    context = info.context or {}
    base, config = context.get("base", ""), context.get("spec", "")
    if is_in_git(path):
        return from_spec(path, config) if base and config else from_folder(path, base)
    return os.path.normpath(Path(base) / path) if base and not is_url(path) else path


GatePath = Annotated[str, Field(min_length=1), AfterValidator(_from_base)]


class Outcome(NamedTuple):
    """The decided part of a CheckResult; fields as there."""

    status: Status
    reason: str
    sentence: str
    remedy: str = ""
