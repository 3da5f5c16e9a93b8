"""What is in the image, and what is not."""

import json
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

Docker = Callable[..., str]

ROOT = Path(__file__).parent.parent.parent
PYTHON = "/opt/gate/bin/python"
LIMIT_MB = 280
WALK = """
import importlib.metadata, json, os, shutil
path = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin"
tools = ["cc", "gcc", "g++", "c++", "clang", "ld", "as", "make", "cargo", "git"]
print(json.dumps({
    "files": [os.path.join(base, name) for base, _, names in os.walk("/") for name in names
              if not base.startswith(("/proc", "/sys", "/dev"))],
    "tools": [tool for tool in tools if shutil.which(tool, path=path)],
    "packages": {found.name.lower(): found.version for found in importlib.metadata.distributions()},
}))
"""
BYTECODE = """
import json, os, sys
import gate.cli, gate.github.action, gate.pipeline, gate.reports.html, gate.reports.markdown, jinja2, numpy, yaml
specs = [module.__spec__ for module in list(sys.modules.values()) if getattr(module, "__spec__", None)]
sources = [spec for spec in specs if spec.has_location and spec.origin.endswith(".py")]
without = [spec.origin for spec in sources if not os.path.exists(spec.cached)]
print(json.dumps({"loaded": len(sources), "without": without}))
"""


@pytest.fixture(scope="module")
def config(docker: Docker) -> Any:
    return json.loads(docker("image", "inspect", "IMAGE"))[0]


@pytest.fixture(scope="module")
def inside(docker: Docker) -> Any:
    return json.loads(docker("run", "--rm", "--network", "none", "--entrypoint", PYTHON, "IMAGE", "-I", "-c", WALK))


def test_the_image_is_small(config: Any) -> None:
    assert config["Size"] <= LIMIT_MB * 1_000_000


def test_it_starts_by_an_absolute_path_and_isolated(config: Any) -> None:
    entrypoint = config["Config"]["Entrypoint"]
    assert entrypoint[0].startswith("/")
    assert "-I" in entrypoint
    assert entrypoint[-2:] == ["-m", "gate.github"]


def test_user_and_working_directory_are_the_runner_s_to_choose(config: Any) -> None:
    assert config["Config"]["User"] in {"", "0", "root"}
    assert config["Config"]["WorkingDir"] in {"", "/"}


def test_its_labels_say_what_it_is(config: Any) -> None:
    labels = config["Config"]["Labels"]
    assert labels["org.opencontainers.image.title"] == "gate"
    assert labels["org.opencontainers.image.licenses"] == "Apache-2.0"
    assert labels["org.opencontainers.image.version"]


def test_there_is_no_compiler_and_no_git(inside: Any) -> None:
    assert inside["tools"] == []


def test_there_is_nothing_that_looks_like_a_secret(inside: Any, config: Any) -> None:
    secret = re.compile(
        r"(^|/)(\.netrc|\.pypirc|\.git-credentials|\.docker/config\.json|id_(rsa|ed25519|ecdsa)|.*\.(key|p12|pfx))$"
    )
    assert [file for file in inside["files"] if secret.search(file)] == []
    names = [entry.partition("=")[0] for entry in config["Config"]["Env"]]
    assert [name for name in names if re.search(r"TOKEN|SECRET|PASSWORD|CREDENTIAL|_KEY$", name)] == []


def test_nothing_of_the_build_is_left(inside: Any) -> None:
    """Neither sources nor wheels nor pip, nor what packages are built of."""
    ours = [PurePosixPath(file) for file in inside["files"] if file.startswith(("/opt/", "/src/", "/build/", "/dist/"))]
    assert {path.parts[1] for path in ours} == {"opt"}
    assert {path.parts[2] for path in ours} == {"gate"}
    left = {".whl", ".o", ".toml", ".lock"}
    assert sorted(str(path) for path in ours if path.suffix in left) == []
    assert not {"pip", "setuptools", "hatchling", "wheel"} & inside["packages"].keys()


def test_there_are_no_tests_and_no_caches(inside: Any) -> None:
    unwanted = {"tests", ".cache", ".pytest_cache", ".git", "examples"}
    ours = [PurePosixPath(file) for file in inside["files"] if file.startswith(("/opt/", "/root/", "/src/", "/home/"))]
    assert [str(path) for path in ours if unwanted & set(path.parts)] == []


def test_every_module_of_the_gate_and_its_dependencies_has_its_bytecode(inside: Any) -> None:
    files = {PurePosixPath(file) for file in inside["files"] if file.startswith("/opt/gate/lib")}
    sources = {path for path in files if path.suffix == ".py"}
    compiled = {path.parent.parent / f"{path.name.split('.')[0]}.py" for path in files if path.suffix == ".pyc"}
    assert len(sources) > 500
    assert sorted(sources - compiled) == []


def test_every_template_is_compiled(inside: Any) -> None:
    for reports in ("/gate/reports/templates/", "/gate/reports/html/templates/"):
        folder = [path for path in inside["files"] if reports in path]
        compiled = [path for path in folder if "/compiled/" in path]
        assert len(compiled) == len([path for path in folder if path.endswith(".j2")]) > 0


@pytest.mark.parametrize("ending", [".js", ".css"])
def test_the_page_s_scripts_and_styles_are_there(ending: str, inside: Any) -> None:
    folder = ROOT / "gate" / "reports" / "html"
    ours = {path.relative_to(folder).as_posix() for path in folder.rglob(f"*{ending}")}
    there = {path.partition("/gate/reports/html/")[2] for path in inside["files"] if path.endswith(ending)}
    assert ours <= there
    assert ours


def test_every_module_that_a_run_loads_has_its_bytecode(docker: Docker) -> None:
    told = docker("run", "--rm", "--network", "none", "--entrypoint", PYTHON, "IMAGE", "-I", "-B", "-c", BYTECODE)
    found = json.loads(told)
    assert found["loaded"] > 200
    assert found["without"] == []


def test_the_packages_are_the_pinned_ones_and_no_others(inside: Any) -> None:
    text = (ROOT / "requirements" / "action.txt").read_text(encoding="utf-8")
    older = "python_full_version < '3.12'"
    pins = dict(re.findall(rf"^([a-z0-9._-]+)==([^ ;]+)(?! ; {older})", text, re.MULTILINE))
    ours = {name: version for name, version in inside["packages"].items() if name != "gate"}
    assert {name.replace("_", "-"): version for name, version in ours.items()} == pins


def test_without_a_runner_it_answers_and_does_not_crash(docker: Docker) -> None:
    told = docker("run", "--rm", "--network", "none", "--entrypoint", "/opt/gate/bin/gate", "IMAGE", "--version")
    assert "gate" in told
