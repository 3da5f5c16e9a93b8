"""Records put together by hand, as a reader hands them over."""

import itertools
from pathlib import Path

import pytest

from gate.errors import ScoreFileError
from gate.scores.assembly import assemble
from gate.scores.content import FileVersion, ScoreFile
from gate.scores.gathering import Gathering
from gate.scores.model import ItemStatus, Record, Run
from gate.scores.tabulation import select_metrics
from gate.scores.variants import Chosen

FILE = ScoreFile(path=Path("x"), shown="x", digest="d", first="{", version=FileVersion(1, 2, 3, 4))


def run_of(*records: Record, repeats: bool = False) -> Run:
    gathered = Gathering(FILE, None)
    for record in records:
        gathered.add(record)
    chosen = Chosen(range(len(records)))
    samples = gathered.samples(chosen, repeats=repeats, remedy="remove them")
    return assemble(FILE, "made", samples, gathered.metrics(chosen), notes=["a note"])


def test_records_become_columns_in_their_order() -> None:
    run = run_of(Record("b", {"f1": 0.5}, 1), Record("a", {"f1": ItemStatus.TIMEOUT, "em": 1.0}, 2))
    assert run.ids == ("b", "a")
    assert list(run.metrics) == ["f1", "em"]
    assert run.metrics["f1"].status.tolist() == [ItemStatus.SCORED, ItemStatus.TIMEOUT]
    assert run.metrics["em"].status.tolist() == [ItemStatus.UNSCORED, ItemStatus.SCORED]
    assert (run.source.format, run.source.digest, run.source.size) == ("made", "d", 3)
    assert run.notes == ("a note",)


def test_an_item_without_a_score_keeps_the_status_of_its_first_sample() -> None:
    run = run_of(
        Record("a", {"f1": ItemStatus.ERROR}, 1),
        Record("a", {"f1": ItemStatus.TIMEOUT}, 2),
        Record("b", {"f1": ItemStatus.ERROR}, 3),
        Record("b", {"f1": 1.0}, 4),
        repeats=True,
    )
    items = run.item_scores("f1")
    assert items.status.tolist() == [ItemStatus.ERROR, ItemStatus.SCORED]
    assert items.values.tolist()[1] == 1.0


def test_the_content_of_a_record_goes_before_inputs_and_target() -> None:
    one, other = (Record("a", {}, 1, inputs=text, content="same") for text in ("x", "y"))
    assert run_of(one).content_digests == run_of(other).content_digests
    assert run_of(one).inputs != run_of(other).inputs


def test_what_no_record_has_is_not_told_of_the_items() -> None:
    assert run_of(Record("a", {}, 1), Record("b", {}, 2)).content_fields == ()
    assert run_of(Record("a", {}, 1, target="t"), Record("b", {}, 2)).content_fields == ("target",)


def test_the_order_of_repeats_makes_no_difference_to_the_last_bit() -> None:
    scores = [0.1, 0.7, 0.3, 1e-9, 0.2, 0.6]
    runs = [
        run_of(*(Record("a", {"f1": score}, line) for line, score in enumerate(order)), repeats=True)
        for order in itertools.permutations(scores)
    ]
    assert len({run.item_scores("f1").values[0] for run in runs}) == 1


def test_groups_of_records_are_groups_of_items() -> None:
    run = run_of(
        Record("a", {}, 1, group="g"), Record("a", {}, 2, group="g"), Record("b", {}, 3, group="h"), repeats=True
    )
    assert run.groups == ("g", "h")


def test_no_record_at_all_is_an_error() -> None:
    with pytest.raises(ScoreFileError, match="the file has no items"):
        run_of()


def test_a_doubled_id_is_an_error_with_the_readers_own_remedy() -> None:
    with pytest.raises(ScoreFileError) as caught:
        run_of(Record("a", {}, 3), Record("a", {}, 9))
    assert caught.value.what == '1 id stands more than once: "a" (lines 3, 9)'
    assert caught.value.remedy == "remove them"
    assert str(caught.value.where) == "x, line 9"


def test_records_whose_metrics_hardly_overlap_are_refused() -> None:
    with pytest.raises(ScoreFileError, match="the records differ too much"):
        run_of(*(Record(str(number), {f"m{number}": 1.0}, number) for number in range(3_000)))


def test_selecting_no_metric_leaves_all_of_them() -> None:
    metrics = run_of(Record("a", {"f1": 0.5, "em": 1.0}, 1)).metrics
    assert list(select_metrics(metrics, [], FILE)) == ["f1", "em"]
    assert list(select_metrics(metrics, ["em"], FILE)) == ["em"]
