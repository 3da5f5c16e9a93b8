"""Which files a corpus consists of."""

import os
from pathlib import Path

import pytest

from gate.contamination.sources import find_sources
from gate.errors import CorpusError


def _write(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("some text")


def _names(corpus: str | Path | list[str | Path], base: Path) -> list[str]:
    return [file.name for file in find_sources(corpus, base).files]


def test_a_file_is_named_as_given_and_opened_from_the_base(tmp_path: Path) -> None:
    _write(tmp_path, "docs/a.txt")
    (file,) = find_sources("./docs/a.txt", tmp_path).files
    assert file == (str(tmp_path / "docs/a.txt"), "docs/a.txt", ".txt")


def test_an_absolute_path_is_shown_absolute(tmp_path: Path) -> None:
    _write(tmp_path, "docs/a.txt")
    assert _names(tmp_path / "docs", Path("elsewhere")) == [(tmp_path / "docs/a.txt").as_posix()]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.txt", ".txt"),
        ("A.TXT", ".txt"),
        ("a.md", ".md"),
        ("a.jsonl", ".jsonl"),
        ("a.json", ".json"),
        ("a.txt.gz", ".txt"),
        ("a.jsonl.zst", ".jsonl"),
        ("a.b.json.GZ", ".json"),
        ("a.csv", ".csv"),
        ("a.csv.zst", ".csv"),
        ("a.parquet", ".parquet"),
    ],
)
def test_the_ending_says_how_a_file_is_read(tmp_path: Path, name: str, kind: str) -> None:
    _write(tmp_path, name)
    assert find_sources(name, tmp_path).files[0].kind == kind


@pytest.mark.parametrize("name", ["a.pdf", "a.tsv", "txt", "a.gz", "a.parquet.zst"])
def test_a_named_file_with_another_ending_is_an_error_that_lists_what_is_read(tmp_path: Path, name: str) -> None:
    _write(tmp_path, name)
    with pytest.raises(CorpusError, match="ending") as caught:
        find_sources(name, tmp_path)
    assert str(caught.value.where) == name
    for ending in (".txt", ".md", ".jsonl", ".json", ".csv", ".parquet", ".gz", ".zst"):
        assert ending in caught.value.remedy


def test_a_folder_is_read_with_its_folders_in_the_order_of_their_names(tmp_path: Path) -> None:
    _write(tmp_path, "c/b.txt", "c/a/z.md", "c/a.jsonl", "c/a/b/c.json")
    assert _names("c", tmp_path) == ["c/a.jsonl", "c/a/b/c.json", "c/a/z.md", "c/b.txt"]


