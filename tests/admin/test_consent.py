from __future__ import annotations

import pytest

from metaclaw_tray.admin.consent import ConsentError, Granted, ask, confirm
from metaclaw_tray.admin.peer import Origin
from metaclaw_tray.admin.protocol import Challenge

AT_A_TERMINAL = Origin("/dev/pts/1", ["metaclaw-tray (3)", "zsh (2)"])
WITHOUT = Origin(None, ["metaclaw-tray (3)", "node (2)"])


class Person:
    """Types what the function makes of the code; remembers what was shown."""

    def __init__(self, types=lambda code: code) -> None:
        self.types = types
        self.shown: list[Challenge] = []

    async def __call__(self, challenge: Challenge) -> str:
        self.shown.append(challenge)
        return self.types(challenge.code)


async def consent(person: Person, origin: Origin = AT_A_TERMINAL, *, scripted=False, allow=False) -> Granted:
    return await ask(
        "approve p1", "The text.", origin=origin, scripted=scripted, allow_scripted=allow, challenge=person
    )


async def test_the_code_at_a_terminal_is_a_yes_that_remembers_where_it_came_from():
    person = Person()
    assert await consent(person) == Granted("terminal", AT_A_TERMINAL.ancestry)
    assert (person.shown[0].text, person.shown[0].action) == ("The text.", "approve p1")


async def test_small_letters_and_spaces_do_not_matter():
    assert (await consent(Person(lambda code: f" {code.lower()} "))).channel == "terminal"


@pytest.mark.parametrize(
    "types", [lambda code: "", lambda code: "y", lambda code: code[:3], lambda code: "é"]
)
async def test_anything_else_is_a_no_and_there_is_one_try(types):
    person = Person(types)
    with pytest.raises(ConsentError, match="nothing was changed"):
        await consent(person)
    assert len(person.shown) == 1


async def test_each_code_is_another():
    person = Person()
    for _ in range(20):
        await consent(person)
    codes = {challenge.code for challenge in person.shown}
    assert len(codes) > 15
    assert all((len(code) == 4 and code.isalnum() and code.isupper()) or code.isdigit() for code in codes)


async def test_without_a_terminal_nothing_is_asked():
    person = Person()
    with pytest.raises(ConsentError, match="no terminal to ask at"):
        await consent(person, WITHOUT)
    assert person.shown == []


async def test_a_scripted_yes_counts_only_where_it_was_allowed_at_the_start():
    person = Person()
    with pytest.raises(ConsentError, match="not started for scripted use"):
        await consent(person, scripted=True)
    assert await consent(person, WITHOUT, scripted=True, allow=True) == Granted("scripted", WITHOUT.ancestry)
    assert person.shown == []


async def test_permission_for_scripts_does_not_skip_the_code_without_yes():
    person = Person()
    assert (await consent(person, allow=True)).channel == "terminal"
    assert len(person.shown) == 1


async def test_too_late_is_a_no():
    async def asleep(challenge: Challenge) -> str:
        raise TimeoutError

    with pytest.raises(ConsentError, match="No code came within 300 seconds"):
        await ask("x", "y", origin=AT_A_TERMINAL, scripted=False, allow_scripted=False, challenge=asleep)


async def plainly(person: Person, origin: Origin = AT_A_TERMINAL, *, yes: bool = False) -> Granted:
    return await confirm("remove turns", "12 turns go.", origin=origin, yes=yes, challenge=person)


async def test_a_plain_yes_is_typed_as_a_word_or_given_with_the_command():
    person = Person()
    assert await plainly(person) == Granted("terminal", AT_A_TERMINAL.ancestry)
    assert (person.shown[0].text, person.shown[0].code) == ("12 turns go.", "yes")
    assert (await plainly(Person(), WITHOUT, yes=True)).channel == "scripted"


async def test_without_a_plain_yes_nothing_is_done():
    with pytest.raises(ConsentError, match="There was no yes"):
        await plainly(Person(lambda code: "y"))
    with pytest.raises(ConsentError, match="12 turns go") as refused:
        await plainly(Person(), WITHOUT)
    assert "--yes" in refused.value.remedy
