"""What a run reads from the working tree although its gate.yml is a commit's: a pull request may have changed it."""

from collections.abc import Iterator

from gate.baselines import GitSpec, is_in_git
from gate.checks.contamination import ContaminationOptions
from gate.config import GateConfig
from gate.config.model import SuiteConfig
from gate.files import is_url
from gate.results.config_change import WorkingTreeInput


def find_unguarded(config: GateConfig, path: str | None) -> tuple[WorkingTreeInput, ...]:
    """What decides beside the candidate and lies in the working tree, by plain paths.

    Args:
        config: the configuration in force, flags included.
        path: where it stands; nothing is told unless that is ``git:REF:PATH``, since a gate.yml of the working tree is
            in no better hands than what it names.
    """
    if path is None or not is_in_git(path):
        return ()
    # imported here: most runs have no gate.yml in git, and start-up time counts
    from gate.git.worktree import find_root, is_of_tree  # noqa: PLC0415

    root = find_root(GitSpec.parse(path).folder or ".")
    if root is None:
        return ()
    named = [("the history", config.history)] if config.history is not None else []
    for suite in config.suites:
        named += _named(suite, f" of {suite.name}" if len(config.suites) > 1 else "")
    return tuple(
        WorkingTreeInput(what, file)
        for what, file in sorted(named, key=lambda each: not each[0].startswith(WorkingTreeInput.BASELINE))
        if not is_in_git(file) and not is_url(file) and is_of_tree(file, root)
    )


def _named(suite: SuiteConfig, which: str) -> Iterator[tuple[str, str]]:
    if suite.baseline is not None:
        yield f"{WorkingTreeInput.BASELINE}{which}", suite.baseline
    options = suite.checks.options("contamination")
    if isinstance(options, ContaminationOptions):
        given = {"scan": (options.scan,), "file of questions": (options.items,), "corpus": options.corpora}
        yield from ((f"the {what}{which}", file) for what, files in given.items() for file in files if file)
