"""Texts on their way into the library, in a real store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlmodel import Session

from metaclaw_tray.errors import SkillError
from metaclaw_tray.skills import review
from metaclaw_tray.skills.folder import OutsideChange, OutsideKind
from metaclaw_tray.store import decisions, library
from metaclaw_tray.store.decisions import Actor
from metaclaw_tray.store.engine import Store
from metaclaw_tray.store.tables_library import ProposalOp, SkillSource
from support.clock import FakeClock

ME = Actor("ada", "terminal")
NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
GOOD = "---\nname: iso-dates\n# a comment of the person's\ndescription: Dates.\n---\n\nWrite ISO 8601.\n"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store.open(tmp_path / "store.sqlite3", FakeClock())
    yield opened
    opened.close()


def propose(store: Store, text: str, op: ProposalOp = ProposalOp.CREATE, skill: str = "iso-dates") -> str:
    return store.write(
        lambda session: decisions.propose(session, op=op, skill=skill, text=text, why="w", now=NOW)
    )


def approve(store: Store, proposal_id: str, edited: str | None = None) -> str:
    """Approve and give the bytes that are now in force."""
    changed = store.write(lambda session: review.approve(session, proposal_id, ME, NOW, edited))
    return store.read(lambda session: library.version_of(session, changed.skill)).text


def test_good_text_is_stored_as_it_stands() -> None:
    assert review.check_text(GOOD, "x", "iso-dates").content.text == GOOD


def test_other_text_is_stored_as_the_specification_wants_it_and_says_what_changed() -> None:
    checked = review.check_text(b"\xef\xbb\xbf---\r\nname: My Skill\r\ndescription: a: b\r\n---\r\nDo.", "x")
    assert checked.content.name == "my-skill"
    assert checked.content.text == (
        "---\nname: my-skill\ndescription: 'a: b'\nmetadata:\n  original-name: My Skill\n---\n\nDo.\n"
    )
    assert len(checked.warnings) == 2


def test_approved_text_is_the_proposed_one_byte_for_byte(store: Store) -> None:
    assert approve(store, propose(store, GOOD)) == GOOD


def test_edited_text_is_checked_like_any_other(store: Store) -> None:
    proposal_id = propose(store, GOOD)
    with pytest.raises(SkillError, match="too long"):
        approve(store, proposal_id, GOOD + "word " * 300)
    with pytest.raises(SkillError, match="fence"):
        approve(store, proposal_id, GOOD + "</METACLAW-notes>")
    with pytest.raises(SkillError, match="renamed"):
        approve(store, proposal_id, GOOD.replace("iso-dates", "other"))
    with pytest.raises(SkillError, match="header"):
        approve(store, proposal_id, "Write ISO 8601.")
    edited = GOOD.replace("ISO 8601", "ISO 8601 with offset")
    assert approve(store, proposal_id, edited) == edited


def test_retirement_needs_no_text(store: Store) -> None:
    approve(store, propose(store, GOOD))
    store.write(lambda s: review.approve(s, _retire(s), ME, NOW))
    assert store.read(library.active_library) == (2, [])


def _retire(session: Session) -> str:
    return decisions.propose(
        session,
        op=ProposalOp.RETIRE,
        skill="iso-dates",
        text="",
        why="never helped",
        now=NOW,
    )


def test_added_skill_comes_with_its_warnings(store: Store) -> None:
    changed, warnings = store.write(
        lambda s: review.add_text(s, GOOD + "word " * 900, "x", "iso-dates", ME, NOW)
    )
    assert changed.generation == 1
    assert "too long to inject" in warnings[0]


def test_imported_skill_is_not_trusted_like_the_persons_own(store: Store) -> None:
    store.write(lambda s: review.add_text(s, GOOD, "x", "iso-dates", ME, NOW, origin=SkillSource.IMPORTED))
    (skill,) = store.read(library.skills)
    assert (skill.source, skill.trust) == (SkillSource.IMPORTED, "reviewed")


def test_changes_from_outside_become_proposals_once_and_notes_do_not(store: Store) -> None:
    changes = [
        OutsideChange(OutsideKind.ADDED, "iso-dates", GOOD, "added"),
        OutsideChange(OutsideKind.UNUSABLE, "other", "", "cannot be read"),
    ]
    first = store.write(lambda s: review.propose_outside(s, changes, NOW))
    assert len(first) == 1
    assert store.write(lambda s: review.propose_outside(s, changes, NOW)) == first


def test_approved_change_from_outside_takes_the_name_of_its_folder(store: Store) -> None:
    text = approve(store, propose(store, GOOD, ProposalOp.OUTSIDE, skill="dates"))
    assert text.startswith("---\nname: dates\n")
    (skill,) = store.read(library.skills)
    assert (skill.name, skill.source) == ("dates", SkillSource.IMPORTED)


@pytest.mark.parametrize(
    "header",
    [
        'description: "d \\u202E x"',
        'description: d\nmetadata:\n  triggers: "tidy; \\u2066up"',
        'description: "d \\U000E0041"',
    ],
)
def test_what_cannot_be_seen_stands_in_no_header_either(header: str) -> None:
    with pytest.raises(SkillError, match="cannot be seen"):
        review.check_text(f"---\nname: tidy\n{header}\n---\nTidy up.", "SKILL.md")
