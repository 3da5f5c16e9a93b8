import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores import read_items, read_run
from gate.scores.model import Direction, ItemStatus, Run, Scale, Wanted

Read = Callable[..., Run]
Refused = Callable[..., ScoreFileError]

SAMPLE = Path(__file__).parent.parent / "samples" / "helm" / "per_instance_stats.json"


def stat(name: str, value: float | None, split: str = "test") -> dict[str, object]:
    given = {"count": 0} if value is None else {"count": 1, "sum": value, "mean": value}
    return {"name": {"name": name, "split": split}, **given}


def row(item: str, *stats: object, trial: int = 0, **more: object) -> dict[str, object]:
    return {"instance_id": item, "train_trial_index": trial, "stats": list(stats), **more}


def state(item: str, text: str, correct: str = "a", prompt: str = "p", **more: object) -> dict[str, object]:
    references = [{"output": {"text": one}, "tags": ["correct"] if one == correct else []} for one in "ab"]
    return {
        "instance": {"id": item, "split": "test", "input": {"text": text}, "references": references, **more},
        "train_trial_index": 0,
        "request": {"prompt": prompt},
    }


@pytest.fixture
def read_beside(tmp_path: Path) -> Callable[..., Run]:
    """Read rows of statistics with these request states, and this specification of the run, in the same folder."""

    def read_rows(rows: list[object], states: object = None, spec: object = None) -> Run:
        (tmp_path / "per_instance_stats.json").write_text(json.dumps(rows))
        if states is not None:
            (tmp_path / "scenario_state.json").write_text(json.dumps({"adapter_spec": {}, "request_states": states}))
        if spec is not None:
            (tmp_path / "run_spec.json").write_text(json.dumps(spec))
        return read_run(tmp_path / "per_instance_stats.json")

    return read_rows


def test_what_helm_0_5_16_wrote_is_read_by_split_and_perturbation() -> None:
    with pytest.raises(ScoreFileError, match='3 variants: "test", "test/typos", "valid"'):
        read_run(SAMPLE)
    run = read_run(SAMPLE, Wanted(variant="test"))
    assert (run.source.format, run.ids, run.n_samples) == ("helm", ("id1", "id3"), 4)
    assert run.item_scores("exact_match").values.tolist() == [0.5, 0.0]
    assert run.inputs == ("Is 1 odd?", "Is 3 odd?")
    assert run.facts == {"task": "made_up:subject=odd", "model": "made/up"}
    typos = read_run(SAMPLE, Wanted(variant="test/typos"))
    assert typos.inputs == ("Is 1 od?", "Is 3 od?")


def test_the_rows_of_several_metrics_are_of_the_same_sample_and_a_dropped_nan_is_unscored() -> None:
    run = read_run(SAMPLE, Wanted(variant="test"))
    assert list(run.metrics) == ["exact_match", "training_co2_cost", "num_references", "f1_score"]
    assert run.metrics["f1_score"].status.tolist().count(ItemStatus.UNSCORED) == 1
    assert run.metrics["exact_match"].status.tolist() == [ItemStatus.SCORED] * 4


def test_a_statistic_over_nothing_is_unscored(read: Read) -> None:
    run = read(json.dumps([row("id1", stat("exact_match", 1.0)), row("id2", stat("exact_match", None))]))
    assert run.metrics["exact_match"].status.tolist() == [ItemStatus.SCORED, ItemStatus.UNSCORED]


def test_scale_and_direction_are_as_helms_schema_has_them(read: Read) -> None:
    stats = [stat(name, 0.5) for name in ("quasi_exact_match@5", "bits_per_byte", "num_references")]
    metrics = read(json.dumps([row("id1", *stats)])).metrics
    assert {name: (column.scale, column.direction) for name, column in metrics.items()} == {
        "quasi_exact_match@5": (Scale(0.0, 1.0), Direction.HIGHER),
        "bits_per_byte": (None, Direction.LOWER),
        "num_references": (None, None),
    }


def test_seeds_of_a_perturbation_are_repeats(read: Read) -> None:
    rows = [row("id1", stat("f1_score", 0.5), perturbation={"name": "typos", "seed": seed}) for seed in (1, 2)]
    run = read(json.dumps(rows))
    assert (run.n_items, run.n_samples) == (1, 2)


def styled(item: str, style: str, value: float, **more: object) -> dict[str, object]:
    """A row as HELM 0.5.16 writes it under ``data_augmentation=art``: every style has the name of all."""
    how = {"name": "style", "robustness": False, "fairness": False, "computed_on": "perturbed", "suffix": style}
    return row(item, stat("exact_match", value), perturbation=how | more)


def test_settings_of_one_perturbation_are_variants_of_their_own_even_where_the_scores_agree(refused: Refused) -> None:
    rows = [row("id1", stat("exact_match", 1.0)), styled("id1", "animation", 1.0), styled("id1", "pixel art", 1.0)]
    told = '3 variants: "test", "test/style(suffix=animation)", "test/style(suffix=pixel art)"'
    assert told in refused(json.dumps(rows)).what


