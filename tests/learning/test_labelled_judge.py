"""The labelled set of the judge is large, mixed, and split without overlap."""

from __future__ import annotations

import json
from collections import Counter
from itertools import groupby
from typing import get_args

import pytest

from metaclaw_tray.learning.labelled import (
    Case,
    Counterfactual,
    Item,
    JudgedTurn,
    Kind,
    Language,
    Split,
    counterfactuals,
    items,
    judged_turns,
)
from metaclaw_tray.wire.said import is_persons, is_system, text_of

SPLITS: tuple[Split, ...] = get_args(Split)
ALL = [item for split in SPLITS for item in items(split)]
TURNS = [item for split in SPLITS for item in judged_turns(split)]
_SHORT = 12  # characters: "thanks" and "ok" may stand in both splits
_ALIKE = 0.5  # of the runs of four characters


def texts(item: Item) -> list[str]:
    if isinstance(item, Counterfactual):
        return [item.request, item.said, item.original, item.answer]
    every = [*item.messages, *item.following]
    return [text_of(message) for message in every if message["role"] != "tool"]


def runs(text: str) -> frozenset[str]:
    folded = " ".join(text.casefold().split())
    return frozenset(folded[at : at + 4] for at in range(len(folded) - 3))


def test_there_are_enough_items_and_counterfactual_pairs() -> None:
    assert len(ALL) >= 130
    assert sum(len(counterfactuals(split)) for split in SPLITS) // 2 >= 44
    assert min(len(items(split)) for split in SPLITS) >= 0.45 * len(ALL)


@pytest.mark.parametrize("split", SPLITS)
def test_each_split_has_every_kind_language_case_and_label(split: Split) -> None:
    turns, others = judged_turns(split), counterfactuals(split)
    assert {turn.kind for turn in turns} == set(get_args(Kind)) == {each.kind for each in others}
    assert {turn.language for turn in turns} == set(get_args(Language)) == {each.language for each in others}
    assert {turn.case for turn in turns} == set(get_args(Case))
    assert min(Counter(turn.label for turn in turns).values()) >= 5
    assert Counter(item.language for item in items(split)).most_common(1)[0][0] == "en"


@pytest.mark.parametrize("split", SPLITS)
def test_each_split_has_guilty_messages_before_the_last_and_transient_faults(split: Split) -> None:
    turns = judged_turns(split)
    assert sum(turn.guilty is not None for turn in turns) >= 4
    assert sum(turn.transient for turn in turns) >= 3
    assert sum(turn.case == "to_judge" for turn in turns) >= 4


def test_ids_are_unique_and_every_label_has_its_reason() -> None:
    assert len({item.id for item in ALL}) == len(ALL)
    assert all(len(item.note) >= 10 for item in ALL if isinstance(item, JudgedTurn))
    assert all(item.note for item in ALL)


def test_no_text_stands_in_both_splits() -> None:
    dev, test = ({text for item in items(split) for text in texts(item)} for split in SPLITS)
    assert {text for text in dev & test if len(text) > _SHORT} == set()


def test_no_text_is_a_near_copy_of_one_in_the_other_split() -> None:
    dev, test = (
        [(text, runs(text)) for item in items(split) for text in texts(item) if len(text) > _SHORT]
        for split in SPLITS
    )
    close = [
        (one, two) for one, ones in dev for two, twos in test if len(ones & twos) > _ALIKE * len(ones | twos)
    ]
    assert close == []


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.id)
def test_a_turn_is_an_exchange_that_a_client_could_send(turn: JudgedTurn) -> None:
    assert is_persons(next(each for each in turn.messages if not is_system(each)))
    assert turn.messages[-1]["role"] == "assistant"
    assert all(is_persons(each) or each["role"] == "tool" for each in turn.following)
    called: list[str] = []
    for message in [*turn.messages, *turn.following]:
        for call in message.get("tool_calls", ()):
            assert isinstance(json.loads(call["function"]["arguments"]), dict)
            called.append(call["id"])
        if message["role"] == "tool":
            assert message["tool_call_id"] == called.pop(0)
        assert isinstance(message["content"], str) or message["tool_calls"]


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.id)
def test_labels_hold_together(turn: JudgedTurn) -> None:
    assert turn.label not in turn.also
    assert turn.label == 0 or not turn.transient
    assert (turn.label == -1) or turn.guilty is None
    assert turn.case != "to_judge" or turn.fair == {-1}
    if turn.guilty is not None:
        assert turn.guilty < len(turn.messages) - 1
        assert turn.messages[turn.guilty]["role"] == "assistant"


def test_a_turn_is_told_as_the_store_would_tell_it() -> None:
    turn = next(each for each in TURNS if is_system(each.messages[0]))
    told = turn.conversation
    assert told.system == turn.messages[0]["content"]
    assert [*told.request, told.answer] == turn.messages[1:]
    assert list(told.next_state) == turn.following


@pytest.mark.parametrize("split", SPLITS)
def test_a_pair_differs_in_its_answer_alone(split: Split) -> None:
    for _, grouped in groupby(counterfactuals(split), key=lambda each: each.pair):
        met, missed = grouped
        assert (met.label, missed.label) == (1, -1)
        assert (met.request, met.said, met.original) == (missed.request, missed.said, missed.original)
        assert met.answer not in (missed.answer, met.original)
