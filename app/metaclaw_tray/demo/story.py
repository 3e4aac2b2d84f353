"""The loop, step by step, told as it happens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from metaclaw_tray.admin import api
from metaclaw_tray.admin.protocol import Challenge
from metaclaw_tray.demo.agent import Agent, Reply
from metaclaw_tray.demo.app import App
from metaclaw_tray.demo.cases import CORRECTION, OPENING, OTHER_KIND, SAME_KIND, THANKS, Case
from metaclaw_tray.demo.telling import Teller
from metaclaw_tray.errors import KnownError

AGENT, PLAIN = "demo", "demo-without"


_ORIGINS = {
    "source": "the request that taught it",
    "synthetic": "a request that was invented for this",
    "held-out": "a request that was kept aside for this",
    "near": "a request that had gone well",
}


class LoopBrokenError(KnownError):
    """A part of the loop did not do its work, whatever the model is worth."""


@dataclass(frozen=True)
class Score:
    """How many answers were right, and how many requests carried the skill."""

    asked: int
    right: int
    carried: int


class Story:
    """Holds the conversation, lets the loop run, asks for the approval and measures what changed."""

    def __init__(self, app: App, model: str, teller: Teller, *, scripted: bool) -> None:
        self._app = app
        self._tell = teller
        self._scripted = scripted
        self._with = Agent(self._add_agent(AGENT), model)
        self._without = Agent(self._add_agent(PLAIN, observe_only=True), model)

    def run(self) -> bool:
        """The whole story; True where the model does better now. Raises LoopBrokenError, KnownError."""
        first = self._talk()
        self._learn()
        self._show_verdicts(first)
        proposal = self._offered()
        if proposal is None:
            return False
        self._approve(proposal)
        return self._compare()

    def _talk(self) -> Reply:
        self._tell.step("A conversation, through the proxy")
        self._with.begin("demo-conversation")
        replies = []
        for words in (OPENING, CORRECTION, THANKS):
            self._tell.quote("person", words)
            replies.append(self._with.ask(words))
            self._tell.quote("agent", replies[-1].text)
        return replies[0]

    def _learn(self) -> None:
        self._tell.step("Learning looks at what happened")
        self._app.commands.call(api.ResumeLearning())
        outcome = self._app.commands.call(api.LearnNow(), on_progress=self._tell.say)
        for note in outcome.notes:
            self._tell.say(f"not done: {note}")

    def _show_verdicts(self, first: Reply) -> None:
        turns = self._app.commands.call(api.ListTurns(agent=AGENT))
        if not any(turn.id == first.turn for turn in turns):
            raise LoopBrokenError("The loop broke", f"The turn {first.turn} was not stored.", "")
        self._tell.step("What is known of the conversation now")
        rows = [
            (turn.id[-6:], turn.outcome, _signed(turn.verdict), turn.claim or "free")
            for turn in reversed(turns)
        ]
        self._tell.table(("turn", "outcome", "verdict", "used for"), rows)

    def _offered(self) -> api.ProposalDetail | None:
        """The proposal that waits for the person, shown in full; None, and why, where there is none."""
        waiting = self._app.commands.call(api.ListReview())
        if waiting:
            detail = self._app.commands.call(api.ShowProposal(waiting[-1].id))
            self._tell.step("A skill is offered")
            self._show(detail)
            return detail
        turned_down = self._app.commands.call(api.ListReview(all=True))
        self._tell.step("No skill is offered")
        if turned_down:
            self._show(self._app.commands.call(api.ShowProposal(turned_down[-1].id)))
            self._tell.say(
                "It was measured and turned down, so nothing changes. That is the loop doing its work."
            )
        else:
            self._tell.say(
                "This model found nothing to write down. Nothing changes; a larger model may do better."
            )
        return None

    def _show(self, detail: api.ProposalDetail) -> None:
        made, gate = detail.proposal, detail.proposal.gate
        self._tell.say(f"{made.op} “{made.skill}”: {made.why}")
        if gate is not None:
            self._tell.say(
                f"Measured, {gate.without_skill:+.2f} without it and {gate.with_skill:+.2f} with it, on a "
                f"scale from -1 to 1: {gate.reason}."
            )
            self._show_pair(detail)
        self._tell.say("")
        self._tell.verbatim(detail.diff)

    def _show_pair(self, detail: api.ProposalDetail) -> None:
        """One request, answered before and after: the pair that shows best what the skill does."""
        gate = detail.proposal.gate
        place = gate.figures.get("shown") if gate is not None else None
        if place is None or place >= len(detail.gate_details):
            return
        pair = detail.gate_details[place]
        self._tell.say(f"For instance, {_ORIGINS.get(pair['origin'], 'a request')}:")
        self._tell.quote("person", pair["request"])
        self._tell.quote("without", pair["without_answer"])
        self._tell.quote("with", pair["with_answer"])

    def _approve(self, detail: api.ProposalDetail) -> None:
        self._tell.step("The person decides")
        done = self._app.commands.call(
            api.ApproveProposal(id=detail.proposal.id, yes=self._scripted), on_challenge=self._typed
        )
        self._tell.say(done.text)

    def _typed(self, challenge: Challenge) -> str:
        self._tell.say(
            f"To {challenge.action}, type {challenge.code} (anything else leaves things as they are)."
        )
        try:
            return input("   code: ")
        except EOFError:
            return ""

    def _compare(self) -> bool:
        self._tell.step("Requests it has not seen, without the skill and with it")
        rows, better, carried = [], False, 0
        for title, cases in (("the kind that was corrected", SAME_KIND), ("other kinds", OTHER_KIND)):
            without = self._measure(self._without, "without", cases)
            now = self._measure(self._with, "with", cases)
            rows.append((title, str(now.asked), f"{without.right}", f"{now.right}", f"{now.carried}"))
            if cases is SAME_KIND:
                better, carried = now.right > without.right, now.carried
            elif now.right < without.right:
                better = False
        self._tell.step("What changed")
        self._tell.table(("requests of", "asked", "right before", "right now", "carried the skill"), rows)
        if not carried:
            raise LoopBrokenError("The loop broke", "The approved skill reached no request of its kind.", "")
        self._tell.say("")
        self._tell.say(
            "The model does better at what it was told, and no worse elsewhere."
            if better
            else "The model did not get better at it by these figures. The skill can be taken back."
        )
        return better

    def _measure(self, agent: Agent, label: str, cases: Sequence[Case]) -> Score:
        right = carried = 0
        for number, case in enumerate(cases):
            agent.begin(f"demo-{label}-{number}-{len(cases)}")
            reply = agent.ask(case.request)
            good = case.right(reply.text)
            right += good
            carried += bool(reply.skills)
            self._tell.quote(f"{label} {'✓' if good else '✗'}", reply.text)
        return Score(len(cases), right, carried)

    def _add_agent(self, name: str, *, observe_only: bool = False) -> str:
        return self._app.commands.call(api.AddAgent(name, observe_only)).base_url


def _signed(verdict: int | None) -> str:
    return "none" if verdict is None else f"{verdict:+d}" if verdict else "0"
