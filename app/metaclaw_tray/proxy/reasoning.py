"""What models reasoned before their answers, for clients that do not send it back.

On a translated route the upstream may demand the reasoning of its earlier answers, and many clients never
kept it. It is remembered by the node of the answer in the conversation tree, so it comes back only where the
history up to there is still the same, from the agent that got the answer and to the upstream that gave it.
Where a history was shortened or changed further up, an answer is still known by the ids of its calls or by
its long text, if no other answer had them.

Nothing here reads or writes a file. Earlier runs' reasoning is loaded from the record, in which secrets are
redacted: then the model gets its thoughts back with those marks in them. What is signed does not pass here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterable
from sys import getsizeof

from msgspec import Struct

from metaclaw_tray.wire.said import Message
from metaclaw_tray.wire.translation import thoughts
from metaclaw_tray.wire.tree import Path, answer_node

MOST_BYTES = 8 * 2**20
"""Of all reasoning that is remembered."""

_MOST_ALIKE = 64  # answers that are known by the same; each is looked at when one of them is asked for
_LARGEST = 4  # what is larger than this part of the room is not kept


class Thought(Struct, frozen=True, gc=False):
    """What the model reasoned before one answer."""

    agent: str
    upstream: str
    node: bytes  # of the answer
    known_by: bytes  # see `thoughts.known_by`
    text: str

    @property
    def size(self) -> int:
        """Bytes of memory, about."""
        return getsizeof(self.text) + 400


_Holder = tuple[str, str]  # agent and upstream


class ReasoningMemory:
    """Reasoning by agent, upstream and node, what was used last. Where the room is full, the agent that holds
    most at one upstream loses its oldest: no agent drives out what another one needs."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._kept: dict[_Holder, OrderedDict[bytes, Thought]] = {}  # by node
        self._sizes: dict[_Holder, int] = {}
        self._marked: dict[tuple[_Holder, bytes], tuple[bytes, ...]] = {}  # nodes of answers that are alike
        self.size = 0
        """Bytes that are held."""

    def load(self, found: Iterable[Thought]) -> None:
        """Take up what earlier runs left, oldest first."""
        for each in found:
            self.put(each)

    def put(self, thought: Thought) -> None:
        if thought.size * _LARGEST > self._most:
            return
        holder = thought.agent, thought.upstream
        self._drop(holder, thought.node)
        self._kept.setdefault(holder, OrderedDict())[thought.node] = thought
        self._hold(holder, thought.size)
        if thought.known_by:
            mark = holder, thought.known_by
            if len(alike := self._marked.get(mark, ())) >= _MOST_ALIKE:
                self._drop(holder, alike[0])
            self._marked[mark] = (*self._marked.get(mark, ()), thought.node)
        while self.size > self._most:
            fullest = max(self._sizes, key=self._sizes.__getitem__)
            self._drop(fullest, next(iter(self._kept[fullest])))

    def holds(self, agent: str, upstream: str) -> bool:
        """Whether this upstream has reasoned for this agent, as far as is remembered."""
        return (agent, upstream) in self._kept

    def at(self, agent: str, upstream: str, node: bytes) -> str:
        """What was reasoned before the answer at this node; nothing where that is not known."""
        kept = self._kept.get((agent, upstream))
        if kept is None or node not in kept:
            return ""
        kept.move_to_end(node)
        return kept[node].text

    def alike(self, agent: str, upstream: str, known_by: bytes) -> str:
        """What was reasoned before the answer that is known by this, wherever it stood; nothing where two are
        known by it that were not reasoned alike."""
        holder = agent, upstream
        nodes = self._marked.get((holder, known_by), ()) if known_by else ()
        texts = {self._kept[holder][node].text for node in nodes}
        return texts.pop() if len(texts) == 1 else ""

    def let_go(self, nodes: Collection[bytes]) -> None:
        """These nodes left the record: what was reasoned there is known no longer."""
        gone = [(holder, node) for holder, kept in self._kept.items() for node in kept if node in nodes]
        for holder, node in gone:
            self._drop(holder, node)

    def _drop(self, holder: _Holder, node: bytes) -> None:
        kept = self._kept.get(holder)
        thought = kept.pop(node, None) if kept is not None else None
        if thought is None:
            return
        mark = holder, thought.known_by
        if mark in self._marked:
            self._marked[mark] = tuple(each for each in self._marked[mark] if each != node)
            if not self._marked[mark]:
                del self._marked[mark]
        self._hold(holder, -thought.size)
        if not kept:
            del self._kept[holder], self._sizes[holder]

    def _hold(self, holder: _Holder, size: int) -> None:
        self.size += size
        self._sizes[holder] = self._sizes.get(holder, 0) + size


class Recollection(Struct, frozen=True, gc=False):
    """What one request may get back, and where the answer to it will stand."""

    memory: ReasoningMemory
    key: bytes  # of the conversation tree
    agent: str
    path: Path
    elements: int  # of the request, as the client sent it

    def of(self, upstream: str) -> Recalled:
        """For the upstream that is asked."""
        return Recalled(self, upstream)


class Recalled:
    """What one upstream's model reasoned on the path of a request."""

    def __init__(self, whole: Recollection, upstream: str) -> None:
        self._memory, self._agent, self._upstream = whole.memory, whole.agent, upstream
        self._key, self._tip = whole.key, whole.path.tip
        self._found: dict[int, str] = {}  # by the place of an element, counted from the request's end
        if self._memory.holds(self._agent, upstream):
            for node, position in zip(whole.path.nodes, whole.path.positions, strict=True):
                if found := self._memory.at(self._agent, upstream, node):
                    self._found[position - whole.elements] = found

    def recall(self, elements: int) -> thoughts.Recall:
        """For a request of so many elements: what was put into it stands before all that the model said."""

        def recalled(among: range, message: Message) -> str:
            places = (self._found.get(place - elements) for place in among)
            found = next(filter(None, places), "")
            return found or self._memory.alike(self._agent, self._upstream, thoughts.known_by(message))

        return recalled

    def keep(self, answer: thoughts.Reasoned) -> None:
        """Remember what was reasoned before the answer to this request."""
        node, mark = answer_node(self._key, self._tip, answer.message), thoughts.known_by(answer.message)
        self._memory.put(Thought(self._agent, self._upstream, node, mark, answer.thought))
