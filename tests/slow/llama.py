"""A llama.cpp server in a process of its own, for tests that compare what comes through the proxy with it.

`python -m slow.llama MODEL.gguf NAME` prints one line `{"url", "pid"}` and serves until its input ends.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import httpx

from support.processes import Program
from support.standalone import announce

_CONTEXT = 4096  # tokens
_PROMPT_CACHE_MIB = 256

# The model's own template wants tool calls between tags, but what this small model writes, whatever it is
# told, is a fenced block. With a template that has them so, the server's parser finds real calls in it.
_TEMPLATE = r"""
{%- if tools %}
{{- '<|im_start|>system\nTo use a tool, write ```json\n{"name": ..., "arguments": ...}\n```. Tools:' }}
{%- for tool in tools %}{{ '\n' + tool.function | tojson }}{% endfor %}
{{- '<|im_end|>\n' }}
{%- endif %}
{%- for message in messages %}
{{- '<|im_start|>' + ('user' if message.role == 'tool' else message.role) + '\n' + (message.content or '') }}
{%- for call in message.tool_calls or [] %}
{{- '```json\n{"name": "' + call.function.name + '", "arguments": ' }}
{{- (call.function.arguments | tojson) + '}\n```' }}
{%- endfor %}
{{- '<|im_end|>\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}
"""


class LlamaServer(Program):
    """The server. It has one slot, so that a forgotten answer is noticed by whoever asks next.

    `url` ends in `/v1`.
    """

    def __init__(self, file: Path, name: str, *, embeddings: bool = False, log: Path | None = None) -> None:
        extra = ("--embeddings",) if embeddings else ()
        super().__init__("-m", "slow.llama", str(file), name, *extra, log=log)
        self.name = name
        self.url: str = self.ready["url"]

    @property
    def busy(self) -> bool:
        """Whether it is at work on an answer."""
        slots = httpx.get(self.url.removesuffix("/v1") + "/slots", trust_env=False).raise_for_status()
        return any(slot["is_processing"] for slot in slots.json())


def main() -> None:
    import xllamacpp

    from metaclaw_tray.embedded.serving import sensible_threads

    parser = argparse.ArgumentParser(description="A llama.cpp server for tests.")
    parser.add_argument("file")
    parser.add_argument("name")
    parser.add_argument("--embeddings", action="store_true")
    args = parser.parse_args()
    params = xllamacpp.CommonParams()
    params.model.path = args.file
    params.model_alias = [args.name]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = _CONTEXT
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = sensible_threads()
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.use_jinja = True
    params.chat_template = _TEMPLATE
    params.ui = False
    params.endpoint_slots = True
    params.verbosity = 2
    if args.embeddings:
        params.embedding = True
        params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(params)
    announce(f"{server.listening_address}/v1")
    sys.stdin.read()
    os._exit(0)  # without a farewell: it would first finish the answers under way


if __name__ == "__main__":
    main()
