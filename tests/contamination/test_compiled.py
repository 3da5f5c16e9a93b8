"""The compiled kernel beside that of numpy: its words, its lower case, its limits, and which of the two runs."""

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hatch_build
from gate.contamination import compiled
from gate.contamination.blocks import SEPARATORS, encode, make_block
from gate.contamination.compiled import CompiledCutter
from gate.contamination.cutting import NumpyCutter
from gate.contamination.hashing import hash_words
from gate.contamination.kernels import VARIABLE, KernelName, chosen_kernel
from gate.contamination.lowering import lower_case
from gate.contamination.probes import Item, build_index
from gate.errors import UsageError
from tests.contamination.conftest import require_compiled

# capitals that take as many bytes as their lower case, more, fewer or another one at the end of a word; separators
TEXTS = st.text() | st.text(st.sampled_from("aAZ@[zÀßẞİıΣσςКKÅȺ𐐀🙂日\ud800\udfff_\x00\x1b" + SEPARATORS), max_size=90)
INDEX = build_index([Item("", "a b a"), Item("", "b a b")], [2])
TABLE = INDEX.lanes[0].searches[0].table


def in_python(text: str) -> bytes:
    return b" ".join(encode(word) for word in text.lower().split())


@pytest.fixture(scope="module")
def library() -> ctypes.CDLL:
    require_compiled()
    library = compiled.load()
    assert library is not None
    return library


@given(st.lists(TEXTS, max_size=6))
def test_every_document_has_the_words_it_has_in_python(library: ctypes.CDLL, texts: list[str]) -> None:
    cut = CompiledCutter(library).cut_lower(texts)
    expected = NumpyCutter().cut_lower(texts)
    assert cut.words == expected.words == sum(len(text.lower().split()) for text in texts)
    for place, text in enumerate(texts):
        assert cut.text(place) == expected.text(place) == in_python(text)


def test_every_character_is_lowered_as_python_lowers_it(library: ctypes.CDLL) -> None:
    texts = [f"A{chr(code)}B" for code in range(sys.maxunicode + 1)]
    cut = CompiledCutter(library).cut_lower(texts)
    for place, text in enumerate(texts):
        assert cut.text(place) == in_python(text)


def test_few_characters_are_left_to_python(library: ctypes.CDLL) -> None:
    del library
    lowered = lower_case()
    assert {chr(code) for code in np.flatnonzero(lowered == 0)} >= set("Σİẞ") | {"\u212a"}
    assert np.count_nonzero(lowered == 0) < 100


@given(st.lists(TEXTS, max_size=4), st.binary(max_size=200))
def test_hashes_and_places_are_those_of_numpy(library: ctypes.CDLL, texts: list[str], noise: bytes) -> None:
    # what is no UTF-8 cannot come here, and would do no harm
    documents = [*(encode(text) for text in texts), noise]
    cutter = CompiledCutter(library)
    cut = cutter.cut(documents)
    block = make_block(documents)
    room, words = cutter._room, cut.words
    assert words == block.starts.size
    assert room.edges[0 : 2 * words : 2].tolist() == block.starts.tolist()
    assert room.edges[1 : 2 * words : 2].tolist() == (block.starts + block.lengths).tolist()
    assert room.hashes[:words].tolist() == hash_words(block).tolist()


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129])
@pytest.mark.parametrize("letter", ["a", "a ", " a", " "])
def test_a_text_may_end_anywhere_in_a_line_of_64_bytes(library: ctypes.CDLL, size: int, letter: str) -> None:
    text = (letter * size)[:size].encode()
    cut = CompiledCutter(library).cut([text, text])
    assert cut.words == 2 * len(text.split())
    assert cut.text(0) == cut.text(1) == b" ".join(text.split())


def test_words_that_need_more_room_than_there_is_are_not_written(library: ctypes.CDLL) -> None:
    data, ends = np.frombuffer(b"a " * 100 + b" " * 8, dtype=np.uint8), np.array([200])
    edges, hashes, first = np.full(400, 7, np.uint32), np.full(200, 7, np.uint64), np.zeros(2, np.int64)
    places = [array.ctypes.data for array in (data, ends, edges, hashes, first)]
    assert library.gate_words(places[0], 200, places[1], 1, 1, places[2], places[3], 40, places[4]) == -1
    assert (edges[80:] == 7).all()
    assert (hashes == 7).all()


