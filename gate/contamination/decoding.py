"""UTF-8 text out of bytes that come in chunks: what is not UTF-8 is replaced and counted, never dropped in silence."""

import codecs

from gate.errors import CorpusError, Place

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


class TextDecoder:
    """Decodes one file from its start.

    Attributes:
        replaced: how many faulty places were replaced so far.
    """

    def __init__(self, name: str) -> None:
        self.replaced = 0
        self._name = name
        self._pending = b""
        self._at_start = True

    def decode(self, chunk: bytes, *, final: bool) -> str:
        """The text of the next chunk; a character cut at its end waits for the next one unless ``final``.

        Raises:
            CorpusError: where the file starts like UTF-16.
        """
        if self._at_start and chunk.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            raise CorpusError(
                "the file is UTF-16 text; only UTF-8 is read",
                where=Place(self._name),
                remedy="convert it, for example with: iconv -f UTF-16 -t UTF-8",
            )
        data = self._pending + chunk
        text, used = self._decode(data, final)
        self._pending = data[used:]
        if self._at_start and text:
            self._at_start = False
            return text.removeprefix(_BYTE_ORDER_MARK)
        return text

    def _decode(self, data: bytes, final: bool) -> tuple[str, int]:
        try:
            return codecs.utf_8_decode(data, "strict", final)
        except UnicodeDecodeError:
            text, used = codecs.utf_8_decode(data, "replace", final)
        self.replaced += text.count(_REPLACEMENT) - data[:used].count(_REPLACEMENT.encode())
        return text, used


def printable(text: str) -> str:
    r"""The text with lone surrogates written as ``\udcff``: as they are, no file could hold them."""
    return text.encode("utf-8", "backslashreplace").decode()
