"""What promptfoo's JSON and CSV share: a test's vars name its item, a prompt under a provider is a variant."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from gate.scores.content import ScoreFile
from gate.scores.ids import as_text, make_id
from gate.scores.roles import INPUTS_NAMES, guess
from gate.scores.strict_json import canonical

_LONGEST_LABEL = 60

_FILE = r"\.(?:txt|md|json|jsonl|ya?ml|j2|py)"
# of a prompt's text promptfoo makes the label `FILE: text`, with a label of the user's `LABEL: FILE: text`, or
# `LABEL: json` where a file holds several; bounded, for a label may be a whole hostile text
_BEFORE_TEXT = re.compile(
    rf"([^\n]{{1,250}}?): (?:[^\n]{{0,250}}?{_FILE}: |\[?\{{\s*\")|([^\n]{{0,250}}?{_FILE}): |(Prompt \d{{1,9}}) - "
)
# a template, a text of several lines, or the path that early versions put for a long text, another on each machine
_TEXT = re.compile(r"\{\{|\{%|\n|\A(?:/|[A-Za-z]:\\)")


class Column(NamedTuple):
    """A prompt under a provider, as promptfoo's table shows it."""

    provider: str
    prompt: str


def label_columns(columns: Sequence[Column], texts: Collection[str] = (), *, ordered: bool = True) -> list[Column]:
    """The columns with short labels that an edit of a prompt leaves as they are, and equal ones numbered.

    Args:
        columns: in the order of the configuration.
        texts: labels that are known to be the prompt's own text; others are known by their form.
        ordered: whether the order is known; where it is not, a prompt's text is all that can name it.
    """
    prompts = dict.fromkeys(column.prompt for column in columns)
    labels = {
        prompt: _given_label(prompt, is_text=prompt in texts) or (f"prompt {number}" if ordered else prompt)
        for number, prompt in enumerate(prompts, 1)
    }
    seen: Counter[Column] = Counter()
    labelled = []
    for column in columns:
        short = Column(_shortened(column.provider), _shortened(labels[column.prompt]))
        seen[short] += 1
        labelled.append(short if seen[short] == 1 else short._replace(prompt=f"{short.prompt} ({seen[short]})"))
    return labelled


def _given_label(prompt: str, *, is_text: bool) -> str | None:
    """What of a label is the user's or the file's name; None where promptfoo took the prompt's text."""
    if is_text:
        return None
    if found := _BEFORE_TEXT.match(prompt):
        return found[found.lastindex or 0]
    return None if _TEXT.search(prompt.strip()) else prompt


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
