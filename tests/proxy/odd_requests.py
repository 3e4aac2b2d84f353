"""Requests as nobody writes them, or nearly. `{port}` and `{token}` stand for the app's own.

Each stands in front of one more request, by which shows whether its end was found.
"""

from __future__ import annotations

from attacks.shapes import FRAMINGS, HOSTS, TARGETS

BODY = b'{"messages":[{"role":"user","content":"hi"}]}'
_LENGTH = b"Content-Length: %d\r\n" % len(BODY)
_HOST = b"Host: 127.0.0.1:{port}\r\n"
_JSON = b"Content-Type: application/json\r\n"
_CHUNKED = b"Transfer-Encoding: chunked\r\n"
_PATH = b"/a/{token}/v1/chat/completions"
_POST = b"POST " + _PATH + b" HTTP/1.1\r\n"
_MODELS = b"/a/{token}/v1/models"

LAST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"


def _line(line: bytes) -> bytes:
    return line + b"\r\n" + _HOST + b"\r\n"


def _header(header: bytes) -> bytes:
    return _POST + _HOST + _JSON + _LENGTH + header + b"\r\n" + BODY


def _chunks(body: bytes) -> bytes:
    return _POST + _HOST + _JSON + _CHUNKED + b"\r\n" + body


_LINES = [
    b"GET %b HTTP/1.1",
    b"GET %b?limit=2&after=a%%20b HTTP/1.1",
    b"GET  %b HTTP/1.1",
    b"GET %b  HTTP/1.1",
    b"GET\t%b HTTP/1.1",
    b"GET %b\tHTTP/1.1",
    b"GET %b HTTP/1.1 ",
    b" GET %b HTTP/1.1",
    b"\tGET %b HTTP/1.1",
    b"GET %b HTTP/1.0",
    b"GET %b HTTP/0.9",
    b"GET %b HTTP/1.2",
    b"GET %b HTTP/2.0",
    b"GET %b HTTP/1",
    b"GET %b HTTP/1.1.1",
    b"GET %b HTTP/01.1",
    b"GET %b HTTP/1.10",
    b"GET %b http/1.1",
    b"GET %b RTSP/1.0",
    b"GET %b ICE/1.0",
    b"GET %b",
    b"GET",
    b"",
    b"get %b HTTP/1.1",
    b"G\x00ET %b HTTP/1.1",
    b"GE(T %b HTTP/1.1",
    b"GETX %b HTTP/1.1",
    b"HEAD %b HTTP/1.1",
    b"OPTIONS %b HTTP/1.1",
    b"TRACE %b HTTP/1.1",
    b"DELETE %b HTTP/1.1",
    b"OPTIONS * HTTP/1.1",
    b"GET * HTTP/1.1",
    b"CONNECT 127.0.0.1:{port} HTTP/1.1",
    b"CONNECT %b HTTP/1.1",
    b"PRI * HTTP/2.0",
    b"GET %b#x HTTP/1.1",
    b"GET %b?a#x HTTP/1.1",
    b"GET %b\x00 HTTP/1.1",
    b"GET %b\x7f HTTP/1.1",
    b"GET %b\xe9 HTTP/1.1",
    b"GET %b\r HTTP/1.1",
    b"GET %b\n HTTP/1.1",
    b"GET %b\x0b HTTP/1.1",
    b"GET %b\x0c HTTP/1.1",
    b"GET %b HTTP/1.1\r",
    b"GET /%b HTTP/1.1",
    b"GET %b/../models HTTP/1.1",
    b"GET http://127.0.0.1:{port}%b HTTP/1.1",
    b"GET //127.0.0.1:{port}%b HTTP/1.1",
    b"GET ?%b HTTP/1.1",
    b"\x16\x03\x01\x02\x00\x01\x00",
]

