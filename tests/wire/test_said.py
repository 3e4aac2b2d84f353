"""The person's own words, among what clients send in the person's name."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaclaw_tray.wire.said import is_errand, is_persons, is_summary, lasting, persons_words

REMINDER = "<system-reminder>\nMind the rules.\n</system-reminder>"
CONTEXT = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nActive: none\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"
RUNTIME = "Runtime: agent=main | session=agent:main:s-1 | sessionId=s-1 | host=box | model=m"
GO_ON = "Continue the current task from the existing transcript, preserving completed work."
QUEUED = "[Queued user message from a previous active turn; preserved as context only. Go on below.]"
SENDER = 'Sender (untrusted metadata):\n```json\n{\n  "label": "Ann"\n}\n```'


def user(*texts: str) -> dict[str, Any]:
    content = texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]
    return {"role": "user", "content": content}


@pytest.mark.parametrize(
    "message",
    [
        user("fix it"),
        user(f"{REMINDER}\nfix it"),
        user(f"fix it\n\n{REMINDER}"),
        user(f"{REMINDER}fix it\n{REMINDER}"),
        user(REMINDER, "fix it", REMINDER),
        user("[Mon 2026-11-30 22:06 UTC] fix it"),
        user(f"[Mon 2026-11-30 22:06 GMT+2] fix it\n\n{RUNTIME}"),
        user(f"[Mon 2026-11-30 22:07 UTC] {QUEUED}\nfix it\n\n{GO_ON}\n\n{RUNTIME}"),
        user(f"{QUEUED}\n[Mon 2026-11-30 22:06 UTC] fix it\n\n{GO_ON}"),
        user(f"{SENDER}\n\n{SENDER}\n\nfix it"),
        user(f"fix it\n{CONTEXT}"),
        user("# AGENTS.md instructions for /tmp\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>", "fix it"),
        user("<environment_context>\n<cwd>/tmp</cwd>\n</environment_context>", "fix it"),
        user(
            "<bash-input>ls</bash-input>", "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", "fix it"
        ),
        user("<command-name>/model</command-name>\n<command-args>m</command-args>", "fix it"),
        user("<local-command-stdout>Set model</local-command-stdout>\nfix it"),
        user("[Request interrupted by user]", "fix it"),
        user("[Request interrupted by user for tool use]fix it"),
    ],
)
def test_the_persons_words_are_found_among_what_clients_add(message: dict[str, Any]) -> None:
    assert persons_words(message) == "fix it"
    assert is_persons(message)


@pytest.mark.parametrize(
    "text",
    [
        REMINDER,
        CONTEXT,
        "<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\nA task is done.\n</system-reminder>",
        "[SYSTEM NOTIFICATION - NOT USER INPUT] A task is done.",
        "<task-notification>\n<task-id>a</task-id>\n</task-notification>",
        '<teammate-message teammate_id="b">done</teammate-message>',
        "<environment_context>\n  <cwd>/tmp</cwd>\n</environment_context>",
        "<user_instructions>\nUse tabs.\n</user_instructions>",
        "# AGENTS.md instructions for /tmp\n\nUse tabs.",
        "<command-message>model</command-message>\n<command-name>/model</command-name>",
        "<local-command-caveat>Caveat: ...</local-command-caveat>",
        "<local-command-stdout></local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
        "<turn_aborted>\nThe person stopped it.\n</turn_aborted>",
        "[Request interrupted by user]",
        f"{GO_ON}\n\n{RUNTIME}",
        "This session is being continued from a previous conversation that ran out of context.",
        "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.",
        "Read HEARTBEAT.md if it exists (workspace context). Follow it strictly.",
        "",
        "  \n",
    ],
)
def test_what_only_reports_is_not_the_persons(text: str) -> None:
    assert persons_words(user(text)) is None
    assert persons_words(user(REMINDER, text)) is None


def test_a_message_that_was_waiting_comes_before_the_new_one() -> None:
    """OpenClaw puts two messages into one where the first got no answer: both are the person's."""
    assert persons_words(user(f"{QUEUED}\nolder\n\nnewer")) == "older\n\nnewer"


def test_a_picture_says_nothing_and_is_the_persons() -> None:
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    assert persons_words({"role": "user", "content": [picture]}) == ""
    assert persons_words({"role": "assistant", "content": "hi"}) is None


@pytest.mark.parametrize("before", ["", REMINDER])
def test_summaries_and_errands_are_known_behind_reminders(before: str) -> None:
    summary = user(before, "Another language model started to solve this problem and said ...")
    assert is_summary(summary)
    assert is_errand(user(before, "You are performing a CONTEXT CHECKPOINT COMPACTION."))
    assert not is_errand(summary)
    assert not is_summary({"role": "assistant", "content": "This session is being continued"})


def test_a_mark_without_its_end_is_the_persons_word() -> None:
    for text in ("why does <system-reminder> show up?", "<bash-input> is odd", "[Queued"):
        assert persons_words(user(text)) == text


@pytest.mark.parametrize(
    "piece",
    [
        "<system-reminder>",
        "<bash-input></bash-input>",
        "<bash-input>",
        "[Mon 2026-11-30 22:06 UTC] ",
        QUEUED,
        "# AGENTS.md instructions",
        "Runtime: agent=a | \n",
        [
            "<system-reminder>",
            "<bash-input></bash-input>",
            "<bash-input>",
            "[Mon 2026-11-30 22:06 UTC] ",
            QUEUED,
            "# AGENTS.md instructions",
            "Runtime: agent=a | \n",
            "Sender (untrusted x):\n```json\n",
        ],
    ],
)
def test_no_text_takes_more_than_its_length(piece: str) -> None:
    """A reader of quadratic time would need minutes for a text of a megabyte; the test's limit guards it."""
    persons_words(user(piece * (2**20 // len(piece))))


WORDS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="<[#"), max_size=30)


@given(WORDS, st.lists(st.sampled_from([REMINDER, CONTEXT, "\n"]), max_size=3), st.booleans())
def test_noise_around_words_never_changes_what_lasts(words: str, noise: list[str], before: bool) -> None:
    around = "\n".join([*noise, words] if before else [words, *noise])
    assert lasting(around) == lasting(words)


@given(st.text(max_size=200))
def test_what_lasts_does_not_wear_off(text: str) -> None:
    assert lasting(lasting(text)) == lasting(text)
