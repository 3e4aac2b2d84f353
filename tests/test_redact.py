from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.redact import redact_json, redact_text

PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7b\nq1/+==\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("kind", "secret"),
    [
        ("openai-key", "sk-proj-abcdEFGH1234_5678-ijkl"),
        ("anthropic-key", "sk-ant-api03-abcdEFGH1234_5678"),
        ("github-token", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"),
        ("github-token", "github_pat_11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz"),
        ("gitlab-token", "glpat-abcdefgh12345678ijkl"),
        ("slack-token", "xoxb-123456789012-abcdefghij"),
        ("aws-key", "AKIAIOSFODNN7EXAMPLE"),
        ("google-key", "AIzaSyA1234567890abcdefghijklmnopqrstuv"),
        ("huggingface-token", "hf_abcdefghijklmnopqrstuvwxyz"),
        ("tinker-key", "tml-abcdefghijklmnop1234"),
        ("metaclaw-token", "mct_abcdefghijklmnopqrstuvwx-yz_0"),
        ("jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w"),
        ("private-key", PEM),
        ("private-key", PEM.replace("\n", "\\n")),
    ],
)
def test_known_secrets_are_replaced_by_their_kind(kind: str, secret: str):
    assert redact_text(f"use {secret}, please") == (f"use [redacted:{kind}], please", 1)
    assert redact_text(secret) == (f"[redacted:{kind}]", 1)


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("Authorization: Bearer abc123def456ghi789", "Authorization: Bearer [redacted:bearer]"),
        ("postgres://app:hunter2@db:5432/x", "postgres://app:[redacted:url-password]@db:5432/x"),
        ("export OPENAI_API_KEY=abcdefgh\nX=1", "export OPENAI_API_KEY=[redacted:assignment]\nX=1"),
        ("env: DB_PASSWORD='correct horse'", "env: DB_PASSWORD='[redacted:assignment]'"),
        ('{"password": "correct horse"}', '{"password": "[redacted:assignment]"}'),
        (r"{\"api_key\": \"abcdef\", \"n\": 1}", r"{\"api_key\": \"[redacted:assignment]\", \"n\": 1}"),
        ("db_password: hunter22", "db_password: [redacted:assignment]"),
        ("x-api-key: 0123456789", "x-api-key: [redacted:assignment]"),
        ("A_TOKEN=" + "k" * 5000 + " end", "A_TOKEN=[redacted:assignment] end"),
    ],
)
def test_secrets_are_known_by_where_they_stand(text: str, redacted: str):
    assert redact_text(text) == (redacted, 1)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the bearer internationalisation of things",
        "max_tokens=100, primary_key=True, sorted(xs, key=len)",
        "password = getpass.getpass()",
        "OPENAI_API_KEY=$OPENAI_API_KEY",
        "OPENAI_API_KEY=<your key here>",
        "KEY: remember the milk",
        "http://localhost:8080/a?x=@b",
        "http://host:80?to=me@example.com",
        "risk-averse, disk-based, task-oriented-programming-language",
        "sk-short",
        "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "-----END RSA PRIVATE KEY-----",
        "eyJ is how a JWT begins",
    ],
)
def test_what_is_no_secret_stays(text: str):
    assert redact_text(text) == (text, 0)


def test_a_private_key_that_was_cut_goes_as_far_as_it_reads_like_one():
    text, count = redact_text("-----BEGIN PRIVATE KEY-----\nMIIEpAIB\nabc= Then we met. " + PEM)
    assert text == "[redacted:private-key] Then we met. [redacted:private-key]"
    assert count == 2


def test_json_keeps_its_shape_and_loses_its_secrets():
    value = {
        "model": "m",
        "n": 1.50,
        "messages": [{"role": "user", "content": "my key is sk-abcdefgh12345678ijkl"}],
        "args": {"api_key": "anything at all", "db_password": "x", "token_count": 3, "secret": None},
    }
    redacted, count = redact_json(value)
    assert count == 3
    assert list(redacted) == list(value)
    assert redacted["messages"] == [{"role": "user", "content": "my key is [redacted:openai-key]"}]
    assert redacted["args"] == {
        "api_key": "[redacted:field]",
        "db_password": "[redacted:field]",
        "token_count": 3,
        "secret": None,
    }
    assert redact_json(redacted) == (redacted, 0)


def test_what_the_provider_signed_is_not_touched():
    value = {"signature": "sk-abcdefgh12345678ijkl", "encrypted_content": "eyJhbGciOiJI.abcdefghij.x"}
    assert redact_json(value) == (value, 0)


def test_a_value_without_secrets_is_the_same_object():
    value = {"a": [1, 2, {"b": "c"}]}
    assert redact_json(value)[0] is value


def test_nesting_without_end_is_cut_and_not_a_crash():
    value: object = "sk-abcdefgh12345678ijkl"
    for _ in range(100_000):
        value = [value]
    assert redact_json(value)[1] == 1


@pytest.mark.parametrize(
    "piece",
    [
        "eyJ", "eyJabcdefgh.", "sk-", "a", "A_", "KEY_", "KEY=", "password", "password=", "://", "://a:",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nAAAA",
        "Bearer ", "\\", '"', 'KEY="', "a_", "a-", "ghp_", "=", "AKIA", "----",
    ],
)  # fmt: skip
def test_no_repetition_makes_it_slow(piece: str):
    redact_text(piece * (1_000_000 // len(piece)))  # the suite's time limit is the guard


@given(
    st.lists(
        st.sampled_from(
            ["sk-", "ant-", "a1" * 10, "=", ":", " ", "\n", '"', "'", "\\", "API_KEY", "password", "://",
             "@", "Bearer ", PEM, "-----BEGIN PRIVATE KEY-----", "[redacted:bearer]", "eyJabcdefgh", ".",
             "authorization"]
        ),
        max_size=12,
    ).map("".join)
)  # fmt: skip
def test_redacting_again_finds_nothing_more(text: str):
    once, _ = redact_text(text)
    assert redact_text(once) == (once, 0)


@given(st.text(), st.text())
def test_a_key_is_found_whatever_stands_around_it(before: str, after: str):
    secret = "sk-abcdefgh12345678ijkl"
    assert secret not in redact_text(f"{before} {secret} {after}")[0]


@pytest.mark.parametrize(
    "secret",
    [
        "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "npm_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "SG." + "ngeVfQFYQlKU0ufo8x5d1A." + "TwL2iGABf9DHoTf09kqeF8tAmbihYzrnopKc1s5cr0q",
        "dop_v1_" + "b7d03a6947b217efb6f3ec3bd3504582" * 2,
    ],
)
def test_keys_of_services_are_known_by_their_shape(secret: str) -> None:
    assert secret not in redact_text(f"use {secret} for it")[0]


@pytest.mark.parametrize(
    "text",
    [
        "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "my api key is 3f9c1a7be04d4a52b8c6d1e2f3a4b5c6, do not lose it",
        "The password is tr0ub4dor-and-3 more",
        "token: 9f8e7d6c5b4a39281706",
    ],
)
def test_a_secret_is_known_by_the_word_before_it(text: str) -> None:
    redacted, count = redact_text(text)
    assert count == 1
    assert redact_text(redacted) == (redacted, 0)


@pytest.mark.parametrize(
    "text",
    [
        "the password is checked by the server",
        "an API key is a string of letters",
        "commit 3f9c1a7be04d4a52b8c6d1e2f3a4b5c6d7e8f901 is the one",
    ],
)
def test_honest_prose_stays(text: str) -> None:
    assert redact_text(text) == (text, 0)
