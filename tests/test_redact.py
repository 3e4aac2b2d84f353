from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.redact import (
    NESTING_LIMIT,
    UNTOUCHED_KEYS,
    find_secrets,
    keywords,
    redact_json,
    redact_text,
)
from redact_cases.drawn import MAKERS, cases
from redact_cases.honest import texts

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


@pytest.mark.parametrize("lost", [3, 40, 100, 200, 320])
@pytest.mark.parametrize("kind", ["pem", "pem_escaped", "pem_indented", "openssh"])
def test_a_private_key_whose_beginning_was_lost_goes_with_all_whole_lines(kind: str, lost: int):
    key = MAKERS[kind](Random(lost))[lost:]
    text, count = redact_text(f"and so on\n{key}\nwhich ends it")
    assert count == 1
    assert not re.search("[A-Za-z0-9+/]{40}", text)
    assert text.startswith("and so on\n")
    assert text.endswith("[redacted:private-key]\nwhich ends it")


def test_words_before_the_end_of_a_key_stay():
    text = "ok\nyes\n-----END PRIVATE KEY-----"
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
    redact_text(piece * (250_000 // len(piece)))  # the suite's time limit is the guard


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


PHRASE = "abandon ability able about above absent absorb abstract absurd abuse access accident"


@pytest.mark.parametrize(
    ("text", "redacted"),
    [
        ("bob:$2y$05$" + "c4EoT/.Ks3" * 5 + "a1B\n", "bob:[redacted:password-hash]\n"),
        ("root:$6$salt$" + "aB3/x." * 14 + "Z1:19000:0", "root:[redacted:password-hash]:19000:0"),
        (f"mnemonic: {PHRASE}", "mnemonic: [redacted:seed-phrase]"),
        (f'SEED_PHRASE="{PHRASE}"', 'SEED_PHRASE="[redacted:seed-phrase]"'),
        (f"My recovery phrase is {PHRASE}.", "My recovery phrase is [redacted:seed-phrase]."),
        ("rm dump-AKIAIOSFODNN7EXAMPLE.png", "rm dump-[redacted:aws-key].png"),
        ("old_ghp_abcdefghijklmnopqrstuvwxyz0123456789", "old_[redacted:github-token]"),
        ("curl says Bearer swordfish42", "curl says Bearer [redacted:bearer]"),
        ("Bearer correct-horse-9", "Bearer [redacted:bearer]"),
    ],
)
def test_what_people_keep_and_choose_is_found(text: str, redacted: str) -> None:
    assert redact_text(text) == (redacted, 1)


def test_a_phrase_under_its_name_is_found_in_json_and_an_instruction_is_not() -> None:
    assert redact_json({"mnemonic": PHRASE}) == ({"mnemonic": "[redacted:seed-phrase]"}, 1)
    assert redact_json({"mnemonic": "mov", "seed": "7"})[1] == 0


@pytest.mark.parametrize("piece", ["secret is ", "key: x, ", "export A_KEY=", "token for the ", "pass"])
def test_what_repeats_itself_is_judged_once(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []
    after = keywords._after

    def counting(*given: Any) -> Any:
        judged.append(given)
        return after(*given)

    monkeypatch.setattr(keywords, "_after", counting)
    assert redact_text(piece * 10_000)[1] == 0
    assert len(judged) < 1000


def test_a_secret_behind_much_that_repeats_itself_is_found() -> None:
    assert redact_text("secret is " * 1000 + "a1B2c3D4e5F6g7H8i9J0k1L2" + " secret is" * 1000)[1] == 1


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
        "Bearer OAuth2.0 and a bearer of RFC-6750, or Bearer version 2",
        "mnemonic: mov eax, then seed: 42 and seed is the number that it begins with, every time it runs",
        "password hash: $2b$12$abcdefghijklmnopqrstuv, costs $200 or $5$",
        "the class my-sk-fading-circle-delay-2 and cache-key-9f8e7d6c5b4a392817069f8e7d6c5b4a",
        "the password is checked by the server",
        "an API key is a string of letters",
        "commit 3f9c1a7be04d4a52b8c6d1e2f3a4b5c6d7e8f901 is the one",
    ],
)
def test_honest_prose_stays(text: str) -> None:
    assert redact_text(text) == (text, 0)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_planted_secret_is_found(seed: int) -> None:
    left = []
    for kind, text, secrets in cases(seed):
        redacted, count = redact_text(text)
        if count == 0 or any(secret in redacted for secret in secrets):
            left.append((kind, text, redacted))
    assert left == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_planted_secrets_are_found_within_json_and_its_shape_stays(seed: int) -> None:
    for _, text, secrets in cases(seed):
        message = {
            "role": "tool",
            "content": [{"type": "text", "text": text}],
            "arguments": json.dumps([text]),
        }
        redacted, _ = redact_json(message)
        shown = json.dumps(redacted, ensure_ascii=False)
        assert not any(secret in shown for secret in secrets), text
        assert [list(redacted), redacted["content"][0]["type"]] == [list(message), "text"]
        assert redact_json(redacted) == (redacted, 0)


def test_there_are_enough_cases_to_speak_of() -> None:
    assert len(cases(0)) >= 150
    assert len(texts(0)) >= 200


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_honest_texts_stay_as_they_are(seed: int) -> None:
    touched = [(kind, text) for kind, text in texts(seed) if redact_text(text) != (text, 0)]
    assert touched == []
    assert [text for _, text in texts(seed) if redact_json({"content": text})[1]] == []


def test_kinds_are_told_in_the_order_in_which_they_stand() -> None:
    random = Random(7)
    text = f"{MAKERS['github'](random)} and password={MAKERS['password'](random)} and {MAKERS['pem'](random)}"
    assert find_secrets(text) == ["github-token", "assignment", "private-key"]
    assert find_secrets("nothing to see") == []


def test_a_secret_is_counted_once_however_many_rules_know_it() -> None:
    random = Random(7)
    key = MAKERS["openai"](random)
    assert redact_text(f"export OPENAI_API_KEY={key}") == ("export OPENAI_API_KEY=[redacted:openai-key]", 1)
    assert redact_text(f"Authorization: Bearer {key}") == ("Authorization: Bearer [redacted:openai-key]", 1)


@pytest.mark.parametrize("name", sorted(UNTOUCHED_KEYS))
@pytest.mark.parametrize("kind", ["jwt", "openai", "base64", "azure", "aws"])
def test_signatures_stay_byte_for_byte(name: str, kind: str) -> None:
    sealed = MAKERS[kind](Random(3))
    value = {
        "content": [{"type": "thinking", "thinking": "hm", name: sealed}],
        "extra": {"google": {name: sealed}},
    }
    assert redact_json(value) == (value, 0)


def test_the_data_of_hidden_thinking_stays_and_other_data_does_not() -> None:
    sealed = MAKERS["jwt"](Random(3))
    value = [{"type": "redacted_thinking", "data": sealed}, {"type": "reasoning.encrypted", "data": sealed}]
    assert redact_json(value) == (value, 0)
    assert redact_json({"type": "text", "data": sealed}) == ({"type": "text", "data": "[redacted:jwt]"}, 1)


def test_a_text_that_only_has_the_name_of_a_signature_is_read_like_any_other() -> None:
    value = {"signature": "def connect(password='hunter22')"}
    assert redact_json(value) == ({"signature": "def connect(password='[redacted:assignment]')"}, 1)


def test_the_name_of_a_field_says_what_its_value_is() -> None:
    value = {
        "env": [{"name": "DB_PASSWORD", "value": "correct horse"}, {"name": "MODE", "value": "fast"}],
        "headers": {"x-api-key": ["first one", "second one"]},
        "logprobs": [{"token": " the", "logprob": -0.1}],
        "properties": {"password": {"type": "string", "description": "The password of the user"}},
    }
    redacted, count = redact_json(value)
    assert count == 3
    assert redacted["env"][0] == {"name": "DB_PASSWORD", "value": "[redacted:field]"}
    assert redacted["headers"] == {"x-api-key": ["[redacted:field]", "[redacted:field]"]}
    assert {name: redacted[name] for name in ("logprobs", "properties")} == {
        name: value[name] for name in ("logprobs", "properties")
    }


def test_names_that_are_secrets_are_hidden_and_stay_apart() -> None:
    random = Random(5)
    first, second = MAKERS["github"](random), MAKERS["github"](random)
    redacted, count = redact_json({first: 1, second: 2})
    assert count == 2
    assert list(redacted.values()) == [1, 2]
    assert not any(secret in json.dumps(redacted) for secret in (first, second))


def test_what_lies_too_deep_is_left_out() -> None:
    value: object = "deep"
    for _ in range(NESTING_LIMIT - 1):
        value = [value]
    assert redact_json(value)[1] == 0
    assert redact_json([[value]])[1] == 1


@pytest.mark.parametrize(
    "piece",
    ["key=key=key=", "A_A_A_", "-AKIA", "mnemonic: abcd ", "seed phrase ", "$6$a", "$argon2i$v=1$",
     "Bearer a1 ", "pass:", "password is ", "token ", "API key for the ", "Authorization: Basic ",
     "-----BEGIN ", "Cookie: a=b; ", "mysql -p", "-u a:b ", "/a/", "key|", "key,'", '\\"', "aGVsbG8+/", "0",
     "密码是", "://a@", "SG.a", "İ", "xoxb-", "A_KEY=a&", 'KEY=a"', "Passwort: a", "token:\n", "-eyJ",
     "-sk-ant-", "-sk-proj-", "a_-SK", "twilio ", "totp AAAA ", "seed phrase\n", "Z2hw ", "pw=x;", "{SHA}"],
)  # fmt: skip
def test_no_repetition_of_words_makes_it_slow(piece: str) -> None:
    redact_text(piece * (100_000 // len(piece)))


_PIECES = st.sampled_from(
    ["password", "API key", "key", "TOKEN", "Authorization: ", "Bearer ", "Basic ", "Cookie: ", "--", "-u ",
     "=", ":", " ", "\n", "\\n", '"', "'", "`", "\\", '\\"', "|", "(", ")", "[", "]", "{", "}", ",", ";", "&",
     "?", "/", "/a/", "@", "://", "is ", "ist ", "是", "密码", "value", "a1B2c3D4e5F6g7H8i9J0k1L2",
     "hunter22", "sk-", "3f9c1a7be04d4a52b8c6d1e2f3a4b5c6", "eyJhbGciOi", ".", "-", "_", "$", "<",
     "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "[redacted:", "[redacted:bearer]",
     "\ud800", "İ", "ß", "%3D", "mysql -p", "export "]
)  # fmt: skip


@given(st.one_of(st.lists(_PIECES, max_size=24).map("".join), st.text()))
def test_no_text_breaks_it_and_a_second_time_changes_nothing(text: str) -> None:
    once, count = redact_text(text)
    assert redact_text(once) == (once, 0)
    assert (once == text) == (count == 0)
    assert bool(find_secrets(text)) == bool(count)


_JSON = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.text(max_size=8),
        st.lists(_PIECES, max_size=6).map("".join),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["content", "password", "signature", "name", "value", "data", "token"]), inner
        ),
    ),
    max_leaves=16,
)


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return [(name, _shape(item)) for name, item in value.items()]
    if isinstance(value, list):
        return [_shape(item) for item in value]
    return str if isinstance(value, str) else value


