"""What the page may do, and JSON that cannot end the element it stands in."""

import json

import pytest

from gate.reports.html.policy import embed_json, policy_of


@pytest.mark.parametrize("text", ["</script>", "<!--", "<script>", "a < b", "&lt;", "\\u003c"])
def test_embedded_json_has_no_way_out_and_says_the_same(text: str) -> None:
    written = json.dumps({text: [text]})
    embedded = embed_json(written)
    assert "<" not in embedded
    assert json.loads(embedded) == json.loads(written)


def test_a_hash_is_that_of_the_bytes() -> None:
    # printf '' | openssl dgst -sha256 -binary | base64
    assert "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='" in policy_of("body {}", "")
    assert policy_of("a", "ä") != policy_of("a", "a")


def test_nothing_is_allowed_at_large() -> None:
    policy = policy_of("a", "b")
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "*" not in policy
    assert "http" not in policy
