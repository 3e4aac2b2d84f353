"""Teaching: the person corrects what is wrong and thanks for what is right; then the app learns from it."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from benchmarks.learning.agent import Agent
from benchmarks.learning.house import Say
from benchmarks.learning.records import Calls, Judged, Learnt, Offer, Replay, Said, Taught
from benchmarks.learning.rules import Lesson, Rule
from metaclaw_tray.admin import api
from metaclaw_tray.demo.app import App
from metaclaw_tray.errors import KnownError

THANKS = "Thank you, that is right."
STILL_WRONG = "No, that is still not what I asked for."

_LISTED = 1000  # turns, and more than a run has
_PASSES = 5  # of learning, before a model that does not answer in time is given up


class School:
    """The sessions that teach, and the passes of learning after them."""

    def __init__(self, app: App, agent: Agent, rules: Sequence[Rule], say: Say) -> None:
        self._app = app
        self._agent = agent
        self._rules = {rule.name: rule for rule in rules}
        self._say = say

    def teach(self, session: str, lesson: Lesson) -> Taught:
        """Ask, correct where it is wrong, thank where it is right. Raises UpstreamError."""
        begun = time.monotonic()
        name = self._agent.begin(session)
        said = [self._ask(lesson.case.request, lesson)]
        if not said[0].right:
            said.append(self._ask(lesson.correction, lesson))
        self._agent.ask(THANKS if said[-1].right else STILL_WRONG)
        return Taught(name, said, time.monotonic() - begun)

    def _ask(self, words: str, lesson: Lesson) -> Said:
        reply = self._agent.ask(words)
        right = lesson.case.right(reply.text)
        self._say(f"  {'right' if right else 'wrong'}: {words!r} → {reply.text!r}")
        return Said(reply.turn, reply.text, right)

    def learn(self, taught: Mapping[str, Sequence[Taught]], latest: str, known: Collection[str]) -> Learnt:
        """One pass over what the sessions of `latest` taught. `taught` has all sessions so far, by rule, and
        `known` the proposals of earlier passes."""
        begun = time.monotonic()
        notes, told = self._pass()
        seconds = time.monotonic() - begun
        offers = [self._offer(made, taught) for made in self._proposals() if made.id not in known]
        judged = self._judged(taught.get(latest, ()))
        return Learnt(seconds, notes, judged, offers, self._calls(), told)

    def _pass(self) -> tuple[list[str], list[str]]:
        told: list[str] = []

        def progress(text: str) -> None:
            told.append(text)
            self._say(f"  {text}")

        notes: list[str] = []
        self._app.commands.call(api.SetConfig(key="learning.enabled", value="true", yes=True))
        for _ in range(_PASSES):
            try:
                notes += self._app.commands.call(api.LearnNow(), on_progress=progress).notes
                break
            except KnownError as error:  # a busy machine: the app itself would go on a little later
                notes.append(" ".join(error.lines()))
        self._app.commands.call(api.SetConfig(key="learning.enabled", value="false", yes=True))
        for note in notes:
            self._say(f"  not done: {note}")
        return notes, told

    def _proposals(self) -> list[api.ProposalRow]:
        found = self._app.commands.call(api.ListReview(all=True))
        return sorted(found, key=lambda made: made.id)

    def _judged(self, sessions: Sequence[Taught]) -> list[Judged]:
        verdicts = {turn.id: turn.verdict for turn in self._app.commands.call(api.ListTurns(limit=_LISTED))}
        return [
            Judged(each.turn, each.right, verdicts.get(each.turn), self._reason(each.turn))
            for session in sessions
            for each in session.said
        ]

    def _reason(self, turn: str) -> str:
        return self._app.commands.call(api.ShowTurn(turn)).reason

    def _offer(self, made: api.ProposalRow, taught: Mapping[str, Sequence[Taught]]) -> Offer:
        """A proposal; the person approves each that waits for them."""
        detail = self._app.commands.call(api.ShowProposal(made.id))
        rule = self._rule_of(made.evidence, taught)
        gate = made.gate
        approved, trouble = made.state == "approved", ""  # approved: before this run was killed
        if made.state == "pending":
            try:
                self._say(f"  {self._app.commands.call(api.ApproveProposal(id=made.id, yes=True)).text}")
                approved = True
            except KnownError as error:
                trouble = " ".join(error.lines())
        return Offer(
            made.id,
            rule,
            made.op,
            made.skill,
            detail.text,
            made.state,
            outcome_of(gate),
            gate.reason if gate else "",
            replays(self._rules.get(rule), detail.gate_details),
            approved,
            trouble,
        )

    def _rule_of(self, exchanges: Sequence[str], taught: Mapping[str, Sequence[Taught]]) -> str:
        """The rule whose sessions taught most of a proposal's exchanges; "" where none did."""
        exchange_of = {
            turn.id: turn.exchange for turn in self._app.commands.call(api.ListTurns(limit=_LISTED))
        }
        counts = {
            rule: sum(exchange_of.get(each.turn) in exchanges for one in sessions for each in one.said)
            for rule, sessions in taught.items()
        }
        most = max(counts, key=lambda rule: counts[rule], default="")
        return most if counts.get(most) else ""

    def _calls(self) -> list[Calls]:
        spent = self._app.commands.call(api.ShowSpend(days=2, by="purpose"))
        return [Calls(row.key, row.calls, row.input_tokens, row.output_tokens) for row in spent.learning]


def outcome_of(gate: api.GateFigures | None) -> str:
    """What the gate said: better, promising, same or worse; passed or refused where it has no words."""
    if gate is None:
        return "not measured"
    return gate.outcome or ("passed" if gate.passed else "refused")


def replays(rule: Rule | None, details: Sequence[Any]) -> list[Replay]:
    """The requests of the gate with its own mark and the code's grades. What went well before the rule was
    taught is of another kind, so the code has no grade for it."""
    if rule is None:
        return []
    return [
        Replay(
            each["origin"],
            each["request"],
            each["without_answer"],
            each["with_answer"],
            rule.follows(each["without_answer"]),
            rule.follows(each["with_answer"]),
            each["mark"],
        )
        for each in details
        if each["origin"] != "near"
    ]
