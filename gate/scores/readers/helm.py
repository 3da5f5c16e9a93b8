"""HELM's ``per_instance_stats.json``; the texts come from ``scenario_state.json`` and the task from ``run_spec.json``.

Splits and perturbations are variants; train trials and seeds are repeats of one instance.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gate.errors import ScoreFileError
from gate.scores.beside import read_beside
from gate.scores.cells import Fault, parse_value
from gate.scores.content import ScoreFile
from gate.scores.first_record import Container, FirstRecord
from gate.scores.ids import as_text, make_id
from gate.scores.model import Columns, Direction, ItemStatus, Record, Run, Wanted
from gate.scores.quoting import quote
from gate.scores.reader import Item
from gate.scores.recorded import RATE, Form, Traits, run_of_records
from gate.scores.records import iter_records
from gate.scores.strict_json import as_object, canonical
from gate.scores.tabulation import refuse_columns

NAME = "helm"

_SIGNATURE = frozenset({"instance_id", "train_trial_index", "stats"})
_REMEDY = "run helm-run again; the file must be its per_instance_stats.json"
_STATE, _SPEC = "scenario_state.json", "run_spec.json"
# as HELM's own schema describes them
_RATES = frozenset(
    {"f1_score", "f1_set_match", "rouge_1", "rouge_2", "rouge_l", "bleu_1", "bleu_4", "math_equiv"}
    | {"math_equiv_chain_of_thought", "exact_set_match", "iou_set_match", "final_number_exact_match", "code_eval_acc"}
    | {"NDCG@10", "NDCG@20", "RR@10", "RR@20", "ifeval_strict_accuracy", "chain_of_thought_correctness", "max_prob"}
    | {"test_avg", "strict_acc", "pass", "exact_match_indicator"}
)
_EXACT_MATCH = "exact_match"
# what HELM tells of every perturbation; anything else is a setting of this one
_DESCRIBED = frozenset({"name", "robustness", "fairness", "computed_on", "seed"})
_LOWER = frozenset(
    {"bits_per_byte", "perplexity", "absolute_value_difference", "distance", "inference_runtime", "toxic_frac"}
    | {"expected_max_toxicity", "max_toxicity_probability", "training_co2_cost", "training_energy_cost"}
)


class _Key(NamedTuple):
    """One answer to one instance: a trial, and a seed of the perturbation, are repeats.

    ``settings`` are the perturbation's own, such as ``suffix=pixel art``; "" where it has none.
    """

    item: str
    variant: str | None
    settings: str
    trial: str | None


class _Texts(NamedTuple):
    """What an instance asks and expects."""

    inputs: str | None
    target: str | None
    prompt: str | None
    content: str


@dataclass(slots=True)
class _Answer:
    """The scores of one answer, and the line that it was first met on."""

    line: int
    scores: dict[str, float | ItemStatus] = field(default_factory=dict)


def matches(first: FirstRecord) -> bool:
    """Whether the first record has an instance's id, its trial and a list of statistics."""
    record = first.fields
    return first.container is Container.JSON and record.keys() >= _SIGNATURE and isinstance(record["stats"], list)


def read(file: ScoreFile, wanted: Wanted) -> Run:
    """The run in a file of statistics; a statistic over nothing (count 0) is unscored.

    Raises:
        ScoreFileError: where it, or a file of the same run beside it, is not as HELM writes it.
    """
    texts = _texts(file)
    form = Form(NAME, repeats=True, remedy=_REMEDY, traits=_traits)
    return run_of_records(file, form, _records(file, texts), wanted, notes=_notes(texts), facts=_facts(file))


def read_items(file: ScoreFile, columns: Columns) -> tuple[Item, ...]:
    """The instances' inputs as scenario_state.json has them, one for each id whatever the trials and perturbations."""
    refuse_columns(columns, NAME, file)
    texts = _texts(file)
    if not texts:
        raise ScoreFileError(
            f"HELM's statistics hold no question texts, and no {_STATE} lies beside them",
            where=file.place(),
            remedy=f"keep {_STATE} of the same run in the same folder",
        )
    items: dict[str, Item] = {}
    for key, answer in _answers(file).items():
        found = texts.get(key)
        target = found.target if found else None
        items.setdefault(key.item, Item(key.item, (found.inputs if found else None) or "", answer.line, target))
    return tuple(items.values())


def _records(file: ScoreFile, texts: Mapping[_Key, _Texts]) -> Iterator[Record]:
    answers = _answers(file)
    settings: dict[str | None, set[str]] = {}
    for key in answers:
        settings.setdefault(key.variant, set()).add(key.settings)
    for key, answer in answers.items():
        # one run may perturb in one way with several settings, all under one name: six styles of drawing
        several = len(settings[key.variant]) > 1
        variant = f"{key.variant}({key.settings})" if several else key.variant
        record = Record(key.item, answer.scores, answer.line, variant=variant)
        found = texts.get(key)
        yield record if found is None else record._replace(**found._asdict())


