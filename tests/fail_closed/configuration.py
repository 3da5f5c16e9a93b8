"""gate.yml that cannot be meant."""

import gzip
from collections.abc import Mapping

from tests.fail_closed.case import CONFIG, Case, Content, error, suite

_LAUGHS = "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def text(content: str | bytes) -> Mapping[str, Content]:
    return {"gate.yml": content.encode() if isinstance(content, str) else content}


CASES = (
    Case(
        "gate.yml is empty",
        text(""),
        error("config", "gate.yml", "the file is empty", "`gate init FILES` writes a starter gate.yml"),
        CONFIG,
    ),
    Case(
        "gate.yml is not YAML",
        text("suites: [\n"),
        error(
            "config",
            "gate.yml, line 2",
            "this is not YAML: expected the node content, but found '<stream end>'",
            "mend the syntax there",
        ),
        CONFIG,
    ),
    Case(
        "gate.yml is a picture",
        text(b"\x89PNG\r\n\x1a\n\0\0"),
        error("config", "gate.yml", "this is not a YAML text file", "name gate.yml, not a score file"),
        CONFIG,
    ),
    Case(
        "gate.yml is a list",
        text("- a\n"),
        error(
            "config",
            "gate.yml, line 1",
            "this list is not a mapping of keys to values",
            "the README's section on gate.yml lists the keys and their values",
        ),
        CONFIG,
    ),
    Case(
        "gate.yml holds two documents",
        text(b"version: 1\n---\nversion: 1\n"),
        error("config", "gate.yml, line 2", "this is not YAML: but found another document", "mend the syntax there"),
        CONFIG,
    ),
    Case(
        "gate.yml has no suites",
        text("version: 1\nsuites: []\n"),
        error("config", "gate.yml, line 2, suites", "the list has too few entries", "`suites`: What to judge"),
        CONFIG,
    ),
    Case(
        "gate.yml is of a version that is not known",
        text("version: 2\nsuites: []\n"),
        error(
            "config",
            "gate.yml, line 1, version",
            "2 is not 1 (and 1 more)",
            "`version`: The version of this file's form",
        ),
        CONFIG,
    ),
    Case(
        "gate.yml is over 1 MB",
        text(b"#" * 1_100_000),
        error("config", "gate.yml", "the file is over 1 MB", "name gate.yml, not a score file"),
        CONFIG,
    ),
    Case(
        "gate.yml is a gzip bomb",
        text(gzip.compress(b"#" * 200_000_000, 1)),
        error("config", "gate.yml", "the file is over 1 MB", "name gate.yml, not a score file"),
        CONFIG,
        confined=True,
    ),
    Case(
        "YAML anchors that multiply (billion laughs)",
        text(f"a: &a [x, x]\n{_LAUGHS}version: 1\n"),
        error(
            "config",
            "gate.yml, line 1, f[1][2][7][3][5]",
            "the file stands for over 50000 values",
            "use fewer YAML aliases",
        ),
        CONFIG,
        confined=True,
    ),
    Case(
        "A YAML alias that holds itself",
        text("a: &a [*a]\n"),
        error("config", "gate.yml", "the file is nested too deeply", "name gate.yml; an alias must not hold itself"),
        CONFIG,
        confined=True,
    ),
    Case(
        "YAML merge keys that multiply",
        text(
            "a: &a {x: 1}\n"
            + "".join(
                f"{new}: &{new} {{<<: [{', '.join([f'*{old}'] * 9)}]}}\n"
                for old, new in zip("abcdefgh", "bcdefghi", strict=True)
            )
        ),
        error("config", "gate.yml, line 1, f.x", "the file stands for over 50000 values", "use fewer YAML aliases"),
        CONFIG,
        confined=True,
    ),
    Case(
        "YAML, nested a hundred thousand times",
        text(b"[" * 100_000),
        error("config", "gate.yml", "the file is nested too deeply", "name gate.yml; an alias must not hold itself"),
        CONFIG,
        confined=True,
    ),
    Case(
        "gate.yml of a hundred thousand values without any alias",
        text("a: [" + "x," * 400_000 + "]"),
        error("config", "gate.yml", "the file holds over 50000 keys and values", "name gate.yml, not a score file"),
        CONFIG,
        confined=True,
    ),
    Case(
        "A number of thousands of digits",
        text(b"version: 0x" + b"f" * 5000 + b"\n"),
        error("config", "gate.yml, line 1, version", "the value cannot be read", "if it is text, put it in quotes"),
        CONFIG,
    ),
    Case(
        "A number in the base of 60 that no float holds",
        suite("    checks: {threshold: {bar: 1" + ":59" * 3000 + ".0}}\n"),
        error(
            "config",
            "gate.yml, line 6, suites[0].checks.threshold.bar",
            "the value cannot be read",
            "if it is text, put it in quotes",
        ),
        CONFIG,
    ),
    Case(
        "A YAML tag that would make an object of Python's",
        text("version: !!python/object/apply:os.system ['touch owned']\n"),
        error(
            "config",
            "gate.yml, line 1, version",
            "this list is not 1 (and 1 more)",
            "`version`: The version of this file's form",
        ),
        CONFIG,
    ),
)
