"""Write the teaching pages into docs/figures: ``python -m studies.figures``."""

from studies.figures.page import ROOT, build_pages


def main() -> None:
    """Write every page."""
    folder = ROOT / "docs" / "figures"
    folder.mkdir(exist_ok=True)
    for name, text in build_pages().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)


if __name__ == "__main__":
    main()
