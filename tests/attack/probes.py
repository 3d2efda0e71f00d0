"""Raw requests that no browser sends: ambiguous messages, path traversal, and meaningless bytes.

`PROBES` lists each with its bytes and the permitted answers. `REFUSED` also includes a connection that is
closed without an answer. No probe may get two answers, or a 5xx other than 501 and 505.
"""

from __future__ import annotations

from typing import Final, NamedTuple

HOST: Final = b"Host: 127.0.0.1\r\n"
END: Final = b"\r\n"
CLOSE: Final = b"Connection: close\r\n"
# What is hidden in a message; two answers mean that it was found.
HIDDEN: Final = b"GET /healthz?hidden HTTP/1.1\r\n" + HOST + END

REFUSED: Final = frozenset({0, 400, 405, 408, 411, 413, 414, 421, 431, 501, 505})
MISSING: Final = frozenset({400, 404})
HARMLESS: Final = frozenset({200, 301, 302, 403, 404, 405})


class Probe(NamedTuple):
    """One message, and the statuses that are right for it; 0 is a connection closed without a word."""

    name: str
    raw: bytes
    right: frozenset[int]


def _get(path: bytes, *lines: bytes) -> bytes:
    return b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"".join(line + b"\r\n" for line in lines) + CLOSE + END


def _post(*lines: bytes, body: bytes = b"", path: bytes = b"/accounts/login/") -> bytes:
    head = b"POST " + path + b" HTTP/1.1\r\n" + HOST + b"".join(line + b"\r\n" for line in lines)
    return head + END + body


def _two_lengths() -> list[Probe]:
    """Messages whose end two programs may see in two places."""
    chunk = b"0\r\n\r\n"
    refused = {
        "length, then chunked": _post(b"Content-Length: 6", b"Transfer-Encoding: chunked", body=chunk + b"G"),
        "chunked, then length": _post(b"Transfer-Encoding: chunked", b"Content-Length: 6", body=chunk + b"G"),
        "two lengths": _post(b"Content-Length: 0", b"Content-Length: 44", body=HIDDEN),
        "two lengths, one longer": _post(b"Content-Length: 44", b"Content-Length: 0", body=HIDDEN),
        "a list of lengths": _post(b"Content-Length: 0, 44", body=HIDDEN),
        "a length with a sign": _post(b"Content-Length: +5", body=b"hello"),
        "a negative length": _post(b"Content-Length: -1", body=HIDDEN),
        "a length in hexadecimal": _post(b"Content-Length: 0x5", body=b"hello"),
        "a length that is a word": _post(b"Content-Length: five", body=b"hello"),
        "a length with a point": _post(b"Content-Length: 5.0", body=b"hello"),
        "a length with a space": _post(b"Content-Length: 1 0", body=b"hello"),
        "an empty length": _post(b"Content-Length:", body=HIDDEN),
        "a length past all numbers": _post(b"Content-Length: " + b"9" * 40, body=b"x"),
        "a space before the colon": _post(b"Content-Length : 44", body=HIDDEN),
        "a tab before the colon": _post(b"Transfer-Encoding\t: chunked", body=chunk + HIDDEN),
        "a folded length": _post(b"Content-Length:\r\n 44", body=HIDDEN),
        "chunked, unknown": _post(b"Transfer-Encoding: xchunked", body=chunk + HIDDEN),
        "chunked, not last": _post(b"Transfer-Encoding: chunked, gzip", body=chunk + HIDDEN),
        "chunked, in quotes": _post(b'Transfer-Encoding: "chunked"', body=chunk + HIDDEN),
        "chunked behind a byte": _post(b"Transfer-Encoding: \x0bchunked", body=chunk + HIDDEN),
        "chunked and identity": _post(b"Transfer-Encoding: chunked, identity", body=chunk + HIDDEN),
        "a chunk in signed numbers": _post(b"Transfer-Encoding: chunked", body=b"+5\r\nhello\r\n" + chunk),
        "a chunk below nothing": _post(b"Transfer-Encoding: chunked", body=b"-5\r\nhello\r\n" + chunk),
        "a chunk of a word": _post(b"Transfer-Encoding: chunked", body=b"zz\r\nhello\r\n" + chunk),
        "a chunk past all numbers": _post(
            b"Transfer-Encoding: chunked", body=b"f" * 20 + b"\r\nx\r\n" + chunk
        ),
        "a chunk with 0x": _post(b"Transfer-Encoding: chunked", body=b"0x5\r\nhello\r\n" + chunk),
        "a chunk longer than said": _post(b"Transfer-Encoding: chunked", body=b"2\r\nhello\r\n" + chunk),
        "a chunk without its end": _post(
            b"Transfer-Encoding: chunked", body=b"5\r\nhelloXX" + chunk + HIDDEN
        ),
    }
    return [Probe(name, raw, REFUSED) for name, raw in refused.items()]