def test_hidden_files_and_folders_are_left_out(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt", "c/.b.txt", "c/.git/c.txt")
    sources = find_sources("c", tmp_path)
    assert [file.name for file in sources.files] == ["c/a.txt"]
    assert sources.notes == ()


def test_a_hidden_folder_is_read_when_it_is_named(tmp_path: Path) -> None:
    _write(tmp_path, ".c/a.txt")
    assert _names(".c", tmp_path) == [".c/a.txt"]


def test_other_files_in_a_folder_are_counted_by_ending(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt", "c/b.pdf", "c/d/e.pdf", "c/f.bin", "c/Makefile")
    assert find_sources("c", tmp_path).notes == (
        "not read in c: 4 files with other endings (.pdf 2, .bin 1, no ending 1)",
    )


def test_the_note_on_other_files_stays_short(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt", *(f"c/b.x{number}" for number in range(9)))
    (note,) = find_sources("c", tmp_path).notes
    assert note.startswith("not read in c: 9 files")
    assert note.endswith(", ...)")


def test_links_out_of_a_folder_are_not_followed_and_told(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt", "private/b.txt")
    (tmp_path / "c/b.txt").symlink_to(tmp_path / "private/b.txt")
    (tmp_path / "c/folder").symlink_to(tmp_path / "private")
    sources = find_sources("c", tmp_path)
    assert [file.name for file in sources.files] == ["c/a.txt"]
    assert sources.notes == ("not read in c: 2 links that lead out of it",)


def test_links_within_a_folder_are_followed(tmp_path: Path) -> None:
    _write(tmp_path, "c/blobs/1")
    (tmp_path / "c/a.txt").symlink_to(tmp_path / "c/blobs/1")
    assert _names("c", tmp_path) == ["c/a.txt"]


def test_a_folder_that_links_to_itself_is_read_once(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt")
    (tmp_path / "c/again").symlink_to(tmp_path / "c")
    assert _names("c", tmp_path) == ["c/a.txt"]


def test_a_named_link_is_followed(tmp_path: Path) -> None:
    _write(tmp_path, "elsewhere/a.txt")
    (tmp_path / "c").symlink_to(tmp_path / "elsewhere")
    assert _names("c", tmp_path) == ["c/a.txt"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("c/*.txt", ["c/a.txt", "c/b.txt"]),
        ("c/[b]*", ["c/b.txt"]),
        ("c/**/*.jsonl", ["c/d.jsonl", "c/e/f.jsonl"]),
        ("c/*", ["c/a.txt", "c/b.txt", "c/d.jsonl", "c/e/f.jsonl"]),
        ("c/**", ["c/a.txt", "c/b.txt", "c/d.jsonl", "c/e/f.jsonl"]),
        ("c/?", ["c/e/f.jsonl"]),
    ],
)
def test_a_pattern_stands_for_the_files_and_folders_that_match(
    tmp_path: Path, pattern: str, expected: list[str]
) -> None:
    _write(tmp_path, "c/a.txt", "c/b.txt", "c/.b.txt", "c/d.jsonl", "c/e/f.jsonl", "c/g.pdf")
    assert _names(pattern, tmp_path) == expected


def test_an_absolute_pattern_is_matched_from_the_root(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt")
    assert _names(str(tmp_path / "c" / "*.txt"), Path("elsewhere")) == [(tmp_path / "c/a.txt").as_posix()]


def test_links_out_of_a_pattern_are_not_followed_and_told(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt", "private/b.txt")
    (tmp_path / "c/b.txt").symlink_to(tmp_path / "private/b.txt")
    (tmp_path / "c/folder").symlink_to(tmp_path / "private")
    sources = find_sources("c/*", tmp_path)
    assert [file.name for file in sources.files] == ["c/a.txt"]
    assert sources.notes == ("not read in c/*: 2 links that lead out of it",)


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    _write(tmp_path, "a[1].txt", "a1.txt")
    assert _names("a[1].txt", tmp_path) == ["a[1].txt"]


def test_a_list_is_read_in_its_order_and_each_file_once(tmp_path: Path) -> None:
    _write(tmp_path, "z.txt", "c/a.txt", "c/b.txt")
    assert _names(["z.txt", "c/b.txt", Path("c"), "*.txt"], tmp_path) == ["z.txt", "c/b.txt", "c/a.txt"]


def test_what_is_left_out_is_named_and_told_in_whole_sentences(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt", "c/b.pdf", "private/b.txt")
    (tmp_path / "c/d.txt").symlink_to(tmp_path / "private/b.txt")
    sources = find_sources("c", tmp_path)
    assert sources.left_out == frozenset({"c/b.pdf"})
    assert sources.links_out == frozenset({"c/d.txt"})
    assert sources.notes == (
        "not read in c: 1 file with other endings (.pdf 1)",
        "not read in c: 1 link that leads out of it",
    )


@pytest.mark.parametrize("missing", ["no.txt", "c/no", "no/*.txt", "c/*.md", "no\0.txt", "*\0", "", "x" * 5000])
def test_a_path_that_leads_to_nothing_is_an_error(tmp_path: Path, missing: str) -> None:
    _write(tmp_path, "c/a.txt")
    with pytest.raises(CorpusError) as caught:
        find_sources(["c", missing], tmp_path)
    assert caught.value.where is not None
    assert caught.value.where.path == missing
    assert caught.value.remedy


def test_a_folder_without_a_file_that_is_read_is_an_error_that_counts_the_others(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.pdf", "c/b.pdf")
    with pytest.raises(CorpusError, match=r"2 files with other endings \(\.pdf 2\)"):
        find_sources("c", tmp_path)


def test_no_path_at_all_is_an_error() -> None:
    with pytest.raises(CorpusError, match="the corpus is empty"):
        find_sources([], Path())


def test_a_pipe_is_an_error_and_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(CorpusError, match="not a regular file"):
        find_sources("a.txt", tmp_path)


def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _write(tmp_path, "c/a.txt", "c/d/b.txt")
    real = os.scandir

    def refuse(path: str) -> object:
        if str(path).endswith("d"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    with pytest.raises(CorpusError, match="cannot be read: Permission denied"):
        find_sources("c", tmp_path)


def test_a_file_name_that_is_not_utf_8_is_shown_escaped(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    with open(os.fsencode(tmp_path) + b"/c/\xff.txt", "wb") as file:  # noqa: PTH123  # Path takes no bytes
        file.write(b"text")
    (found,) = find_sources("c", tmp_path).files
    assert found.name == "c/\\udcff.txt"
    assert Path(found.path).read_bytes() == b"text"


def test_a_link_that_leads_to_itself_is_told_and_does_not_hang(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt")
    (tmp_path / "c/loop.txt").symlink_to(tmp_path / "c/loop.txt")
    (tmp_path / "c/up").symlink_to(tmp_path / "c/up2")
    (tmp_path / "c/up2").symlink_to(tmp_path / "c/up")
    (tmp_path / "c/d").mkdir()
    (tmp_path / "c/d/back").symlink_to(tmp_path)
    assert "c/a.txt" in _names("c", tmp_path)
    assert find_sources("c", tmp_path).links_out == frozenset({"c/d/back"})


def test_a_file_url_is_a_path_of_this_machine(tmp_path: Path) -> None:
    _write(tmp_path, "c/a.txt")
    (file,) = find_sources(f"file://{tmp_path}/c").files
    assert file == (str(tmp_path / "c/a.txt"), (tmp_path / "c/a.txt").as_posix(), ".txt")
