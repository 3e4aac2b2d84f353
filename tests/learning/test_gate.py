"""What the gate asks, of whom, what it may use, and where it stops."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from sqlmodel import Session, select

from learning.stand_in import StandIn
from learning.test_client import PRICES, Body, Server, asking, spends
from metaclaw_tray.errors import LearningError, UpstreamError
from metaclaw_tray.learning.bench import Arms, injected
from metaclaw_tray.learning.evolver import Draft
from metaclaw_tray.learning.gate import SYNTHETIC, Gate, Measured, Occasion, foreseen
from metaclaw_tray.learning.model import Asked, TurnedDownError
from metaclaw_tray.learning.paraphrase import Invented
from metaclaw_tray.learning.probes import source_probe
from metaclaw_tray.learning.support import Support
from metaclaw_tray.learning.weighing import Stop
from metaclaw_tray.settings import Settings
from metaclaw_tray.skills.block import FENCE, Note, render_block
from metaclaw_tray.skills.markdown import Skill, write_skill
from metaclaw_tray.store import claims, forgetting, learning, leaving, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.holdout import share_of
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.leaving import Which
from metaclaw_tray.store.outcomes import Outcome
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.spend import Caps
from metaclaw_tray.store.tables import Claim, ClaimUse
from metaclaw_tray.store.tables_library import ProposalOp
from metaclaw_tray.wire.chat import CHAT
from metaclaw_tray.wire.dialect import HEAD
from store.conversation import Client, agent, person
from support.clock import FakeClock

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
BODY = "# Headings\n\nWrite headings in capital letters: like PEACOCK."
TEXT = write_skill(
    Skill(
        name="zebra",
        description="Headings. Use when writing a heading.",
        body=BODY,
        metadata={"triggers": "heading; headline"},
    )
)
DRAFT = Draft(ProposalOp.CREATE, "zebra", TEXT, BODY, "You said so")
SAID = "Wrong. Capital letters, always."
SUPPORT = Support("x1", "Write the heading for the prices.", "Our prices", SAID, "Be brief.", "OUR PRICES")
AMPLE = Caps(50.0, 50.0)
OCCASION = Occasion("run", NOW, "wrong text style")


def answers(asked: Asked) -> str:
    """As a model that follows the skill where it sees it."""
    said = re.findall(r"number (\d+)", str(asked.messages[-1]["content"]))
    return f"{'IN CAPITALS' if FENCE in str(asked.messages) else 'In small letters'} {said}"


def grades(asked: Asked) -> float:
    return 0.95 if "IN CAPITALS" in asked.messages[-1]["content"] else 0.05


def model(invented: int = SYNTHETIC + 2) -> StandIn:
    made = StandIn().will(*(Invented(f"Write the heading for boat {number}.") for number in range(invented)))
    made.answer, made.weight = answers, grades
    return made


class Bench:
    """A store with the person's own conversations, and a gate over it."""

    def __init__(self, path: Path) -> None:
        self.store = Store.open(path, FakeClock())
        self.settings = Settings()
        self.gate = Gate(self.store, lambda: self.settings, FakeClock())
        self.told: list[str] = []
        self._count = 0
        self._key = self.store.read(turns.node_key)
        self._recorder = Recorder(self._key)

    def talk(
        self, share: ClaimUse | None, score: int | None, reply: str = "", words: str = "heading", **extra: Any
    ) -> str:
        """One exchange in this share with this verdict, and what the person said to it; its id."""
        while True:
            self._count += 1
            client = Client(self._key, session=f"s{self._count}")
            opening = f"Write the {words} number {self._count}."
            one = client.begin([person(opening)], **extra)
            if share_of(one.openings[0][:8].hex()) is share:
                break
        two = client.begin([person(opening), agent("Sure"), person(reply or "and now?")], **extra)

        def write(db: Session) -> str:
            for record in (one, client.end(one, agent("Sure")), two, client.end(two, agent("THANKS"))):
                self._recorder.apply(db, record)
            made = turns.turn(db, one.turn_id).turn
            if score is not None:
                ruling = Ruling(score, (), "", "wrong text style" if score == -1 else "")
                learning.add_verdict(db, made.id, made.exchange_id or "", ruling, "m", NOW)
            if score == -1 and reply:
                said = [Piece("correction", -1, "person", reply)]
                learning.add_evidence(db, made.exchange_id or "", said, NOW, made.id)
            return made.exchange_id or ""

        return self.store.write(write)

    async def measure(self, by: Any, draft: Draft = DRAFT, support: Support = SUPPORT) -> Measured:
        async def tell(text: str) -> None:
            self.told.append(text)

        return await self.gate.measure(by, draft, [support], OCCASION, tell)

    def claimed(self) -> dict[str, str]:
        return self.store.read(lambda db: {each.exchange_id: each.use for each in db.exec(select(Claim))})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path / "store.sqlite3")
    yield made
    made.store.close()


