"""Reading gate.yml: safely, with the line of every key, and with errors that say what to do."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from gate.baselines import folder_of, is_in_git, read_in_git
from gate.config.location import Location
from gate.config.model import GateConfig
from gate.config.problems import Origin, explain, refuse_strays
from gate.config.rules import require_purpose, require_sound_waivers
from gate.errors import ConfigError, Place
from gate.files import open_bytes

_MAX_BYTES = 1_000_000


def load_config(path: Path, *, whole: bool = True, base: str | None = None) -> GateConfig:
    """Read and validate gate.yml; paths in it are meant from its own folder.

    Args:
        path: the file; or ``git:REF:PATH``, whose paths are meant from the same folder of the working tree.
        whole: nothing is laid over it, so that it must say by itself what to judge, and by what.
        base: the folder that its paths are meant from instead; empty leaves them as they are written.

    Raises:
        ConfigError: with the line and key of the first problem.
    """
    # imported here: a check by flags alone needs no YAML
    from gate.config.yaml_file import parse_yaml  # noqa: PLC0415

    name = str(path)
    raw = read_in_git(name, os.environ) if is_in_git(name) else _read(path)
    if len(raw) > _MAX_BYTES:
        raise ConfigError("the file is over 1 MB", where=Place(name), remedy="name gate.yml, not a score file")
    document = parse_yaml(raw, name)
    found_in = folder_of(name) if is_in_git(name) else str(path.parent)
    origin = Origin(name, document.lines, found_in if base is None else base, {})
    config = _validated(document.data, origin)
    refuse_strays(document.data, origin)
    require_sound_waivers(config, origin)
    if whole:
        require_purpose(config, origin)
    return config


def validate_config(
    data: Mapping[str, Any], *, origin: str = "the command line", flags: Mapping[Location, str] | None = None
) -> GateConfig:
    """Validate a configuration that was not read from a file; paths in it are meant from the working directory.

    Args:
        data: the configuration.
        origin: where it comes from, for messages.
        flags: the flag that each key comes from, of those that come from one.

    Raises:
        ConfigError: naming the flag, or ``origin`` and the key.
    """
    known = Origin(origin, {}, "", flags or {})
    config = _validated(data, known)
    require_sound_waivers(config, known)
    require_purpose(config, known)
    return config


def _read(path: Path) -> bytes:
    if not os.path.lexists(path):
        raise ConfigError(
            "there is no such file",
            where=Place(str(path)),
            remedy="check the path; `gate init` writes one, and where a pull request is judged by its target branch, "
            "bring it there first",
        )
    with open_bytes(path, error=ConfigError) as file:
        return file.read(_MAX_BYTES + 1)


def _validated(data: object, origin: Origin) -> GateConfig:
    try:
        spec = origin.name if is_in_git(origin.name) else ""
        return GateConfig.model_validate(data, context={"base": origin.base, "spec": spec})
    except ValidationError as fault:
        raise explain(fault, data, origin) from fault
