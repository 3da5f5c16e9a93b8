"""Runs an entrance of the gate, and makes a file once a function is reached: a script of a test."""

import importlib
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def main(entrance: str, function: str, begun: Path) -> None:
    """Call the entrance's ``main`` with the function told."""
    # a shell may have started us in the background, where SIGINT is ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv[1:] = sys.argv[4:]
    door: Any = importlib.import_module(f"{entrance}.__main__")
    if not hasattr(door, "attend"):
        tell_of(function, begun)
    else:
        # in the process that works: the one that waits is light, and ends quickly
        attend = door.attend

        def attend_told(work: Callable[[], int]) -> int:
            def told() -> int:
                tell_of(function, begun)
                return work()

            code: int = attend(told)
            return code

        door.attend = attend_told
    door.main()


def tell_of(function: str, begun: Path) -> None:
    """Make the file as soon as the function is called."""
    module_name, name = function.split(":")
    module = importlib.import_module(module_name)
    called = getattr(module, name)

    def tell(*args: Any, **options: Any) -> Any:
        begun.touch()
        return called(*args, **options)

    setattr(module, name, tell)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
