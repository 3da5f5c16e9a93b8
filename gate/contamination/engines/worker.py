"""The process of a local worker: builds the index once, then scans shard after shard."""

import pickle
from contextlib import suppress

from gate.contamination.engines.base import Job, Scanner
from gate.contamination.engines.child import take_over
from gate.contamination.shipping import parse_index
from gate.errors import GateError, Place


def main() -> None:
    """Answer each shard with its outcome, until there is none left."""
    pipe, told = take_over()
    index, fields = pickle.loads(told)  # noqa: S301  # from the process that started this one
    # where the other end of the pipe is gone, nobody waits for an answer
    with suppress(EOFError, OSError):
        try:
            scanner = Scanner(Job(parse_index(index, Place("the eval")), fields))
        except GateError as fault:
            pipe.send(fault)
            return
        while (shard := pipe.recv()) is not None:
            pipe.send(scanner.outcome(shard))


if __name__ == "__main__":
    main()
