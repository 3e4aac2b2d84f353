"""The estimate of a request's tokens against what a server counted."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.messages import MESSAGES
from metaclaw_tray.wire.request import Request
from metaclaw_tray.wire.translation.messages_count import estimate_tokens, roughly_tokens
from metaclaw_tray.wire.translation.messages_request import to_chat
from metaclaw_tray.wire.translation.token_count import tokens_in
from metaclaw_tray.wire.translation.token_families import ANY, family_of
from metaclaw_tray.wire.translation.token_languages import SMALL_WORDS, language_of
from metaclaw_tray.wire.translation.token_rates import FAMILIES, WORDS
from wire.translation.anthropic_side import request_of

# Requests of our own, counted by llama.cpp's own /v1/messages/count_tokens with Qwen 2.5.
COUNTED = json.loads((Path(__file__).parent / "counted" / "qwen2_5.json").read_text("utf-8"))

# Texts of ours in many languages, counted with the vocabularies of makers (`benchmarks.vocabularies`).
TEXTS = json.loads((Path(__file__).parent / "counted" / "languages.json").read_text("utf-8"))
LANGUAGES = sorted({sample["language"] for sample in TEXTS})
LONG = 200  # characters


def parsed(sample: dict[str, Any]) -> Request:
    """The request, to the model whose tokenizer counted it."""
    return MESSAGES.parse(json.dumps({**sample["request"], "model": "qwen2.5-coder"}).encode())


@pytest.mark.parametrize("sample", COUNTED, ids=[sample["name"] for sample in COUNTED])
def test_the_estimate_is_within_a_tenth_of_the_servers_count(sample: dict[str, Any]) -> None:
    estimate = estimate_tokens(parsed(sample))
    assert estimate == pytest.approx(sample["tokens"], rel=0.1)


def test_the_set_is_right_on_the_whole() -> None:
    requests = [parsed(sample) for sample in COUNTED]
    total = sum(map(estimate_tokens, requests))
    assert total == pytest.approx(sum(sample["tokens"] for sample in COUNTED), rel=0.03)


@pytest.mark.parametrize("name", FAMILIES[:ANY])
@pytest.mark.parametrize("language", LANGUAGES)
def test_in_each_language_texts_are_within_a_tenth_of_each_vocabularys_count(
    language: str, name: str
) -> None:
    family = FAMILIES.index(name)
    texts = [each for each in TEXTS if each["language"] == language and len(each["text"]) >= LONG]
    assert texts
    counted = sum(each["tokens"][name] for each in texts)
    assert sum(tokens_in(each["text"], family) for each in texts) == pytest.approx(counted, rel=0.1)
    for each in texts:
        assert tokens_in(each["text"], family) == pytest.approx(each["tokens"][name], rel=0.16)


def test_of_single_sentences_four_in_five_are_within_a_tenth() -> None:
    """What is short is not always right: two tokens are a tenth of it."""
    off = [
        abs(tokens_in(each["text"], family) / each["tokens"][name] - 1)
        for each in TEXTS
        if len(each["text"]) < LONG
        for family, name in enumerate(FAMILIES[:ANY])
    ]
    assert sum(each <= 0.1 for each in off) > 0.8 * len(off)
    assert max(off) < 0.5


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("deepseek-chat", "deepseek"),
        ("deepseek-r1-distill-qwen-7b", "qwen2"),
        ("DeepSeek-R1-Distill-Llama-8B", "llama3"),
        ("qwen2.5-coder:7b", "qwen2"),
        ("qwen3-coder-480b", "qwen2"),
        ("Qwen/Qwen3.6-35B-A3B", "qwen3.5"),
        ("gpt-5.5", "gpt"),
        ("openai/gpt-oss-120b", "gpt"),
        ("o3-mini", "gpt"),
        ("meta-llama/llama-3.3-70b-instruct", "llama3"),
        ("devstral-small", "mistral"),
        ("gemma3:12b", "gemma3"),
        ("kimi-k2", "any"),
        ("", "any"),
    ],
)
def test_a_models_name_tells_its_vocabulary(model: str, name: str) -> None:
    assert FAMILIES[family_of(model)] == name


@pytest.mark.parametrize("language", [each for each in LANGUAGES if each in WORDS and each in SMALL_WORDS])
def test_a_text_tells_its_language_also_by_a_single_sentence(language: str) -> None:
    texts = [each["text"].lower() for each in TEXTS if each["language"] == language]
    assert {language_of(Counter(re.findall(r"[^\W\d_]+", text))) for text in texts} == {language}


def test_paragraphs_in_two_languages_are_each_counted_as_their_own() -> None:
    english, czech = (
        " ".join(each["text"] for each in TEXTS if each["language"] == name and len(each["text"]) >= LONG)
        for name in ("english", "czech")
    )
    family = family_of("deepseek-chat")
    both = tokens_in(f"{english}\n\n{czech}", family)
    assert both == pytest.approx(tokens_in(english, family) + tokens_in(czech, family), abs=3)


def test_a_word_from_elsewhere_makes_no_other_language_of_a_program() -> None:
    program = next(each["text"] for each in TEXTS if each["language"] == "python")
    changed = program.replace("One bill of a supplier, in cents.", "Žluťoučký kůň.")
    assert tokens_in(changed) == pytest.approx(tokens_in(program), abs=12)


@settings(deadline=None)
@given(st.text(), st.integers(0, ANY))
def test_any_text_has_a_number_of_tokens(text: str, family: int) -> None:
    tokens = tokens_in(text, family)
    assert 0 <= tokens <= 4 * len(text)


def test_a_text_costs_something_and_nothing_costs_nothing() -> None:
    assert tokens_in("") == 0
    assert tokens_in("hello world") == 2
    assert tokens_in("凭据") >= 1


@pytest.mark.parametrize(
    "text", ["A" * 300_000, " " * 300_000, "Aa" * 150_000, "!" * 300_000, "北" * 300_000]
)
def test_long_texts_of_one_kind_are_counted_in_one_pass(text: str) -> None:
    assert tokens_in(text) >= 0


def test_pictures_cost_something_but_not_what_their_bytes_would() -> None:
    source = {"type": "base64", "media_type": "image/png", "data": "A" * 400_000}
    estimate = estimate_tokens(
        request_of([{"role": "user", "content": [{"type": "image", "source": source}]}])
    )
    assert 100 < estimate < 10_000


def test_a_rough_count_takes_no_picture_for_text_and_no_text_for_a_picture() -> None:
    picture = {"type": "base64", "media_type": "image/png", "data": "A" * 5_000_000}
    paper = {"type": "base64", "media_type": "application/pdf", "data": "A" * 200_000}
    said = {"type": "text", "text": 'look: "data:image/png;base64,' + "A" * 4000 + '"'}
    shown = [{"type": "image", "source": picture}, {"type": "document", "source": paper}, said]
    body = to_chat(request_of([{"role": "user", "content": shown}]), stream=False).body
    assert 12_000 < roughly_tokens(body) < 13_000


def test_what_cannot_be_translated_cannot_be_counted() -> None:
    with pytest.raises(WireError):
        estimate_tokens(request_of([{"role": "judge", "content": "x"}]))
