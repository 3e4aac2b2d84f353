"""That the person has written is told at once, and only then."""

from __future__ import annotations

import math

from proxy.house import House
from proxy.test_injection import RESULT


async def test_a_message_of_the_persons_is_told_and_what_an_agent_does_with_it_is_not(house: House) -> None:
    told: list[float] = []
    house.proxy.tell_of_person(lambda: told.append(house.proxy.person_at))
    assert house.proxy.person_at == -math.inf
    await house.say("about dates")
    assert told == [house.proxy.person_at]
    await house.say("about dates", "calling", RESULT)
    await house.say("about dates")  # a client tries again
    assert len(told) == 1
    await house.say("about dates", "calling", RESULT, "done", "and cats")
    assert len(told) == 2
