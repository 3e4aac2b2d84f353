from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from slow.real.scene import Scene
from slow.real.stand import Route

Stage = Callable[..., Scene]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """Makes a scene for a client and a route; all of it ends with the test."""
    with ExitStack() as stack:

        def made(client: str, route: Route = "pass-through", **more: Any) -> Scene:
            scene = Scene(tmp_path, client, route, **more)
            stack.callback(scene.close)
            return scene

        yield made
