"""Connections that are kept, and those that only look as if they could be."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator

import pytest
from yarl import URL

from metaclaw_tray.proxy.connections import Connection
from metaclaw_tray.proxy.pool import Place, Pool

ANSWER = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Server:
    """An upstream whose bytes are in the socket as soon as it has said them."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.place = Place("http", "127.0.0.1", self.port, None)
        self.pool = Pool()

    async def answered(self) -> tuple[Connection, socket.socket]:
        """A connection that is kept after an answer, and the server's end of it."""
        connection = await self.pool.new(self.place, URL(f"http://127.0.0.1:{self.port}/"))
        end, _ = self._listening.accept()
        end.sendall(ANSWER)
        answer = await connection.ask(b"GET / HTTP/1.1\r\n\r\n", b"")
        assert await answer.read() == b"{}"
        answer.release()
        return connection, end

    async def close(self) -> None:
        self.pool.close()
        self._listening.close()


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    server = Server()
    yield server
    await server.close()


async def test_a_connection_is_used_again(server: Server) -> None:
    connection, end = await server.answered()
    assert server.pool.kept(server.place) is connection
    assert server.pool.kept(server.place) is None
    end.close()


async def test_an_answer_that_nobody_asked_for_is_never_the_next_ones(server: Server) -> None:
    """It has come, and nobody has had the time to read it."""
    _, end = await server.answered()
    end.sendall(ANSWER.replace(b"{}", b"[]"))
    assert server.pool.kept(server.place) is None
    end.close()


async def test_a_connection_that_the_server_has_just_closed_is_not_used_again(server: Server) -> None:
    _, end = await server.answered()
    end.close()
    assert server.pool.kept(server.place) is None
