"""No readable byte of a match contains a secret too early, from the first line to the last.

Two programs play over HTTP. After each command all new answers are searched for every link of every chain
that is not due yet, for the seeds of the chains, and for heads that are not revealed yet. Every text with the
form of a link must be one that the journal has revealed.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import NoReverseMatch, reverse

from engine.fair import LINK_BYTES, Party
from engine.side import Side
from matches.journal import dice, journal, lifecycle, live
from matches.models import JournalEntry, Match
from matches.state.status import ENDED
from matches.watch import exports, player_matches
from players.clubs import clubs
from players.models import User
from tests import access
from tests.matches.http import Bot
from tests.matches.support import club_terms, person

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.share]

LINK = re.compile(rb"(?=([0-9a-f]{64}))")
# So many of the next links are also looked for in other spellings.
NEAREST = 3
SPELLINGS: tuple[Callable[[bytes], bytes], ...] = (
    bytes,
    lambda link: link.hex().upper().encode(),
    lambda link: base64.b64encode(link).rstrip(b"="),
    lambda link: base64.urlsafe_b64encode(link).rstrip(b"="),
    lambda link: base64.b64encode(link.hex().encode()).rstrip(b"=")[:-2],
    lambda link: str([*link]).encode(),
    lambda link: str(int.from_bytes(link, "big")).encode(),
)


class Hall:
    """A match over HTTP, its two clients, and all viewers."""

    def __init__(self, now: datetime) -> None:
        self.owner = person("Olga", now)
        self.staff = person("Stan", now)
        self.staff.is_staff = self.staff.is_superuser = True
        self.staff.save(update_fields=["is_staff", "is_superuser"])
        self.ann, self.ben = person("Ann", now), person("Ben", now)
        self.match = lifecycle.create(
            white=self.ann.player,
            black=self.ben.player,
            terms=club_terms(1, clock=None),
            now=now,
            club=clubs.create(owner=self.owner, name="Here", now=now),
        )
        self.bots = {
            side: Bot(user, self.match.key, seed=int(side) + 1)
            for side, user in zip(Side, (self.ann, self.ben), strict=True)
        }
        self.viewers = [self._client(None), *map(self._client, (person("Cora", now), self.owner, self.staff))]
        self.viewers += [bot.client for bot in self.bots.values()]
        self.heard: list[bytes] = []
        self.searched = 0

    @staticmethod
    def _client(user: User | None) -> Client:
        client = Client(raise_request_exception=False)
        if user is not None:
            client.force_login(user)
        return client

    @property
    def row(self) -> Match:
        return Match.objects.get(pk=self.match.pk)

    def act(self) -> None:
        """Let both clients act if they can, and search their answers too."""
        for bot in self.bots.values():
            self.heard.append(json.dumps(bot.look()).encode())
            if (answer := bot.act()) is not None:
                self.heard.append(json.dumps(answer).encode())
            self.search()

    def read_everything(self) -> int:
        """Let all clients read every address, search the answers, and count them."""
        paths = sorted(self.addresses())
        for client in self.viewers:
            for path in paths:
                answer = client.get(path)
                content = b"".join(answer.streaming_content) if answer.streaming else answer.content
                self.heard.append(content + str(answer.headers).encode())
        for player in (self.ann.player, self.ben.player):
            self.heard.append(json.dumps(player_matches.export_matches(player), default=str).encode())
        self.search()
        return len(paths) * len(self.viewers)

    def addresses(self) -> Iterator[str]:
        """Every address that is about this match, or about nothing in particular and about matches."""
        entry = JournalEntry.objects.filter(match=self.match).latest("seq").pk
        options: list[dict[str, Any]] = [
            {},
            {"key": self.match.key},
            {"object_id": self.match.pk},
            {"object_id": entry},
        ]
        for name in access.addresses():
            for kwargs in options:
                try:
                    path = reverse(name, kwargs=kwargs)
                except NoReverseMatch:
                    continue
                if path.startswith("/api/v1/") or "match" in path:
                    yield path

    def hidden(self) -> tuple[set[bytes], set[bytes]]:
        """All secrets not revealed yet, and those from which the next or all others can be computed."""
        row = self.row
        state = journal.load(row)
        dicing = state.dicing
        links: dict[Party, list[bytes]] = {}
        for side, bot in self.bots.items():
            if dicing.first in bot.chains:
                links[Party.from_side(side)] = bot.chains[dicing.first]
        chain = dice._derive_chain(settings.SECRET_KEY, dicing.match, row.salts[-1], dicing.length)
        links[Party.SERVER] = [chain.head, *(chain.share(step) for step in range(1, chain.length + 1))]
        links[Party.SERVER].append(bytes.fromhex(row.salts[-1]))
        everything: set[bytes] = set()
        near: set[bytes] = {bytes.fromhex(salt) for salt in row.salts}
        for party, known in links.items():
            shown = dicing.known[party]
            begin = 0 if shown is None else shown[1] + 1
            everything.update(known[begin:])
            near.update(known[begin : begin + NEAREST])
            near.add(known[-1])
        return everything, near

    def search(self) -> None:
        """Search all that was heard since the last time."""
        everything, near = self.hidden()
        row = self.row
        told = json.dumps([row.cache, *(line.body() for line in journal.list_lines(row))])
        hashes = set(JournalEntry.objects.filter(match=row).values_list("hash", flat=True))
        may_be_known = {found.encode() for found in re.findall("(?=([0-9a-f]{64}))", told)}
        if row.status in ENDED:
            may_be_known |= {each.encode() for each in hashes} | {journal.compute_genesis(row).encode()}
            may_be_known.add(exports.build_dice_log(row).computed_digest().hex().encode())
        spelled = {write(link) for link in near for write in SPELLINGS} | {settings.SECRET_KEY.encode()}
        for said in self.heard:
            found = {bytes.fromhex(each.decode()) for each in LINK.findall(said)}
            assert not found & everything, f"told before line {row.head + 1}: {said[:300]!r}"
            assert not [each for each in spelled if each in said], said[:300]
            if said.startswith(b"{"):
                strange = {each.hex().encode() for each in found} - may_be_known - {b"0" * 2 * LINK_BYTES}
                assert not strange - examples(), (strange, said[:300])
        self.searched += len(self.heard)
        self.heard.clear()


def examples() -> set[bytes]:
    """The examples in the API schema."""
    return {b"4f9b25964ac4d85d"[shift:] + (b"4f9b25964ac4d85d" * 4)[: 48 + shift] for shift in range(16)}


@pytest.fixture
def overheard(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Every frame that goes out over the streams."""
    frames: list[bytes] = []
    tell = live.announce

    def announce(key: str, told: list[dict[str, Any]]) -> None:
        frames.extend(live.build_event(key, each).as_json().encode() for each in told)
        tell(key, told)

    monkeypatch.setattr(live, "announce", announce)
    return frames


