"""Fail unless a release's tag, the package's version and the changelog's newest entry agree."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def main(tag: str, root: Path = ROOT) -> int:
    """Compare the tag ``v1.2.3`` with the two files."""
    version = re.search(r'^__version__ = "(.+)"$', (root / "gate" / "__init__.py").read_text("utf-8"), re.MULTILINE)
    dated = re.search(r"^## \[(\d.*)\] - \d{4}-\d\d-\d\d$", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    found = {
        "the tag": tag.removeprefix("v"),
        "gate/__init__.py": version[1] if version else "no version",
        "the newest dated entry of CHANGELOG.md": dated[1] if dated else "none",
    }
    print(", ".join(f"{name}: {value}" for name, value in found.items()))
    return 0 if len(set(found.values())) == 1 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
