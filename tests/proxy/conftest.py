from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from proxy.house import House, open_house


@pytest.fixture
async def house() -> AsyncIterator[House]:
    async with open_house() as opened:
        yield opened
