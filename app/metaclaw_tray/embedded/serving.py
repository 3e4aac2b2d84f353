"""The child that holds the model: llama.cpp with its own OpenAI-compatible server, on the loopback.

The key that opens the server comes through the pipe: neither arguments nor environment of a process are
private on every system, and other users of the machine can reach its loopback.
"""

from __future__ import annotations

import os
from typing import Protocol

import msgspec
import psutil

from metaclaw_tray.child import ChildPipe, serve_child
from metaclaw_tray.extras.places import activate

_THREADS_LIMIT = 8  # beyond it memory, not arithmetic, decides how fast tokens come
_PROMPT_CACHE_MIB = 512  # llama.cpp would take up to 8 GiB


class Load(msgspec.Struct, frozen=True, tag=True):
    """To the child: serve this file."""

    path: str
    name: str  # the name that clients ask for
    key: str
    context: int  # tokens, shared by the slots
    slots: int  # requests answered at the same time
    threads: int


class Serving(msgspec.Struct, frozen=True, tag=True):
    """From the child: the model is loaded and answers at `url`."""

    url: str


class Failed(msgspec.Struct, frozen=True, tag=True):
    """From the child: it cannot serve, and why."""

    detail: str


class _Server(Protocol):
    """What is used of xllamacpp.Server."""

    listening_address: str


def sensible_threads() -> int:
    """One core less than there are, for everybody else: the threads of llama.cpp spin while they wait.

    With as many threads as cores, any other load slows it by a factor of thirty.
    """
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    cores = min(usable, psutil.cpu_count(logical=False) or usable)
    return min(max(1, cores - 1), _THREADS_LIMIT)


def child_main(args: list[str]) -> int:
    """Serve the model that the first message names, until the parent closes the pipe."""
    del args
    pipe: ChildPipe[Load, Serving | Failed] = serve_child(Load, Serving | Failed)
    load = pipe.receive()
    if load is None:
        return 0
    try:
        server = _start_server(load)
    except ImportError:
        pipe.send(Failed("the part that runs models is not installed: `metaclaw-tray extras add embedded`"))
        return 1
    except RuntimeError:  # with a text that says nothing; what llama.cpp found is in the log by now
        pipe.send(Failed("llama.cpp cannot load this file"))
        return 1
    pipe.send(Serving(server.listening_address))
    pipe.receive()  # the end of the pipe
    # No farewell to llama.cpp: it would first finish the answers under way, for which nobody waits.
    os._exit(0)


def _start_server(load: Load) -> _Server:
    activate("embedded")
    import xllamacpp  # an extra, and 100 MB that only this process needs

    params = xllamacpp.CommonParams()
    params.model.path = load.path
    params.model_alias = [load.name]
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [load.key]
    params.n_ctx = load.context
    params.n_parallel = load.slots
    params.kv_unified = True  # one long request may use the whole context
    params.cpuparams.n_threads = load.threads
    params.cpuparams_batch.n_threads = load.threads
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.use_jinja = True
    params.ui = False
    params.endpoint_slots = False  # it would show what others ask
    params.verbosity = 2  # warnings; more would write prompts' timings to our log for each request
    server: _Server = xllamacpp.Server(params)  # serves from threads of its own for as long as it exists
    return server
