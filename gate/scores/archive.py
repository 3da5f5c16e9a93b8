"""Zip archives from strangers: read member by member, with limits on count, size, ratio and ways of compression."""

import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import BinaryIO

from gate.errors import Place, ScoreFileError
from gate.files import BOMB_RATIO, most_unpacked
from gate.scores.content import ScoreFile, require_few_values
from gate.scores.quoting import quote

MOST_MEMBERS = 200_000
LARGEST_MEMBER = 1 << 29
_ZSTD = 93  # the zip format's number for it, which Python's own module knows from 3.14 on
# what Inspect writes or has written; an LZMA member can ask for gigabytes of memory before its first byte
_METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, _ZSTD})
_ENCRYPTED = 1
_LOCAL_HEADER = struct.Struct("<26xHH")
_REMEDY = "write or copy the archive again; a part of it is missing or damaged"


class Archive:
    """An open zip archive whose directory has been looked through.

    Attributes:
        names: its members' names, in the order of the directory, folders left out. Of two members with one name the
            later counts, as for every reader of archives: Inspect writes a sample anew so when it is run again.
    """

    def __init__(self, file: zipfile.ZipFile, raw: BinaryIO, place: Place) -> None:
        self._members = {info.filename: info for info in file.infolist() if not info.is_dir()}
        self._file = file
        self._raw = raw
        self._place = place
        self.names = tuple(self._members)

    def place(self, name: str) -> Place:
        """A member, as a place in the archive."""
        return self._place._replace(part=f"member {quote(name)}")

    def read(self, name: str) -> bytes:
        """The bytes of one member, checked against its checksum.

        Raises:
            ScoreFileError: where there is no such member, or it is encrypted, damaged or beyond the limits.
        """
        info = self._members.get(name)
        if info is None:
            raise ScoreFileError(
                f"the archive has no member {quote(name)}", where=self._place, remedy="let the tool write it again"
            )
        self._require_readable(info)
        try:
            content = self._unpacked(info)
        # a ValueError is what zipfile raises of a name that is not UTF-8
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, struct.error, ValueError) as fault:
            raise ScoreFileError(f"the member is broken ({fault})", where=self.place(name), remedy=_REMEDY) from fault
        if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
            raise ScoreFileError(
                "the member is broken (its checksum does not fit)", where=self.place(name), remedy=_REMEDY
            )
        require_few_values(content, info.compress_size, self.place(name))
        return content

    def _require_readable(self, info: zipfile.ZipInfo) -> None:
        if info.flag_bits & _ENCRYPTED:
            raise ScoreFileError(
                "the archive is encrypted", where=self.place(info.filename), remedy="give an archive without a password"
            )
        if info.compress_type not in _METHODS:
            raise ScoreFileError(
                f"the member is compressed in a way that no log is (the zip format's number {info.compress_type})",
                where=self.place(info.filename),
                remedy="give the archive as the tool wrote it, or compress it with deflate",
            )
        if info.file_size > LARGEST_MEMBER:
            raise ScoreFileError(
                f"the member is larger than {LARGEST_MEMBER >> 20} MB",
                where=self.place(info.filename),
                remedy="log less with each sample, e.g. no images or intermediate events",
            )

    def _unpacked(self, info: zipfile.ZipInfo) -> bytes:
        if info.compress_type != _ZSTD:
            return self._file.read(info)
        # imported here: few archives need it, and start-up time counts
        import zstandard  # noqa: PLC0415

        self._raw.seek(info.header_offset)
        name_length, extra_length = _LOCAL_HEADER.unpack(self._raw.read(_LOCAL_HEADER.size))
        self._raw.seek(name_length + extra_length, io.SEEK_CUR)
        packed = self._raw.read(info.compress_size)
        try:
            with zstandard.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as stream:
                return stream.read(info.file_size + 1)
        except zstandard.ZstdError as fault:
            raise zlib.error(str(fault)) from fault


@contextmanager
def open_archive(file: ScoreFile) -> Iterator[Archive]:
    """Open a zip archive for reading its members one by one.

    Raises:
        ScoreFileError: where it is no whole zip archive, or goes beyond the limits.
    """
    place = file.place()
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(file.path.open("rb"))
            archive = stack.enter_context(zipfile.ZipFile(raw))
        except (zipfile.BadZipFile, struct.error, OSError, ValueError, NotImplementedError) as fault:
            raise ScoreFileError(
                f"the zip archive is broken or cut short ({fault})", where=place, remedy=_REMEDY
            ) from fault
        _require_sound(archive, file.version.size, place)
        yield Archive(archive, raw, place)


def _require_sound(file: zipfile.ZipFile, size: int, place: Place) -> None:
    members = file.infolist()
    if len(members) > MOST_MEMBERS:
        raise ScoreFileError(
            f"the archive has {len(members)} members, more than {MOST_MEMBERS}",
            where=place,
            remedy="split the run into several files",
        )
    unpacked = sum(member.file_size for member in members)
    if unpacked > most_unpacked(size):
        raise ScoreFileError(
            f"the archive expands beyond all measure: to over {BOMB_RATIO} times its size",
            where=place,
            remedy="look at what it holds; if it is sound, export the log as JSON and give that",
        )
