"""Draw every picture on every screen into build/screenshots, and those of the README into docs/pictures.

python -m tools.screenshots           # all of them
python -m tools.screenshots NAME ...  # some
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from tools.screenshots.browser import SCREENS, Browser, MissingToolError, Screen
from tools.screenshots.pictures import PICTURES, Picture

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "screenshots"
PUBLISHED = ROOT / "docs" / "pictures"
# A README is loaded by many who will not look at its pictures.
MOST_BYTES = 150_000


def main(names: Sequence[str]) -> int:
    """Draw the pictures named, or all; returns the exit code."""
    unknown = set(names) - {picture.name for picture in PICTURES}
    if unknown:
        print(f"there is no picture {', '.join(sorted(unknown))}: {', '.join(each.name for each in PICTURES)}")
        return 2
    try:
        browser = Browser.find()
    except MissingToolError as fault:
        print(fault)
        return 2
    BUILD.mkdir(parents=True, exist_ok=True)
    for picture in PICTURES:
        if not names or picture.name in names:
            page = picture.page()
            for screen in SCREENS:
                draw(browser, picture, page, screen)
    return 0


def draw(browser: Browser, picture: Picture, page: str, screen: Screen) -> None:
    """Draw one picture on one screen; where the README shows it, its top into docs/pictures as well."""
    name = f"{picture.name}-{screen.name}.png"
    shot = browser.shoot(page, screen)
    shot.save(BUILD / name)
    print(f"build/screenshots/{name}")
    if screen.name in picture.published:
        PUBLISHED.mkdir(exist_ok=True)
        path = PUBLISHED / name
        shot.cut(picture.top * screen.scale).save(path)
        if path.stat().st_size > MOST_BYTES:
            raise SystemExit(f"{path} has over {MOST_BYTES} bytes: publish less of it (top={picture.top})")
        print(f"docs/pictures/{name}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
