"""What was said before may bring a skill into the next exchange of its session, and into no other."""

from __future__ import annotations

from datetime import UTC, datetime

from metaclaw_tray.skills.explain import Outcome, account
from metaclaw_tray.skills.fields import Entry
from metaclaw_tray.skills.hints import SKILLS, HintTable
from metaclaw_tray.skills.live import LiveLibrary, build_snapshot, fitting_in
from metaclaw_tray.skills.retrieval import NO_HINTS, Index
from metaclaw_tray.store.library import digest_of
from metaclaw_tray.store.tables_library import SkillVersion
from skills.labels import ENTRIES, requests

PLENTY = 10_000


def version_of(name: str, triggers: str, body: str) -> SkillVersion:
    about = f"About {name}."
    text = f"---\nname: {name}\ndescription: {about}\nmetadata:\n  triggers: {triggers}\n---\n\n{body}\n"
    at = datetime(2026, 3, 3, 12, tzinfo=UTC)
    return SkillVersion(name=name, version=1, text=text, digest=digest_of(text), description=about, at=at)


CHARTS = version_of("charts", "bar chart; plot", "Use colours that the colour-blind can tell apart.")
TIMES = version_of("iso-times", "what time; deadline", "Write every time as ISO 8601.")

Names = tuple[str, ...]


def library_of(*versions: SkillVersion) -> LiveLibrary[Names]:
    """A live library whose blocks are told by the names in them."""
    live: LiveLibrary[Names] = LiveLibrary(lambda _text, skills, _tokens: skills, lambda: 0.0)
    live.replace(build_snapshot(7, versions, lambda: 0.0))
    return live


def chosen(live: LiveLibrary[Names], query: str, session_id: str, exclude: Names = ()) -> list[str]:
    found = live.choose(query, frozenset(exclude), 2, PLENTY, 0.005, session_id)
    return [name.partition("@")[0] for name in found or ()]


def test_a_skill_that_is_surely_meant_needs_no_word_of_the_next_message() -> None:
    live = library_of(CHARTS, TIMES)
    live.hints.put("s1", {"charts": 1.0})
    assert chosen(live, "ga je gang maar", "s1") == ["charts"]
    assert chosen(live, "ga je gang maar", "s2") == []
    assert chosen(live, "ga je gang maar", "") == []


def test_a_skill_that_is_perhaps_meant_needs_a_word_too() -> None:
    index = Index([Entry("charts", "Draw charts in colours that everybody can tell apart.")])
    perhaps = {"charts": 0.6}
    assert not index.look_up("which colours did the painter like", 2).matches
    assert not index.look_up("go ahead then", 2, hints=perhaps).matches
    assert [each.name for each in index.look_up("which colours then", 2, hints=perhaps).matches] == ["charts"]


def test_where_the_words_find_something_that_alone_is_the_answer() -> None:
    live = library_of(CHARTS, TIMES)
    live.hints.put("s1", {"charts": 1.0})
    assert chosen(live, "what time is the deadline", "s1") == ["iso-times"]
    assert chosen(live, "what time is the deadline", "s1", exclude=("iso-times",)) == []
    index = live.snapshot.index
    assert index.explain("what time", {"charts": 1.0}) == index.explain("what time")


def test_a_hint_never_brings_back_what_stands_on_the_path_already() -> None:
    live = library_of(CHARTS, TIMES)
    live.hints.put("s1", {"charts": 1.0})
    assert chosen(live, "go ahead", "s1", exclude=("charts",)) == []


def test_a_hint_for_a_skill_that_is_gone_is_nothing() -> None:
    live = library_of(TIMES)
    live.hints.put("s1", {"charts": 1.0})
    assert chosen(live, "go ahead", "s1") == []


def test_a_hint_finds_a_skill_that_has_changed_its_place_in_the_index() -> None:
    first = Index([Entry("a", "apples"), Entry("b", "pears")])
    moved = first.changed(("a",), [Entry("c", "plums"), Entry("b", "quinces")])
    assert [each.name for each in moved.look_up("go", 2, hints={"b": 1.0, "a": 1.0}).matches] == ["b"]
    assert [each.name for each in first.look_up("go", 2, hints={"a": 1.0}).matches] == ["a"]


def test_without_hints_every_labelled_request_is_answered_as_by_words_alone() -> None:
    index = Index(ENTRIES)
    for request in requests("dev"):
        plain = index.look_up(request.text, 5)
        assert index.look_up(request.text, 5, hints=NO_HINTS) == plain
        assert index.look_up(request.text, 5, hints={"no-such-skill": 1.0}) == plain


def test_the_last_hints_of_a_session_count_and_only_the_surest_of_them() -> None:
    table = HintTable()
    table.put("s1", {"old": 1.0})
    table.put("s1", {f"skill-{place}": place / 10 for place in range(1, 9)})
    assert dict(table.of("s1")) == {f"skill-{8 - place}": (8 - place) / 10 for place in range(SKILLS)}
    table.put("s1", {})
    assert table.of("s1") == {}
    assert len(table) == 0


def test_hints_are_kept_for_a_bounded_number_of_sessions() -> None:
    table = HintTable()
    for place in range(6_000):
        table.put(f"s{place}", {"charts": 1.0})
    assert len(table) == 5_000
    assert table.of("s0") == {}
    assert table.of("s5999") == {"charts": 1.0}


def test_the_account_says_that_a_skill_was_found_by_meaning() -> None:
    snapshot = build_snapshot(1, [CHARTS, TIMES])
    hints = {"charts": 1.0}
    told = account(snapshot, "ga je gang maar", frozenset(), 2, PLENTY, hints)
    reason = told.reasons[0]
    assert (reason.name, reason.outcome) == ("charts", Outcome.CHOSEN)
    assert "said before" in reason.why
    found = fitting_in(snapshot, "ga je gang maar", frozenset(), 2, PLENTY, hints=hints)[0]
    assert [skill.name for skill in found] == ["charts"]
