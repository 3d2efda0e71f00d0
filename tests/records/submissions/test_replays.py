"""An accepted record can be replayed by everyone who may see its verdict; a rejected one cannot."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client

from engine import formats
from engine.actions import Played
from engine.verdict import judge
from matches.journal import replays as shared
from matches.watch.score_sheet import format_play
from players.models import Club, User
from records.models import RecordMatch, Submission
from records.submissions import replays, submissions
from records.submissions.submissions import SentFile
from tests.deliveries import deliver
from tests.engine import selfplay
from tests.records.conftest import CLEAN, WRONG


@pytest.fixture
def sent(club: Club, otis: User, now: datetime) -> dict[str, Submission]:
    """A record without fault and one with a fault, judged."""
    files = [SentFile("clean.mat", CLEAN), SentFile("wrong.mat", WRONG)]
    rows = submissions.hand_in(club=club, by=otis, files=files, now=now)
    deliver(now)
    return {row.name: row for row in rows}


def verdict(row: Submission) -> str:
    return f"/records/{row.club.slug}/{row.key}/"


def replay(row: Submission, more: str = "") -> str:
    return f"{verdict(row)}1/replay/{more}"


def test_a_verdict_leads_to_the_replay_of_the_facts(
    client: Client, otis: User, sent: dict[str, Submission]
) -> None:
    row = sent["clean.mat"]
    client.force_login(otis)
    assert f'href="{replay(row)}"' in client.get(verdict(row)).content.decode()
    page = client.get(replay(row)).content.decode()

    [found] = judge(CLEAN)
    facts = shared.load_record_replay(found.record)
    assert [entry.action for entry in facts.entries] == [
        entry.action for entry in replays.load_replay(RecordMatch.objects.get(file=row.file)).entries
    ]
    for entry in facts.entries:
        assert f'id="move-{entry.key}"' in page
        if isinstance(entry.action, Played) and entry.action.steps:
            assert format_play(entry.situation.board, entry.action.side, entry.action.steps) in page
    assert 'id="snippet"' not in page, "a record is nobody else's"


def test_a_record_that_was_rejected_has_no_facts(
    client: Client, otis: User, sent: dict[str, Submission]
) -> None:
    row = sent["wrong.mat"]
    client.force_login(otis)

    assert "/replay/" not in client.get(verdict(row)).content.decode()
    assert client.get(replay(row)).status_code == 404
    assert client.get(f"{verdict(row)}1/record.mat").status_code == 404


def test_it_is_shown_to_those_who_see_the_verdict(
    client: Client, owner: User, stranger: User, sent: dict[str, Submission]
) -> None:
    row = sent["clean.mat"]
    assert client.get(replay(row)).status_code == 302
    for user, status in ((owner, 200), (stranger, 404)):
        client.force_login(user)
        assert client.get(replay(row)).status_code == status
        assert client.get(f"{verdict(row)}1/record.mat").status_code == status
    assert client.get(f"{verdict(row)}2/replay/").status_code == 404


@pytest.mark.parametrize("name", ["mat", "sgf", "json"])
def test_the_facts_can_be_taken_home(
    client: Client, otis: User, sent: dict[str, Submission], name: str
) -> None:
    row = sent["clean.mat"]
    client.force_login(otis)
    answer = client.get(f"{verdict(row)}1/record.{name}")

    assert answer["Content-Disposition"].endswith(f'.{name}"')
    [there] = judge(answer.content)
    [here] = judge(CLEAN)
    assert there.is_accepted
    assert there.record.digest() == here.record.digest()
    assert formats.write(here.record, name)
    assert client.get(f"{verdict(row)}1/record.exe").status_code == 404


def test_a_verdict_tells_no_points_beyond_the_length(
    client: Client, club: Club, otis: User, now: datetime
) -> None:
    """R55: a gammon in a match to 1 is one point."""
    record = selfplay.match(0, 1)
    assert record.replay().score.black == 2
    file = SentFile("gammon.mat", formats.write(record, "mat"))
    [row] = submissions.hand_in(club=club, by=otis, files=[file], now=now)
    deliver(now)
    client.force_login(otis)
    page = " ".join(client.get(verdict(row)).content.decode().split())
    assert f'{record.players.white} <span class="nowrap">0\N{EN DASH}1</span> {record.players.black}' in page
