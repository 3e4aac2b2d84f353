"""A page begins with front matter: ---, a title, status: draft, ---."""

from __future__ import annotations

import re

from benchmarks.learning.rules.case import Case, Grader, Lesson, Rule

_FENCE = re.compile(r"```\w*\n(?P<inside>.*?)(?:\n```|\Z)", re.S)
_HOUSE = re.compile(r"---[ \t]*\n(?P<fields>(?:[^\n]*\n)+?)---[ \t]*\n(?P<body>.+)", re.S)
_TITLE = re.compile(r"^title:[ \t]*\S", re.M)
_STATUS = re.compile(r"^status:[ \t]*draft[ \t]*$", re.M)


def _page(answer: str) -> str:
    """The page in an answer: all of it, or what a fence holds."""
    fenced = _FENCE.search(answer)
    return (fenced["inside"] if fenced else answer).strip()


def _body(answer: str) -> str:
    """What stands below front matter that holds both fields; empty where there is none."""
    found = _HOUSE.match(_page(answer))
    if found and _TITLE.search(found["fields"]) and _STATUS.search(found["fields"]):
        return found["body"]
    return ""


def follows(answer: str) -> bool:
    """The page begins with front matter that holds both fields, and has a body."""
    return bool(_body(answer))


def _tells(*words: str) -> Grader:
    """Right where the body says one of these words."""
    return lambda answer: any(word in _body(answer).lower() for word in words)


def _case(request: str, *words: str) -> Case:
    return Case(request, _tells(*words))


_FORM = "---\ntitle: Printer\nstatus: draft\n---"

FRONT_MATTER = Rule(
    name="front matter",
    says="A page begins with front matter: a line ---, title: …, status: draft, a line ---.",
    follows=follows,
    lessons=(
        Lesson(
            _case("Write a Markdown page of two sentences about the new printer.", "printer"),
            f"The front matter is missing. It has to begin with these lines:\n{_FORM}",
        ),
        Lesson(
            _case("Write a short wiki page on how to book the meeting room.", "room"),
            "No. Every page of ours begins with front matter: a line ---, then title: and the title, then "
            "status: draft, then a line ---. Please write it again.",
        ),
        Lesson(
            _case("Draft a page of two sentences about the car park.", "park"),
            "There is no front matter. First a line ---, title: Car park, status: draft, a line ---.",
        ),
        Lesson(
            _case("Write a Markdown page with three tips for the first day at work.", "day", "work"),
            "It does not begin with ---, title: and status: draft and ---. Write it again.",
        ),
    ),
    unseen=(
        _case("Write a Markdown page of two sentences about the coffee machine.", "coffee"),
        _case("Write a short wiki page on how to report a fault.", "fault", "report"),
        _case("Draft a page of two sentences about the bicycle shed.", "bicycle", "shed"),
        _case("Write a Markdown page with three tips for good passwords.", "password"),
        _case("Write a page of two sentences for our wiki about the summer holidays.", "holiday", "summer"),
        _case("Draft a short page on how to reset the router.", "router"),
        _case("Write a Markdown page of two sentences about the first aid box.", "aid"),
        _case("Write a short wiki page about the lunch break.", "lunch"),
        _case("Draft a page with three rules for the kitchen.", "kitchen"),
        _case("Write a Markdown page on how to order office supplies, two sentences.", "suppl", "order"),
        _case("Write a short page about our library of books.", "book", "library"),
        _case("Draft a wiki page of two sentences about working from home.", "home"),
        _case("Write a Markdown page of two sentences about the fire drill.", "fire", "drill"),
        _case("Write a short page on how to ask for a day off.", "day", "leave"),
        _case("Draft a page of two sentences about the plants in the office.", "plant"),
        _case("Write a Markdown page with three tips for video calls.", "video", "call"),
        _case("Write a short wiki page about the lost property box.", "lost", "property"),
        _case("Draft a page of two sentences about the new alarm.", "alarm"),
        _case("Write a Markdown page on how to send a parcel, two sentences.", "parcel", "package"),
        _case("Write a short page about the visit of the school class.", "school", "class", "visit"),
    ),
)