def test_each_setting_has_its_own_scores_and_texts(tmp_path: Path) -> None:
    rows = [styled("id1", "animation", 1.0), styled("id1", "pixel art", 0.0)]
    states = [
        state("id1", text=f"a cat, {style}", perturbation={"name": "style", "suffix": style})
        for style in ("animation", "pixel art")
    ]
    (tmp_path / "per_instance_stats.json").write_text(json.dumps(rows))
    (tmp_path / "scenario_state.json").write_text(json.dumps({"request_states": states}))
    run = read_run(tmp_path / "per_instance_stats.json", Wanted(variant="*pixel art)"))
    assert (run.metrics["exact_match"].values.tolist(), run.inputs) == ([0.0], ("a cat, pixel art",))


def test_a_perturbation_with_one_setting_throughout_goes_by_its_name_alone(refused: Refused) -> None:
    rows = [row("id1", stat("exact_match", 1.0)), styled("id1", "animation", 1.0), styled("id2", "animation", 0.0)]
    assert refused(json.dumps(rows)).what.endswith('2 variants: "test", "test/style"')


def test_what_is_computed_on_the_worst_case_is_a_variant_of_its_own(refused: Refused) -> None:
    rows = [
        row("id1", stat("f1_score", 0.5), perturbation={"name": "typos", "computed_on": how})
        for how in ("perturbed", "worst")
    ]
    assert '"test/typos", "test/typos/worst"' in refused(json.dumps(rows)).what


def test_without_the_scenario_state_the_items_have_no_texts_and_a_note_says_so(read: Read) -> None:
    run = read(json.dumps([row("id1", stat("exact_match", 1.0))]))
    assert (run.inputs, run.content_digests) == (None, None)
    assert any("no scenario_state.json" in note for note in run.notes)


@pytest.mark.parametrize(
    ("change", "same_content", "same_prompt"),
    [
        ({}, True, True),
        ({"text": "other"}, False, True),
        ({"correct": "b"}, False, True),
        ({"prompt": "another template"}, True, False),
    ],
)
def test_input_and_references_identify_an_instance_and_the_prompt_does_not(
    read_beside: Callable[..., Run], change: dict[str, str], same_content: bool, same_prompt: bool
) -> None:
    rows = [row("id1", stat("exact_match", 1.0))]
    one = read_beside(rows, [state("id1", text="q")])
    other = read_beside(rows, [state("id1", **({"text": "q"} | change))])
    assert (one.content_digests == other.content_digests) is same_content
    assert (one.prompt_digests == other.prompt_digests) is same_prompt
    assert not any("scenario_state" in note for note in one.notes)


def test_the_model_is_no_part_of_the_task(read_beside: Callable[..., Run]) -> None:
    rows = [row("id1", stat("exact_match", 1.0))]
    run = read_beside(rows, spec={"name": "mmlu:subject=x,model=y,k=1", "adapter_spec": {"model": "y"}})
    assert run.facts == {"task": "mmlu:subject=x,k=1", "model": "y"}


def test_a_broken_file_beside_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "per_instance_stats.json"
    path.write_text(json.dumps([row("id1", stat("exact_match", 1.0))]))
    (tmp_path / "scenario_state.json").write_text('{"request_states": [')
    with pytest.raises(ScoreFileError) as caught:
        read_run(path)
    assert str(tmp_path / "scenario_state.json") in str(caught.value.where)


def test_one_statistic_with_two_values_is_an_error_and_with_one_value_is_not(read: Read, refused: Refused) -> None:
    assert read(json.dumps([row("id1", stat("a", 1.0), stat("a", 1.0))])).n_samples == 1
    fault = refused(json.dumps([row("id1", stat("a", 1.0), stat("a", 0.0))]))
    assert fault.what == '"a" of "id1" stands twice in one trial, with two values'
    assert str(fault.where).endswith("stats[1]")


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([row("id1", {"name": "a"})], "is no statistic with a name"),
        ([row("id1", 3)], "is no statistic with a name"),
        ([row("id1", {"name": {"name": "a"}, "count": 1, "mean": "x"})], "is not a score"),
        ([row("id1", {"name": {"name": "a"}, "count": 1, "mean": [1]})], "is an object or a list"),
        ([row("id1"), {"instance_id": "id2", "stats": {}}], "no list of statistics"),
        ([row("id1", stat("a", 1.0)), row("", stat("a", 1.0))], "the row has no id"),
    ],
)
def test_anything_of_the_wrong_kind_is_an_error_with_its_line(refused: Refused, rows: list[object], what: str) -> None:
    fault = refused("[" + ",\n".join(map(json.dumps, rows)) + "]")
    assert what in fault.what
    assert fault.where is not None
    assert fault.where.line == len(rows)


@pytest.mark.parametrize(
    "content",
    [
        json.dumps([stat("exact_match", 0.5)]),
        '{"adapter_spec": {}, "request_states": []}',
        '{\n"name": "x", "scenario_spec": {}, "adapter_spec": {}}',
    ],
)
def test_the_other_files_of_a_run_are_refused_with_the_right_ones_name(refused: Refused, content: str) -> None:
    assert "per_instance_stats.json" in refused(content).remedy


def test_the_questions_are_those_of_the_scenario_state(write: Callable[[str], Path]) -> None:
    assert [item.text for item in read_items(SAMPLE)] == ["Is 1 odd?", "Is 3 odd?", "Is 5 odd?"]
    with pytest.raises(ScoreFileError, match="hold no question texts"):
        read_items(write(json.dumps([row("id1", stat("exact_match", 1.0))])))
