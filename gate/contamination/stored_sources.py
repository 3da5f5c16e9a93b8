"""Which files of an object store an entry of a corpus stands for: a file, a folder (a prefix) or a glob pattern."""

from gate.contamination.found import Found, unknown_ending
from gate.contamination.stores import has_magic, list_files, url_name
from gate.errors import CorpusError, Place

# What fsspec offers beside stores: archives, and copies or other views of a store.
_NO_STORES = frozenset({"zip", "tar", "libarchive", "reference", "dir", "simplecache", "filecache", "blockcache"})


def find_stored(url: str) -> Found:
    """The files of one entry, sorted by name; errors as in ``find_sources``.

    As in folders of this machine, what is hidden below the folder is left out, and what has another ending is told.
    """
    _refuse_wrapped(url)
    found = Found(url_name(url))
    address, files = list_files(url)
    for file in files:
        name = url_name(file.url)
        if file.url == address:
            if not found.add(file.url, name):
                raise unknown_ending(name)
        elif not _is_hidden(file.url, address) and not found.add(file.url, name):
            found.other.add(name)
    return found.in_order()


def _refuse_wrapped(url: str) -> None:
    """Raise CorpusError at an address within another one, as fsspec chains them, and at what is only half of it."""
    if "::" not in url and url.partition("://")[0].lower() not in _NO_STORES:
        return
    raise CorpusError(
        "an address within another one (`zip://...::s3://...`, `simplecache::...`) is not read",
        where=Place(url_name(url)),
        remedy="name the files or the folder in the store itself; unpack an archive first, or write its files as "
        ".jsonl.gz or .jsonl.zst",
    )


def _is_hidden(url: str, address: str) -> bool:
    given = address.rstrip("/").split("/")
    fixed = next((place for place, part in enumerate(given) if has_magic(part)), len(given))
    return any(part.startswith(".") for part in url.split("/")[fixed:])
