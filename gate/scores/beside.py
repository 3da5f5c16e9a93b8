"""Another file of the same run, which a tool writes into the folder of its scores, or gate itself beside them."""

import re
from collections.abc import Mapping

from gate.scores.content import ScoreFile, open_score_file
from gate.scores.strict_json import as_object, parse_document

PROMOTION = ".promotion.json"
"""How the name of the file ends that ``gate promote`` writes beside a baseline: no scores are in it."""
_NAMES = re.compile(r"results_.*\.json|scenario_state\.json|run_spec\.json", re.DOTALL)


def is_read_beside(name: str) -> bool:
    """Whether a file of this name is one that a reader may look for."""
    return _NAMES.fullmatch(name) is not None


def read_beside(file: ScoreFile, name: str) -> Mapping[str, object]:
    """The JSON object in the file of this name, from the same folder; empty where there is none.

    Raises:
        ScoreFileError: where it is there and cannot be read; it is shown as the user wrote the folder.
    """
    path = file.path.with_name(name)
    if not path.is_file():
        return {}
    folder = file.shown[: len(file.shown) - len(file.path.name)] if file.shown.endswith(file.path.name) else ""
    return as_object(parse_document(open_score_file(path, folder + name)))
