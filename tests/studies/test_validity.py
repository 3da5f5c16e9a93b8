"""The study: its limits can be broken, its page is the code's own, its results do not depend on who computes them."""

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from studies.validity import bounds, comparisons, drift, figure, gates
from studies.validity.__main__ import SECTIONS
from studies.validity.distributions import DISTRIBUTIONS, BetaWithZeros, Marks
from studies.validity.models import MODELS, drop_by
from studies.validity.study import Cell, Measures, Rate, percent

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "validity.md").read_text(encoding="utf-8")


def results_with(**rates: float) -> dict[Cell, Measures]:
    """Every cell of the study, each with the rates that are given, else with harmless ones."""
    harmless = {"passes": 0.02, "covers": 0.96, "shown": 0.02, "fails": 0.01, "warns": 0.01, "block": 0.02}
    shares = {**harmless, **rates}
    measures = {
        **{
            f"{method} {what}": Rate(shares[what])
            for method in ("exact", "bootstrap", "t")
            for what in ("passes", "covers")
        },
        **{name: Rate(shares[name]) for name in ("shown", "fails", "warns", "block")},
    }
    return {cell: measures for section in SECTIONS.values() for cell in section.cells}


@pytest.mark.parametrize(
    ("rates", "section", "told"),
    [
        ({"passes": 0.027}, bounds.SECTION, "exact passes 2.7 % of runs just under the bar"),
        ({"covers": 0.94}, bounds.SECTION, "exact covers the mean in 94.0 % only"),
        ({"shown": 0.03}, comparisons.SECTION, "regression is shown in 3.0 % of unchanged runs"),
        ({"fails": 0.02}, drift.SECTION, "calibrated drift alarms in 3.0 % of unchanged runs"),
        ({"block": 0.06}, gates.SECTION, "the gate blocks 6.0 % of unchanged runs"),
    ],
)
def test_a_broken_limit_is_told(rates: dict[str, float], section: str, told: str) -> None:
    assert all(fault.startswith(told) for fault in SECTIONS[section].faults(results_with(**rates), False))
    assert SECTIONS[section].faults(results_with(**rates), False)


def test_nothing_is_told_where_all_limits_hold() -> None:
    assert [fault for section in SECTIONS.values() for fault in section.faults(results_with(), True)] == []


@pytest.mark.parametrize(("share", "runs", "over"), [(0.03, None, True), (0.03, 200, False), (0.08, 200, True)])
def test_a_simulated_rate_is_over_its_limit_by_more_than_chance_explains(
    share: float, runs: int | None, over: bool
) -> None:
    assert Rate(share, runs).is_over(0.025) is over


def test_a_limit_without_allowance_takes_a_rate_as_it_is() -> None:
    assert Rate(0.0261, 100).is_over(0.026, by_chance=False)


def test_a_cell_draws_the_same_numbers_whoever_measures_it() -> None:
    cell = Cell(comparisons.SECTION, "0 / 0.5 / 1", 20)
    assert comparisons.measure(cell, True) == comparisons.measure(cell, True)
    assert cell.rng().random() != cell._replace(n=50).rng().random()


@pytest.mark.parametrize("name", [name for name, marks in DISTRIBUTIONS.items() if isinstance(marks, Marks)])
def test_enumerated_samples_are_all_of_one_size_and_have_the_true_mean(name: str) -> None:
    marks = DISTRIBUTIONS[name]
    assert isinstance(marks, Marks)
    samples = list(marks.enumerate_samples(12))
    assert {sample.scores.size for sample in samples} == {12}
    assert sum(sample.probability for sample in samples) == pytest.approx(1.0)
    mean = sum(sample.probability * float(sample.scores.mean()) for sample in samples)
    assert mean == pytest.approx(marks.mean, abs=1e-6)


def test_drawn_scores_have_the_true_mean() -> None:
    scores = BetaWithZeros(40, 4, 0.03)
    assert scores.draw(200_000, np.random.default_rng(0)).mean() == pytest.approx(scores.mean, abs=0.002)


@pytest.mark.parametrize("name", MODELS)
def test_nothing_changes_between_the_runs_of_a_model_until_the_drop(name: str) -> None:
    rng = np.random.default_rng(3)
    pair = MODELS[name](50_000, rng)
    top = 10.0 if pair.baseline.max() > 1 else 1.0
    assert pair.differences.mean() == pytest.approx(0.0, abs=0.01 * top)
    assert drop_by(pair, 0.05 * top, rng).differences.mean() == pytest.approx(-0.05 * top, abs=0.01 * top)


def test_the_figure_is_well_formed_and_describes_itself() -> None:
    root = ET.fromstring(figure.draw(results_with()))  # noqa: S314  # the study wrote it
    names = [child.tag.rpartition("}")[2] for child in root]
    assert names[:3] == ["title", "desc", "style"]
    assert "2.5 % is promised" in (root[1].text or "")


def test_the_committed_figure_stands_beside_the_page() -> None:
    assert "](validity.svg)" in PAGE
    ET.parse(ROOT / "docs" / "validity.svg")  # noqa: S314  # our own


@pytest.mark.parametrize("name", ["pass/fail .9", "pass/fail .98"])
def test_the_committed_page_shows_what_the_code_computes(name: str) -> None:
    found = [bounds.measure(Cell(bounds.SECTION, name, n), False) for n in (10, 20, 50, 100)]
    for method in ("`bootstrap`", "`exact`", "jeffreys", "bca", "t", "wilson"):
        rates = " | ".join(percent(measures[f"{method.strip('`')} passes"]) for measures in found)
        assert f"| {name} | {method} | {rates} |" in PAGE


def test_the_committed_page_is_of_the_full_form() -> None:
    assert "short form**" not in PAGE
