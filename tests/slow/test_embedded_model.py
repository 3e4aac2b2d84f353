"""The embedded model behind the proxy, as an agent meets it: the official client, streaming."""

from __future__ import annotations

import time
from pathlib import Path

import openai
import pytest

from metaclaw_tray.embedded.manifest import load_manifest
from metaclaw_tray.paths import Paths
from support.processes import Home

MODEL = load_manifest(Paths.find()).default

pytestmark = [
    pytest.mark.slow,
    pytest.mark.model,
    pytest.mark.timeout(600),
    pytest.mark.skipif(
        not MODEL.is_present(Paths.find()),
        reason=f"{MODEL.file} is not in the cache: `metaclaw-tray model fetch`",
    ),
]


def _until_ready(base_url: str) -> None:
    import httpx

    for _ in range(600):
        answer = httpx.get(f"{base_url}/readyz", trust_env=False)
        if answer.status_code == 200:
            return
        time.sleep(0.2)
    pytest.fail(answer.text)


def test_the_official_client_streams_from_the_embedded_model_as_it_speaks(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.do("config", "set", "secrets.backend", "file")
    home.do("config", "set", "embedded.model", MODEL.id)
    home.do("config", "set", "default_upstream", "embedded")
    program = home.serve()
    try:
        agent = home.listing("agents", "add", "agent")
        _until_ready(agent["base_url"].partition("/a/")[0])
        client = openai.OpenAI(base_url=agent["base_url"], api_key="unused", max_retries=0, timeout=300)
        begun = time.monotonic()
        stamps, words = [], []
        for chunk in client.chat.completions.create(
            model=MODEL.id,
            messages=[{"role": "user", "content": "Count from one to thirty in words."}],
            stream=True,
            temperature=0,
            max_tokens=80,
        ):
            if chunk.choices and chunk.choices[0].delta.content:
                stamps.append(time.monotonic() - begun)
                words.append(chunk.choices[0].delta.content)
        client.close()
        assert len(words) > 20
        assert "three" in "".join(words).lower()
        assert stamps[0] < 0.5 * stamps[-1], "the first word came only when the answer was nearly complete"
        (turn,) = home.listing("turns", "list")
        assert (turn["outcome"], turn["agent"], turn["cost"]) == ("ok", "agent", 0.0)
        assert home.do("doctor")
    finally:
        program.stop()
