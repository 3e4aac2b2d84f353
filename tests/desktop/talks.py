"""A store full of conversations, and the app's own handlers for them at the other end of a window's pipe."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from desktop.live import LiveApp, _nothing
from metaclaw_tray.admin import api
from metaclaw_tray.admin.server import Handlers
from metaclaw_tray.runtime.facade import choosing, record
from metaclaw_tray.runtime.facade.conversations import ConversationsDesk
from metaclaw_tray.runtime.facade.forgetting import ForgettingDesk
from metaclaw_tray.runtime.facade.learning import LearningDesk
from metaclaw_tray.runtime.retention import Retention
from metaclaw_tray.skills.live import build_snapshot
from metaclaw_tray.store import indexing, learning, turns
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.leaving import raw
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.records import BlockInjected
from store.conversation import Client, agent, person
from support.clock import FakeClock


class TalkingApp(LiveApp):
    """Answers what the page of conversations asks, a month after all was said."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self.clock.advance(30 * 86_400)

    def _made(self) -> Handlers:
        runtime: Any = SimpleNamespace(
            store=self.store,
            settings=self.settings,
            clock=self.clock,
            scribe=SimpleNamespace(flush=_nothing),
            learner=SimpleNamespace(wake=lambda: None),
            retention=Retention(self.store, lambda: self.settings, self.clock, lambda _nodes: None),
            library=SimpleNamespace(
                refresh=_nothing, skills=SimpleNamespace(live=SimpleNamespace(snapshot=build_snapshot(0, [])))
            ),
        )
        forgetting, learnt = ForgettingDesk(runtime), LearningDesk(runtime)

        async def shown(verb: Any, _call: Any) -> Any:
            return await self.store.aread(
                lambda db: record.show_turn(db, verb.id, self.settings, self.clock.now())
            )

        async def why(verb: Any, _call: Any) -> Any:
            live = runtime.library.skills.live.snapshot
            return await self.store.aread(lambda db: choosing.search(db, live, verb, self.settings.injection))

        return {
            **super()._made(),
            **ConversationsDesk(runtime).handlers(),
            api.LookAtForgetting: forgetting.look,
            api.ForgetTurns: forgetting.forget,
            api.GiveFeedback: learnt.feedback,
            api.ShowTurn: shown,
            api.SearchSkills: why,
        }


