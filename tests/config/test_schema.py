import pytest

from gate.config.location import Location, dotted
from gate.config.schema import config_schema, did_you_mean


@pytest.mark.parametrize(
    ("key", "location", "expected"),
    [
        ("suite", (), "did you mean 'suites'?"),
        ("seeds", ("policies",), "did you mean 'seed'?"),
        ("nam", ("suites", 3), "did you mean 'name'?"),
        ("directions", ("suites", 0, "metrics", "any name"), "did you mean 'direction'?"),
        ("marginal", ("suites", 0, "checks", "regression"), "did you mean 'margin'?"),
        ("x", ("suites", 0, "checks", "regression"), "the keys here are margin, cannot_tell"),
        ("x", ("suites", 0, "name"), "remove it"),
    ],
)
def test_a_key_is_held_against_those_of_its_place(key: str, location: Location, expected: str) -> None:
    assert did_you_mean(key, location) == expected


def test_a_key_that_may_be_left_out_may_not_be_null_but_for_a_metric_or_a_reducer_without_settings() -> None:
    text = str(config_schema())
    assert text.count("'null'") == 3
    assert "None" not in text


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ((), None),
        (("suites",), "suites"),
        (("suites", 0, "checks", "drift", "edges", 1), "suites[0].checks.drift.edges[1]"),
        ((0, "a"), "[0].a"),
    ],
)
def test_a_location_is_written_as_one_would_say_it(location: Location, expected: str | None) -> None:
    assert dotted(location) == expected
