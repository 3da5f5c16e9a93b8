"""Reading a git repository, without the program: refs, merge bases, files at a commit, and when they changed."""

from gate.git.history import Change, last_change, require_never
from gate.git.pull_request import find_merge_base
from gate.git.refs import resolve
from gate.git.repository import FETCH_ALL, Repository, open_repository
from gate.git.trees import Entry, Selection, iter_entries, iter_files, read_file, select

__all__ = [
    "FETCH_ALL",
    "Change",
    "Entry",
    "Repository",
    "Selection",
    "find_merge_base",
    "iter_entries",
    "iter_files",
    "last_change",
    "open_repository",
    "read_file",
    "require_never",
    "resolve",
    "select",
]
