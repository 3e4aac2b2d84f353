from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from slow.real.scene import CLIENTS, Scene
from slow.real.stand import Route
from slow.real.tools import program_of

Stage = Callable[..., Scene]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Makes a scene for a client and a route; all of it ends with the test."""
    with ExitStack() as stack:

        def made(client: str, route: Route = "pass-through", **more: object) -> Scene:
            program_of(CLIENTS[client].tool)  # skips before anything is started
            scene = Scene(tmp_path, client, route, **more)
            stack.callback(scene.close)
            return scene

        yield made
