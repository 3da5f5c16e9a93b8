"""Bytes to text: borders, faults and byte order marks."""

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.contamination.decoding import TextDecoder, printable, require_text
from gate.errors import CorpusError


def _decode(chunks: list[bytes]) -> tuple[str, int]:
    decoder = TextDecoder("a.txt")
    text = "".join(decoder.decode(chunk, final=False) for chunk in chunks) + decoder.decode(b"", final=True)
    return text, decoder.replaced


def _in_chunks(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


@given(st.text(max_size=40), st.integers(1, 5))
def test_characters_are_put_together_across_chunks(text: str, size: int) -> None:
    data = ("|" + text).encode("utf-8", "replace")
    assert _decode(_in_chunks(data, size)) == (data.decode(), 0)


@given(st.binary(max_size=40), st.integers(1, 5))
def test_faults_are_replaced_as_the_codec_does_and_counted(data: bytes, size: int) -> None:
    data = b"|" + data
    text, replaced = _decode(_in_chunks(data, size))
    assert text == data.decode("utf-8", "replace")
    assert (replaced == 0) == (data.decode("utf-8", "ignore").encode() == data)


def test_a_replacement_character_of_the_text_itself_is_not_counted() -> None:
    assert _decode(["� ".encode(), b"\xff\xfe!", "�".encode()]) == ("� ��!�", 2)


def test_a_character_cut_off_by_the_end_is_counted() -> None:
    assert _decode(["né".encode()[:-1]]) == ("n�", 1)


def test_a_byte_order_mark_is_dropped_at_the_start_only() -> None:
    assert _decode([codecs.BOM_UTF8, b"what ", codecs.BOM_UTF8]) == ("what \N{ZERO WIDTH NO-BREAK SPACE}", 0)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_an_error_with_the_command_that_converts_it(encoding: str) -> None:
    with pytest.raises(CorpusError, match="UTF-16") as caught:
        TextDecoder("a.txt").decode("\ufeffwhat".encode(encoding), final=False)
    assert "iconv" in caught.value.remedy
    assert str(caught.value.where) == "a.txt"


def test_printable_text_can_always_be_encoded() -> None:
    assert printable("é\udcff") == "é\\udcff"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_utf_16_is_known_without_a_byte_order_mark_too(encoding: str) -> None:
    with pytest.raises(CorpusError, match="UTF-16"):
        require_text("some words of plain text".encode(encoding), "a.txt")


@pytest.mark.parametrize("head", [b"\x7fELF\x02\x01\x01" + bytes(9) + b"text", b"PK\x03\x04\x14\0", b"plain\0text"])
def test_a_binary_file_is_an_error_that_names_it(head: bytes) -> None:
    with pytest.raises(CorpusError, match="binary") as caught:
        require_text(head, "a.txt")
    assert str(caught.value.where) == "a.txt"


@pytest.mark.parametrize("head", [b"", b"plain", "日本語".encode(), b"na\xefve"])
def test_text_is_let_through_whatever_its_bytes(head: bytes) -> None:
    require_text(head, "a.txt")
