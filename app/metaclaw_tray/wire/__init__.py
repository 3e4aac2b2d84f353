"""What travels between agent and model: pure functions on bytes, shared by proxy, scribe and learning.

No sockets, no files, no clock. Payloads are JSON as others wrote it: unknown fields stay where they are, and
what cannot be read raises `WireError`, never anything else. Nothing may enter that knows about turns, skills
or tables.

    dialects    chat, messages, responses: where things stand in each, as a `dialect.Dialect`
    request     a request as raw JSON values
    said        who said what: the person's words, told apart from the client's
    canonical   one form for all the ways in which clients write the same message
    tree        nodes of the conversation tree and the path of a request
    splice      raw JSON put together again, with a block in its place
    answer      an answer as it reads; answer_chat, answer_messages, answer_responses put it together
    sse         a decoder for event streams, fed with bytes as they come
    coding      content encodings
    surrogates  half emojis, which clients send and strict readers refuse
"""

from __future__ import annotations


class WireError(ValueError):
    """Bytes that are not what the dialect allows. Never a reason to hold up the agent."""
