"""What a record keeps of pictures, sound, files and long texts."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.store.trimming import trimmed
from metaclaw_tray.wire.thinning import thinned

PICTURE = b"\x89PNG\r\n" + bytes(range(256)) * 8
TEXT = base64.b64encode(PICTURE).decode()
DIGEST = hashlib.sha256(PICTURE).hexdigest()
LEFT_OUT = f"{len(PICTURE)} bytes, sha256 {DIGEST}]"


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{TEXT}"}}, "image image/png"),
        ({"type": "input_image", "image_url": f"data:image/webp;base64,{TEXT}"}, "image image/webp"),
        ({"type": "input_audio", "input_audio": {"data": TEXT, "format": "wav"}}, "audio audio/wav"),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data": TEXT}},
            "image image/jpeg",
        ),
        (
            {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": TEXT}},
            "file application/pdf",
        ),
        (
            {
                "type": "file",
                "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{TEXT}"},
            },
            "file application/pdf",
        ),
        ({"type": "input_file", "filename": "a.bin", "file_data": TEXT}, "file application/octet-stream"),
        ({"type": "image", "data": TEXT, "mimeType": "image/gif"}, "image image/gif"),
        (
            {"type": "resource", "resource": {"uri": "x://y", "mimeType": "video/mp4", "blob": TEXT}},
            "video video/mp4",
        ),
        ({"type": "image_generation_call", "result": TEXT}, "image image/png"),
        (
            {
                "type": "tool_result",
                "content": [
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": TEXT}}
                ],
            },
            "image image/png",
        ),
        ({"type": "text", "text": f"see ![](data:image/png;base64,{TEXT}) here"}, "image image/png"),
        ({"type": "text", "text": f"cat x | base64\n{TEXT}\n$"}, "file application/octet-stream"),
        ({"type": "text", "text": base64.encodebytes(PICTURE).decode()}, "file application/octet-stream"),
        (
            {"type": "text", "text": base64.urlsafe_b64encode(PICTURE).decode()},
            "file application/octet-stream",
        ),
        ({"type": "input_image", "image_url": "data:image/png;base64,\n" + TEXT}, "image image/png"),
    ],
)
def test_bytes_become_what_they_were(part: dict[str, Any], said: str) -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "look"}, part]}
    before = json.dumps(message)
    short, cuts = trimmed(message)
    kept = json.dumps(short)
    assert cuts == 1
    assert f"[left out: {said}, {LEFT_OUT}" in kept
    assert TEXT[:64] not in kept
    assert base64.encodebytes(PICTURE).decode()[:60] not in kept
    assert json.dumps(message) == before
    assert short["content"][0] == {"type": "text", "text": "look"}


def test_the_words_around_bytes_stay() -> None:
    short, _ = trimmed({"content": f"before data:image/png;base64,{TEXT} after\n{TEXT}\nend"})
    assert short["content"].startswith("before [left out: image")
    assert "] after\n[left out: file" in short["content"]
    assert short["content"].endswith("]\nend")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a short text",
        "ab" * 2000,  # one long word
        "0123456789abcdef" * 300,  # hexadecimal
        "=" * 3000,
        "-" * 3000,
        " ".join(["deadbeef" * 5] * 200),
        "data:text/plain,hello",
        "data:,",
        "data: 17",
        "https://example.org/?q=data:image",
        "data:image/png;base64,[left out: 100000 characters of base64, sha256 00]",
    ],
)
def test_honest_text_stays(text: str) -> None:
    message = {"role": "tool", "content": [{"type": "text", "text": text}, 7, None, True, 1.5]}
    assert trimmed(message) == (message, 0)


@pytest.mark.parametrize(
    "part",
    [
        {"type": "thinking", "thinking": "hm", "signature": TEXT},
        {"type": "redacted_thinking", "data": "tooshort+/"},
        {"type": "reasoning", "encrypted_content": TEXT},
    ],
)
def test_signatures_stay(part: dict[str, Any]) -> None:
    assert trimmed({"role": "assistant", "content": [part]}) == ({"role": "assistant", "content": [part]}, 0)


def test_a_long_text_loses_its_middle() -> None:
    short, cuts = trimmed({"content": "a" * 600 + "b" * 400}, 100)
    assert cuts == 1
    assert short["content"] == "a" * 50 + "\n[left out: 900 characters]\n" + "b" * 50


@pytest.mark.parametrize("parted", ["\n", " ", '","', ";"])
@pytest.mark.parametrize("shift", range(0, 40, 7))
def test_a_cut_goes_through_no_word(parted: str, shift: int) -> None:
    """Half a key would not be known for one when secrets are taken out."""
    words = [f"{number:08x}" * 5 for number in range(200)]
    message, cuts = trimmed({"content": "x" * shift + parted + parted.join(words)}, 1000)
    assert cuts == 1
    kept = re.findall("[0-9a-f]{9,}", re.sub(r"\[left out: .*?\]", "", message["content"]))
    assert 20 < len(kept) < 40
    assert set(kept) <= set(words)


def test_a_text_that_is_hardly_too_long_stays() -> None:
    message = {"content": "\n".join(["word " * 15] * 13)}
    assert trimmed(message, len(message["content"]) - 1) == (message, 0)


@pytest.mark.parametrize("sign", ["👩‍👩‍👧", "e\u0301\u0323", "👍🏽", "❤️"])
def test_a_cut_does_not_go_through_a_sign(sign: str) -> None:
    for shift in range(len(sign)):
        short, _ = trimmed({"content": "x" * shift + sign * 300}, 100)
        head, tail = short["content"].split("\n")[0], short["content"].split("\n")[2]
        assert head.removeprefix("x" * shift) == sign * (len(head.removeprefix("x" * shift)) // len(sign))
        assert tail == sign * (len(tail) // len(sign))


def test_a_message_may_be_nested_deeper_than_the_stack() -> None:
    message: dict[str, Any] = {"content": f"data:image/png;base64,{TEXT}"}
    for _ in range(5000):
        message = {"content": [message]}
    assert trimmed(message)[1] == 1


_VALUES = st.recursive(
    st.text() | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(_VALUES, st.integers(1, 60))
def test_shape_and_short_strings_stay_whatever_the_message_is(value: Any, limit: int) -> None:
    short, cuts = trimmed({"content": value}, limit)

    def compare(before: Any, after: Any) -> int:
        if isinstance(before, dict):
            assert list(before) == list(after)
            return sum(compare(before[name], after[name]) for name in before)
        if isinstance(before, list):
            assert len(before) == len(after)
            return sum(map(compare, before, after))
        if before == after:
            return 0
        assert isinstance(before, str)
        assert len(before) > limit or before.startswith("data:")
        assert len(after) <= limit + 64
        return 1

    assert compare({"content": value}, short) == cuts


@given(st.binary(min_size=900, max_size=4000), st.text(max_size=20), st.text(max_size=20))
def test_no_base64_is_left_and_its_digest_is_that_of_the_bytes(data: bytes, before: str, after: str) -> None:
    text = f"{before} data:image/png;base64,{base64.b64encode(data).decode()} {after}"
    short, cuts = trimmed({"content": text})
    assert cuts == 1
    assert hashlib.sha256(data).hexdigest() in short["content"]
    assert short["content"].startswith(before)
    assert short["content"].endswith(after)


def test_thinned_takes_long_runs_out_of_a_body_and_leaves_it_json() -> None:
    run = base64.b64encode(os.urandom(90_000)).decode()
    body = json.dumps({"a": f"data:image/png;base64,{run}", "b": 'say "hi" \\', "c": [run, "x"]}).encode()
    thin = json.loads(thinned(body))
    digest = hashlib.sha256(run.encode()).hexdigest()
    marker = f"[left out: {len(run)} characters of base64, sha256 {digest}]"
    assert thin == {"a": f"data:image/png;base64,{marker}", "b": 'say "hi" \\', "c": [marker, "x"]}


def test_thinned_knows_escaped_slashes_and_line_ends_and_leaves_a_quote_its_backslash() -> None:
    run = base64.b64encode(bytes(range(256)) * 300).decode()
    escaped = run.replace("/", "\\/") + "\\n" + run + '\\" end'
    body = f'{{"a": "{escaped}"}}'.encode()
    thin = json.loads(thinned(body))["a"]
    assert thin.startswith("[left out: ")
    assert thin.endswith(']" end')


def test_thinned_leaves_numbers_and_short_runs() -> None:
    body = ('{"n": ' + "1" * 70_000 + ', "s": "' + "Ab1" * 20_000 + '"}').encode()
    assert thinned(body) is body
    assert thinned(b"{}") == b"{}"


@given(
    st.lists(st.text(st.sampled_from('aB3+/="\\ é\n'), max_size=60), max_size=12), st.integers(4, 40)
)  # fmt: skip
def test_thinned_json_has_the_same_shape(parts: list[str], limit: int) -> None:
    body = json.dumps(parts).encode()
    thin = json.loads(thinned(body, limit))
    assert len(thin) == len(parts)
    for before, after in zip(parts, thin, strict=True):
        assert before == after or "[left out: " in after
