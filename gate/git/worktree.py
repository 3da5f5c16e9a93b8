"""The working tree as it lies there: whose repository a folder is of, told without reading the repository."""

import os

_GIT = ".git"
# of a file .git, which names a folder
_LONGEST_POINTER = 5000


def find_root(folder: str) -> str | None:
    """The root of the working tree that a folder lies in; None where it lies in none."""
    path = os.path.abspath(folder)
    while not os.path.lexists(os.path.join(path, _GIT)):
        if path == os.path.dirname(path):
            return None
        path = os.path.dirname(path)
    return path


def is_submodule(folder: str | os.PathLike[str]) -> bool:
    """Whether a folder is the root of a submodule: its repository lies among the modules of the one around it."""
    try:
        with open(os.path.join(folder, _GIT), "rb") as file:
            told = file.read(_LONGEST_POINTER)
    except OSError:
        return False
    return told.startswith(b"gitdir:") and b"/modules/" in told


def is_of_tree(path: str, root: str) -> bool:
    """Whether a path belongs to the working tree with this root, its submodules included.

    Another checkout in it is another tree. Links are not followed: where one leads is the tree's own word.
    """
    path = os.path.abspath(path)
    while path != root:
        above = os.path.dirname(path)
        if path == above or (os.path.lexists(os.path.join(path, _GIT)) and not is_submodule(path)):
            return False
        path = above
    return True
