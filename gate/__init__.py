"""gate: may this candidate ship? A regression gate for AI-model evaluations."""

__version__ = "0.1.0"
