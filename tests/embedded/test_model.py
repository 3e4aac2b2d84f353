"""The embedded model in its child process, with the real llama.cpp."""

from __future__ import annotations

import os
from pathlib import Path

import httpx
import openai
import psutil
import pytest

from metaclaw_tray.embedded.manifest import load_manifest
from metaclaw_tray.embedded.model import EmbeddedModel
from metaclaw_tray.embedded.serving import sensible_threads
from metaclaw_tray.errors import ModelError
from metaclaw_tray.paths import Paths
from support.processes import environment

pytest.importorskip("xllamacpp", reason="the extra `embedded` is not installed")

HERE = Paths.find()  # the person's own cache, which tests only read
MODEL = load_manifest(HERE).default
needs_the_file = pytest.mark.skipif(not MODEL.is_present(HERE), reason=f"{MODEL.path(HERE)} was not fetched")


@pytest.fixture(autouse=True)
def children_find_the_program(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])


def test_one_core_is_left_for_everybody_else():
    cores = os.cpu_count() or 1
    assert 1 <= sensible_threads() <= max(1, cores - 1)


async def test_a_file_that_is_no_model_is_refused_in_a_sentence(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(1000))
    with pytest.raises(ModelError) as fault:
        async with EmbeddedModel.start(broken, "broken"):
            pass
    assert str(broken) in fault.value.detail
    assert "fetch it again" in fault.value.remedy


async def test_a_model_that_is_not_ready_in_time_is_given_up(tmp_path):
    with pytest.raises(ModelError, match="not ready after 0 seconds"):
        async with EmbeddedModel.start(tmp_path / "any.gguf", "any", seconds=0):
            pass


@pytest.mark.slow
@pytest.mark.model
@needs_the_file
async def test_the_real_model_streams_to_the_official_client_and_ends_with_its_block():
    async with EmbeddedModel.start(MODEL.path(HERE), MODEL.id) as model:
        async with openai.AsyncOpenAI(base_url=model.base_url, api_key=model.key) as client:
            stream = await client.chat.completions.create(
                model=model.name,
                messages=[{"role": "user", "content": "What is the capital of France? Answer in one word."}],
                temperature=0,
                max_tokens=10,
                stream=True,
            )
            pieces = [chunk.choices[0].delta.content or "" async for chunk in stream if chunk.choices]
            served = [entry.id async for entry in client.models.list()]
        process = psutil.Process(model.pid)
    assert len(pieces) > 1
    assert "Paris" in "".join(pieces)
    assert served == [MODEL.id]
    assert not process.is_running()


@pytest.mark.slow
@pytest.mark.model
@needs_the_file
async def test_nobody_else_on_the_machine_can_use_the_model():
    async with EmbeddedModel.start(MODEL.path(HERE), MODEL.id) as model, httpx.AsyncClient() as client:
        for headers in ({}, {"Authorization": "Bearer guess"}):
            for path in ("/models", "/chat/completions"):
                answer = await client.post(model.base_url + path, headers=headers, json={"messages": []})
                assert answer.status_code == httpx.codes.UNAUTHORIZED
        command = " ".join(psutil.Process(model.pid).cmdline())
        assert model.key not in command
        assert model.key not in str(psutil.Process(model.pid).environ())
        assert Path(command.split()[0]).name.startswith("python")


@pytest.mark.slow
@pytest.mark.model
@needs_the_file
async def test_a_model_that_is_killed_says_how_it_ended():
    async with EmbeddedModel.start(MODEL.path(HERE), MODEL.id) as model:
        psutil.Process(model.pid).kill()
        assert await model.ended() == "the process was ended by SIGKILL, perhaps for want of memory"
