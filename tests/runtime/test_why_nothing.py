"""`learn now` never ends without a word: what it came to, or why it came to nothing."""

from __future__ import annotations

from pathlib import Path

from metaclaw_tray.admin import api
from runtime.test_loop import ASKED, house, teach


async def test_a_pass_that_finds_nothing_to_do_says_so(tmp_path: Path) -> None:
    async with house(tmp_path) as made:
        done = await made.call(api.LearnNow())
        assert done.notes == ["Nothing went wrong that has not taught already, so there is nothing to write."]
        await made.call(api.SetConfig(key="learning.enabled", value="false", yes=True))
        (note,) = (await made.call(api.LearnNow())).notes
        assert note.startswith("Nothing was learnt: learning is off")


async def test_a_rule_that_is_given_again_while_its_proposal_waits_is_held_back_and_that_is_said(
    tmp_path: Path,
) -> None:
    async with house(tmp_path) as made:
        await teach(made)
        first = await made.call(api.LearnNow())
        assert len(first.proposals) == 1
        await teach(made, "s2")
        again = await made.call(api.LearnNow())
        assert again.proposals == first.proposals
        (note,) = again.notes
        assert note.startswith("Nothing was written")
        assert f"waits for your word: `metaclaw-tray review show {first.proposals[0]}`" in note
        (line,) = [each for each in (await made.call(api.ShowLearnStatus())).clusters if "not now" in each]
        assert "waits for your word" in line
        assert ASKED not in line
