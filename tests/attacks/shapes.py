"""Requests that are nearly right. `{port}` and `{token}` stand for the app's own."""

from __future__ import annotations

BODY = b'{"model":"m","messages":[{"role":"user","content":"saidbyanattacker"}]}'

HOSTS = [
    "",
    "evil.example",
    "evil.example:{port}",
    "localhost",
    "localhost:1",
    "localhost:0{port}",
    "localhost:{port}:{port}",
    "localhost.:{port}",
    "localhost.evil.example:{port}",
    "localhost:{port}.evil.example",
    "localhost:{port}@evil.example",
    "evil.example@localhost:{port}",
    "user:word@127.0.0.1:{port}",
    "127.0.0.1:{port}.evil.example",
    "127.0.0.1.evil.example:{port}",
    "127.0.0.1:{port}, evil.example",
    "127.0.0.1:{port}/",
    "127.0.0.1:{port}#",
    "127.1:{port}",
    "127.0.0.2:{port}",
    "0.0.0.0:{port}",
    "[::]:{port}",
    "[::1]",
    "[::1%25lo]:{port}",
    "[0:0:0:0:0:0:0:1]:{port}",
    "[::ffff:127.0.0.1]:{port}",
    "::1:{port}",
    "2130706433:{port}",
    "0177.0.0.1:{port}",
    "0x7f.1:{port}",
    "http://127.0.0.1:{port}",
    "localho\u017ft:{port}",
]
"""Hosts that are none of ours, however much they look like one."""

ORIGINS = [
    "http://evil.example",
    "null",
    "*",
    "",
    "https://127.0.0.1:{port}",
    "http://127.0.0.1:{port}.evil.example",
    "http://localhost:{port}@evil.example",
    "http://localhost:1",
    "http://localhost",
    "http://localhost:{port}/",
    "http://localhost:{port}/chat",
    "http://localhost:{port} http://evil.example",
    "http://localhost:{port}, http://evil.example",
    "file://",
    "app://localhost:{port}",
    "chrome-extension://abcdefghijklmnop",
]
"""Origins of pages that are none of ours."""

BROWSERS = [
    ["Origin: http://localhost:{port}", "Origin: http://evil.example"],
    ["Origin: http://localhost:{port}", "Origin: http://localhost:{port}"],
    ["Sec-Fetch-Site: cross-site"],
    ["Sec-Fetch-Site: same-site"],
    ["sec-fetch-site: Cross-Site"],
    ["Sec-Fetch-Site: none", "Sec-Fetch-Site: cross-site"],
]
"""What a browser says of a foreign page, besides one Origin."""

TYPES = [
    [],
    ["text/plain"],
    ["text/plain; charset=application/json"],
    ["text/plain, application/json"],
    ["application/x-www-form-urlencoded"],
    ["multipart/form-data; boundary=x"],
    ["text/json"],
    ["application/jsonp"],
    ["application/json2"],
    ["application/octet-stream"],
    ["application/json", "text/plain"],
]
"""Content types, as many as stand in one request, that are not JSON."""

TARGETS = [
    "http://evil.example/a/{token}/v1/models",
    "http://127.0.0.1:{port}/a/{token}/v1/models",
    "http://user@127.0.0.1:{port}/healthz",
    "HTTP://LOCALHOST/healthz",
    "*",
]
"""Targets that name a host of their own, or none."""

FRAMINGS: list[tuple[list[str], bytes]] = [
    (["Content-Length: 6", "Transfer-Encoding: chunked"], b"0\r\n\r\nG"),
    (["Transfer-Encoding: chunked", "Content-Length: 6"], b"0\r\n\r\nG"),
    (["Content-Length: 5", "Content-Length: 6"], b"{}    "),
    (["Content-Length: 6", "Content-Length: 6"], b"{}    "),
    (["Content-Length: 6, 6"], b"{}    "),
    (["Content-Length: +6"], b"{}    "),
    (["Content-Length: -1"], b"{}    "),
    (["Content-Length: 0x6"], b"{}    "),
    (["Content-Length: 6 6"], b"{}    "),
    (["Content-Length:"], b"{}    "),
    (["Content-Length: 99999999999999999999999"], b"{}"),
    (["Content-Length : 6"], b"{}    "),
    ([" Content-Length: 6"], b"{}    "),
    (["Transfer-Encoding: xchunked"], b"0\r\n\r\n"),
    (["Transfer-Encoding: chunked, identity"], b"0\r\n\r\n"),
    (["Transfer-Encoding: identity", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
    (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
    (["Transfer-Encoding:\x0bchunked"], b"0\r\n\r\n"),
    (['Transfer-Encoding: "chunked"'], b"0\r\n\r\n"),
    (["Transfer\x00-Encoding: chunked"], b"0\r\n\r\n"),
    (["X-Folded: a\r\n b", "Content-Length: 2"], b"{}"),
    (["X-Zero: a\x00b", "Content-Length: 2"], b"{}"),
    (["X-Bare: a\nContent-Length: 2"], b"{}"),
    (["X-Bare: a\rContent-Length: 2"], b"{}"),
    (["X Space: a", "Content-Length: 2"], b"{}"),
    ([": nameless", "Content-Length: 2"], b"{}"),
    (["Transfer-Encoding: chunked"], b"2\n{}\n0\n\n"),
    (["Transfer-Encoding: chunked"], b"0x2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: chunked"], b"-2\r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: chunked"], b"2 \r\n{}\r\n0\r\n\r\n"),
    (["Transfer-Encoding: chunked"], b"2\r\n{}X\r\n0\r\n\r\n"),
    (["Transfer-Encoding: chunked"], b"fffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
]
"""Headers and a body that two readers could part differently."""
