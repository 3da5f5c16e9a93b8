"""What the page may do: run its own script and wear its own style, known by their hashes, and nothing else."""

import hashlib
from base64 import b64encode


def policy_of(style: str, script: str) -> str:
    """The Content-Security-Policy of a page with one inline style and one inline script, both byte for byte."""
    return "; ".join(
        [
            "default-src 'none'",
            f"style-src {_source(style)}",
            f"script-src {_source(script)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )


def embed_json(text: str) -> str:
    r"""JSON as a script element can hold it: every ``<`` becomes ``\u003c``, which a JSON reader reads as the same.

    No ``</script>`` and no ``<!--`` is left, by which an element would end or change its meaning. ``gate.reports.
    encoding`` writes no ``\u003c`` itself, so that the text can be had back byte for byte.
    """
    return text.replace("<", r"\u003c")


def _source(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{b64encode(digest).decode('ascii')}'"
