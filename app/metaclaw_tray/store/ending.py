"""How a turn ended, and what it took: what the wire saw, corrected by what the answer itself says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaclaw_tray.prices import Tokens
from metaclaw_tray.store.records import TurnEnded
from metaclaw_tray.store.tables import TurnOutcome
from metaclaw_tray.wire import WireError
from metaclaw_tray.wire.answer import Answer
from metaclaw_tray.wire.coding import decoded
from metaclaw_tray.wire.dialects import DIALECTS
from metaclaw_tray.wire.said import texts_of

CHARACTERS_A_TOKEN = 4
"""The usual rough estimate where the upstream sends no usage."""

_DECODED_LIMIT = 64 * 1024 * 1024  # bytes of an answer without its content encoding
_REFUSED = 400  # an HTTP status from here on: nothing was done, and nothing is charged


def read_answer(record: TurnEnded, dialect: str) -> Answer | None:
    """What the upstream answered; None where there is nothing to read."""
    if not record.body:
        return None
    try:
        body = decoded(record.body, record.content_encoding, _DECODED_LIMIT, whole=False)
    except WireError:
        return None
    return DIALECTS[dialect].assemble(body, record.content_type)


def outcome_of(record: TurnEnded, answer: Answer | None) -> tuple[TurnOutcome, str]:
    """How the turn ended, and what went wrong: an error inside a 200 is a failure."""
    outcome = TurnOutcome(record.outcome)
    if outcome is TurnOutcome.GONE and answer is not None and answer.complete and not answer.error:
        # Clients hang up at the last event, without waiting for the end of the body.
        return TurnOutcome.OK, ""
    if outcome is not TurnOutcome.OK:
        return outcome, record.error or (answer.error if answer else "")
    if record.truncated:  # what is kept of it stops in the middle; the client got it all
        return TurnOutcome.OK, ""
    if answer is None:
        return TurnOutcome.FAILED, record.error or "the answer could not be read"
    if answer.error:
        return TurnOutcome.FAILED, answer.error
    if not answer.complete:
        return TurnOutcome.CUT, "the stream ended before the answer did"
    return TurnOutcome.OK, ""


def tokens_of(record: TurnEnded, asked: int, outcome: TurnOutcome, answer: Answer | None) -> Tokens:
    """What the upstream counted; what is estimated, where it did not; nothing, where it refused. `asked` are
    the request's tokens as they were estimated."""
    if answer is not None and answer.usage is not None:
        told = answer.usage
        return Tokens(
            told.input, told.cached, told.output, told.cache_write, told.cache_write_hour, told.reasoning
        )
    if outcome is TurnOutcome.FAILED and not 0 < record.status < _REFUSED:
        return Tokens()
    said = [answer.message] if answer is not None and answer.message else []
    return Tokens(input=asked, output=_estimated(said))


def counts(tokens: Tokens) -> dict[str, Any]:
    """The tokens by the names of a turn's columns."""
    return {
        "input_tokens": tokens.input,
        "cached_tokens": tokens.cached,
        "output_tokens": tokens.output,
        "cache_write_tokens": tokens.cache_write,
        "cache_write_hour_tokens": tokens.cache_write_hour,
        "reasoning_tokens": tokens.reasoning,
    }


def _estimated(messages: Sequence[dict[str, Any]]) -> int:
    return sum(len(text) for message in messages for text in texts_of(message)) // CHARACTERS_A_TOKEN
