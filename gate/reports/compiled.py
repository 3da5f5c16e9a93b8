"""Templates compiled ahead of time: the image makes the folders, so that no run of it compiles them again."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    from jinja2 import Environment, FileSystemBytecodeCache


def bytecode_cache(folder: Path) -> "FileSystemBytecodeCache | None":
    """What reads the folder; None where there is none, so that nothing is ever written beside the templates."""
    from jinja2 import FileSystemBytecodeCache  # noqa: PLC0415  # only reports by template need it

    return FileSystemBytecodeCache(str(folder)) if folder.is_dir() else None


def compile_all(environment: "_lru_cache_wrapper[Environment]", folder: Path) -> None:
    """Compile all templates of an environment into the folder; jinja2 compiles anew what has changed since."""
    folder.mkdir(exist_ok=True)
    environment.cache_clear()
    for name in environment().list_templates(extensions=["j2"]):
        environment().get_template(name)
    for compiled in folder.iterdir():
        # jinja2 writes them for its own user alone, and the image runs as any
        compiled.chmod(0o644)
