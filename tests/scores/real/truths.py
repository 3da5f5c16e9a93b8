"""What each real file holds by other means than the gate: truths.json, and what it lacks counted from the file here.

Every function takes a file's path in the folder and gives the figures of its variants in the order in which the file
first names them, or of its one run.
"""

import csv
import json
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, isfinite
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

from tests.real_files import ROOT, truth_of


class Figure(NamedTuple):
    """One metric: samples with a score, their mean (None where there are none), and why the others lack one."""

    scored: int
    mean: float | None
    missing: Mapping[str, int] = {}


class Figures(NamedTuple):
    """One run; ``ids`` are None where the gate makes them of the questions' texts; ``facts`` are those known of it."""

    items: int
    samples: int
    metrics: Mapping[str, Figure]
    ids: Sequence[str] | None = None
    facts: Mapping[str, str] = {}


def figure_of(scores: Iterable[float | str]) -> Figure:
    """Of scores, and of statuses where there is none."""
    found = list(scores)
    scored = [float(score) for score in found if not isinstance(score, str)]
    missing = Counter(score for score in found if isinstance(score, str))
    return Figure(len(scored), fsum(scored) / len(scored) if scored else None, missing)


def lines_of(name: str) -> list[Any]:
    return [json.loads(line) for line in (ROOT / name).read_text(encoding="utf-8").splitlines()]


