"""Which column of a plain file plays which part: as the user maps it, or by a closed list of usual names."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gate.errors import Place, ScoreFileError
from gate.scores.model import Columns
from gate.scores.quoting import did_you_mean, quote, quoted_listing

# Only what a data set carries: an answer, a response or a label may be the model's own, new in every run.
ID_NAMES = (
    *("id", "item_id", "task_id", "question_id", "example_id"),
    *("sample_id", "doc_id", "case_id", "instance_id", "key", "name"),
)
INPUTS_NAMES = ("question", "input", "inputs", "query", "user_input", "instruction", "text")
TARGET_NAMES = (
    *("target", "truth", "expected", "expected_output", "expected_answer"),
    *("reference", "reference_answer", "ground_truth", "gold"),
)
# A group widens the intervals to what its few clusters can tell, so a mere category is none.
GROUP_NAMES = ("group", "group_id", "cluster", "cluster_id", "passage_id")
SAMPLE_NAMES = ("sample", "epoch")
PROMPT_NAMES = ("prompt",)
# Full of numbers at times, and yet no scores.
NEVER_METRICS = frozenset(
    {
        *(*ID_NAMES, *INPUTS_NAMES, *TARGET_NAMES, *GROUP_NAMES, *SAMPLE_NAMES, *PROMPT_NAMES),
        *("answer", "response", "output", "completion", "prediction", "generation", "label"),
        *("actual_output", "model_output", "model_answer", "index", "row", "seed", "timestamp"),
    }
)
ALWAYS_METRIC = "score"
_UNNAMED = "unnamed:"


@dataclass(frozen=True, slots=True)
class Roles:
    """Column names by part.

    Attributes:
        id: the columns that together identify an item; empty where there is none.
        id_is_text: they hold the data set's own text, so that the id must be a hash of it.
        guessed: parts that were guessed, with the column, for the notes.
    """

    id: tuple[str, ...]
    id_is_text: bool
    group: str | None
    sample: str | None
    inputs: str | None
    target: str | None
    prompt: str | None
    stratum: str | None
    weight: str | None
    guessed: Mapping[str, str]

    @property
    def taken(self) -> frozenset[str]:
        """Every column that plays a part, and so is no metric."""
        parts = (self.group, self.sample, self.inputs, self.target, self.prompt, self.stratum, self.weight)
        return frozenset([*self.id, *(name for name in parts if name is not None)])


def resolve_roles(names: Sequence[str], columns: Columns, scores: Collection[str], place: Place) -> Roles:
    """Give each part its column.

    Args:
        names: the file's columns.
        columns: the user's mapping; what it leaves open is guessed.
        scores: columns that are asked for as scores, and so play no other part by guess.
        place: the file's header, for errors.

    Raises:
        ScoreFileError: where a mapped column does not exist.
    """
    mapped = {
        "group": columns.group, "sample": columns.sample, "inputs": columns.inputs,
        "target": columns.target, "prompt": columns.prompt, "stratum": columns.stratum, "weight": columns.weight,
    }  # fmt: skip
    wanted = [*(columns.id or ()), *(name for name in mapped.values() if name is not None)]
    require_columns(wanted, names, place)
    free = [name for name in names if name not in {*mapped.values(), *scores}]
    guesses = {
        "group": GROUP_NAMES, "sample": SAMPLE_NAMES, "inputs": INPUTS_NAMES,
        "target": TARGET_NAMES, "prompt": PROMPT_NAMES, "stratum": (), "weight": (),
    }  # fmt: skip
    guessed = {part: name for part, known in guesses.items() if mapped[part] is None and (name := guess(known, free))}
    # an id column may well be the question or the group too; but what is part of the id cannot number repeats
    if guessed.get("sample") in (columns.id or ()):
        del guessed["sample"]
    parts = {part: mapped[part] or guessed.get(part) for part in mapped}
    ids = columns.id
    if ids is None:
        found = guess(ID_NAMES, free) or parts["inputs"]
        ids = () if found is None else (found,)
        if ids:
            guessed["id"] = ids[0]
    is_text = not {parts["inputs"], parts["target"]}.isdisjoint(ids)
    return Roles(id=ids, id_is_text=is_text, guessed=guessed, **parts)


def guess(known: Sequence[str], names: Sequence[str]) -> str | None:
    """The column with the earliest of the known names; case, hyphens and spaces do not count."""
    by_plain_name: dict[str, str] = {}
    for name in names:
        by_plain_name.setdefault(plain_name(name), name)
    return next((by_plain_name[candidate] for candidate in known if candidate in by_plain_name), None)


def plain_name(name: str) -> str:
    """The name in lower case, with underscores for spaces and hyphens."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def can_be_metric(name: str) -> bool:
    """Whether a column may be taken for a metric without being named as one."""
    return plain_name(name) not in NEVER_METRICS and not name.lower().startswith(_UNNAMED)


def require_columns(wanted: Sequence[str], names: Sequence[str], place: Place) -> None:
    """Raise ScoreFileError at the first wanted column that the file lacks."""
    for name in wanted:
        if name not in names:
            raise ScoreFileError(
                f"there is no column {quote(name)}{did_you_mean(name, names)}",
                where=place,
                remedy=f"name one of the file's columns: {quoted_listing(names)}",
            )
