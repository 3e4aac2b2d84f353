"""Providers that many people have: their addresses and the protocols that they speak."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """A provider to start from."""

    name: str  # for the upstream
    label: str
    base_url: str
    dialects: tuple[str, ...]
    key: bool = True  # whether it wants one


PRESETS = (
    Preset("openai", "OpenAI", "https://api.openai.com/v1", ("chat", "responses")),
    Preset("anthropic", "Anthropic", "https://api.anthropic.com/v1", ("messages",)),
    Preset("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", ("chat",)),
    Preset("ollama", "Ollama", "http://127.0.0.1:11434/v1", ("chat",), key=False),
    Preset("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", ("chat",), key=False),
)
