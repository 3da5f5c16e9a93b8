"""A git repository of damaged parts: whoever may push writes them, and they fit each other whatever is in them."""

import hashlib
import io
import os
import shutil
import zlib
from datetime import date
from pathlib import Path

from dulwich.object_format import SHA1
from dulwich.objects import Blob, Commit, ShaFile, Tree
from dulwich.pack import write_pack_index_v2, write_pack_objects

from gate.baselines import read_in_git
from gate.baselines.finding import finding_baselines
from gate.baselines.spec import from_folder
from tests.fuzz.samples import Seeds

_TODAY = date(2026, 1, 31)
_WHO = b"a <a@b>"
# each object stands before the one that names it by its id
_LOOSE = {"blob": b"blob", "inner": b"tree", "tree": b"tree", "commit": b"commit", "tag": b"tag"}


def _tree(**entries: ShaFile) -> Tree:
    tree = Tree()
    for name, entry in entries.items():
        tree.add(name.encode(), 0o040000 if isinstance(entry, Tree) else 0o100644, entry.id)
    return tree


def _commit(tree: Tree, day: int, *parents: Commit) -> Commit:
    made = Commit()
    made.tree, made.parents, made.message = tree.id, [parent.id for parent in parents], b"a change"
    made.author = made.committer = _WHO
    made.author_time = made.commit_time = 1_767_225_600 + day * 86_400
    made.author_timezone = made.commit_timezone = 0
    return made


def seeds() -> Seeds:
    """A branch of two commits, the older of which lies in a pack; refs; settings."""
    old, new = Blob.from_string(b"id,score\nq1,0\n"), Blob.from_string(b"id,score\nq1,1\nq2,0.5\n")
    past = _tree(run=old)
    inner = _tree(run=new)
    tree = _tree(folder=inner, run=new)
    first = _commit(past, 0)
    last = _commit(tree, 1, first)
    tag = b"object %s\ntype commit\ntag v1\ntagger %s 1767225600 +0000\n\nof old\n" % (last.id, _WHO)
    packed, index = io.BytesIO(), io.BytesIO()
    entries, checksum = write_pack_objects(packed, [(each, None) for each in (old, past, first)], SHA1)
    write_pack_index_v2(index, sorted((name, offset, crc) for name, (offset, crc) in entries.items()), checksum)
    return {
        "blob": new.as_raw_string(),
        "inner": inner.as_raw_string(),
        "tree": tree.as_raw_string(),
        "commit": last.as_raw_string(),
        "tag": tag,
        "HEAD": b"ref: refs/heads/work\n",
        "config": b"[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
        "packed-refs": b"# pack-refs with: peeled fully-peeled sorted \n%s refs/heads/main\n" % first.id,
        "refs.heads.work": last.id + b"\n",
        "refs.tags.v1": hashlib.sha1(b"tag %d\0%s" % (len(tag), tag)).hexdigest().encode() + b"\n",  # noqa: S324  # git's
        "shallow": b"",
        "objects.pack.pack-1.pack": packed.getvalue(),
        "objects.pack.pack-1.idx": index.getvalue(),
    }


_SEEDS = seeds()


def _put_together(parts: Path, root: Path) -> None:
    """Lay a repository out whose objects have the ids that the others name, as if somebody had pushed them so."""
    shutil.rmtree(root, ignore_errors=True)
    renamed: list[tuple[bytes, bytes]] = []
    for name in _SEEDS:
        content = (parts / name).read_bytes()
        for before, after in renamed:
            content = content.replace(before, after).replace(before.hex().encode(), after.hex().encode())
        path = root / ".git" / name.replace(".", "/", name.count(".") - name.startswith("objects."))
        if name in _LOOSE:
            before, after = (_framed(name, data)[1] for data in (_SEEDS[name], content))
            renamed.append((before, after))
            digits = after.hex()
            path, content = (
                root / ".git" / "objects" / digits[:2] / digits[2:],
                zlib.compress(_framed(name, content)[0]),
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _framed(name: str, content: bytes) -> tuple[bytes, bytes]:
    framed = b"%s %d\0%s" % (_LOOSE[name], len(content), content)
    return framed, hashlib.sha1(framed).digest()  # noqa: S324  # git's


def read_repository(part: Path) -> None:
    """What a run reads of a baseline in git: the file at a tag, a branch and the merge base, and its last change."""
    root = part.parent / "repository"
    _put_together(part.parent, root)
    for ref, path in (("v1", "folder/run"), ("work", "run"), ("work~1", "run"), ("merge-base(main)", "run")):
        spec = from_folder(f"git:{ref}:{path}", str(root))
        read_in_git(spec, os.environ)
        with finding_baselines({"s": spec}, _TODAY):
            pass
