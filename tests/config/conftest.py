"""gate.yml from a text, and what is said of one that is wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gate.config import GateConfig, load_config
from gate.errors import ConfigError

Load = Callable[[str | bytes], GateConfig]
Refuse = Callable[[str | bytes], ConfigError]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Loads a text as gate.yml of the working directory."""
    monkeypatch.chdir(tmp_path)

    def load_text(text: str | bytes) -> GateConfig:
        path = Path("gate.yml")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_config(path)

    return load_text


@pytest.fixture
def refuse(load: Load) -> Refuse:
    """Loads a text that must not load, and returns the error."""

    def refuse_text(text: str | bytes) -> ConfigError:
        with pytest.raises(ConfigError) as caught:
            load(text)
        return caught.value

    return refuse_text
