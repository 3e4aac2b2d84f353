"""A library that has been in use: skills of each kind, proposals, what taught them and what was measured."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import select

from metaclaw_tray.skills import review
from metaclaw_tray.skills.builtin import builtin_skills
from metaclaw_tray.store import builtin, decisions, learning, offering, trials
from metaclaw_tray.store.claims import claim
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.learning import Piece, Ruling
from metaclaw_tray.store.library import SkillText, proposal
from metaclaw_tray.store.recorder import Recorder
from metaclaw_tray.store.tables import ClaimUse, Exchange
from metaclaw_tray.store.tables_library import GateResult, ProposalOp, ProposalState, SkillState
from store.conversation import Client, agent, person
from store.met import AT, Record
from support.clock import FakeClock

ME = Actor("ada", "window", ("the window",))

SKILLS: dict[str, tuple[str, str, str]] = {
    "weekly-report-in-bullets": (
        "Write the weekly report as five short bullets with a number in each. Use when a weekly report or a "
        "status update is asked for.",
        "weekly report; status update; what did we do this week",
        "# The weekly report\n\nWhen a weekly report is asked for:\n\n- Five bullets, none over one line.\n"
        "- A number in each: what was *500 ms* is now **180 ms**.\n- First what went wrong, then what went "
        "right.\n\nNot: an introduction, thanks, or plans for next week.\n",
    ),
    "sql-with-named-columns": (
        "Name every column in SQL, and never select everything. Use when a query is written.",
        "sql; query; select; database",
        "# Queries that say what they read\n\nName each column. `SELECT *` breaks when a table grows.\n\n"
        "```sql\n-- the last ten orders of a customer\nSELECT id, placed_at, total\nFROM orders\n"
        "WHERE customer_id = :customer AND total > 100\nORDER BY placed_at DESC\nLIMIT 10;\n```\n\n"
        "| instead of | write |\n| --- | --- |\n| `SELECT *` | the columns |\n"
        "| `LIMIT 10` alone | an order too |\n",
    ),
    "dutch-mail-informal": (
        "Write mail to colleagues in Dutch, informal, with je. Use when a mail to the team is written.",
        "mail aan het team; bericht aan collega",
        "# Mail aan collega's\n\nSchrijf *je*, niet *u*. Begin met de vraag, niet met een inleiding.\n",
    ),
    "tests-before-the-fix": (
        "Write the failing test first, then the fix. Use when a bug is fixed.",
        "bug; fix; regression",
        "# First the test\n\n1. Write a test that fails for the reason that was reported.\n2. Run it and "
        "show that it fails.\n3. Mend the code, and show that it passes.\n",
    ),
    "commit-messages-in-past-tense": (
        "Say in a commit message what changed for the user. Use when a commit is made.",
        "commit; commit message",
        "# Commit messages\n\nOne sentence, what changed for whoever uses it, and why.\n",
    ),
    "currency-always-with-code": (
        "Write amounts with the code of their currency. Use when prices or costs are written.",
        "price; cost; amount; budget",
        "# Amounts\n\nWrite `EUR 120.50`, not `€120,5`. Say when the rate was looked up.\n",
    ),
}
TAINTED = (
    "vendor-api-retries",
    "Retry calls of the vendor's API as its own documentation asks. Use when that API is called.",
    "vendor api; retry; rate limit",
    "# Calls of the vendor's API\n\nWait as long as `Retry-After` says, at most five times. The page "
    "[Limits](https://vendor.example/limits) has the figures.\n\n![diagram](https://vendor.example/t.png)\n",
)
WANTED = (
    "meeting-notes-with-owners",
    "Give each decision in meeting notes an owner and a date. Use when notes of a meeting are written.",
    "meeting notes; minutes; action items",
    "# Notes of a meeting\n\nWhen notes of a meeting are written:\n\n- Decisions first, discussion after.\n"
    "- Each action has **an owner and a date**: *Mira, 2026-03-20*.\n"
    "- What was left open stands at the end.\n",
)
_REQUESTS = (
    "Summarise the planning meeting of this morning for the team.",
    "Write up what we agreed with the supplier yesterday.",
    "Notes of the retro, please. The transcript is below.",
    "Turn these bullet points from the design review into minutes.",
    "Make minutes of the call with Finance.",
    "Write down the outcome of the incident review.",
    "Put the board's decisions on one page.",
)


def text_of(name: str, description: str, triggers: str, body: str) -> str:
    return (
        f'---\nname: {name}\ndescription: "{description}"\nmetadata:\n  triggers: "{triggers}"\n---\n\n{body}'
    )


class Library:
    """Fills a store as the app would have. `spoken` is when the exchanges begin."""

    def __init__(self, store: Store, clock: FakeClock, spoken: datetime = AT) -> None:
        self.store, self.clock = store, clock
        self.record = Record(store, spoken)
        self._lessons = 0

    def fill(self) -> dict[str, str]:
        """The whole of it; ids of its proposals by skill."""
        ours = [SkillText(each.name, each.description, each.text) for each in builtin_skills()]
        self.store.write(lambda db: builtin.register(db, ours[2:], self.clock.now()))
        for name in ("unambiguous-dates", "clear-commits", "short-summaries"):
            self.set_state(name, SkillState.ACTIVE)
        for place, (name, (description, triggers, body)) in enumerate(SKILLS.items()):
            self.clock.advance(86_400)
            made = self.propose(
                name, text_of(name, description, triggers, body), outcome="better", wins=9 - place
            )
            self.approve(made)
        self.set_state("currency-always-with-code", SkillState.DISABLED)
        self.set_state("commit-messages-in-past-tense", SkillState.RETIRED)
        for score in (1, 1, 1, -1, 1, 1, 0, 1, 1, 1, 1, None):
            self.record.exchange("weekly-report-in-bullets@1", score=score)
        self.record.exchange("sql-with-named-columns@1", score=1)
        ids = self._proposals()
        self._trial()
        return ids

    def _proposals(self) -> dict[str, str]:
        self.clock.advance(3_600)
        description, triggers, body = SKILLS["weekly-report-in-bullets"]
        changed = body.replace("Five bullets", "Four bullets").replace(
            "Not: an", "- Name who did it.\n\nNot: an"
        )
        return {
            WANTED[0]: self.propose(WANTED[0], text_of(*WANTED), outcome="better", wins=9),
            TAINTED[0]: self.propose(TAINTED[0], text_of(*TAINTED), outcome="promising", wins=4, taint="web"),
            "weekly-report-in-bullets": self.propose(
                "weekly-report-in-bullets",
                text_of("weekly-report-in-bullets", description, triggers, changed),
                op=ProposalOp.UPDATE,
                why="You asked twice for fewer bullets, with names.",
                outcome="same",
                wins=2,
            ),
        }

    def _trial(self) -> None:
        name = "ask-for-the-deadline"
        text = text_of(
            name,
            "Ask for the deadline before planning. Use when work is planned.",
            "plan; planning",
            "# Deadlines\n\nAsk when it has to be done before you plan anything.\n",
        )
        made = self.propose(name, text, outcome="promising", wins=5)
        content = SkillText(name, "Ask for the deadline before planning. Use when work is planned.", text)
        trial = self.store.write(lambda db: trials.start(db, made, 20, ME, self.clock.now(), content)[0].id)
        for place, score in enumerate((1, 1, -1, 1, None, 1)):
            arm = "with" if place % 2 == 0 else "without"
            if arm == "with":
                self.record.exchange(f"{name}@1", score=score, trial=trial, arm=arm)
            else:
                self.record.exchange(withheld=f"{name}@1", score=score, trial=trial, arm=arm)

    def propose(
        self,
        name: str,
        text: str,
        *,
        op: ProposalOp = ProposalOp.CREATE,
        why: str = "You corrected the same thing three times.",
        outcome: str = "",
        wins: int = 0,
        taint: str = "",
        state: ProposalState = ProposalState.PENDING,
        reason: str = "",
        offered: bool = True,
    ) -> str:
        taught = [self.lesson(taint), self.lesson("")]
        now = self.clock.now()

        def write(db: Any) -> str:
            claim(db, taught, ClaimUse.SUPPORT, "run", now)
            made = decisions.propose(
                db, op=op, skill=name, text=text, why=why, now=now, exchanges=taught, run_id="run",
                state=state, reason=reason, taint=taint,
            )  # fmt: skip
            if outcome:
                db.add(gate(made, outcome, wins, now))
            if offered and state is ProposalState.PENDING:
                offering.offer(db, [proposal(db, made).proposal], now)
            return made

        return self.store.write(write)

    def approve(self, proposal_id: str) -> str:
        now = self.clock.now() + timedelta(hours=2)
        return self.store.write(lambda db: review.approve(db, proposal_id, ME, now)).ledger_id

    def set_state(self, name: str, state: SkillState) -> None:
        self.clock.advance(60)
        self.store.write(lambda db: decisions.set_state(db, name, state, ME, self.clock.now()))

    def lesson(self, taint: str) -> str:
        """An exchange in which the agent was corrected."""
        self._lessons += 1
        client = Client(
            self.record.key, "claude-code", f"lesson{self._lessons}", self.record.start.timestamp()
        )
        asked = [person("Write the notes of this morning's meeting, please. The transcript is in notes.txt.")]
        answer = agent(
            "Here are the notes.\n\nWe talked about the release. It was agreed that somebody looks into the "
            "slow start, and that the docs are brought up to date some time next month."
        )
        said = person("No: say who does it and until when. I told you so last week.")
        turns = []
        for messages, reply in ((asked, answer), ([*asked, answer, said], agent("Mira, by 2026-03-20."))):
            begun = client.begin(messages, turn_id=f"{client.session}-{len(messages)}")
            turns += [begun, client.end(begun, reply)]
        self.store.write(lambda db: Recorder(self.record.key).apply(db, *turns))
        now = self.clock.now()

        def write(db: Any) -> str:
            found = db.exec(select(Exchange).where(Exchange.session_id == client.session)).all()
            exchange = min(found, key=lambda each: each.started_at)
            ruling = Ruling(-1, (-1, -1, -1), "The notes name neither an owner nor a date.", "misses owners")
            learning.overrule(db, turns[0].turn_id, exchange.id, ruling, "qwen3-4b", now)
            pieces = [
                Piece("verdict", -1, "model", "The notes name neither an owner nor a date."),
                Piece(
                    "correction", -1, "person", "No: say who does it and until when. I told you so last week."
                ),
            ]
            if taint:
                pieces.append(Piece("tool_error", -1, taint, "429 Too Many Requests: see our limits page"))
            learning.add_evidence(db, exchange.id, pieces, now)
            return str(exchange.id)

        return self.store.write(write)


def gate(proposal_id: str, outcome: str, wins: int, now: Any) -> GateResult:
    """What measuring found: so many wins of eleven."""
    judged = 11
    losses = 1 if wins < judged else 0
    marks = ["win"] * wins + ["loss"] * losses + ["tie"] * (judged - wins - losses)
    details = [replay(place, mark) for place, mark in enumerate(marks)]
    low, high = (wins - losses) / judged - 0.35, (wins - losses) / judged + 0.22
    figures = {
        "wins": wins, "losses": losses, "ties": judged - wins - losses, "held_out": 7, "synthetic": 4,
        "harm": {"requests": 3, "wins": 0, "losses": 0}, "interval": [round(low, 3), round(min(1, high), 3)],
        "stop": "the test decided", "shown": 0 if wins else None, "how": ["compared"],
    }  # fmt: skip
    return GateResult(
        proposal_id=proposal_id, passed=outcome in ("better", "promising"), requests=judged, with_skill=0.7,
        without_skill=0.1, unscored=0, details=details, reason=f"{outcome}: {wins} of {judged}", at=now,
        outcome=outcome, model="qwen3-4b", judge="qwen3-4b", figures=figures,
    )  # fmt: skip


def replay(place: int, mark: str, without: str = "", with_skill: str = "") -> dict[str, Any]:
    return {
        "origin": ("held-out", "held-out", "synthetic")[place % 3],
        "exchange": "",
        "request": _REQUESTS[place % len(_REQUESTS)],
        "remark": "No: say who does it and until when.",
        "without_answer": without
        or "We agreed to look into the slow start, and to bring the docs up to date.",
        "with_answer": with_skill
        or "Decisions\n– Slow start: Jonas looks into it, by 2026-03-18.\n"
        "– Docs: Mira brings them up to date, by 2026-04-02.",
        "without_score": 0.1,
        "with_score": 0.8,
        "mark": mark,
        "how": "compared",
        "orders": [],
        "tools": False,
    }


def names(rows: Sequence[Any]) -> list[str]:
    return [each.name for each in rows]
