"""gate.yml: what it may say, and how it is read."""

from gate.config.load import load_config, validate_config
from gate.config.model import GateConfig, SuiteConfig

__all__ = ["GateConfig", "SuiteConfig", "load_config", "validate_config"]
