"""New requests of the same kind: few, different, and begun as the one they are like."""

from __future__ import annotations

import re

from learning.stand_in import UNUSABLE, StandIn
from metaclaw_tray.learning.paraphrase import Invented, invented

REQUEST = "What does a ticket for the tram cost (in euros)?"


async def made(model: StandIn, request: str, count: int) -> list[str]:
    return [each async for each in invented(model, request, count)]


async def test_requests_alike_count_once_and_the_source_itself_never() -> None:
    model = StandIn().will(
        Invented("What does a ticket for the boat cost?"),
        Invented("What does a  ticket for the boat cost?"),
        Invented(REQUEST.upper()),
        Invented("What does a book cost?"),
    )
    assert await made(model, REQUEST, 3) == [
        "What does a ticket for the boat cost?",
        "What does a book cost?",
    ]


async def test_a_model_with_nothing_to_say_is_not_asked_for_ever() -> None:
    model = StandIn()
    model.then(Invented, UNUSABLE)
    assert await made(model, REQUEST, 4) == []
    assert len(model.asked) == 6


async def test_a_new_request_has_to_begin_like_the_old_one() -> None:
    model = StandIn().will(Invented("What does a book cost?"))
    await made(model, REQUEST, 1)
    pattern = model.schemas[0]["properties"]["request"]["pattern"]
    assert re.fullmatch(pattern, "What does a book cost in the shop?")
    assert not re.fullmatch(pattern, "A book costs 12 euros, does it not?")


async def test_a_short_request_and_one_without_spaces_bind_nobody() -> None:
    model = StandIn().will(Invented("北京到上海有多远？请告诉我。"))
    assert await made(model, "从鹿特丹到巴黎有多远？", 1) == ["北京到上海有多远？请告诉我。"]
    assert model.schemas[0]["properties"]["request"]["pattern"].startswith("^[^")
