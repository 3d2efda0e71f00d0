"""Attacks by one stranger or one fresh account through the product's own pages and API.

Each is a generator: what comes before its `yield` is set-up and is not measured, what comes after is the attack. It
returns a `Report`. Each is bounded: by its own counts, and by the time one answer is waited for (`client.PATIENCE`).
"""

from __future__ import annotations

import http.client
import io
import itertools
import struct
import uuid
import zipfile
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from tests.attack.client import (
    ADDRESS,
    PATIENCE,
    Client,
    NotSetUp,
    expect,
    found_club,
    make_event,
    sign_up,
)

# A round robin of 100 players has 4,950 pairings, which take half a minute where draws are not limited.
NAMES_IN_ROUND_ROBIN: Final = 100
ENTRIES_TO_EXPORT: Final = 1_000
NAMES_IN_ONE_ACT: Final = 200
SCANS, SIDE_OF_PICTURE = 2_850, 7_000
PICTURES: Final = 3
ZIPS, UNPACKED_BY_EACH = 4, 60 << 20
COOKIES, BACKSLASHES = 8, 31_000
RENDERINGS, LETTERS_OF_TABLE = 40, 19_000
CALLS_OF_NETWORK: Final = 600
AT_ONCE: Final = 4
OK: Final = 200
CREATED: Final = 201

Outcomes = Counter[int]


@dataclass
class Report:
    """The statuses of the answers to an attack, and its forbidden effects."""

    outcomes: Outcomes = field(default_factory=Outcomes)
    # Texts that must not be found in the log.
    secrets: list[str] = field(default_factory=list)
    # Sentences: what a person learned or did who must not.
    leaked: list[str] = field(default_factory=list)


Steps = Generator[None, None, "Report"]


def at_once(calls: Iterable[Callable[[], int]], *, most: int = AT_ONCE) -> Outcomes:
    """Make calls from some threads; count the statuses."""
    with ThreadPoolExecutor(most) as pool:
        return Counter(pool.map(lambda call: call(), calls))


# Draws


def round_robin_of_many(port: int) -> Steps:
    """Publish the draw of a round robin of a hundred names."""
    client = sign_up(port)
    key = make_event(client, found_club(client), [{"format": "round-robin"}])
    expect(client.act(key, "publish")[0] == OK, "publish")
    yield
    names = [f"Guest {number}" for number in range(NAMES_IN_ROUND_ROBIN)]
    admitted, _ = client.act(key, "admit-named", names=names)
    drawn, _ = client.act(key, "publish-draw")
    return Report(Outcomes([admitted, drawn]))


def export_of_thousand(port: int) -> Steps:
    """Ask for every export of an event with a thousand entries."""
    client = sign_up(port)
    key = make_event(client, found_club(client), [{"format": "single-elimination"}])
    expect(client.act(key, "publish")[0] == OK, "publish")
    for first in range(0, ENTRIES_TO_EXPORT, NAMES_IN_ONE_ACT):
        names = [f"Guest {number}" for number in range(first, first + NAMES_IN_ONE_ACT)]
        status, said = client.act(key, "admit-named", names=names)
        expect(status == OK, "admit", status, said)
    status, said = client.act(key, "publish-draw")
    expect(status == OK, "publish the draw", status, said)
    yield
    exports = (
        "results.csv",
        "standings.csv",
        "finish.csv",
        "event.json",
        "report.trf",
        "entries/",
        "pairings/",
    )
    return Report(Counter(client.call("GET", f"events/{key}/{name}")[0] for name in exports))


# Files


def jpeg_of_scans(scans: int = SCANS, side: int = SIDE_OF_PICTURE) -> bytes:
    """Return a grey progressive JPEG with scans that add nothing; a decoder goes over the whole picture for each."""

    def segment(marker: int, body: bytes) -> bytes:
        return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body

    one_code = bytes([1] + [0] * 15) + b"\0"
    head = (
        b"\xff\xd8"
        + segment(0xDB, b"\0" + bytes([1] * 64))
        + segment(0xC2, struct.pack(">BHHB", 8, side, side, 1) + bytes([1, 0x11, 0]))
        + segment(0xC4, b"\x00" + one_code)
        + segment(0xC4, b"\x10" + one_code)
        + segment(0xDA, bytes([1, 1, 0, 0, 0, 0]))
    )
    return head + (segment(0xDA, bytes([1, 1, 0, 1, 63, 0])) + b"\0") * scans + b"\xff\xd9"


def picture_of_many_scans(port: int) -> Steps:
    """Send pictures of 31 KB that take ten seconds to decode, as the logos of new clubs."""
    founders = [(client, found_club(client)) for client in (sign_up(port) for _ in range(PICTURES))]
    data = jpeg_of_scans()
    yield

    def send(client: Client, club: str) -> int:
        return client.post_files(f"/clubs/{club}/settings/logo/", "logo", [("logo.jpg", data)])[0]

    report = Report(at_once(lambda each=each: send(*each) for each in founders))  # type: ignore[misc]
    for client, club in founders:
        if f"/clubs/{club}/logo/" in client.get(f"/clubs/{club}/")[1].decode():
            report.leaked.append("it is shown as a logo")
    return report