def origins(found: Measured) -> list[str]:
    return [each["origin"] for each in found.details]


async def test_invented_requests_alone_make_a_skill_promising_and_no_more_are_asked_than_needed(
    bench: Bench,
) -> None:
    found = await bench.measure(model())
    assert found.outcome is Outcome.PROMISING
    assert origins(found) == ["source", *["synthetic"] * 7], "seven wins in a row are enough"
    assert (found.with_skill, found.without_skill) == (pytest.approx(0.9), pytest.approx(-0.9))
    assert found.figures["wins"] == 7
    assert found.details[found.figures["shown"]]["mark"] == "win"


async def test_the_persons_own_requests_come_first_and_make_it_better(bench: Bench) -> None:
    own = [bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.") for _ in range(4)]
    found = await bench.measure(model())
    assert found.outcome is Outcome.BETTER
    assert origins(found) == ["source", *["held-out"] * 4, *["synthetic"] * 3]
    assert [each["exchange"] for each in found.details[1:5]] == own
    assert found.details[1]["remark"] == "No, in capitals."
    assert "better on 7 of 7 requests it was not taught on, 3 of them invented" in found.reason


async def test_what_is_used_is_claimed_before_the_first_request(bench: Bench) -> None:
    own = bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No.")
    near = bench.talk(None, 1)
    by, seen = model(), list[dict[str, str]]()

    def look(asked: Asked) -> str:
        seen.append(bench.claimed())
        return answers(asked)

    by.answer = look
    await bench.measure(by)
    assert seen[0] == {own: ClaimUse.HOLDOUT_SKILL, near: ClaimUse.HOLDOUT_SKILL}
    with pytest.raises(claims.ClaimConflictError):
        bench.store.write(lambda db: claims.claim(db, [own], ClaimUse.TRAIN, "job", NOW))
    await bench.measure(model())
    assert len(bench.claimed()) == 2, "what was set aside serves again"


async def test_what_the_skill_is_not_for_is_not_used(bench: Bench) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, None, words="recipe")
    bench.talk(None, 1, words="recipe")
    bench.talk(ClaimUse.HOLDOUT_POLICY, 1)
    bench.talk(None, -1, "No.")
    found = await bench.measure(model())
    assert set(origins(found)) == {"source", "synthetic"}
    assert bench.claimed() == {}


async def test_a_failure_of_the_kind_is_used_though_the_skill_would_not_be_found_for_it(bench: Bench) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, capital letters!", words="sign")
    assert "held-out" in origins(await bench.measure(model()))


async def test_a_failure_that_the_judge_calls_the_same_is_not_used_where_the_person_said_something_else(
    bench: Bench,
) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in kilometres.", words="sign")
    assert "held-out" not in origins(await bench.measure(model()))


async def test_two_net_losses_on_what_went_well_stop_it_as_worse(bench: Bench) -> None:
    for _ in range(4):
        bench.talk(None, 1)
    by = model()
    by.weight = lambda asked: (
        1 - grades(asked) if "<content>" in asked.messages[-1]["content"] else grades(asked)
    )
    found = await bench.measure(by)
    assert found.outcome is Outcome.WORSE
    assert not found.passed
    assert origins(found).count("near") == 2, "it stopped there"
    assert "worse on 2 of 2 others that went well" in found.reason


async def test_what_went_well_and_still_does_is_said(bench: Bench) -> None:
    bench.talk(None, 1)
    found = await bench.measure(model())
    assert found.outcome is Outcome.PROMISING
    assert "no harm on 1 other" in found.reason


async def test_a_skill_that_is_not_better_is_not_looked_at_for_harm(bench: Bench) -> None:
    bench.talk(None, 1)
    by = model()
    by.weight = lambda _: 0.5
    found = await bench.measure(by)
    assert found.outcome is Outcome.SAME
    assert "near" not in origins(found)


async def test_three_losses_are_enough(bench: Bench) -> None:
    by = model()
    by.weight = lambda asked: 1 - grades(asked)
    found = await bench.measure(by)
    assert found.outcome is Outcome.WORSE
    assert origins(found) == ["source", *["synthetic"] * 3]


async def test_the_cost_is_told_before_anything_is_asked(bench: Bench) -> None:
    by = model()
    by.usd = 0.12
    await bench.measure(by)
    calls, sent, answered = by.foreseen
    assert bench.told[0] == (
        f"measuring takes up to {calls} calls and costs up to 0.1200 USD; 0.5000 USD are left under the caps"
    )
    assert len(by.asked) <= calls
    assert answered <= sent


