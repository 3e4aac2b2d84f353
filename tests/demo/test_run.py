"""The demonstration runs to its end with a model that is a script: each step asks the real app."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from metaclaw_tray.demo.run import run_demo
from support.scripted_llm import serving


async def test_with_a_server_of_ones_own_the_loop_is_shown_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("METACLAW_TRAY_HOME", str(tmp_path / "own"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    async with serving() as url:
        code = await asyncio.to_thread(run_demo, upstream=f"{url}/v1", model="scripted", yes=True)
    told = capsys.readouterr().out
    assert code == 0
    for step in ("A model", "A conversation", "Learning looks", "What is known", "skill is offered"):
        assert step in told, told
    assert not (tmp_path / "own").exists()
