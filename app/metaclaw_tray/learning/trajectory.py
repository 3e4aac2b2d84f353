"""What the judge sees of an exchange: the person's task, the steps that matter, within a budget.

The steps are numbered, so that the judge can name the one at fault. The first and the last ones are shown
at more length than those between: a task goes wrong at its beginning or at its end more often than in the
middle, and what failed is never left out before what went well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from metaclaw_tray.learning.outcomes import is_failure
from metaclaw_tray.wire.said import is_persons, persons_text, text_of

TASK_LIMIT = 2400  # characters of the person's words
ANSWER_LIMIT = 2400  # characters of the answer that is judged
_STEPS_LIMIT = 3000  # characters of all that lies between
_STEP_LIMIT = 500  # characters of one step with its results, before steps are left out
_SHORT = 160  # characters of a step that is told in brief


@dataclass(frozen=True)
class Step:
    """One answer of the model on the way, with what its calls came back with."""

    number: int  # from 1
    said: str  # words and calls
    results: tuple[str, ...]
    failed: bool  # one of the results is an error

    def shown(self, limit: int) -> str:
        lines = [f"[{self.number}] {shortened(self.said, limit)}"]
        lines += [f"    returned: {shortened(result, limit)}" for result in self.results]
        return "\n".join(lines)


@dataclass(frozen=True)
class Trajectory:
    """An exchange up to the answer that is judged. `steps` are the answers before it."""

    task: str
    steps: tuple[Step, ...]
    answer: str

    @property
    def last(self) -> int:
        """The number of the answer that is judged."""
        return len(self.steps) + 1

    def shown_task(self) -> str:
        return shortened(self.task, TASK_LIMIT)

    def shown_answer(self) -> str:
        return shortened(self.answer, ANSWER_LIMIT)

    def shown_steps(self) -> str:
        """The steps, within the budget: the least telling ones in brief or left out."""
        if not self.steps:
            return ""
        limits = dict.fromkeys((step.number for step in self.steps), _STEP_LIMIT)
        order = sorted(self.steps, key=self._telling)  # the least telling first
        for step in order:
            if self._length(limits) <= _STEPS_LIMIT:
                break
            limits[step.number] = _SHORT
        for step in order:
            if self._length(limits) <= _STEPS_LIMIT:
                break
            limits[step.number] = 0
        lines, left_out = [], 0
        for step in self.steps:
            if not limits[step.number]:
                left_out += 1
                continue
            if left_out:
                lines.append(f"[… {left_out} steps left out …]")
                left_out = 0
            lines.append(step.shown(limits[step.number]))
        if left_out:
            lines.append(f"[… {left_out} steps left out …]")
        return "\n".join(lines)

    def _length(self, limits: dict[int, int]) -> int:
        return sum(len(step.shown(limits[step.number])) for step in self.steps if limits[step.number])

    def _telling(self, step: Step) -> tuple[bool, bool, int]:
        ends = step.number <= 1 or step.number >= len(self.steps) - 1
        return (step.failed, ends, step.number)


def trajectory(request: Sequence[dict[str, Any]], answer: dict[str, Any] | None) -> Trajectory:
    """The exchange that a request's last message of the person began, with its answer."""
    start = opening_of(request)
    persons = [message for message in request[start:] if is_persons(message)]
    steps: list[Step] = []
    said, failed = "", False
    results: list[str] = []

    def close() -> None:
        if said or results:
            steps.append(Step(len(steps) + 1, said, tuple(results), failed))

    for message in request[start:]:
        if message.get("role") == "assistant":
            close()
            said, results, failed = answer_of(message), [], False
        elif not is_persons(message):
            results = [*results, text_of(message)]
            failed = failed or (message.get("role") == "tool" and is_failure(message))
    close()
    return Trajectory("\n".join(map(persons_text, persons)), tuple(steps), answer_of(answer))


def opening_of(messages: Sequence[dict[str, Any]]) -> int:
    """The index of the person's last message; 0 where there is none."""
    return max((place for place, message in enumerate(messages) if is_persons(message)), default=0)


def request_of(messages: Sequence[dict[str, Any]]) -> str:
    """The person's last words in a request, with what came after them (calls and results of tools)."""
    lines = []
    for message in messages[opening_of(messages) :]:
        if is_persons(message):
            lines.append(persons_text(message))
        elif message.get("role") == "assistant":
            lines.append(f"[the assistant] {answer_of(message)}")
        else:
            lines.append(f"[{message.get('role')}] {text_of(message)}")
    return "\n".join(lines)


def answer_of(message: dict[str, Any] | None) -> str:
    """An answer as text, its tool calls in words."""
    if message is None:
        return ""
    calls = message.get("tool_calls")
    lines = [text_of(message)]
    for call in calls if isinstance(calls, list) else []:
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            lines.append(f"[calls {function.get('name')} with {function.get('arguments')}]")
    return "\n".join(line for line in lines if line)


def shortened(text: str, limit: int) -> str:
    """The head and the tail of a long text; a tag in it cannot close ours."""
    text = text.replace("</", "< /")
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]}\n[… {len(text) - head - tail} characters left out …]\n{text[-tail:]}"