def zip_of(members: int, each: int, *, salt: str) -> bytes:
    """Return a zip of files without meaning that unpack to *each* bytes."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(members):
            archive.writestr(
                f"{salt}-{number}.mat", f"{salt} {number}\n".encode() * (each // (len(salt) + 4))
            )
    return made.getvalue()


def zip_of_zips(port: int) -> Steps:
    """Hand in some zips, each within the bounds of one, and a zip of them."""
    client = sign_up(port)
    club = found_club(client)
    zips = [
        (f"{number}.zip", zip_of(60, UNPACKED_BY_EACH // 60, salt=uuid.uuid4().hex)) for number in range(ZIPS)
    ]
    nested = io.BytesIO()
    with zipfile.ZipFile(nested, "w") as archive:
        for name, data in zips:
            archive.writestr(name, data)
    yield
    by_page, _ = client.post_files(f"/records/{club}/", "files", zips)
    by_program, _ = client.post_files(
        "/api/v1/records/", "files", [*zips, ("all.zip", nested.getvalue())], club=club
    )
    return Report(Outcomes([by_page, by_program]))


# Requests of strangers


def long_cookie(port: int) -> Steps:
    """Send cookies of 31 KB full of backslashes, to a page and to the stream."""
    cookie = 'a="' + "\\" * BACKSLASHES + '"'
    yield

    def send(path: str) -> int:
        return Client(port).request("GET", path, headers={"Cookie": cookie})[0]

    paths = itertools.islice(itertools.cycle(("/clubs/", "/live/?t=x")), COOKIES)
    return Report(at_once((lambda path=path: send(path) for path in paths), most=2))  # type: ignore[misc]


def table_in_markdown(port: int) -> Steps:
    """Write a club's rules as one large table, and request them with unknown parameters."""
    client = sign_up(port)
    club = found_club(client)
    # The first two lines decide how many columns every later line has, however short.
    columns = 150
    head = "|a" * columns + "|\n" + "|-" * columns + "|\n"
    text = head + "|\n" * ((LETTERS_OF_TABLE - len(head)) // 2)
    client.post_form(f"/clubs/{club}/settings/texts/", house_rules=text, terms="", privacy="")
    yield

    def look(number: int) -> int:
        return Client(port).get(f"/clubs/{club}/rules/?x={number}")[0]

    return Report(at_once((lambda n=n: look(n) for n in range(RENDERINGS)), most=8))  # type: ignore[misc]


def networks_of_ipv6(port: int) -> Steps:
    """Send requests from many addresses of one IPv6 network, in the header that a proxy sets."""
    yield

    def call(number: int) -> int:
        address = f"2001:db8:0:1::{number:x}"
        return Client(port).request("GET", "/api/v1/clubs/", headers={"X-Forwarded-For": address})[0]

    found = at_once(lambda n=n: call(n) for n in range(1, CALLS_OF_NETWORK + 1))  # type: ignore[misc]
    report = Report(found)
    if not found[429]:
        report.leaked.append(f"{CALLS_OF_NETWORK} addresses of one network are never told to wait")
    return report


def codes_in_log(port: int) -> Steps:
    """Go to each kind of address that a code opens; no code may be found in the log."""
    # Nothing needs to lie behind it: what is logged goes by the route.
    code = f"t{uuid.uuid4().hex[:10]}-20412:{uuid.uuid4().hex}"
    yield
    pages = ("", "sheet/", "photos/", "transcription/", "transcription/record.mat", "records/abcdefghjk/")
    client = Client(port)
    found = Outcomes(client.get(f"/m/{code}/{page}")[0] for page in pages)
    programs = ("", "sheet/", "photos/", "transcription/", "transcription/file/mat/", "records/abcdefghjk/")
    found.update(client.get(f"/api/v1/codes/{code}/{page}")[0] for page in programs)
    return Report(found, secrets=[code])


def stream_of_private_match(port: int) -> Steps:
    """Open the stream of a private match without the token it was requested with."""
    client = sign_up(port)
    status, bots = client.call("GET", "bots/")
    expect(status == OK and bots, "list bots", status)
    asked = {"opponent": bots[0]["key"], "length": 1, "private": True}
    status, said = client.call("POST", "challenges/", asked)
    expect(status == CREATED and said["match"], "challenge a bot", status, said)
    status, match = client.call("GET", f"matches/{said['match']}/")
    expect(status == OK, "read the match", status)
    yield
    report = Report()
    for who, headers in (("a stranger", {}), ("another token", {"Authorization": "Bearer bp_nobody"})):
        status = open_stream(port, match["live"]["url"], headers)
        report.outcomes[status] += 1
        if status == OK:
            report.leaked.append(f"{who} follows a private match")
    return report


def open_stream(port: int, path: str, headers: dict[str, str]) -> int:
    """Return the status of a stream; close it as soon as it answers."""
    line = http.client.HTTPConnection(ADDRESS, port, timeout=PATIENCE)
    try:
        line.request("GET", path, headers=headers)
        return line.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        line.close()


ATTACKS: Final[dict[str, Callable[[int], Steps]]] = {
    attack.__name__: attack
    for attack in (
        round_robin_of_many, picture_of_many_scans, zip_of_zips, long_cookie, table_in_markdown,
        networks_of_ipv6, codes_in_log, stream_of_private_match, export_of_thousand,
    )
}  # fmt: skip


def carry_out(name: str, port: int, *, when_ready: Callable[[], None] = lambda: None) -> Report:
    """Set up the attack, say so, carry it out."""
    steps = ATTACKS[name](port)
    next(steps)
    when_ready()
    try:
        next(steps)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise NotSetUp(f"{name} has more than one yield")
