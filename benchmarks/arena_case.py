"""One process of benchmarks.arena: METHOD PATH RESAMPLES work|idle; prints seconds, strengths and peak MB as JSON."""

import json
import resource
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import gate.battles
from gate.stats.battles import Battles, win_matrix
from gate.stats.bradley_terry import fit_bradley_terry
from gate.stats.bradley_terry_bootstrap import bootstrap_strengths

CALLS = 3


class Outcome(NamedTuple):
    """Seconds, and the log-strengths by the models' names, of mean 0."""

    seconds: float
    strengths: Sequence[float]


class Parsed(NamedTuple):
    """The battles of a file in lists."""

    first: list[str]
    second: list[str]
    winners: list[str]
    prompts: list[str]


def parse(path: Path) -> Parsed:
    """Each line by the standard library."""
    with path.open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return Parsed(*([row[key] for row in rows] for key in ("model_a", "model_b", "winner", "question_id")))


def as_arrays(parsed: Parsed) -> Battles:
    """The models by the order of their names."""
    names, numbers = np.unique(np.array([parsed.first, parsed.second]), return_inverse=True)
    first, second = numbers.reshape(2, -1)
    worth = {"model_a": 1.0, "tie": 0.5, "model_b": 0.0}
    return Battles(first, second, np.array([worth[winner] for winner in parsed.winners]), names.size)


def as_winners(parsed: Parsed) -> list[Any]:
    """The winners as evalica names them."""
    from evalica import Winner  # noqa: PLC0415  # only its methods need it

    words = {"model_a": Winner.X, "tie": Winner.Draw, "model_b": Winner.Y}
    return [words[winner] for winner in parsed.winners]


def gate_arrays(path: Path, _: int) -> Outcome:
    """Count the wins and fit."""
    battles = as_arrays(parse(path))
    columns = battles.first, battles.second, battles.outcomes, battles.n_models
    return repeated(lambda: fit_bradley_terry(win_matrix(Battles(*columns))).log_strengths)


def gate_bootstrap(path: Path, resamples: int, *, by_prompts: bool = False) -> Outcome:
    """Resample battles, or prompts; the fit itself is no part of it."""
    parsed = parse(path)
    battles = as_arrays(parsed)
    clusters = np.unique(np.array(parsed.prompts), return_inverse=True)[1] if by_prompts else None
    fit, rng = fit_bradley_terry(win_matrix(battles)), np.random.default_rng(0)
    start = time.perf_counter()
    bootstrap_strengths(fit, battles, clusters=clusters, n_resamples=resamples, rng=rng)
    return Outcome(time.perf_counter() - start, fit.log_strengths.tolist())


def gate_file(path: Path, _: int) -> Outcome:
    """From the file to the ranking."""
    start = time.perf_counter()
    log = gate.battles.read_battles([str(path)])
    ranking = gate.battles.rank_models(log, rng=np.random.default_rng(0))
    return Outcome(time.perf_counter() - start, ranking.fit.log_strengths.tolist())


def evalica_lists(path: Path, _: int) -> Outcome:
    """As a user of it calls it."""
    import evalica  # noqa: PLC0415  # only this method needs it

    parsed = parse(path)
    winners = as_winners(parsed)
    return repeated(lambda: by_name(evalica.bradley_terry(parsed.first, parsed.second, winners)))


def evalica_indexed(path: Path, _: int) -> Outcome:
    """What its own function calls once the names are numbers: its fastest way, which is not public."""
    from evalica import _brzo  # noqa: PLC0415  # only this method needs it

    parsed = parse(path)
    battles, winners = as_arrays(parsed), as_winners(parsed)
    lists = battles.first.tolist(), battles.second.tolist(), winners, [1.0] * len(winners)
    return repeated(lambda: centred(np.log(_brzo.bradley_terry(*lists, battles.n_models, 1.0, 0.5, 1e-6, 100)[0])))


def evalica_file(path: Path, _: int) -> Outcome:
    """Parse the lines and fit."""
    import evalica  # noqa: PLC0415  # only this method needs it

    start = time.perf_counter()
    parsed = parse(path)
    found = evalica.bradley_terry(parsed.first, parsed.second, as_winners(parsed))
    return Outcome(time.perf_counter() - start, by_name(found).tolist())


def evalica_bootstrap(path: Path, resamples: int) -> Outcome:
    """Percentiles, so that nothing is done but the resamples and one fit."""
    import evalica  # noqa: PLC0415  # only this method needs it

    parsed = parse(path)
    data = parsed.first, parsed.second, as_winners(parsed)
    start = time.perf_counter()
    found = evalica.bootstrap(
        evalica.bradley_terry, *data, n_resamples=resamples, bootstrap_method="percentile", random_state=0
    )
    return Outcome(time.perf_counter() - start, by_name(found.result).tolist())


def choix_matrix(path: Path, _: int) -> Outcome:
    """From the win matrix, which is its fastest way, and the gate's counting."""
    import choix  # noqa: PLC0415  # only this method needs it

    battles = as_arrays(parse(path))
    return repeated(lambda: centred(choix.ilsr_pairwise_dense(win_matrix(battles))))


def by_name(found: Any) -> np.ndarray[Any, np.dtype[np.float64]]:  # it is not typed
    """The log-strengths of evalica's result."""
    return centred(np.log(found.scores.sort_index().to_numpy()))


def centred(strengths: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """With mean 0."""
    return np.asarray(strengths - strengths.mean())


def repeated(call: Callable[[], np.ndarray[Any, np.dtype[np.float64]]]) -> Outcome:
    """The median of CALLS calls after one that warms it up."""
    strengths, seconds = call(), []
    for _ in range(CALLS):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return Outcome(statistics.median(seconds), strengths.tolist())


METHODS: Mapping[str, Callable[[Path, int], Outcome]] = {
    "gate-arrays": gate_arrays,
    "gate-bootstrap": gate_bootstrap,
    "gate-bootstrap-prompts": lambda path, resamples: gate_bootstrap(path, resamples, by_prompts=True),
    "gate-file": gate_file,
    "evalica-lists": evalica_lists,
    "evalica-indexed": evalica_indexed,
    "evalica-file": evalica_file,
    "evalica-bootstrap": evalica_bootstrap,
    "choix-matrix": choix_matrix,
}


def main(method: str, path: str, resamples: str, mode: str) -> None:
    """Measure once; ``idle`` imports and does nothing."""
    if method.startswith("evalica"):
        import evalica  # noqa: F401, PLC0415  # its imports are no part of the work's memory
    outcome = METHODS[method](Path(path), int(resamples)) if mode == "work" else Outcome(0.0, [])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(json.dumps({"seconds": outcome.seconds, "strengths": list(outcome.strengths), "peak": peak}))


if __name__ == "__main__":
    main(*sys.argv[1:])
