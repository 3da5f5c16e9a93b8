"""Baselines that are not what they seem: in git, promoted, or reports of the gate."""

from collections.abc import Callable
from pathlib import Path

from tests.conftest import Sandbox
from tests.fail_closed.case import CONFIG, GOOD, Case, Content, error, scored, suite, warn

GIT = ("--baseline", "git:main:main.csv", "--candidate", "candidate.csv")
_POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


def repository(root: Path) -> Sandbox:
    made = Sandbox(root)
    made.git("init", "--quiet", "--initial-branch", "main")
    return made


def committed(root: Path) -> Sandbox:
    made = repository(root)
    made.commit(**{"main.csv": GOOD.decode()})
    return made


def deleted(root: Path) -> None:
    made = committed(root)
    (root / "main.csv").unlink()
    made.commit()


def shallow(root: Path) -> None:
    """A clone of the newest commit alone, which no longer has the baseline."""
    origin = root / "origin"
    origin.mkdir()
    deleted(origin)
    clone = Sandbox(origin).clone(root / "clone", "--depth", "1")
    (clone.root / ".git").rename(root / ".git")


def with_link(root: Path) -> None:
    made = repository(root)
    (root / "main.csv").symlink_to("candidate.csv")
    made.commit()


def damaged(root: Path) -> None:
    """The object that holds the baseline is cut short."""
    made = committed(root)
    name = made.git("rev-parse", "HEAD:main.csv")
    path = root / ".git" / "objects" / name[:2] / name[2:]
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:20])


def broken_off(root: Path) -> None:
    """The commit of the branch tells no committer, and so no day."""
    made = committed(root)
    whole = made.git("cat-file", "commit", "main")
    (root / "part").write_text(whole[: whole.index("committer")])
    made.git("update-ref", "refs/heads/main", made.git("hash-object", "--literally", "-t", "commit", "-w", "part"))


def swapped(root: Path) -> None:
    """The object that holds the baseline is that of another file."""
    made = committed(root)
    (root / "easy.csv").write_bytes(scored([0] * 40))
    easy = made.git("hash-object", "-w", "easy.csv")
    name = made.git("rev-parse", "HEAD:main.csv")
    objects = root / ".git" / "objects"
    path = objects / name[:2] / name[2:]
    path.chmod(0o644)
    path.write_bytes((objects / easy[:2] / easy[2:]).read_bytes())


def of(commit: Callable[[Sandbox], object]) -> dict[str, Content]:
    return {".": lambda root: commit(repository(root))}


_AGED = suite("    max_age: 30\n", baseline="git:main:main.csv")

CASES = (
    Case(
        "The baseline in git was deleted",
        {".": deleted},
        error(
            "git",
            "git:main:main.csv",
            "there is no such file at 9ef3e542f9: it was there, last in commit",
            "bring it back, or name a ref that has it: a gate without its baseline",
        ),
        GIT,
    ),
    Case(
        "The clone is too shallow to tell whether there ever was a baseline",
        {".": shallow},
        error(
            "git",
            "git:main:main.csv",
            "there is no such file at ecef590f59, and a shallow clone cannot tell",
            "check the path; for a first run, where there is none yet, let the",
        ),
        GIT,
    ),
    Case(
        "No commit ever held the baseline",
        of(lambda made: made.commit()),
        warn(
            "coverage: no-baseline-yet",
            "there is no baseline yet: no commit ever held git:main:main.csv",
            "once this candidate is accepted, commit its scores there: `gate promote`;",
        ),
        GIT,
    ),
    Case(
        "The branch of the baseline is not there",
        of(lambda made: made.commit()),
        error(
            "git",
            "git:gone:main.csv",
            "the repository has no ref 'gone'",
            "check its name, and that the checkout fetched it (`git branch --all`,",
        ),
        ("--baseline", "git:gone:main.csv", *GIT[2:]),
    ),
    Case(
        "A ref that looks like an option of git",
        of(lambda made: made.commit()),
        error(
            "git",
            "git:--output=owned:main.csv",
            "the repository has no ref '--output=owned'",
            "check its name, and that the checkout fetched it (`git branch --all`,",
        ),
        ("--baseline", "git:--output=owned:main.csv", *GIT[2:]),
    ),
    Case(
        "The path in git leads out of the repository",
        {".": committed},
        error(
            "git",
            "git:main:../main.csv",
            "the path leads out of the repository",
            "name a file of the repository; paths are meant from the folder of",
        ),
        ("--baseline", "git:main:../main.csv", *GIT[2:]),
    ),
    Case(
        "There is no repository",
        {},
        error(
            "git",
            "git:main:main.csv",
            "no git repository lies here or above",
            "check the repository out in a step before, and name paths inside of it",
        ),
        GIT,
    ),
    Case(
        "A repository without a commit",
        {".": repository},
        error(
            "git",
            "git:main:main.csv",
            "the repository has no ref 'main'",
            "check its name, and that the checkout fetched it (`git branch --all`,",
        ),
        GIT,
    ),
    Case(
        "The baseline in git is a Git LFS pointer",
        of(lambda made: made.commit(**{"main.csv": _POINTER})),
        error(
            "git",
            "git:main:main.csv",
            "this is the pointer of Git LFS, and what it points to does not lie in the",
            "`lfs: true` only fetches the files of the commit that is checked out:",
        ),
        GIT,
    ),
    Case(
        "The baseline in git is a link to the candidate",
        {".": with_link},
        error(
            "git",
            "git:main:main.csv",
            "this is a symbolic link to 'candidate.csv'",
            "name the file itself, not the link",
        ),
        GIT,
    ),
    Case(
        "The object in git that holds the baseline is cut short",
        {".": damaged},
        error(
            "git",
            "git:main:main.csv",
            "the repository cannot be read",
            "check that this user may read all of it; `git fsck` tells what is damaged",
        ),
        GIT,
    ),
    Case(
        "The commit in git that holds the baseline breaks off",
        {".": broken_off},
        error(
            "git",
            "git:main:main.csv",
            "the repository cannot be read",
            "check that this user may read all of it; `git fsck` tells what is damaged",
        ),
        GIT,
    ),
    Case(
        "The object in git that holds the baseline is another file's",
        {".": swapped},
        error(
            "git",
            "git:main:main.csv",
            "the repository cannot be read",
            "check that this user may read all of it; `git fsck` tells what is damaged",
        ),
        GIT,
    ),
    Case(
        "The baseline is older than gate.yml allows",
        {".": committed, **_AGED},
        warn(
            "coverage: baseline-too-old",
            "the baseline is 147 days old, and `max_age` is 30 days",
            "run the baseline again, or accept a newer candidate as the baseline",
        ),
        CONFIG,
        environ={"SOURCE_DATE_EPOCH": "1780000000"},
    ),
    Case(
        "A clock in 1970 cannot tell the baseline's age",
        {".": committed, **_AGED},
        warn(
            "coverage: baseline-age-unknown",
            "the age of the baseline is not known: 2026-01-01 lies after the day of",
            "check the clocks of the machines, or run the baseline again",
        ),
        CONFIG,
        environ={"SOURCE_DATE_EPOCH": "0"},
    ),
)
