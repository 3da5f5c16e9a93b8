"""Compiles the contamination scan's kernel where there is a C compiler; where there is none, gate installs without it.

`python hatch_build.py [FLAG...]` does it in place, for the source tree at hand, with more flags for the compiler.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags

ROOT = Path(__file__).parent
SOURCE = ROOT / "gate" / "contamination" / "compiled.c"
LIBRARY = SOURCE.with_name("_compiled.so")
# Set to 1, no compiler is looked for.
PURE = "GATE_PURE"
_FLAGS = ("-O3", "-std=c11", "-Wall", "-Wextra", "-fPIC", "-shared", "-fvisibility=hidden")


class CompileError(Exception):
    """The compiler there is does not compile the kernel; its text is what the compiler said."""


class CompiledKernel(BuildHookInterface[Any]):
    """Puts the library into the wheel, or beside its source in an editable installation."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; what goes wrong is told, and the wheel is built without."""
        target = LIBRARY
        if version != "editable":
            self._folder = TemporaryDirectory()
            target = Path(self._folder.name) / LIBRARY.name
        told = compile_if_possible(target)
        self.app.display_info(told)
        if target.exists() and version != "editable":
            build_data["force_include"][str(target)] = str(LIBRARY.relative_to(ROOT))
        if target.exists():
            # no module of Python's: any version of it can load the library, on this platform alone
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{next(iter(platform_tags()))}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Clear up."""
        del build_data, artifact_path
        if version != "editable":
            self._folder.cleanup()


def compiler(environ: Mapping[str, str] = os.environ) -> list[str] | None:
    """The command of the C compiler there is: CC, the one that Python was built with, or one by its usual name."""
    if environ.get(PURE) == "1":
        return None
    named = (environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang")
    commands = [shlex.split(name) for name in named if name]
    return next((command for command in commands if command and shutil.which(command[0])), None)


def compile_kernel(command: list[str], target: Path, *, flags: tuple[str, ...] = ()) -> None:
    """Compile the library, which tells by its digest which source it is from.

    Args:
        command: the compiler's.
        target: where it is to stand; put there as a whole, because processes may have the old one open.
        flags: more of them for the compiler.

    Raises:
        CompileError: where the compiler refuses.
    """
    digest = hashlib.sha256(SOURCE.read_bytes()).hexdigest()
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    arguments = [*command, *_FLAGS, *flags, f'-DGATE_SOURCE="{digest}"', "-o", str(fresh), str(SOURCE)]
    ran = subprocess.run(arguments, capture_output=True, text=True, check=False)  # noqa: S603  # the user's compiler
    if ran.returncode:
        raise CompileError(ran.stderr)
    fresh.replace(target)


def compile_if_possible(target: Path, *, flags: tuple[str, ...] = ()) -> str:
    """Compile the library, or leave none behind; a sentence about which of the two."""
    target.unlink(missing_ok=True)
    command = compiler()
    if command is None:
        return "gate: no C compiler, so the contamination scan runs on numpy alone, and finds the same"
    try:
        compile_kernel(command, target, flags=flags)
    except (CompileError, OSError) as fault:
        return f"gate: {command[0]} fails, so the contamination scan runs on numpy alone, and finds the same: {fault}"
    return f"gate: the contamination scan's kernel is compiled by {command[0]}"


if __name__ == "__main__":
    print(compile_if_possible(LIBRARY, flags=tuple(sys.argv[1:])))  # noqa: T201  # a script
    sys.exit(not LIBRARY.exists())
