"""Runs an entrance of the gate, and makes a file once a function is reached: a script of a test."""

import importlib
import signal
import sys
from pathlib import Path
from typing import Any


def main(entrance: str, function: str, begun: Path) -> None:
    """Call the entrance's ``main`` with the function told."""
    # a shell may have started us in the background, where SIGINT is ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    module_name, name = function.split(":")
    module = importlib.import_module(module_name)
    told = getattr(module, name)

    def tell(*args: Any, **options: Any) -> Any:
        begun.touch()
        return told(*args, **options)

    setattr(module, name, tell)
    sys.argv[1:] = sys.argv[4:]
    importlib.import_module(f"{entrance}.__main__").main()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
