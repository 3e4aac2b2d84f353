"""The server between agent and model, and nothing that could make the agent wait.

A request is let in (`access`), its body taken (`bodies`), read and placed in the conversation tree
(`metaclaw_tray.wire`), given to a session, handed the skills that fit (`planning`, `sessions`, `injection`),
sent on (`carrying`, `routing`, `headers`, `relay`) over connections that are kept (`attempts`, `pool`,
`connections`), and told to the scribe through a pipe that drops rather than blocks (`turns`, `tee`). `server`
lets in, and puts these together.

No database, no file and no model may enter this room.
"""

from metaclaw_tray.proxy.access import TokenTable
from metaclaw_tray.proxy.anchors import Anchors, Block
from metaclaw_tray.proxy.injection import Choice, SkillSource
from metaclaw_tray.proxy.reasoning import ReasoningMemory, Thought
from metaclaw_tray.proxy.routing import NoRoute, Route, Routing
from metaclaw_tray.proxy.server import Counters, Proxy
from metaclaw_tray.proxy.sessions import Remembered
from metaclaw_tray.proxy.tee import Tee

__all__ = [
    "Anchors",
    "Block",
    "Choice",
    "Counters",
    "NoRoute",
    "Proxy",
    "ReasoningMemory",
    "Remembered",
    "Route",
    "Routing",
    "SkillSource",
    "Tee",
    "Thought",
    "TokenTable",
]
