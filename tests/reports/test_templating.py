"""The templates' surroundings: nothing foreign gets through unescaped, nothing missing gets through at all."""

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import jinja2
import pytest

from gate.reports import templating
from gate.reports.html import surroundings
from gate.reports.templating import environment, list_names, needs_a_look, with_evidence


def test_a_value_that_no_filter_touched_is_escaped() -> None:
    template = environment().from_string("{{ value }}")
    assert template.render(value="<b> @x | *y*") == "`<b>` `@x` &#124; `*y*`"


def test_a_value_joined_to_a_safe_one_is_still_escaped() -> None:
    template = environment().from_string("{{ (value | code) ~ value }}")
    assert "<b>" not in template.render(value="<b>").replace("`<b>`", "")


def test_a_value_that_is_not_there_is_an_error() -> None:
    with pytest.raises(jinja2.UndefinedError):
        environment().from_string("{{ nothing }}").render()


@pytest.mark.parametrize("template", sorted(environment().list_templates()))
def test_no_template_marks_anything_as_safe_itself(template: str) -> None:
    assert environment().loader is not None
    source = environment().loader.get_source(environment(), template)[0]  # type: ignore[union-attr]  # asserted above
    assert "safe" not in source
    assert "autoescape" not in source


def test_names_are_listed_up_to_a_number() -> None:
    assert list_names(["a", "b|c"]) == "`a`, `b`&#124;`c`"
    assert list_names(map(str, range(25))).endswith("`19` and 5 more")


def test_results_are_found_by_their_evidence(make: ModuleType) -> None:
    results = (make.coverage(), make.threshold(), make.drift(), make.contamination())
    kinds = ["coverage", "interval", "buckets", "leaks"]
    assert [[result.check for result in with_evidence(results, kind)] for kind in kinds] == [
        ["coverage"], ["threshold"], ["drift"], ["contamination"],
    ]  # fmt: skip


def test_only_a_fail_or_a_warn_needs_a_look(make: ModuleType) -> None:
    assert needs_a_look([make.coverage(), make.gaps()])
    assert not needs_a_look([make.coverage(), make.regression()])


@pytest.fixture(params=[templating, surroundings], ids=["markdown", "html"])
def room(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """What has templates; its folder of compiled ones is a new one that does not exist."""
    module: ModuleType = request.param
    monkeypatch.setattr(module, "COMPILED", tmp_path / "compiled")
    yield module
    module.environment.cache_clear()


def test_every_template_is_compiled_once_and_read_from_there_afterwards(room: ModuleType) -> None:
    room.compile_templates()
    written = {path: path.stat().st_mtime_ns for path in room.COMPILED.iterdir()}
    templates = Path(str(room.__file__)).parent / "templates"
    assert len(written) == len(list(templates.glob("*.j2"))) > 0
    assert all(path.stat().st_mode & 0o777 == 0o644 for path in written)
    room.compile_templates()
    assert {path: path.stat().st_mtime_ns for path in room.COMPILED.iterdir()} == written


def test_without_that_folder_nothing_is_written(room: ModuleType) -> None:
    room.environment.cache_clear()
    room.environment().get_template(room.environment().list_templates(extensions=["j2"])[0])
    assert not room.COMPILED.exists()
