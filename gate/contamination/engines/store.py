"""Finished shards on disk, one file each, so that a scan goes on where it stopped."""

import hashlib
import json
from pathlib import Path

from gate import __version__
from gate.contamination.packed import PackedError, unpack
from gate.contamination.probes import EvalIndex
from gate.contamination.shards import Fields, Shard
from gate.contamination.tally import Tally
from gate.files import most_unpacked
from gate.wording import count
from gate.writing import write_bytes_atomically

_MAGIC = b"gate shard 1\n"
_DIGEST = hashlib.sha256().digest_size
_TOLD = 5


class ShardStore:
    """A folder of finished shards; several evals may share it.

    What is kept holds for the same items, sizes, mode, tables of Unicode, fields and version of gate alone, and for a
    file of the corpus as it was read. A file that is broken or of something else is not trusted: the shard counts as
    unfinished and is told in ``notes``.

    Attributes:
        folder: where the shards of this scan lie.
    """

    def __init__(self, folder: Path, index: EvalIndex, fields: Fields = Fields()) -> None:  # noqa: B008  # a tuple
        self._index = index
        self._digest = scan_digest(index, fields)
        self.folder = folder / self._digest
        self._refused: dict[str, str] = {}

    @property
    def notes(self) -> tuple[str, ...]:
        """A sentence about what was in the store and not trusted."""
        if not self._refused:
            return ()
        told = ", ".join(f"{name} ({why})" for name, why in list(self._refused.items())[:_TOLD])
        more = ", ..." if len(self._refused) > _TOLD else ""
        shards = count(len(self._refused), "shard")
        return (f"not taken from the store, because its file there is not sound: {shards}: {told}{more}",)

    def path(self, shard: Shard) -> Path:
        """The file of a shard, whether it is there or not."""
        return self.folder / f"{hashlib.blake2b(self._label(shard), digest_size=16).hexdigest()}.shard"

    def load(self, shard: Shard) -> Tally | None:
        """What was found in a finished shard; None where it is not finished, or its file not sound."""
        try:
            data = self.path(shard).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as fault:
            self._refused[shard.name] = fault.strerror or "unreadable"
            return None
        try:
            return unpack(self._opened(data, shard), self._index, file=shard.file)
        except PackedError as fault:
            self._refused[shard.name] = str(fault)
            return None

    def save(self, shard: Shard, packed: bytes) -> None:
        """Keep what was found in a shard: its packed tally.

        Raises:
            WriteError: where the store cannot be written.
        """
        import zstandard  # noqa: PLC0415  # start-up time counts

        body = self._label(shard) + zstandard.ZstdCompressor(level=1).compress(packed)
        write_bytes_atomically(self.path(shard), _MAGIC + hashlib.sha256(body).digest() + body)

    def _opened(self, data: bytes, shard: Shard) -> bytes:
        import zstandard  # noqa: PLC0415  # start-up time counts

        digest, body = data[len(_MAGIC) :][:_DIGEST], data[len(_MAGIC) + _DIGEST :]
        if not data.startswith(_MAGIC) or hashlib.sha256(body).digest() != digest:
            raise PackedError("broken or cut short")
        label = self._label(shard)
        if not body.startswith(label):
            raise PackedError("of another scan")
        packed = body[len(label) :]
        try:
            if zstandard.frame_content_size(packed) > most_unpacked(len(packed)):
                raise PackedError("it expands beyond all measure")
            return zstandard.ZstdDecompressor().decompress(packed)
        except zstandard.ZstdError as fault:
            raise PackedError("broken") from fault

    def _label(self, shard: Shard) -> bytes:
        return json.dumps([self._digest, shard.key]).encode() + b"\n"


def scan_digest(index: EvalIndex, fields: Fields) -> str:
    """What results of other evals, fields or versions of gate differ by: hexadecimal."""
    parts = [index.digest, __version__, list(fields.text), fields.id]
    return hashlib.blake2b(json.dumps(parts).encode(), digest_size=16).hexdigest()