def _answers(file: ScoreFile) -> Mapping[_Key, _Answer]:
    """The scores by answer: each of a run's metrics may have rows of its own for the same answer."""
    answers: dict[_Key, _Answer] = {}
    for line, row in iter_records(file):
        stats = row.get("stats")
        if not isinstance(stats, list):
            raise ScoreFileError("the row has no list of statistics", where=file.place(line), remedy=_REMEDY)
        item = make_id([row.get("instance_id")], is_text=False, file=file, line=line).id
        for index, stat in enumerate(stats):
            name = as_object(as_object(stat).get("name"))
            metric = name.get("name")
            if not isinstance(metric, str):
                raise ScoreFileError(
                    f"{quote(stat)} is no statistic with a name",
                    where=file.place(line, f"stats[{index}]"),
                    remedy=_REMEDY,
                )
            key = _key(item, name.get("split"), row.get("perturbation"), row.get("train_trial_index"))
            scores = answers.setdefault(key, _Answer(line)).scores
            score = _score(as_object(stat), file, line, metric)
            # two of a run's metrics may well compute the same statistic
            if scores.setdefault(metric, score) != score:
                raise ScoreFileError(
                    f"{quote(metric)} of {quote(item)} stands twice in one trial, with two values",
                    where=file.place(line, f"stats[{index}]"),
                    remedy="run helm-run again into an empty folder",
                )
    return answers


def _score(stat: Mapping[str, object], file: ScoreFile, line: int, metric: str) -> float | ItemStatus:
    if stat.get("count") == 0:
        return ItemStatus.UNSCORED
    value = stat.get("mean")
    score = parse_value(value)
    if isinstance(score, float | ItemStatus):
        return score
    what = score.value[0] if isinstance(score, Fault) else Fault.TEXT.value[0]
    raise ScoreFileError(
        f"the mean {quote(value)} {what}", where=file.place(line, f"statistic {quote(metric)}"), remedy=_REMEDY
    )


def _key(item: str, split: object, perturbation: object, trial: object) -> _Key:
    """The variant is ``split``, or ``split/perturbation``, with ``original`` or ``worst`` where HELM computed that."""
    how = as_object(perturbation)
    computed_on = how.get("computed_on")
    named = [split, how.get("name"), None if computed_on == "perturbed" else computed_on]
    settings = ", ".join(f"{name}={as_text(how[name])}" for name in sorted(how.keys() - _DESCRIBED))
    return _Key(item, "/".join(map(str, filter(None, named))) or None, settings, canonical([trial, how.get("seed")]))


def _texts(file: ScoreFile) -> Mapping[_Key, _Texts]:
    """Each answer's texts, of the first request where it took several; empty without the file that holds them."""
    found: dict[_Key, _Texts] = {}
    states = read_beside(file, _STATE).get("request_states")
    for state in map(as_object, _list(states)):
        instance = as_object(state.get("instance"))
        item, asked = as_text(instance.get("id")), instance.get("input")
        if item is None:
            continue
        key = _key(item, instance.get("split"), instance.get("perturbation"), state.get("train_trial_index"))
        if key not in found:
            references = instance.get("references")
            found[key] = _Texts(
                inputs=as_text(as_object(asked).get("text", asked)),
                target=_target(references),
                prompt=as_text(as_object(state.get("request")).get("prompt")),
                content=canonical([asked, references]),
            )
    return found


def _target(references: object) -> str | None:
    """The texts of the references that are marked as correct."""
    listed = map(as_object, _list(references))
    correct = [as_object(one.get("output")).get("text") for one in listed if "correct" in _list(one.get("tags"))]
    return as_text(correct[0] if len(correct) == 1 else correct or None)


def _facts(file: ScoreFile) -> dict[str, str]:
    spec = read_beside(file, _SPEC)
    name = as_text(spec.get("name"))
    model = as_text(as_object(spec.get("adapter_spec")).get("model"))
    # the run's name tells its model, too, but another model is still the same task
    task = None if name is None else ",".join(part for part in name.split(",") if not part.startswith("model="))
    return {fact: told for fact, told in (("task", task), ("model", model)) if told}


def _notes(texts: Mapping[_Key, _Texts]) -> Iterator[str]:
    if not texts:
        yield f"no {_STATE} lies beside the file, so that a change of the questions cannot be seen"


def _traits(metric: str) -> Traits | None:
    if metric in _LOWER:
        return Traits(direction=Direction.LOWER)
    return RATE if metric in _RATES or _EXACT_MATCH in metric else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