def test_a_block_beyond_what_fits_into_32_bits_is_left_to_numpy(
    library: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "MOST_BYTES", 20)
    cutter = CompiledCutter(library)
    for texts in (["A b a"], ["A b a" * 9, "B"]):
        for cut in (cutter.cut_lower(texts), cutter.cut([text.lower().encode() for text in texts])):
            expected = NumpyCutter().cut_lower(texts)
            assert (cut.words, cut.pairs(TABLE).grams.tolist()) == (
                expected.words,
                expected.pairs(TABLE).grams.tolist(),
            )


def test_a_table_that_forgets_ngrams_is_searched_as_it_is_now(library: ctypes.CDLL) -> None:
    table = build_index([Item("", "a b"), Item("", "c d")], [2]).lanes[0].searches[0].table
    cutter = CompiledCutter(library)
    for wanted, found in (([True, True], [0, 1]), ([False, True], [1]), ([False, False], [])):
        table.retain(np.array(wanted))
        assert cutter.cut([b"c d a b"]).pairs(table).grams.tolist() == found
    table.retain_all()
    assert cutter.cut([b"c d a b"]).pairs(table).grams.tolist() == [0, 1]


def test_a_library_of_another_source_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_compiled()
    monkeypatch.setattr(compiled, "SOURCE", tmp_path / "compiled.c")
    (tmp_path / "compiled.c").write_text("/* changed */")
    assert compiled.load.__wrapped__(compiled.LIBRARY) is None


def test_what_is_no_library_is_as_good_as_none(tmp_path: Path) -> None:
    (tmp_path / "bad.so").write_bytes(b"\x7fELF nothing")
    assert compiled.load(tmp_path / "bad.so") is None
    assert compiled.load(tmp_path / "missing.so") is None


def test_the_compiled_kernel_runs_where_it_is_built_unless_asked_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    require_compiled()
    assert [chosen_kernel({VARIABLE: name}) for name in ("", "compiled", "numpy")] == ["compiled", "compiled", "numpy"]
    monkeypatch.setattr(compiled, "load", lambda: None)
    assert [chosen_kernel({VARIABLE: name}) for name in ("", "numpy")] == ["numpy", "numpy"]


def test_a_kernel_that_was_not_built_or_does_not_exist_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "load", lambda: None)
    with pytest.raises(UsageError, match="GATE_KERNEL=compiled, but the compiled kernel was not built"):
        chosen_kernel({VARIABLE: KernelName.COMPILED})
    with pytest.raises(UsageError, match="GATE_KERNEL=fast names no kernel"):
        chosen_kernel({VARIABLE: "fast"})


class TestBuilding:
    """What the build does with and without a compiler."""

    def test_without_a_compiler_the_old_library_goes_and_it_is_told(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        target = tmp_path / "_compiled.so"
        target.write_bytes(b"of an older source")
        monkeypatch.setattr(hatch_build, "compiler", lambda: None)
        assert hatch_build.compile_if_possible(target).startswith("gate: no C compiler")
        assert not target.exists()

    def test_a_compiler_that_fails_is_told_and_leaves_nothing(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(hatch_build, "compiler", lambda: [sys.executable, "-c", "raise SystemExit('no headers')"])
        told = hatch_build.compile_if_possible(tmp_path / "_compiled.so")
        assert "fails" in told
        assert "no headers" in told
        assert not list(tmp_path.iterdir())

    def test_a_compiler_is_looked_for_by_cc_first_and_not_at_all_for_a_pure_wheel(self) -> None:
        assert hatch_build.compiler({"CC": f"{sys.executable} -x"}) == [sys.executable, "-x"]
        assert hatch_build.compiler({"CC": f"{sys.executable} -x", "GATE_PURE": "1"}) is None

    def test_the_source_compiles_without_a_warning(self, tmp_path: Path) -> None:
        command = hatch_build.compiler()
        if command is None:
            pytest.skip("no C compiler here")
        flags = ("-Werror", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion")
        hatch_build.compile_kernel(command, tmp_path / "_compiled.so", flags=flags)
        assert compiled.load(tmp_path / "_compiled.so") is not None