async def test_what_was_told_of_the_cost_is_never_passed_and_where_it_ends_there_is_an_outcome(
    bench: Bench,
) -> None:
    for _ in range(4):
        bench.talk(None, 1)
    by = model()
    by.usd, by.each_usd = 0.12, 0.01
    found = await bench.measure(by)
    assert len(by.asked) == 12, "as much as 0.12 USD pay"
    assert (found.outcome, found.figures["stop"]) == (Outcome.PROMISING, Stop.SPENT.value)
    assert "near" not in origins(found), "what was cut short asks nothing more"
    assert "it ended early" in found.reason
    assert any(each.startswith("measuring ends here: It was to take up to") for each in bench.told)


async def test_what_was_told_of_the_calls_is_never_passed(bench: Bench) -> None:
    by, tries = model(), 0

    def unfit(asked: Asked) -> str:
        nonlocal tries
        tries += 1
        if tries % 3 == 0:
            raise UpstreamError("The learning model did not answer", "It fell over.", "")
        return answers(asked)

    by.answer = unfit
    for _ in range(3):  # taken up again each time: what is told then holds then
        asked = len(by.asked)
        with contextlib.suppress(UpstreamError):
            await bench.measure(by)
        assert len(by.asked) - asked <= by.foreseen[0]


@pytest.mark.parametrize("usd", [0.51, None])
async def test_what_would_pass_the_cap_is_not_begun(bench: Bench, usd: float | None) -> None:
    own = bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No.")
    by = model()
    by.usd = usd
    with pytest.raises(LearningError, match="left under the caps"):
        await bench.measure(by)
    assert by.asked == []
    assert own not in bench.claimed()


async def test_what_costs_nothing_needs_no_budget(bench: Bench) -> None:
    by = model()
    by.usd, by.left_usd = 0.0, 0.0
    assert (await bench.measure(by)).passed


async def test_whoever_grades_sees_the_persons_words_and_never_the_skill(bench: Bench) -> None:
    by = model()
    await bench.measure(by)
    graded = [asked for asked in by.asked if SAID in str(asked.messages)]
    assert graded
    for asked in graded:
        assert not any(told in str(asked.messages) for told in ("PEACOCK", FENCE, "zebra"))


async def test_the_skill_is_replayed_exactly_as_it_is_injected(bench: Bench) -> None:
    by = model()
    await bench.measure(by)
    block = render_block([Note("zebra", BODY)])
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": SUPPORT.request}]
    body = json.dumps({"model": "m", "messages": messages}).encode()
    expected = json.loads(CHAT.inject(CHAT.parse(body), [(HEAD, block)], None))["messages"]
    asked = [list(each.messages) for each in by.asked]
    assert expected in asked
    assert messages in asked


def test_further_on_in_a_conversation_the_block_ends_the_persons_message() -> None:
    system = {"role": "system", "content": "Be brief."}
    messages = [system, person("one"), agent("1"), person("two")]
    found = injected(messages, "BLOCK")
    assert found[:3] == messages[:3]
    assert found[3]["content"].startswith("two")
    assert found[3]["content"].endswith("BLOCK")
    assert injected(messages, "") == messages


async def test_a_better_version_is_measured_against_the_one_in_force(bench: Bench) -> None:
    by = model()
    await bench.measure(by, Draft(ProposalOp.UPDATE, "zebra", TEXT, BODY, "", replaces="# Old\n\nOLD RULE"))
    replayed = [asked for asked in by.asked if "Be brief." in str(asked.messages[0])]
    assert all(("OLD RULE" in str(a.messages)) != ("PEACOCK" in str(a.messages)) for a in replayed)


async def test_in_an_exchange_with_tools_the_next_message_is_compared_and_that_is_said(bench: Bench) -> None:
    tools = [{"type": "function", "function": {"name": "read", "parameters": {}}}]
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No.", tools=tools)
    by = model()
    found = await bench.measure(by)
    assert "; no tool was run, where there are some the next message was compared" in found.reason
    assert [each["tools"] for each in found.details] == [
        each["origin"] == "held-out" for each in found.details
    ]
    assert {len(asked.tools) for asked in by.asked if "number" in str(asked.messages[-1])} >= {1}


async def test_a_conversation_that_is_too_long_is_left_out(bench: Bench) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No.", words="heading " + "long " * 9000)
    found = await bench.measure(model())
    assert "held-out" not in origins(found)
    assert found.figures["left_out"] == 1


async def test_a_conversation_that_the_server_will_not_take_is_unscored(bench: Bench) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No.")
    by = model()

    def refuse(asked: Asked) -> str:
        if "number" in str(asked.messages[-1]):
            raise TurnedDownError("No", "too long", "")
        return answers(asked)

    by.answer = refuse
    found = await bench.measure(by)
    assert found.unscored == 1
    assert found.outcome is Outcome.PROMISING