def test_what_a_redaction_uncovers_is_no_new_secret() -> None:
    once, count = redact_text("mysql -phunter22 -phunter22 -phunter22 -phunter22 -phunter22 -phunter22")
    assert redact_text(once) == (once, 0)
    assert count == 1


@given(_JSON)
def test_json_keeps_its_shape_whatever_it_holds(value: object) -> None:
    redacted, count = redact_json(value)
    assert _shape(redacted) == _shape(value)
    assert (redacted is value) == (count == 0)
    assert redact_json(redacted) == (redacted, 0)


_SHAPELESS = {
    *(
        "signs",
        "quote_within",
        "password",
        "word",
        "symbols",
        "opaque",
        "uuid",
        "hex32",
        "hex40",
        "hex64",
        "base62",
        "base64",
    ),
    *("base64url", "azure", "basic", "token43", "aws_secret"),
    *("telegram_any", "mailgun", "square", "phrase", "phrase_counted", "cookie", "camel", "base32"),
    *("base32_parted", "letters"),
}


@given(st.sampled_from(sorted(set(MAKERS) - _SHAPELESS)), st.integers(0, 10**6), st.text(), st.text())
def test_a_known_shape_is_found_whatever_stands_around_it(
    kind: str, seed: int, before: str, after: str
) -> None:
    secret = MAKERS[kind](Random(seed))
    assert secret not in redact_text(f"{before} {secret} {after}")[0]
