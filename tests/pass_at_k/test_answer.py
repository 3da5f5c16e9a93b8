"""`gate pass-at-k` from the question to the printed page."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from gate.cli import run
from gate.errors import GateError, ScoreFileError, UsageError
from gate.pass_at_k import Question, answer, render_json, render_text
from gate.pass_at_k.calculator import Projection, Table
from gate.pass_at_k.curve import Curve
from gate.pass_at_k.plan import Plan
from gate.results import GLOSSARY
from gate.stats.beta_binomial import TaskRates

TABLE = """\
one task: 2 of its 5 samples pass

k  plug-in  unbiased  by enumeration
1    0.400     0.400             2/5
2    0.640     0.700            7/10
3    0.784     0.900            9/10
4    0.870     1.000             5/5
5    0.922     1.000             1/1

note  """


def asked(**arguments: Any) -> Any:
    return answer(Question(**arguments))


def write(path: Path, tasks: dict[str, str]) -> str:
    """A CSV file of samples: ``110-`` is two passes, a fail and a sample without a score."""
    rows = [f"{task},{i},{'' if s == '-' else s}" for task, samples in tasks.items() for i, s in enumerate(samples)]
    path.write_text("\n".join(["id,sample,passed", *rows]) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture
def results(tmp_path: Path) -> str:
    return write(tmp_path / "r.csv", {f"t{i}": s for i, s in enumerate(["1100", "0100", "1110", "0000", "1010"] * 4)})


def test_the_table_of_the_worked_example_is_printed_to_the_digit() -> None:
    assert render_text(asked(n=5, c=2, k="1:5")).startswith(TABLE)


def test_the_terms_are_explained_somewhere() -> None:
    assert render_text(asked(n=5, c=2)).endswith(f"terms {GLOSSARY}\n")
    assert json.loads(render_json(asked(n=5, c=2)))["glossary"] == GLOSSARY


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["pass-at-k", "--n", "5", "--c", "2", "--k", "1:5"]) == 0
    assert capsys.readouterr().out.startswith(TABLE)


def test_a_known_rate_is_projected_with_what_it_assumes() -> None:
    told = render_text(asked(rate=0.4, k="10"))
    assert "10            0.994" in told
    assert "it assumes that samples are independent and pass alike" in " ".join(told.split())
    assert asked(rate=0.4, k="10").rows[0].value == pytest.approx(1 - 0.6**10)
    assert [row.value for row in asked(rate=1.0).rows] == [1.0] * 4


def test_the_subsets_behind_a_figure_are_listed() -> None:
    told = render_text(asked(n=5, c=2, k="2", explain=True))
    listed = [line.split() for line in told.splitlines() if line.endswith(("  pass", "  fail"))]
    assert len(listed) == 10
    assert sum(line[-1] == "pass" for line in listed) == 7
    assert ["3", "4", "fail"] in listed
    assert "  ... 4850 more\n" in render_text(asked(n=100, c=2, k="2", explain=True))


def test_what_is_too_much_to_enumerate_is_not() -> None:
    table = asked(n=1_000_000, c=3, k="2,500000,1000000")
    assert [row.fraction for row in table.rows] == ["", "", "1/1"]
    assert "too many" in render_text(table)
    assert asked(n=450, c=3, k="2").rows[0].fraction == ""
    assert asked(n=447, c=3, k="2").rows[0].subsets == 99_681


@pytest.mark.parametrize(("n", "c"), [(6, 0), (6, 1), (6, 2), (6, 5), (6, 6), (1, 0), (1, 1)])
def test_the_enumeration_is_the_formula_also_where_what_is_left_out_is_counted(n: int, c: int) -> None:
    for row in asked(n=n, c=c, k=f"1:{n}").rows:
        assert (row.passing, row.subsets) == (math.comb(n, row.k) - math.comb(n - c, row.k), math.comb(n, row.k))


def test_subsets_of_many_samples_are_counted_by_what_they_leave_out_and_not_listed() -> None:
    table = asked(n=100_000, c=2, k="99999", explain=True)
    assert table.rows[0].fraction == "100000/100000"
    assert "k = 99999: subsets of 99999 samples are too long to list" in render_text(table)
    assert len(render_text(table)) < 2000


def test_a_small_rate_keeps_its_digits() -> None:
    assert asked(rate=1e-13, k="10").rows[0].value == pytest.approx(1e-12, rel=1e-9)


def test_more_samples_than_there_are_cannot_be_drawn() -> None:
    with pytest.raises(UsageError, match="--k 6 is more than the 5 samples there are"):
        asked(n=5, c=2, k="6")


def test_a_file_s_curve_has_an_interval_at_each_k(results: str) -> None:
    curve = asked(file=results)
    assert isinstance(curve, Curve)
    assert [row.k for row in curve.rows] == [1, 2, 3, 4]
    assert [row.pass_at_k for row in curve.rows] == pytest.approx([8 / 20, (5 / 6 + 3 / 6 + 1 + 5 / 6) / 5, 0.75, 0.8])
    assert curve.rows[3].pass_hat_k == 0.0
    for row in curve.rows:
        assert row.exact_low < row.low < row.pass_at_k < row.high
    told = render_text(curve)
    assert "passed: 20 tasks, n = 4 samples each" in told
    assert told.count("o=") == 4


def test_a_sample_without_a_score_counts_as_failed_and_n_stays(tmp_path: Path) -> None:
    lacking = asked(file=write(tmp_path / "a.csv", {"a": "1-00", "b": "-111"}), k="1,4")
    failed = asked(file=write(tmp_path / "b.csv", {"a": "1000", "b": "0111"}), k="1,4")
    assert lacking.rows == failed.rows
    assert lacking.notes == ("2 samples without a score: counted as failed, and n stays what it is",)


def test_uneven_and_unvarying_samples_are_told(tmp_path: Path) -> None:
    curve = asked(file=write(tmp_path / "a.csv", {"a": "111", "b": "00"}))
    assert [row.k for row in curve.rows] == [1, 2]
    assert curve.notes[0].startswith("tasks have 2 to 3 samples")
    assert curve.notes[1].startswith("all samples of every task agree, as at temperature 0")


def test_much_within_many_tries_and_little_within_one_is_told(tmp_path: Path) -> None:
    curve = asked(file=write(tmp_path / "a.csv", {"a": "1000", "b": "0100", "c": "0011"}), k="1,4")
    assert curve.notes[-1].startswith("pass@4 is 1.000 where a single sample passes 0.333 of the time")
    assert asked(file=write(tmp_path / "b.csv", {"a": "1110", "b": "0101"})).notes == ()


def test_a_pattern_of_two_metrics_names_none(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,base,plus\na,1,0\nb,1,1\n", encoding="utf-8")
    with pytest.raises(UsageError, match="--metric '\\*' fits 2 metrics"):
        asked(file=str(path), metric="*")
    assert asked(file=str(path), metric="pl*").metric == "plus"


def test_a_file_of_graded_scores_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("id,score\na,0.5\nb,1\n", encoding="utf-8")
    with pytest.raises(ScoreFileError, match="samples that pass or fail"):
        asked(file=str(path))
    with pytest.raises(GateError):
        asked(file=str(tmp_path / "none.csv"))


def test_a_plan_says_how_many_tasks_each_number_of_samples_needs() -> None:
    plan = asked(plan=True, rate=0.4, k="5", half_width=0.05, tasks=300)
    assert isinstance(plan, Plan)
    assert [need.n for need in plan.needs] == [5, 10, 15, 25, 50, 100, None]
    rates = TaskRates(0.4, 0.5)
    for need in plan.needs[:-1]:
        assert need.n is not None
        width = 1.959964 * (rates.variance(need.n, 5) / need.tasks) ** 0.5
        assert width <= 0.05 < 1.959964 * (rates.variance(need.n, 5) / (need.tasks - 1)) ** 0.5
    assert plan.samples is not None
    assert 1.959964 * (rates.variance(plan.samples, 5) / 300) ** 0.5 <= 0.05
    assert 1.959964 * (rates.variance(plan.samples - 1, 5) / 300) ** 0.5 > 0.05
    assert f"300 tasks need {plan.samples} samples each" in render_text(plan)


def test_where_no_number_of_samples_does_the_plan_says_so() -> None:
    plan = asked(plan=True, rate=0.4, k="5", half_width=0.05, tasks=100)
    assert plan.samples is None
    assert "100 tasks are too few: 10000 samples of each would not do" in render_text(plan)


def test_a_pilot_tells_its_own_rates(results: str) -> None:
    plan = asked(plan=True, file=results, k="2", half_width=0.1)
    assert (plan.rate, plan.rho_origin, plan.tasks) == (pytest.approx(0.4), "measured", None)
    assert "samples pass 0.400 of the time" in render_text(plan)


def test_a_plan_for_more_samples_than_the_pilot_has_says_that_it_is_a_guess(results: str) -> None:
    beyond, within = (asked(plan=True, file=results, k=k, half_width=0.1) for k in ("5", "4"))
    assert "the pilot's tasks have at most 4 samples: pass@5 is what tasks would have" in render_text(beyond).replace(
        "\n      ", " "
    )
    assert "the pilot's" not in render_text(within)
    assert "the pilot's" not in render_text(asked(plan=True, rate=0.5, k="5", half_width=0.1))


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        ({"rate": 1.0, "k": "5"}, "leaves nothing to measure"), ({"rate": 0.5, "k": "501"}, "too large for a plan"),
        ({"rate": 1 - 1e-16, "k": "5"}, "leaves nothing to measure"), ({"rate": 1e-300, "k": "5"}, "leaves nothing"),
    ],
)  # fmt: skip
def test_what_cannot_be_planned_is_refused(arguments: dict[str, Any], what: str) -> None:
    with pytest.raises(UsageError, match=what):
        asked(plan=True, half_width=0.1, **arguments)


def test_a_pilot_that_shows_no_spread_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScoreFileError, match="does not show how tasks and their samples vary"):
        asked(plan=True, file=write(tmp_path / "a.csv", {"a": "1", "b": "0"}), k="1", half_width=0.1)
    with pytest.raises(ScoreFileError, match="does not show how tasks and their samples vary"):
        asked(plan=True, file=write(tmp_path / "b.csv", {"a": "1100"}), k="1", half_width=0.1)


@pytest.mark.parametrize(
    "arguments", [{"n": 5, "c": 2}, {"rate": 0.4}, {"plan": True, "rate": 0.4, "k": "5", "half_width": 0.05}]
)
def test_the_same_stands_in_json(arguments: dict[str, Any]) -> None:
    found = asked(**arguments)
    fields = json.loads(render_json(found))
    assert fields["kind"] == {Table: "table", Projection: "projection", Plan: "plan"}[type(found)]
    assert render_json(asked(**arguments)) == render_json(found)
