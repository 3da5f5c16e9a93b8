"""Which baseline is meant, and which version of it: a spec to the files to read, with their origin."""

from gate.baselines.finding import Baseline, finding_baselines, located
from gate.baselines.identity import origin_of
from gate.baselines.spec import GitSpec, from_folder, from_spec, is_in_git
from gate.baselines.stored import file_digest, folder_of, read_in_git, working_copy

__all__ = [
    "Baseline",
    "GitSpec",
    "file_digest",
    "finding_baselines",
    "folder_of",
    "from_folder",
    "from_spec",
    "is_in_git",
    "located",
    "origin_of",
    "read_in_git",
    "working_copy",
]