def play(hall: Hall, overheard: list[bytes], *, looks: int) -> int:
    """Play the match out; let everyone read everything so many times on the way."""
    hall.heard = overheard
    read = hall.read_everything()
    for turn in range(1_000):
        if hall.row.status in ENDED:
            break
        hall.act()
        if turn < 2 or turn % looks == 0:
            read += hall.read_everything()
    assert hall.row.status in ENDED
    read += hall.read_everything()
    return read


@pytest.mark.slow
def test_nobody_reads_a_secret_early(now: datetime, overheard: list[bytes]) -> None:
    hall = Hall(now)

    read = play(hall, overheard, looks=30)

    assert read > 500
    assert hall.searched > read
    assert list(journal.find_problems(hall.row)) == []


def test_what_was_not_used_stays_unknown_for_good(now: datetime, overheard: list[bytes]) -> None:
    """Deposits for rolls that were never made, the server's links for them, and the seeds of its chains."""
    hall = Hall(now)
    hall.heard = overheard
    while not any(hall.row.deposits.values()) or journal.load(hall.row).dicing.next < 4:
        hall.act()
    seen = hall.bots[Side.WHITE].look()
    hall.bots[Side.WHITE].give(seen["snapshot"]["head"], {"type": "resign", "level": "match"})
    row = hall.row
    dicing = journal.load(row).dicing
    unused = [
        link
        for given in row.deposits.values()
        for number, link in given.items()
        if int(number) >= dicing.next
    ]
    assert unused, "something was deposited that no roll has used"

    hall.read_everything()
    answers = [
        client.get(f"/api/v1/matches/{row.key}/{name}").content
        for client in hall.viewers
        for name in ("dice.json", "journal.json", "record.json", "record.mat", "record.sgf")
    ]

    assert all(len(answer) > 60 for answer in answers)
    assert not [link for link in (*unused, *row.salts) for answer in answers if link.encode() in answer]


def test_the_search_finds_what_is_told_too_early(
    now: datetime, overheard: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same search, where a person has been careless in one place."""
    frame = live.build_frame
    hall = Hall(now)
    monkeypatch.setattr(
        live,
        "build_frame",
        lambda step: {**frame(step), "deposits": Match.objects.get(pk=hall.match.pk).deposits},
    )
    with pytest.raises(AssertionError, match="told before line"):
        play(hall, overheard, looks=100)


def test_a_refusal_tells_nothing(now: datetime, overheard: list[bytes]) -> None:
    """Refusals of forbidden commands contain no secret."""
    hall = Hall(now)
    hall.heard = overheard
    while journal.load(hall.row).dicing.next < 3:
        hall.act()
    head = hall.row.head
    tries: list[dict[str, Any]] = [
        {"type": "roll"}, {"type": "share"}, {"type": "open", "head": "0" * 64}, {"type": "promise"},
        {"type": "move", "play": "24/18"}, {"type": "claim-flag"}, {"type": "take"}, {"type": "reveal"},
    ]  # fmt: skip
    for bot in hall.bots.values():
        number = journal.load(hall.row).dicing.next
        for command in tries:
            for after in (0, head, head + 1):
                for shares in ({}, {str(number): "0" * 64}, {str(number + 1): "f" * 64}):
                    if command["type"] in {"roll", "share", "move"} and not shares and after == head:
                        continue
                    answer = bot.give(after, command, status=None, shares=shares)
                    hall.heard.append(json.dumps(answer).encode())
                    hall.search()
