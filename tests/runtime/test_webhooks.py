"""Messages to other people's servers: signed, and never to a machine of our own network."""

from __future__ import annotations

import datetime as dt
import hashlib
import hmac
import http.server
import ipaddress
import json
import socket
import ssl
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from runtime import outbox, webhooks
from runtime.models import Outbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

HOST = "hooks.example"


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example/",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "gopher://hooks.example:443/",
        "//hooks.example/",
        "hooks.example",
        "",
        "https://",
        "https:///path",
        "https://user@hooks.example/",
        "https://user:secret@hooks.example/",
        "https://:secret@hooks.example/",
        "https://127.0.0.1@hooks.example/",
        "https://hooks.example:80/",
        "https://hooks.example:22/",
        "https://hooks.example:6379/",
        "https://hooks.example:0/",
        "https://hooks.example:99999/",
        "https://hooks.example:port/",
        "https://[::1",
        "https://[nonsense]/",
    ],
)
def test_an_address_we_do_not_send_to_is_refused(url: str) -> None:
    with pytest.raises(webhooks.Refused):
        webhooks.check(url)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://hooks.example", (HOST, 443)),
        ("https://hooks.example:443/a?b=c", (HOST, 443)),
        ("https://hooks.example:8443/a", (HOST, 8443)),
        ("HTTPS://Hooks.Example/", (HOST, 443)),
        ("https://[2606:4700::1]/", ("2606:4700::1", 443)),
    ],
)
def test_an_address_we_send_to_gives_host_and_port(url: str, place: tuple[str, int]) -> None:
    assert webhooks.check(url) == place