def _heads() -> list[Probe]:
    """Heads that are not heads."""
    refused = {
        "no host": b"GET / HTTP/1.1\r\n" + END,
        "a bare line feed": b"GET / HTTP/1.1\n" + b"Host: 127.0.0.1\nX: y\n\n" + b"\x00",
        "a bare return": b"GET / HTTP/1.1\rHost: 127.0.0.1\r\r",
        "NUL in a value": _get(b"/", b"X: a\x00b"),
        "NUL in a name": _get(b"/", b"X\x00Y: a"),
        "NUL in the address": _get(b"/\x00"),
        "a return in a value": _get(b"/", b"X: a\rSet-Cookie: b"),
        "a name with a space": _get(b"/", b"X Y: a"),
        "a line without a colon": _get(b"/", b"nonsense"),
        "an empty name": _get(b"/", b": a"),
        "a first line that is folded": b"GET / HTTP/1.1\r\n " + HOST + END,
        "no version": b"GET /\r\n" + HOST + END,
        "version 3": b"GET / HTTP/3.0\r\n" + HOST + END,
        "version nonsense": b"GET / HTTP/x.y\r\n" + HOST + END,
        "lower-case http": b"GET / http/1.1\r\n" + HOST + END,
        "an unknown method": b"FETCH / HTTP/1.1\r\n" + HOST + END,
        "a lower-case method": b"get / HTTP/1.1\r\n" + HOST + END,
        "a method of 10,000 letters": b"A" * 10_000 + b" / HTTP/1.1\r\n" + HOST + END,
        "an address of 100,000 letters": _get(b"/" + b"a" * 100_000),
        "a name of 100,000 letters": _get(b"/", b"a" * 100_000 + b": b"),
        "200 lines": _get(b"/", *[b"X-%d: a" % number for number in range(200)]),
        "TLS": bytes.fromhex("16030100a5010000a10303") + bytes(160),
        "an SSH greeting": b"SSH-2.0-OpenSSH_9.6\r\n",
        "HTTP/2 at once": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "a proxy's greeting": b"PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\n" + HOST + END,
        "Redis": b"*1\r\n$4\r\nPING\r\n",
        "nothing but line ends": b"\r\n" * 20_000,
        "nothing but zeros": bytes(5_000),
        "two hosts": b"GET / HTTP/1.1\r\n" + HOST + b"Host: evil.example\r\n" + END,
        "a host with a path": b"GET / HTTP/1.1\r\nHost: 127.0.0.1/evil\r\n" + END,
        "a host with a user": b"GET / HTTP/1.1\r\nHost: evil@127.0.0.1\r\n" + END,
        "another host": b"GET / HTTP/1.1\r\nHost: evil.example\r\n" + END,
        "a host with a return": b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n evil\r\n" + END,
        "CONNECT": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n" + END,
        "TRACE": b"TRACE / HTTP/1.1\r\n" + HOST + CLOSE + END,
    }
    return [Probe(name, raw, REFUSED) for name, raw in refused.items()]


def _paths() -> list[Probe]:
    """Paths that would lead out of a folder, or into a header."""
    missing = {
        "dots": b"/static/../../config/settings.py",
        "dots in per cent": b"/static/%2e%2e/%2e%2e/config/settings.py",
        "dots twice in per cent": b"/static/%252e%252e/%252e%252e/config/settings.py",
        "slashes in per cent": b"/static/..%2f..%2fconfig%2fsettings.py",
        "backslashes": b"/static/..\\..\\config\\settings.py",
        "backslashes in per cent": b"/static/..%5c..%5cconfig%5csettings.py",
        "an absolute path": b"/static//etc/passwd",
        "an absolute path in per cent": b"/static/%2fetc%2fpasswd",
        "overlong dots": b"/static/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd",
        "a semicolon": b"/static/..;/..;/config/settings.py",
        "NUL in per cent": b"/static/x.css%00.py",
        "the database": b"/static/../var/barpoint.sqlite3",
        "the key": b"/static/../var/secret_key",
        "hidden files": b"/.git/config",
        "the environment": b"/.env",
        "NUL in the address of a club": b"/clubs/%00/",
        "NUL in an address of the API": b"/api/v1/clubs/%00/",
        "NUL in a query": b"/play/?opponent=%00",
        "a line end in per cent": b"/clubs/%0d%0aSet-Cookie:%20a=b/",
        "bytes that are no text": b"/clubs/%ff%fe%80/",
        "per cent alone": b"/clubs/%/",
        "half a per cent": b"/clubs/%4/",
        "dots after a club": b"/clubs/../../../../etc/passwd",
    }
    harmless = {
        "two slashes": _get(b"//evil.example/"),
        "two slashes and dots": _get(b"//evil.example/%2e%2e"),
        "a score with a separator": _get(b"/archive/?score=7%1C-5"),
        "a whole address": _get(b"http://127.0.0.1/"),
        "somebody else's whole address": _get(b"http://evil.example/"),
        "an upgrade to HTTP/2": _get(b"/", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__"),
        "a websocket": _get(
            b"/live/",
            b"Upgrade: websocket",
            b"Connection: Upgrade",
            b"Sec-WebSocket-Version: 13",
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ),
        "another method in a line": _get(b"/clubs/", b"X-HTTP-Method-Override: DELETE"),
        "the address of a proxy": _get(
            b"/", b"X-Forwarded-For: 127.0.0.1", b"X-Forwarded-Host: evil.example"
        ),
        "a length with GET": _get(b"/healthz", b"Content-Length: 0"),
        "two spaces": b"GET  /  HTTP/1.1\r\n" + HOST + CLOSE + END,
        "a star": b"OPTIONS * HTTP/1.1\r\n" + HOST + CLOSE + END,
    }
    return [
        *(Probe(name, _get(path), MISSING) for name, path in missing.items()),
        *(Probe(name, raw, HARMLESS | REFUSED) for name, raw in harmless.items()),
    ]


PROBES: Final = (*_two_lengths(), *_heads(), *_paths())
