"""The pages whole: template, style and script in one file that may load nothing."""

from collections.abc import Mapping
from pathlib import Path
from string import Template

from gate.reports.html.policy import policy_of
from gate.reports.html.scripts import join_modules

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
_REPORT = ROOT / "gate" / "reports" / "html"
STYLES = (*sorted(_REPORT.glob("styles/[124]-*.css")), HERE / "page.css")
# Each page's template and the module that starts it.
PAGES = {"arena.html": "studies/figures/arena_page", "pass-at-k.html": "studies/figures/pass_at_k_page"}


def build_pages() -> Mapping[str, str]:
    """File name -> content of every page."""
    style = "".join(path.read_text(encoding="utf-8") for path in STYLES)
    paths = [*_REPORT.rglob("*.js"), *HERE.glob("*.js")]
    modules = {path.relative_to(ROOT).with_suffix("").as_posix(): path.read_text(encoding="utf-8") for path in paths}
    return {name: _build(HERE / name, style, join_modules(modules, entry)) for name, entry in PAGES.items()}


def _build(template: Path, style: str, script: str) -> str:
    text = Template(template.read_text(encoding="utf-8"))
    return text.substitute(style=style, script=script, policy=policy_of(style, script))