_HEADERS = [
    b"",
    b"X-A: b\r\n",
    b"X-A:b\r\n",
    b"X-A:\r\n",
    b"X-A: \t b \t \r\n",
    b"X-A: b\r\nX-A: c\r\n",
    b"X-A: caf\xe9\r\n",
    b"X-A: caf\xc3\xa9\r\n",
    b"X-A : b\r\n",
    b"X-A\t: b\r\n",
    b" X-A: b\r\n",
    b"\tX-A: b\r\n",
    b"X A: b\r\n",
    b": b\r\n",
    b"X-A\r\n",
    b"X-A\x00: b\r\n",
    b"X-\xc3\xa9: b\r\n",
    b"X-(A): b\r\n",
    b"X-A: b\x00\r\n",
    b"X-A: b\x01\r\n",
    b"X-A: b\x0bc\r\n",
    b"X-A: b\x7f\r\n",
    b"X-A: b\rX-B: c\r\n",
    b"X-A: b\nX-B: c\r\n",
    b"X-A: b\n",
    b"X-A: b\r\r\n",
    b"X-A: b\n\r\n",
    b"X-A: b\r\n c\r\n",
    b"X-A: b\r\n\tc\r\n",
    b"X-A: b\r\n \r\n",
    b"X-A:\r\n b\r\n",
    b"X-A: " + b"b" * 70_000 + b"\r\n",
    b"X-%b: b\r\n" % (b"a" * 70_000),
    b"X-A: b\r\n" * 200,
    b"Host: 127.0.0.1:{port}\r\n",
    b"Host: evil.example\r\n",
    b"host:127.0.0.1:{port}\r\n",
    b"Connection: close\r\n",
    b"Connection: CLOSE\r\n",
    b"Connection: keep-alive, close\r\n",
    b"Connection: keep-alive\r\nConnection: close\r\n",
    b"Connection: x-a\r\nX-A: b\r\n",
    b"Connection: content-length\r\n",
    b"Connection: content-type, host\r\n",
    b"Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
    b"Connection: Upgrade\r\nUpgrade: websocket\r\n",
    b"Proxy-Connection: keep-alive\r\n",
    b"Keep-Alive: timeout=5\r\n",
    b"TE: trailers\r\n",
    b"Trailer: X-A\r\n",
    b"Expect: 100-continue\r\n",
    b"Expect: 100-Continue\r\n",
    b"Expect: bogus\r\n",
    b"Expect: 100-continue\r\nExpect: bogus\r\n",
    b"Expect: 100-continue, bogus\r\n",
    b"Expect:\r\n",
    b"Content_Length: 1\r\n",
    b"Content-Length:\t%d\r\n" % len(BODY),
    b"Content-Length: 0\r\n",
    b"Content-Length: 00\r\n",
    b"Transfer-Encoding: chunked\r\n",
    b"Transfer-Encoding: identity\r\n",
    b"Transfer-Encoding:\r\n",
    b"Transfer_Encoding: chunked\r\n",
    b"X-Transfer-Encoding: chunked\r\n",
]

_CODINGS = [
    b"chunked",
    b"Chunked",
    b"chunked ",
    b"chunked,",
    b",chunked",
    b"chunked;x",
    b"chunked;q=1",
    b"gzip, chunked",
    b"chunked, gzip",
    b"gzip",
    b"identity",
    b"identity, chunked",
    b"\x00chunked",
    b"chunked\x00",
    b"chunk ed",
    b"chunkedx",
    b"'chunked'",
    b"\xa0chunked",
    b"chunked\xa0",
]

_SIZES = [
    b"2d",
    b"2D",
    b"02d",
    b"0" * 15 + b"2d",
    b"+2d",
    b"-2d",
    b" 2d",
    b"2d ",
    b"2d\t",
    b"0x2d",
    b"2dh",
    b"",
]
_SIZES += [
    b"2_d",
    b"2d;a",
    b"2d;a=b",
    b'2d;a="b"',
    b"2d ;a",
    b"2d; a",
    b"2d;\x00",
    b"2d;a\x7f",
    b"2d;a\xe9",
    b"2d;\n",
]
_SIZES += [
    b"2d;a\rb",
    b"2d\r",
    b"2d;" + b"x" * 100_000,
    b"1000000000000002d",
    b"2d,2d",
    b"2d.0",
]

_BODIES = [
    b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"".join(b"1\r\n%c\r\n" % byte for byte in BODY) + b"0\r\n\r\n",
    b"%x\r\n%b\r\n00000\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0;a=b\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\nX-A: b\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\nContent-Length: 5\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\nHost: evil.example\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\nX-A : b\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\nX-A\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\nX-A: b\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\n%b\r\n" % (len(BODY), BODY, b"X-A: b\r\n" * 20_000),
    b"%x\r\n%b0\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\n0\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r0\r\n\r\n" % (len(BODY), BODY),
    b"%x\n%b\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\n\n" % (len(BODY), BODY),
    b"%x\r\n%bX\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\n\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\n\r\n\n" % (len(BODY), BODY),
    b"\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY),
    b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY) + _header(b""),
    b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY) + _header(b"Connection: Upgrade\r\nUpgrade: h2c\r\n"),
    b"%x\r\n%b\r\n0\r\n\r\n" % (len(BODY), BODY) + b"\x16\x03\x01",
]

_BEHIND = [b"\r\n", b"\r\n\r\n", b"\n", b"\r", b" ", b"\x00", b"X", _header(b""), _header(b"") * 5]

ODD: list[bytes] = [
    *[_line(line % _MODELS if b"%b" in line else line) for line in _LINES],
    *[_header(header) for header in _HEADERS],
    *[
        _POST + _HOST + _JSON + b"Transfer-Encoding: " + coding + b"\r\n\r\n" + _BODIES[0]
        for coding in _CODINGS
    ],
    *[_chunks(size + b"\r\n" + BODY + b"\r\n0\r\n\r\n") for size in _SIZES],
    *[_chunks(body) for body in _BODIES],
    *[_header(b"") + behind for behind in _BEHIND],
    *[behind + _header(b"") for behind in _BEHIND],
    *[_POST + _HOST + _JSON + b"Content-Length: " + b"0" * 5000 + b"2\r\n\r\n{}"],
    *[_POST + b"Host: " + host.encode() + b"\r\n" + _JSON + _LENGTH + b"\r\n" + BODY for host in HOSTS],
    *[_line(b"GET " + target.encode() + b" HTTP/1.1") for target in TARGETS],
    *[
        _POST + _HOST + _JSON + b"".join(line.encode() + b"\r\n" for line in lines) + b"\r\n" + body
        for lines, body in FRAMINGS
    ],
]
