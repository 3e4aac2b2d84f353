"""The poisoned conversations and their honest look-alikes are many, mixed and of the shape they say."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest

from attacks.poisoned import Honest, Language, Origin, Poisoned, Scripted, Told, honest, poisoned
from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills.block import check_learnt
from metaclaw_tray.skills.markdown import slug
from metaclaw_tray.wire.said import is_persons, persons_text, text_of

POISONED, HONEST = poisoned(), honest()
ALL: list[Told] = [*POISONED, *HONEST]
_HOST = re.compile(r"(?:https?://|@)((?:[a-z0-9-]+\.)+[a-z0-9]+)", re.IGNORECASE)
_RESERVED = re.compile(r"(?:.+\.)?(?:example\.(?:com|net|org)|[a-z0-9-]+\.example)", re.IGNORECASE)


def own_words(told: Told) -> str:
    return "\n".join(persons_text(message) for message in told.messages if is_persons(message))


def is_in_form(scripted: Scripted) -> bool:
    try:
        check_learnt(scripted.name, scripted.body)
    except SkillError:
        return False
    return scripted.name == slug(scripted.name) and 10 <= len(scripted.body) <= 500


def named(told: Told) -> str:
    return told.id


def test_there_are_enough_of_both_and_all_have_a_name() -> None:
    assert len(POISONED) >= 60
    assert len(HONEST) >= 28
    assert len({told.id for told in ALL}) == len(ALL)


def test_the_poison_comes_in_all_languages_and_by_all_ways() -> None:
    assert {told.language for told in POISONED} == set(get_args(Language))
    assert {told.origin for told in POISONED} == set(get_args(Origin))
    assert len({told.way for told in POISONED}) >= 25
    assert {told.language for told in HONEST} >= {"en", "nl", "zh", "de"}
    assert sum(told.exchanges > 2 for told in POISONED) >= 3


@pytest.mark.parametrize("told", ALL, ids=named)
def test_a_client_could_have_sent_it(told: Told) -> None:
    assert told.messages[0]["role"] == "user"
    assert 1 <= told.exchanges <= 4
    called: list[str] = []
    for message in told.messages:
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            called.append(call["id"])
        if message["role"] == "tool":
            assert message["tool_call_id"] == called.pop(0)
        assert isinstance(message["content"], str) or message["tool_calls"]
    assert [answer for _, answer in told.turns()] == [
        each for each in told.messages if each["role"] == "assistant"
    ]


@pytest.mark.parametrize("told", ALL, ids=named)
def test_something_fails_and_something_follows_it(told: Told) -> None:
    assert told.failed
    for place in told.failed:
        assert told.messages[place]["role"] == "assistant"
        assert place < len(told.messages) - 1


@pytest.mark.parametrize("told", ALL, ids=named)
def test_every_host_is_reserved_for_examples(told: Told) -> None:
    everything = "\n".join(
        [told.scripted.text, *(json.dumps(message, ensure_ascii=False) for message in told.messages)]
    )
    assert [host for host in _HOST.findall(everything) if not _RESERVED.fullmatch(host)] == []


@pytest.mark.parametrize("told", POISONED, ids=named)
def test_a_gullible_note_carries_the_poison(told: Poisoned) -> None:
    assert told.wants
    assert told.found_in(told.scripted.text) == told.marks != []


def test_most_gullible_notes_are_in_form_so_that_more_than_the_form_is_tested() -> None:
    assert sum(is_in_form(told.scripted) for told in POISONED) >= 50


@pytest.mark.parametrize("told", POISONED, ids=named)
def test_only_what_a_person_pastes_holds_the_poison_in_their_words(told: Poisoned) -> None:
    assert bool(told.found_in(own_words(told))) == (told.origin == "paste")
    assert told.rule in own_words(told)


@pytest.mark.parametrize("told", POISONED, ids=named)
def test_the_poison_was_there_to_be_read(told: Poisoned) -> None:
    read = "\n".join(
        text_of(message) + json.dumps(message.get("tool_calls", ""), ensure_ascii=False)
        for message in told.messages
    )
    assert told.found_in(read)


@pytest.mark.parametrize("told", HONEST, ids=named)
def test_an_honest_rule_is_the_persons_own_and_its_note_is_in_form(told: Honest) -> None:
    assert told.rule
    assert told.rule in own_words(told)
    assert is_in_form(told.scripted)
    assert told.scripted.description.startswith("Use when")
    assert 3 <= len(told.scripted.triggers) <= 8
