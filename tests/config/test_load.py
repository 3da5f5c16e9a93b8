import gzip
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.config import GateConfig, load_config
from gate.config.load import validate_config
from gate.errors import ConfigError, Place

Load = Callable[[str | bytes], GateConfig]
Refuse = Callable[[str | bytes], ConfigError]

SUITE = "version: 1\nsuites:\n  - name: answers\n    candidate: b.csv\n"


def test_the_smallest_file_needs_a_version_a_candidate_and_something_to_judge_by(load: Load) -> None:
    (suite,) = load(f"{SUITE}    baseline: a.csv\n").suites
    assert (suite.name, suite.baseline, suite.candidate) == ("answers", "a.csv", "b.csv")


def test_a_file_that_flags_are_laid_over_need_not_be_whole(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    path.write_text("version: 1\nsuites: [{name: answers, checks: {threshold: {alpha: 0.1}}}]\n", encoding="utf-8")
    (suite,) = load_config(path, whole=False).suites
    assert suite.candidate is None
    with pytest.raises(ConfigError):
        load_config(path)


def test_paths_are_meant_from_the_folder_of_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "evals"
    folder.mkdir()
    path = folder / "gate.yml"
    path.write_text(
        f"{SUITE}    baseline: ../main/a.csv\n    checks:\n"
        "      contamination: {corpus: [train, /data/web, 'more/*.txt'], items: q.jsonl}\n",
        encoding="utf-8",
    )
    (suite,) = load_config(path).suites
    contamination = suite.checks.options("contamination")
    assert suite.candidate == str(folder / "b.csv")
    assert suite.baseline == str(tmp_path / "main" / "a.csv")
    assert contamination is not None
    assert contamination.model_dump()["corpus"] == (str(folder / "train"), "/data/web", str(folder / "more" / "*.txt"))
    assert contamination.model_dump()["items"] == str(folder / "q.jsonl")


def test_a_url_is_meant_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "gate.yml"
    corpus = "      contamination: {corpus: [s3://bucket/folder, train]}\n"
    path.write_text(f"{SUITE}    baseline: a.csv\n    checks:\n{corpus}", encoding="utf-8")
    options = load_config(path).suites[0].checks.options("contamination")
    assert options is not None
    assert options.model_dump()["corpus"] == ("s3://bucket/folder", str(tmp_path / "train"))


def test_paths_from_the_working_directory_stay_short(load: Load) -> None:
    (suite,) = load(f"{SUITE}    baseline: a.csv\n".replace("b.csv", "./runs/../b.csv")).suites
    assert suite.candidate == "b.csv"


def test_paths_of_flags_are_meant_from_the_working_directory() -> None:
    given = {"name": "a", "baseline": "./a.csv", "candidate": "./b.csv"}
    (suite,) = validate_config({"version": 1, "suites": [given]}).suites
    assert suite.candidate == "./b.csv"


def test_a_file_that_is_not_there_is_a_config_error() -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(Path("nowhere/gate.yml"))
    assert caught.value.where == Place("nowhere/gate.yml")
    assert caught.value.what == "there is no such file"
    assert "bring it there first" in caught.value.remedy


def test_a_folder_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="this is a directory"):
        load_config(tmp_path)


def test_a_file_over_a_megabyte_is_no_gate_yml(refuse: Refuse) -> None:
    error = refuse("# " + "x" * 1_000_000 + "\n" + SUITE)
    assert error.what == "the file is over 1 MB"
    assert error.remedy == "name gate.yml, not a score file"


def test_a_file_that_unpacks_to_over_a_megabyte_is_none_either(refuse: Refuse) -> None:
    assert refuse(gzip.compress(b" " * 50_000_000)).what == "the file is over 1 MB"


def test_a_score_file_given_in_its_place_is_an_error(refuse: Refuse) -> None:
    error = refuse("id,score\nq1,1\nq2,0\n")
    assert error.where == Place("gate.yml", 1)
    assert error.what == "'id,score q1,1 q2,0' is not a mapping of keys to values"


def test_a_file_that_is_not_utf_8_is_an_error(refuse: Refuse) -> None:
    assert refuse(SUITE.replace("answers", "Größe").encode("latin-1")).what == "this is not a YAML text file"


def test_merge_keys_share_settings_between_suites(load: Load) -> None:
    text = """\
version: 1
suites:
  - &common
    name: one
    baseline: main.csv
    candidate: one.csv
    scale: [0, 100]
    checks: {drift: {rule: bands}}
  - <<: *common
    name: two
    candidate: two.csv
"""
    one, two = load(text).suites
    assert (two.name, two.candidate) == ("two", "two.csv")
    assert (two.scale, two.checks) == (one.scale, one.checks)


@settings(deadline=None)
@given(raw=st.binary(max_size=300) | st.text(max_size=300).map(str.encode))
def test_whatever_the_file_holds_it_loads_or_is_a_config_error(
    raw: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "gate.yml"
    path.write_bytes(raw)
    with suppress(ConfigError):  # any other error fails the test
        assert load_config(path).suites


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)
KEYS = st.sampled_from(
    ["name", "baseline", "candidate", "format", "metrics", "columns", "direction", "scale", "checks", "x"]
)


@settings(deadline=None)
@given(suite=st.dictionaries(KEYS, VALUES, max_size=4), policies=VALUES)
def test_whatever_a_suite_holds_it_validates_or_is_a_config_error(suite: dict[str, object], policies: object) -> None:
    data = {"version": 1, "policies": policies, "suites": [{"name": "a", "candidate": "b.csv", **suite}]}
    with suppress(ConfigError):
        assert validate_config(data).suites


def test_allow_unfinished_is_switched_on_in_gate_yml(load: Load) -> None:
    suite = "version: 1\nsuites:\n  - {name: a, baseline: a.csv, candidate: b.csv, allow_unfinished: true}\n"
    assert load(suite).suites[0].allow_unfinished
