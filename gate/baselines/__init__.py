"""Which baseline is meant, and which version of it: a spec to the files to read, with their origin."""

from gate.baselines.content import file_digest, is_there, read_in_git, reading_once
from gate.baselines.finding import Baseline, finding_baselines, located
from gate.baselines.identity import origin_of
from gate.baselines.spec import GitSpec, folder_of, from_folder, from_spec, is_in_git, working_copy

__all__ = [
    "Baseline",
    "GitSpec",
    "file_digest",
    "finding_baselines",
    "folder_of",
    "from_folder",
    "from_spec",
    "is_in_git",
    "is_there",
    "located",
    "origin_of",
    "read_in_git",
    "reading_once",
    "working_copy",
]
