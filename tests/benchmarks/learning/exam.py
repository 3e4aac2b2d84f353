"""Requests that the app has not seen, one by one, graded by code."""

from __future__ import annotations

from benchmarks.learning.agent import Agent
from benchmarks.learning.house import Say
from benchmarks.learning.records import Answered
from benchmarks.learning.rules import Case
from metaclaw_tray.admin import api
from metaclaw_tray.demo.app import App


def ask(agent: Agent, session: str, case: Case, say: Say) -> Answered:
    """One request in a session of its own. Raises UpstreamError where no answer comes."""
    agent.begin(session)
    reply = agent.ask(case.request)
    right = case.right(reply.text)
    carried = f" [{', '.join(reply.skills)}]" if reply.skills else ""
    say(f"  {'right' if right else 'wrong'}{carried}: {case.request!r} → {reply.text!r}")
    return Answered(
        case.request,
        reply.text,
        right,
        reply.skills,
        reply.seconds,
        reply.input_tokens,
        reply.output_tokens,
    )


def ask_without(app: App, agent: Agent, session: str, case: Case, say: Say) -> Answered:
    """The same request again in the same session, with its skills switched off."""
    app.commands.call(api.SwitchSkills(f"{agent.name}/{session}", on=False))
    return ask(agent, session, case, say)
