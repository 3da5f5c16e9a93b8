"""What promptfoo's JSON and CSV share: a test's vars name its item, a prompt under a provider is a variant."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from gate.scores.content import ScoreFile
from gate.scores.ids import as_text, make_id
from gate.scores.roles import INPUTS_NAMES, guess
from gate.scores.strict_json import canonical

_LONGEST_LABEL = 60


class Column(NamedTuple):
    """A prompt under a provider, as promptfoo's table shows it."""

    provider: str
    prompt: str


def label_columns(columns: Iterable[Column]) -> list[Column]:
    """The columns with short labels, a label that is the prompt's whole text cut, and equal ones numbered."""
    seen: Counter[Column] = Counter()
    labelled = []
    for column in columns:
        short = Column(_shortened(column.provider), _shortened(column.prompt))
        seen[short] += 1
        labelled.append(short if seen[short] == 1 else short._replace(prompt=f"{short.prompt} ({seen[short]})"))
    return labelled


def _shortened(label: str) -> str:
    plain = " ".join(label.split())
    return plain if len(plain) <= _LONGEST_LABEL else plain[:_LONGEST_LABEL].rstrip() + "..."


def name_test(test_vars: Mapping[str, object], file: ScoreFile, line: int, *, tell_apart: str | None = None) -> str:
    """The id of a test: a hash of its vars as text, and of what tells tests with the same vars apart."""
    named = {name: text for name, value in test_vars.items() if (text := as_text(value)) is not None}
    parts = [canonical(named), *([] if tell_apart is None else [tell_apart])]
    return make_id(parts, is_text=True, file=file, line=line).id


def question_of(test_vars: Mapping[str, object]) -> str | None:
    """The var that asks: the only one, or one by its name, or else all of them as JSON."""
    name = next(iter(test_vars)) if len(test_vars) == 1 else guess(INPUTS_NAMES, list(test_vars))
    return as_text(test_vars[name]) if name is not None else as_text(dict(test_vars) or None)