async def test_a_server_that_takes_nothing_is_no_measurement(bench: Bench) -> None:
    by = model()
    by.answer = _raising(TurnedDownError("No", "no such model", ""))
    with pytest.raises(UpstreamError, match="no such model"):
        await bench.measure(by)


def _raising(error: Exception) -> Callable[[Asked], str]:
    def raise_it(_: Asked) -> str:
        raise error

    return raise_it


async def test_another_model_than_the_agents_is_said(bench: Bench) -> None:
    bench.talk(None, None)
    found = await bench.measure(model())
    assert found.reason.endswith("; measured on stand-in, while the agent uses m")
    assert (found.model, found.figures["agent_model"]) == ("stand-in", "m")


async def test_what_is_kept_to_be_asked_again_quotes_no_exchange_of_the_persons(bench: Bench) -> None:
    own = bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.")
    kept = (await bench.measure(model())).figures["evals"]
    assert kept[0] == {"origin": "held-out", "exchange": own}
    assert "No, in capitals." not in str(kept)
    assert [each["origin"] for each in kept[1:]] == ["synthetic"] * 6


async def test_what_is_forgotten_while_it_is_measured_on_is_kept_nowhere(bench: Bench) -> None:
    own = bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.")
    by = model()

    def forget_first(asked: Asked) -> str:
        if own in bench.claimed():
            bench.store.write(
                lambda db: forgetting.forget(db, leaving.chosen(db, Which(exchange=own)), NOW, learnt=True)
            )
        return answers(asked)

    by.answer = forget_first
    found = await bench.measure(by)
    row = bench.store.read(lambda db: found.row(db, "proposal", NOW))
    assert "No, in capitals." in str(found.details)
    assert "number" not in str(row.details)
    assert "No, in capitals." not in str(row.figures)
    assert row.details, "what was invented may be shown"


class Scripted(Server):
    """A server that answers as the stand-in does; after `most` answers the power fails."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.replies = [self._reply]
        self.most = most
        self.answered: list[str] = []

    def _reply(self, body: Body) -> Any:
        if len(self.answered) >= self.most:
            return web.Response(status=401, text="the power is gone")
        self.answered.append(json.dumps(body, sort_keys=True))
        messages = body["messages"]
        choice: dict[str, Any] = {"message": {"role": "assistant", "content": ""}}
        if "response_format" in body:
            number = messages[-1]["content"].split("Topic: ")[-1]
            choice["message"]["content"] = json.dumps({"request": f"Write the heading for {number}"})
        elif body.get("logprobs"):
            likely = grades(Asked("gate", messages, 1))
            tops = [{"token": "yes", "logprob": -(1 - likely)}, {"token": "no", "logprob": -likely}]
            choice["message"]["content"] = "yes"
            choice["logprobs"] = {"content": [{"token": "yes", "top_logprobs": tops}]}
        else:
            choice["message"]["content"] = answers(Asked("gate", messages, 1))
        return web.json_response({"choices": [choice], "usage": {"prompt_tokens": 9, "completion_tokens": 3}})


@pytest.mark.parametrize("most", [1, 2, 3, 7, 20])
async def test_a_measurement_that_was_killed_goes_on_where_it_was_and_asks_nothing_twice(
    bench: Bench, most: int
) -> None:
    bench.talk(ClaimUse.HOLDOUT_SKILL, -1, "No, in capitals.")
    server = Scripted(most)
    async with asking(bench.store, server, caps=AMPLE, **PRICES) as first:
        with pytest.raises(UpstreamError, match="power is gone"):
            await bench.measure(first)
    server.most = 1000
    async with asking(bench.store, server, caps=AMPLE, **PRICES) as second:
        found = await bench.measure(second)
    assert found.outcome is Outcome.PROMISING
    assert len(set(server.answered)) == len(server.answered)
    assert sum(each.output_tokens > 0 for each in spends(bench.store)) == len(server.answered)


async def test_what_is_paid_already_does_not_count_against_going_on(bench: Bench) -> None:
    """The caps leave room for the whole of it once, and no more."""
    server = Scripted(12)
    async with asking(bench.store, server, caps=AMPLE, **PRICES) as first:
        with pytest.raises(UpstreamError):
            await bench.measure(first)
        blocks = Arms.of("zebra", BODY).tokens
        needed = await first.outlay(*foreseen([source_probe(SUPPORT)], SYNTHETIC, blocks))
    server.most = 1000
    assert needed.usd is not None
    async with asking(bench.store, server, caps=Caps(needed.usd + 0.1, 50.0), **PRICES) as second:
        assert (await bench.measure(second)).passed