class Talks:
    """Writes exchanges as the scribe would, one a minute."""

    def __init__(self, store: Store, clock: FakeClock, name: str = "claw") -> None:
        self.store, self.clock = store, clock
        self.key = store.read(turns.node_key)
        self.name = name
        self.clients: dict[str, Client] = {}
        self.history: dict[str, list[dict[str, Any]]] = {}

    def say(
        self,
        asked: str,
        answer: str,
        *,
        session: str = "s",
        skills: tuple[str, ...] = (),
        score: int | None = None,
        reason: str = "",
        calls: tuple[tuple[str, str, str], ...] = (),
        outcome: str = "ok",
        kind: str = "main",
    ) -> str:
        """One exchange; the id of its last turn. `calls`: tool, arguments, what came back."""
        client = self.clients.setdefault(session, Client(self.key, self.name, session))
        past = self.history.setdefault(session, [])
        past.append(person(asked))
        turn = self._turn(client, past, skills, kind)
        for number, (tool, arguments, result) in enumerate(calls):
            call = {
                "id": f"c{number}",
                "type": "function",
                "function": {"name": tool, "arguments": arguments},
            }
            said = {"role": "assistant", "content": "", "tool_calls": [call]}
            self._end(client, turn, said, "ok")
            past += [said, {"role": "tool", "tool_call_id": f"c{number}", "content": result}]
            turn = self._turn(client, past, (), kind)
        self._end(client, turn, agent(answer), outcome)
        past.append(agent(answer))
        if score is not None:
            self.judge(turn.turn_id, score, reason)
        return turn.turn_id

    def judge(self, turn_id: str, score: int, reason: str) -> None:
        now = self.clock.now()

        def work(db: Any) -> None:
            exchange = turns.turn(db, turn_id).turn.exchange_id
            ruling = Ruling(score, (score, score, 0), reason)
            learning.overrule(db, turn_id, exchange or "", ruling, "judge-model", now)
            learning.add_evidence(
                db, exchange or "", [Piece("verdict", score, "model", reason)], now, turn_id
            )

        self.store.write(work)

    def bring_in(self) -> None:
        """Make all of it searchable."""
        while self.store.write(lambda db: indexing.bring_in(raw(db), lambda: True)):
            pass

    def exchange(self, turn_id: str) -> str:
        found = self.store.read(lambda db: turns.turn(db, turn_id).turn.exchange_id)
        assert found is not None
        return found

    def _turn(self, client: Client, past: list[dict[str, Any]], skills: tuple[str, ...], kind: str) -> Any:
        self.clock.advance(61)
        begun = client.begin(past, kind=kind)
        at = self.clock.now().timestamp()
        begun = type(begun)(**{**{f: getattr(begun, f) for f in begun.__struct_fields__}, "at": at})
        told: list[Any] = [begun]
        if skills:
            block = "\n".join(f"[{each}]" for each in skills)
            told.insert(0, BlockInjected(begun.openings[-1], client.session, block, list(skills), 60, 0, at))
        self.store.write(lambda db: Recorder(self.key).apply(db, *told))
        return begun

    def _end(self, client: Client, begun: Any, message: dict[str, Any], outcome: str) -> None:
        usage = {"prompt_tokens": 1840, "completion_tokens": 212}
        ended = client.end(begun, message, usage=usage, outcome=outcome)
        values = {field: getattr(ended, field) for field in ended.__struct_fields__}
        later = {"first_byte_at": begun.at + 0.6, "at": begun.at + 4.2}
        if outcome != "ok":
            later |= {"body": b"", "error": "the upstream took too long", "status": 504}
        ended = type(ended)(**{**values, **later})
        self.store.write(lambda db: Recorder(self.key).apply(db, ended))


def fill(path: Path) -> dict[str, str]:
    """A file with a week of talks; some turns by a name."""
    clock = FakeClock()
    store = Store.open(path, clock)
    try:
        talks, made = Talks(store, clock), {}
        for number in range(30):
            talks.say(
                f"Summarise ticket {4100 + number} for the stand-up, and say who should answer the customer.",
                f"Ticket {4100 + number}: the export stops at page two. Mira should answer.",
                session=f"day{number // 5}",
                skills=("weekly-report-in-bullets@1",) if number % 3 == 0 else (),
                score=(1, -1, None, 0)[number % 4],
                reason="the person went on without a remark"
                if number % 4 == 0
                else "the person had to ask again",
            )
            if number % 5 == 4:
                clock.advance(80_000)
        made["tools"] = talks.say(
            "Which of the reports of last week are larger than 5 MB? Put them into /srv/reports/large.",
            "Three reports were larger than 5 MB: sales.pdf, hosting.pdf and audit-2026.pdf. "
            "I moved them to /srv/reports/large.\n\nNothing else was changed.",
            session="tools",
            skills=("clear-commits@2", "unambiguous-dates@1"),
            score=1,
            reason="the person thanked for it and went on to the next thing",
            calls=(
                (
                    "run",
                    '{"command": "find /srv/reports -size +5M"}',
                    "sales.pdf\nhosting.pdf\naudit-2026.pdf",
                ),
                (
                    "run",
                    '{"command": "mv /srv/reports/sales.pdf /srv/reports/large"}',
                    "Error: permission denied",
                ),
                ("run", '{"command": "sudo mv /srv/reports/*.pdf /srv/reports/large"}', "done"),
            ),
        )
        made["chinese"] = talks.say(
            "请把上周的会议记录发给我", "会议记录如下：一、下周三发布。", session="zh"
        )
        made["failed"] = talks.say("And the invoices?", "", session="tools", outcome="failed")
        made["last"] = talks.say(
            "Now in Dutch, please.", "Drie rapporten waren groter dan 5 MB.", session="tools"
        )
        talks.bring_in()
        return made
    finally:
        store.close()