def json_of(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def cells_of(name: str) -> list[list[str]]:
    csv.field_size_limit(1 << 30)
    with (ROOT / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def distinct(ids: Iterable[object]) -> list[str]:
    return list(dict.fromkeys(map(str, ids)))


def arena(name: str) -> list[Figures]:
    games: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in lines_of(name):
        games.setdefault((row["model_a"], row["model_b"]), []).append(row)
    points = {"model_a": 0.0, "model_b": 1.0, "tie": 0.5}
    return [
        Figures(
            truth_of(name)["items"],
            len(rows),
            {"win": figure_of(points[row["winner"]] for row in rows)},
            distinct(row["question_id"] for row in rows),
        )
        for rows in games.values()
    ]


def azure_rag(name: str) -> list[Figures]:
    truth = truth_of(name)
    metrics = ("latency", "gpt_groundedness", "gpt_relevance", "answer_length")
    known = {metric: Figure(truth[metric]["n_num"], truth[metric]["mean"]) for metric in metrics}
    return [Figures(truth["rows"], truth["rows"], known)]


def csv_rag(name: str) -> list[Figures]:
    truth = truth_of(name)
    metrics = {f"retrieval_{metric}": metric for metric in ("precision", "recall", "mrr")} | {
        "e2e_correct": "e2e_correct"
    }
    known = {metric: Figure(truth["rows"], truth[key]) for metric, key in metrics.items()}
    return [Figures(truth["items"], truth["rows"], known)]


def deepeval(name: str) -> list[Figures]:
    truth, n = truth_of(name), truth_of(name)["items"]
    scores = {metric: score for metric, (score, *_) in truth["metrics"].items()}
    # what these files call an error is that the metric took too long; whether the case succeeds is then not known
    late = Figure(0, None, {"timeout": n})
    known = {metric: late if score == "ABSENT" else Figure(n, score) for metric, score in scores.items()}
    known["success"] = late if "ABSENT" in scores.values() else figure_of(truth["success"])
    return [Figures(n, n, known)]


def evalplus(name: str) -> list[Figures]:
    truth = truth_of(name)
    known = {test: Figure(truth["samples"], truth[f"{test}_pass1"]) for test in ("base", "plus")}
    return [Figures(truth["items"], truth["samples"], known, list(json_of(name)["eval"]))]


def helm(name: str) -> list[Figures]:
    truth = truth_of(name)
    by_split: dict[str, list[dict[str, Any]]] = {}
    for row in json_of(name):
        by_split.setdefault(row["stats"][0]["name"]["split"], []).append(row)
    runs = []
    for at, rows in enumerate(by_split.values()):
        scores: dict[str, list[float | str]] = {}
        for stat in (stat for row in rows for stat in row["stats"]):
            # a statistic over nothing is no score
            score = stat["sum"] / stat["count"] if stat["count"] else "unscored"
            scores.setdefault(stat["name"]["name"], []).append(score)
        known = {metric: figure_of(values) for metric, values in scores.items()}
        known |= {
            metric: Figure(len(rows), truth[metric]["tool"][at]) for metric in ("exact_match", "quasi_exact_match")
        }
        runs.append(Figures(len(rows), len(rows), known))
    return runs


def human_eval(name: str) -> list[Figures]:
    truth = truth_of(name)
    known = {"passed": Figure(truth["rows"], truth["mean_passed"])}
    return [Figures(truth["items"], truth["rows"], known, distinct(row["task_id"] for row in lines_of(name)))]


def inspect(name: str) -> list[Figures]:
    truth = truth_of(name)
    known = {metric: Figure(truth["samples"], told["mean"]) for metric, told in truth["scored"].items()}
    ids = distinct(sample["id"] for sample in _inspect_samples(name))
    facts = {"task": truth["task"], "model": truth["model"]}
    return [Figures(truth["ids"], truth["samples"], known, ids, facts)]


def inspect_counted(name: str) -> list[Figures]:
    """Of a log that truths.json does not know: letters and the parts of a dictionary are scores, an error is none."""
    letters = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
    samples = _inspect_samples(name)
    scores: dict[str, list[float]] = {}
    for sample in samples:
        for metric, told in sample["scores"].items():
            value = told["value"]
            parts = (
                {f"{metric}.{part}": one for part, one in value.items()} if isinstance(value, dict) else {metric: value}
            )
            for part, one in parts.items():
                scores.setdefault(part, []).append(letters[one] if isinstance(one, str) else one)
    errors = ["error"] * sum(not sample["scores"] for sample in samples)
    ids = distinct(sample["id"] for sample in samples)
    # a metric with a score that is no finite number cannot be read
    finite = {metric: values for metric, values in scores.items() if all(map(isfinite, values))}
    known = {metric: figure_of([*values, *errors]) for metric, values in finite.items()}
    return [Figures(len(ids), len(samples), known, ids)]


def _inspect_samples(name: str) -> list[Any]:
    if name.endswith(".json"):
        return list(json_of(name)["samples"])
    with zipfile.ZipFile(ROOT / name) as archive:
        return [json.loads(archive.read(part)) for part in archive.namelist() if part.startswith("samples/")]


def lm_eval(name: str) -> list[Figures]:
    truth = truth_of(name)
    means = truth.get("metrics", {"acc": truth.get("acc")})
    known = {metric: Figure(truth["rows"], mean) for metric, mean in means.items()}
    return [Figures(truth["items"], truth["rows"], known, [str(row["doc_id"]) for row in json_of(name)])]


def lm_eval_counted(name: str) -> list[Figures]:
    rows = lines_of(name)
    known = {metric: figure_of(row[metric] for row in rows) for metric in rows[0]["metrics"]}
    return [Figures(len(rows), len(rows), known, [str(row["doc_id"]) for row in rows])]


def mt_bench(name: str) -> list[Figures]:
    truth = truth_of(name)
    known = Figure(truth["rows"] - truth["null_scores"], truth["mean_excl_null"], {"unscored": truth["null_scores"]})
    ids = [row["question_id"] for row in lines_of(name)]
    return [Figures(truth["items"], truth["rows"], {"score": known}, ids, {"model": truth["models"][0]})]


def mt_bench_turns(name: str) -> list[Figures]:
    truth, rows = truth_of(name), lines_of(name)
    runs = []
    for turn in distinct(row["turn"] for row in rows):
        judged = [row for row in rows if str(row["turn"]) == turn]
        failed = sum(row["score"] == -1 for row in judged)
        known = Figure(len(judged) - failed, truth["by_turn"][turn], {"error": failed})
        ids = [str(row["question_id"]) for row in judged]
        runs.append(
            Figures(
                truth["questions"], truth["turns"][turn], {"score": known}, ids, {"model": next(iter(truth["models"]))}
            )
        )
    return runs


def promptfoo(name: str) -> list[Figures]:
    results = json_of(name)["results"]["results"]
    return [
        _with_errors_left_out(
            truth["items"],
            sum(row["provider"]["id"].endswith(f":{provider}") and "gradingResult" not in row for row in results),
            {"score": truth["mean_score"], "success": truth["pass_rate"]},
        )
        for provider, truth in truth_of(name)["providers"].items()
    ]


def promptfoo_csv(name: str) -> list[Figures]:
    rows = cells_of(name)[1:]
    return [
        _with_errors_left_out(
            truth["parsed"],
            sum(row[int(column)].startswith("[FAIL] (0.00)\n\nError: ") for row in rows),
            {"score": truth["mean_score"], "success": truth["PASS"] / truth["parsed"]},
        )
        for column, truth in truth_of(name)["cols"].items()
    ]


def _with_errors_left_out(n: int, errors: int, means: Mapping[str, float]) -> Figures:
    """Promptfoo's means count an error as 0: it adds nothing to the sum, and is no score here."""
    missing = {"error": errors} if errors else {}
    return Figures(
        n, n, {metric: Figure(n - errors, mean * n / (n - errors), missing) for metric, mean in means.items()}
    )


def junit(name: str) -> list[Figures]:
    suite = ET.parse(ROOT / name).getroot()[0]  # noqa: S314  # a file of our own
    failures, errors, skipped = (int(suite.attrib[key]) for key in ("failures", "errors", "skipped"))
    recorded = [float(found.attrib["value"]) for found in suite.iter("property")]
    # of the two that it calls skipped one is an expected failure, which is a failure
    return [_of_tests(int(suite.attrib["tests"]), failures + 1, {"error": errors, "skipped": skipped - 1}, recorded)]


def pytest_json(name: str) -> list[Figures]:
    report, stated = json_of(name), json_of(name)["summary"]
    recorded = [found["score"] for test in report["tests"] for found in test.get("user_properties", ())]
    missing = {status: stated[status] for status in ("error", "skipped")}
    return [_of_tests(stated["total"], stated["failed"] + stated["xfailed"], missing, recorded)]


def _of_tests(n: int, failed: int, missing: Mapping[str, int], recorded: Sequence[float]) -> Figures:
    judged = n - sum(missing.values())
    passed = Figure(judged, 1 - failed / judged, missing)
    score = Figure(len(recorded), fsum(recorded) / len(recorded), {**missing, "unscored": judged - len(recorded)})
    return Figures(n, n, {"passed": passed, "score": score})


def ragas(name: str) -> list[Figures]:
    truth = truth_of(name)
    return [Figures(truth["items"], truth["rows"], {"correctness": Figure(truth["rows"], truth["pass_rate"])})]


def swe_bench(name: str) -> list[Figures]:
    truth = truth_of(name)
    known = {"resolved": Figure(truth["submitted"], truth["rate_of_submitted"])}
    return [Figures(truth["submitted"], truth["submitted"], known, json_of(name)["submitted_ids"])]


def swe_bench_log(name: str) -> list[Figures]:
    truth = truth_of(name)
    known = {"success": Figure(truth["rows"], truth["success_true"] / truth["rows"])}
    return [Figures(truth["items"], truth["rows"], known, distinct(row["instance_id"] for row in lines_of(name)))]
