"""Which vocabulary a model has, by its name: models of one maker mostly share one."""

from __future__ import annotations

import re
from functools import lru_cache

from metaclaw_tray.wire.translation.token_rates import FAMILIES

ANY = FAMILIES.index("any")

# The first that is found in the name counts. A distilled model has the vocabulary of the smaller one.
_NAMES = (
    (r"distill-qwen|qwen-?2|qwen-?3(?![.\d])|qwq|qvq", "qwen2"),
    (r"distill-llama", "llama3"),
    (r"qwen-?3\.\d", "qwen3.5"),
    (r"qwen", "qwen2"),
    (r"deepseek", "deepseek"),
    (r"gemma|gemini", "gemma3"),
    (r"mistral|ministral|mixtral|codestral|devstral|magistral|pixtral", "mistral"),
    (r"llama-?[34]|llama(?!-?2)", "llama3"),
    (r"gpt-?[o45]|gpt-oss|chatgpt|codex|(?:^|/)o[1-9]", "gpt"),
)
_FAMILIES = tuple((re.compile(pattern), FAMILIES.index(name)) for pattern, name in _NAMES)


@lru_cache(maxsize=256)
def family_of(model: str) -> int:
    """The place of the model's vocabulary in `FAMILIES`."""
    name = model.lower()
    return next((family for pattern, family in _FAMILIES if pattern.search(name)), ANY)
