"""Lists and objects that pandas writes into a CSV file's cell as Python would: ``[{'role': 'user'}]``."""

import ast
import warnings

from gate.errors import Place, ScoreFileError
from gate.scores.strict_json import canonical

_LONGEST = 2_000_000


def parse_literal(cell: str, place: Place, *, remedy: str) -> object:
    """The value that the cell shows; ScoreFileError where it shows none that JSON could hold, or a very long one."""
    try:
        if len(cell) <= _LONGEST:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a doubtful escape in foreign text is no matter of the user's
                value = ast.literal_eval(cell)
            canonical(value)  # Python knows values that JSON does not
            return value
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError, ScoreFileError):
        pass
    raise ScoreFileError("what stands in this cell cannot be read as a list or an object", where=place, remedy=remedy)