def resolve_to(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr(webhooks.socket, "getaddrinfo", getaddrinfo)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "0.1.2.3",
        "10.0.0.1",
        "10.255.255.255",
        "100.64.0.1",
        "100.127.255.254",
        "127.0.0.1",
        "127.8.9.10",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.254",
        "192.0.0.1",
        "192.0.2.1",
        "192.168.1.1",
        "198.18.0.1",
        "198.51.100.7",
        "203.0.113.7",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:7f00:1",
        "64:ff9b::7f00:1",
        "64:ff9b::a00:1",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2002:7f00:1::",
        "2002:a00:1::1",
        "fc00::1",
        "fd00:ec2::254",
        "fd12:3456:789a::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
    ],
)
def test_a_name_that_leads_into_a_private_network_is_refused(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    resolve_to(monkeypatch, address)
    with pytest.raises(webhooks.Refused):
        webhooks.public_address(HOST, 443)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111", "2a00:1450:4001::1"])
def test_a_public_address_is_the_one_that_is_connected_to(
    monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    resolve_to(monkeypatch, address)
    assert webhooks.public_address(HOST, 443) == str(ipaddress.ip_address(address))


def test_a_private_address_among_public_ones_is_never_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch, "10.0.0.1", "93.184.216.34")
    with pytest.raises(webhooks.Refused):
        webhooks.public_address(HOST, 443)
    resolve_to(monkeypatch, "93.184.216.34", "10.0.0.1")
    assert webhooks.public_address(HOST, 443) == "93.184.216.34"


def test_a_name_without_an_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    resolve_to(monkeypatch)
    with pytest.raises(webhooks.Refused):
        webhooks.public_address(HOST, 443)


def test_the_signature_is_what_a_receiver_computes_by_the_book() -> None:
    """RFC 2104 over "time.body"; the digits are openssl's: printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac s3cret."""
    given = webhooks.sign("s3cret", at="1700000000", body=b'{"a":1}')
    assert given == hmac.digest(b"s3cret", b'1700000000.{"a":1}', "sha256").hex()
    assert given == "1698a50bc74d1ff1db85c4e0a5297c2ad9fdba245d5737cdb789e4cc6e098940"
    assert webhooks.sign("s3cret", at="1700000001", body=b'{"a":1}') != given
    assert webhooks.sign("s3cres", at="1700000000", body=b'{"a":1}') != given


# Against a server that speaks TLS


class Receiver:
    """An https server on this machine, and what it was sent."""

    def __init__(self, folder: Path) -> None:
        self.seen: list[dict[str, Any]] = []
        self.act: Callable[[http.server.BaseHTTPRequestHandler], None] = lambda h: self.reply(h, 204)
        certificate, key = make_certificate(folder)
        self.authority = certificate
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.seen.append({"path": self.path, "headers": dict(self.headers), "body": body})
                outer.act(self)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(
            self.server.socket, server_side=True, do_handshake_on_connect=False
        )
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    @staticmethod
    def reply(handler: http.server.BaseHTTPRequestHandler, status: int, **headers: str) -> None:
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()


def make_certificate(folder: Path, host: str = HOST) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    today = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - dt.timedelta(days=1))
        .not_valid_after(today + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "crt.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return folder / "crt.pem", folder / "key.pem"


@pytest.fixture
def receiver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver that our code takes for a public one at hooks.example."""
    ours = Receiver(tmp_path)
    real = ssl.create_default_context
    monkeypatch.setattr(webhooks.ssl, "create_default_context", lambda: real(cafile=str(ours.authority)))
    monkeypatch.setattr(webhooks, "public_address", lambda host, port: "127.0.0.1")
    monkeypatch.setattr(webhooks, "PORTS", frozenset({ours.port}))
    yield ours
    ours.server.shutdown()
    ours.server.server_close()


def payload(receiver: Receiver, *, host: str = HOST, path: str = "/in?x=1", **body: Any) -> dict[str, Any]:
    return {
        "url": f"https://{host}:{receiver.port}{path}",
        "secret": "s3cret",
        "body": body,
        "id": "match:7:finished",
    }


def test_a_message_arrives_signed_and_with_an_id(receiver: Receiver, now: datetime) -> None:
    webhooks.post(payload(receiver, winner="Kit", name="Grüße"), now=now)
    (seen,) = receiver.seen
    assert seen["path"] == "/in?x=1"
    headers = seen["headers"]
    assert json.loads(seen["body"]) == {"winner": "Kit", "name": "Grüße"}
    assert headers["Host"].startswith(HOST)
    assert headers["Content-Type"] == "application/json"
    assert headers["X-Barpoint-Id"] == "match:7:finished"
    assert headers["X-Barpoint-Time"] == str(int(now.timestamp()))
    expected = hmac.new(b"s3cret", f"{headers['X-Barpoint-Time']}.".encode() + seen["body"], hashlib.sha256)
    assert headers["X-Barpoint-Signature"] == expected.hexdigest()


@pytest.mark.parametrize("status", [301, 302, 307, 308, 400, 404, 410, 500, 503])
def test_only_a_2xx_counts_and_a_redirect_is_not_followed(
    receiver: Receiver, now: datetime, status: int
) -> None:
    receiver.act = lambda handler: receiver.reply(
        handler, status, Location=f"https://{HOST}:{receiver.port}/elsewhere"
    )
    with pytest.raises(OSError, match=str(status)):
        webhooks.post(payload(receiver), now=now)
    assert len(receiver.seen) == 1


def test_a_message_longer_than_64_kb_is_not_sent(receiver: Receiver, now: datetime) -> None:
    webhooks.post(payload(receiver, text="x" * (webhooks.MOST_BYTES - 20)), now=now)
    with pytest.raises(webhooks.Refused):
        webhooks.post(payload(receiver, text="x" * webhooks.MOST_BYTES), now=now)
    assert len(receiver.seen) == 1


def test_a_certificate_of_another_name_is_refused(receiver: Receiver, now: datetime) -> None:
    with pytest.raises(ssl.SSLCertVerificationError):
        webhooks.post(payload(receiver, host="another.example"), now=now)
    assert receiver.seen == []


def test_a_certificate_that_nobody_vouches_for_is_refused(
    receiver: Receiver, now: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "other").mkdir()
    stranger, _ = make_certificate(tmp_path / "other")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(stranger)
    monkeypatch.setattr(webhooks.ssl, "create_default_context", lambda: context)
    with pytest.raises(ssl.SSLCertVerificationError):
        webhooks.post(payload(receiver), now=now)


def test_a_receiver_that_drips_its_answer_is_hung_up_on(
    receiver: Receiver, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each letter in time and the answer never: it must not hold a worker for days."""
    monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", 0.5)
    monkeypatch.setattr(webhooks, "LONGEST_SECONDS", 1.0)

    def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
        try:
            for letter in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 60:
                handler.wfile.write(bytes([letter]))
                handler.wfile.flush()
                time.sleep(0.1)
        except OSError:
            pass

    receiver.act = drip
    began = time.perf_counter()
    with pytest.raises(OSError):  # noqa: PT011 - any of the many ways a connection ends
        webhooks.post(payload(receiver), now=now)
    assert time.perf_counter() - began < 3


@pytest.mark.django_db
def test_through_the_outbox_it_is_tried_again_with_the_same_id(receiver: Receiver, now: datetime) -> None:
    receiver.act = lambda handler: receiver.reply(handler, 503)
    outbox.webhook(
        url=f"https://{HOST}:{receiver.port}/in",
        secret="s3cret",
        body={"n": 1},
        dedupe_key="match:7",
        now=now,
    )
    assert outbox.drain(queue="default", now=now) == 0
    assert Outbox.objects.get().last_error == "OSError: the server answered 503"
    receiver.act = lambda handler: receiver.reply(handler, 200)
    assert outbox.drain(queue="default", now=Outbox.objects.get().due_at) == 1
    assert [seen["headers"]["X-Barpoint-Id"] for seen in receiver.seen] == ["match:7", "match:7"]
    times = [int(seen["headers"]["X-Barpoint-Time"]) for seen in receiver.seen]
    assert times[1] == times[0] + 2


@pytest.mark.django_db
def test_a_name_that_leads_home_is_never_connected_to(now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    connected = []
    monkeypatch.setattr(webhooks.socket, "create_connection", lambda *a, **k: connected.append(a))
    resolve_to(monkeypatch, "169.254.169.254")
    outbox.webhook(url="https://metadata.example/", secret="s", body={}, dedupe_key="a", now=now)
    assert outbox.drain(queue="default", now=now) == 0
    assert connected == []
    assert "Refused" in Outbox.objects.get().last_error
