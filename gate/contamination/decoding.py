"""UTF-8 text out of bytes that come in chunks: what is not UTF-8 is replaced and counted, never dropped in silence."""

import codecs

from gate.errors import CorpusError, Place

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
# Of UTF-16 every second byte of most text is zero; of other binary files, zeros stand anywhere.
_UTF_16_SHARE = 0.9
_UTF_16_ZEROS = 0.25


class TextDecoder:
    """Decodes one file from its start.

    Attributes:
        replaced: how many faulty places were replaced so far.
    """

    def __init__(self, name: str, *, at_start: bool = True) -> None:
        self.replaced = 0
        self._name = name
        self._pending = b""
        self._at_start = at_start

    def decode(self, chunk: bytes, *, final: bool) -> str:
        """The text of the next chunk; a character cut at its end waits for the next one unless ``final``.

        Raises:
            CorpusError: where the file starts like UTF-16.
        """
        if self._at_start and chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise _utf_16(self._name)
        text = self._decode(self._pending + chunk, final=final)
        if self._at_start and text:
            self._at_start = False
            return text.removeprefix(_BYTE_ORDER_MARK)
        return text

    def _decode(self, data: bytes, *, final: bool) -> str:
        try:
            text, used = codecs.utf_8_decode(data, "strict", final)
        except UnicodeDecodeError:
            text, used = codecs.utf_8_decode(data, "replace", final)
            self.replaced += text.count(_REPLACEMENT) - data[:used].count(_REPLACEMENT.encode())
        self._pending = data[used:]
        return text


def require_text(head: bytes, name: str) -> None:
    """Refuse a file that by its first bytes is not text: it holds zero bytes, which no UTF-8 text does.

    Raises:
        CorpusError: where it is UTF-16 or binary.
    """
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise _utf_16(name)
    zeros = head.count(0)
    if not zeros:
        return
    most = max(head[0::2].count(0), head[1::2].count(0))
    if zeros >= _UTF_16_ZEROS * len(head) and most >= _UTF_16_SHARE * zeros:
        raise _utf_16(name)
    raise CorpusError(
        "the file is binary, not text: it holds zero bytes",
        where=Place(name),
        remedy="take it out of the corpus, or give its text as UTF-8",
    )


def printable(text: str) -> str:
    r"""The text with lone surrogates written as ``\udcff``: as they are, no file could hold them."""
    return text.encode("utf-8", "backslashreplace").decode()


def _utf_16(name: str) -> CorpusError:
    return CorpusError(
        "the file is UTF-16 text; only UTF-8 is read",
        where=Place(name),
        remedy="convert it, for example with: iconv -f UTF-16 -t UTF-8",
    )
