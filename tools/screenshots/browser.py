"""A page drawn by headless Chromium, cut to what is on it."""

import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Self

from PIL import Image, ImageChops

_TALLEST = 8000  # CSS pixels; a page is cut to its content
_NARROWEST = 500  # CSS pixels; the browser makes no narrower window, so pages are drawn in a frame
_COLOURS = 256
_SECONDS = 120
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--virtual-time-budget=8000",
)
_FRAME = """<!doctype html><style>body{{margin:0;background:{background}}}iframe{{border:0;display:block}}</style>
<iframe src="page.html" width="{width}" height="{height}"></iframe>"""


class MissingToolError(Exception):
    """A program or a font that is needed is not installed; the text says how to install it."""


class Screen(NamedTuple):
    """What a picture is looked at on: ``width`` in CSS pixels, ``scale`` in pixels of the picture for each."""

    name: str
    width: int
    scale: int
    dark: bool


SCREENS = (
    Screen("desktop-light", 900, 1, False),
    Screen("desktop-dark", 900, 1, True),
    Screen("phone-light", 375, 2, False),
    Screen("phone-dark", 375, 2, True),
)


class Shot(NamedTuple):
    """A picture that was drawn."""

    image: Image.Image

    def cut(self, height: int) -> Self:
        """Its top, at most so many pixels high."""
        return self._replace(image=self.image.crop((0, 0, self.image.width, min(height, self.image.height))))

    def save(self, path: Path) -> None:
        """Write it with few colours, as a drawing of text has: a third of the bytes, and nobody sees it."""
        self.image.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


@dataclass(frozen=True, slots=True)
class Browser:
    """Headless Chromium."""

    program: str

    @classmethod
    def find(cls) -> Self:
        """The browser of this machine.

        Raises:
            MissingToolError: where it or the font of the coloured dots is missing.
        """
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        if program is None:
            raise MissingToolError("chromium is missing: install it, on Debian `apt-get install chromium`")
        command = ["fc-list", ":charset=1f7e2"]
        fonts = (
            subprocess.run(command, capture_output=True, text=True, check=False) if shutil.which("fc-list") else None
        )
        if fonts is not None and not fonts.stdout.strip():
            raise MissingToolError(
                "no font has the coloured dots: install one, on Debian `apt-get install fonts-noto-color-emoji`"
            )
        return cls(program)

    def shoot(self, page: str, screen: Screen) -> Shot:
        """Draw a whole HTML document on a screen."""
        background = "#0d1117" if screen.dark else "#ffffff"
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "page.html").write_text(page, encoding="utf-8")
            frame = Path(folder) / "frame.html"
            frame.write_text(
                _FRAME.format(background=background, width=screen.width, height=_TALLEST), encoding="utf-8"
            )
            picture = Path(folder) / "picture.png"
            command = [
                self.program,
                *_FLAGS,
                f"--user-data-dir={folder}/profile",
                f"--window-size={max(screen.width, _NARROWEST)},{_TALLEST}",
                f"--force-device-scale-factor={screen.scale}",
                # 0 is dark, 1 is light
                f"--blink-settings=preferredColorScheme={int(not screen.dark)}",
                f"--screenshot={picture}",
                frame.as_uri(),
            ]
            subprocess.run(command, capture_output=True, check=True, timeout=_SECONDS)
            with Image.open(picture) as image:
                return Shot(_trimmed(image.convert("RGB"), screen))


def _trimmed(image: Image.Image, screen: Screen) -> Image.Image:
    """Without the empty rest of the window below the content, but for a margin."""
    image = image.crop((0, 0, screen.width * screen.scale, image.height))
    empty = Image.new("RGB", image.size, image.getpixel((image.width - 1, image.height - 1)))
    content = ImageChops.difference(image, empty).getbbox()
    bottom = image.height if content is None else content[3] + 16 * screen.scale
    return image.crop((0, 0, image.width, min(bottom, image.height)))
