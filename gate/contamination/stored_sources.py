"""Which files of an object store an entry of a corpus stands for: a file, a folder (a prefix) or a glob pattern."""

from gate.contamination.found import Found, unknown_ending
from gate.contamination.stores import has_magic, list_files, url_name


def find_stored(url: str) -> Found:
    """The files of one entry, sorted by name; errors as in ``find_sources``.

    As in folders of this machine, what is hidden below the folder is left out, and what has another ending is told.
    """
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


def _is_hidden(url: str, address: str) -> bool:
    given = address.rstrip("/").split("/")
    fixed = next((place for place, part in enumerate(given) if has_magic(part)), len(given))
    return any(part.startswith(".") for part in url.split("/")[fixed:])
