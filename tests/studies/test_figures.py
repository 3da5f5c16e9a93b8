"""The teaching pages are fresh, load nothing, and show the figures that the program computes."""

import base64
import csv
import hashlib
import json
import math
import re
import subprocess
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from gate.stats.battles import Battles
from gate.stats.bradley_terry_mm import fit_by_mm, trace_mm
from gate.stats.elo import elo_ratings
from gate.stats.pass_at_k import pass_at_k, plug_in_pass_at_k
from studies.figures.page import ROOT, build_pages

HERE = Path(__file__).parent
TASKS = [(n, c, k) for n in range(2, 9) for c in range(n + 1) for k in range(1, n + 1)]
RATES = [(n, k, rate / 20) for n in range(2, 9) for k in range(1, n + 1) for rate in range(21)]
SEEDS = range(1, 41)
ITERATIONS = 60


class Figures(NamedTuple):
    battles: list[list[int]]
    shown: dict[str, Any]


@pytest.fixture(scope="module")
def figures() -> Figures:
    rows = csv.DictReader((ROOT / "examples" / "arena" / "battles.csv").read_text(encoding="utf-8").splitlines())
    listed = []
    for row in rows:
        pair = ["ABCD".index(row["model_a"]), "ABCD".index(row["model_b"])]
        listed.append(pair if row["winner"] == "model_a" else pair[::-1])
    given = {"tasks": TASKS, "rates": RATES, "battles": listed, "seeds": list(SEEDS), "iterations": ITERATIONS}
    done = subprocess.run(
        ["node", HERE / "figures_all.mjs"], input=json.dumps(given), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return Figures(listed, json.loads(done.stdout))


def close(expected: object) -> object:
    return pytest.approx(expected, rel=0, abs=1e-9)


def test_pass_at_k_is_the_programs(figures: Figures) -> None:
    for (n, c, k), (unbiased, plug_in, hits) in zip(TASKS, figures.shown["tasks"], strict=True):
        counts = np.array([n]), np.array([c])
        assert [unbiased] == close(pass_at_k(*counts, k).tolist())
        assert [plug_in] == close(plug_in_pass_at_k(*counts, k).tolist())
        assert hits / math.comb(n, k) == close(unbiased)


def test_the_expectations_are_the_programs_estimates_weighed_by_their_chances(figures: Figures) -> None:
    for (n, k, rate), (unbiased, plug_in, truth) in zip(RATES, figures.shown["rates"], strict=True):
        c = np.arange(n + 1)
        chances = np.array([math.comb(n, passes) * rate**passes * (1 - rate) ** (n - passes) for passes in c])
        assert unbiased == close(float(chances @ pass_at_k(np.full_like(c, n), c, k)))
        assert plug_in == close(float(chances @ plug_in_pass_at_k(np.full_like(c, n), c, k)))
        assert truth == close(unbiased)


def test_elo_is_the_programs_in_every_order(figures: Figures) -> None:
    orders = figures.shown["orders"]
    for one in orders:
        first, second = np.array(one["order"]).T
        battles = Battles(first, second, np.ones(first.size), 4)
        assert one["elo"] == close(elo_ratings(battles))
        assert sorted(one["order"]) == sorted(figures.battles)
    assert [round(rating, 1) for rating in orders[0]["elo"]] == [1083.7, 1034.8, 962.2, 919.2]
    assert len({tuple(map(tuple, one["order"])) for one in orders}) == len(orders)


def test_the_iterations_of_mm_are_the_programs(figures: Figures) -> None:
    wins = np.array(figures.shown["wins"], dtype=float)
    for shown, expected in zip(figures.shown["trace"], islice(trace_mm(wins), ITERATIONS), strict=True):
        assert shown == close(expected.tolist())
    fit = fit_by_mm(wins)
    assert figures.shown["fit"]["strengths"] == close(fit.strengths.tolist())
    assert figures.shown["fit"]["iterations"] == fit.iterations
    assert [round(chance, 3) for chance in figures.shown["chances"]] == [0.977, 0.821]


@pytest.mark.parametrize("name", build_pages())
def test_a_page_is_fresh(name: str) -> None:
    written = (ROOT / "docs" / "figures" / name).read_text(encoding="utf-8")
    assert written == build_pages()[name], "run `make figures`"


@pytest.mark.parametrize("name", build_pages())
def test_a_page_may_run_its_own_script_and_style_and_load_nothing(name: str) -> None:
    page = build_pages()[name]
    policy = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    bodies = re.findall(r"<(style|script)>(.*?)</\1>", page, flags=re.DOTALL)
    hashes = {kind: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for kind, text in bodies}
    allowed = f"style-src 'sha256-{hashes['style']}'; script-src 'sha256-{hashes['script']}'"
    assert policy == [f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"]
    assert len(bodies) == 2
    assert not re.findall(r"\s(?:src|style|on\w+)=", re.sub(r"<(style|script)>.*?</\1>", "", page, flags=re.DOTALL))
    assert "innerHTML" not in page
    assert set(re.findall(r"https?://[^\s\"'`]+", page)) == {"http://www.w3.org/2000/svg"}
