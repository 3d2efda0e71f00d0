"""The archive: each match is filed once, found by permitted viewers, and its facts are counted."""

from __future__ import annotations

import pickle
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from engine.actions import RuledGame
from engine.board import STANDARD
from engine.formats import json_record
from engine.record import Record
from engine.rules import Rules
from engine.side import WHITE, BySide
from engine.verdict import judge
from players.models import Club, User
from records.archive import archive, archiving, match_summaries, openings, positions, sightings
from records.archive.archive import Search
from records.models import ArchivedGame, ArchivedMatch, ArchivedPositions, ArchivedSide, PositionIndex
from records.submissions import archive_filing, submissions
from records.submissions.submissions import SentFile
from runtime.work import sweeps
from tests.deliveries import deliver
from tests.records.conftest import CLEAN, WRONG

pytestmark = pytest.mark.django_db


@pytest.fixture
def filed(club: Club, otis: User, now: datetime) -> ArchivedMatch:
    """An accepted record beside a rejected one, with its facts read."""
    sent = [SentFile("final.mat", CLEAN), SentFile("semi.mat", WRONG)]
    submissions.hand_in(club=club, by=otis, files=sent, now=now)
    deliver(now)
    list(archiving.fill_archive())
    return ArchivedMatch.objects.get()


def test_the_day_in_a_record_is_a_day_of_its_club(club: Club, otis: User, now: datetime) -> None:
    club.time_zone = "Pacific/Auckland"
    club.save(update_fields=["time_zone"])
    dated = b'; [EventDate "2026.11.22"]\n' + CLEAN
    submissions.hand_in(club=club, by=otis, files=[SentFile("final.mat", dated)], now=now)
    deliver(now)
    list(archiving.fill_archive())

    played_at = ArchivedMatch.objects.get().played_at
    assert f"{timezone.localtime(played_at, ZoneInfo(club.time_zone)):%d.%m. %H:%M}" == "22.11. 12:00"


def names(user: User | AnonymousUser, **asked: object) -> list[tuple[str, str]]:
    return [
        archive.build_line(row).names
        for row in archive.load_relations(archive.search_matches(user, Search(**asked)))
    ]


def test_a_record_that_stands_is_filed_as_soon_as_it_is_judged(club: Club, otis: User, now: datetime) -> None:
    submissions.hand_in(club=club, by=otis, files=[SentFile("final.mat", CLEAN)], now=now)
    deliver(now)
    row = ArchivedMatch.objects.get()
    assert (row.length, row.white_score, row.black_score, row.winner) == (5, 2, 5, 1)
    assert (row.is_read, row.has_facts) == (False, False)


@pytest.mark.long
def test_members_find_it_by_name_length_score_and_ending_and_others_do_not(
    filed: ArchivedMatch, otis: User, stranger: User
) -> None:
    both = [("Ada", "Bo")]
    for asked in (
        {},
        {"player": "ada"},
        {"player": "BO", "opponent": "Ada"},
        {"length": 5},
        {"score": (5, 2)},
        {"ending": filed.ending},
        {"since": filed.played_at.date(), "until": filed.played_at.date()},
    ):
        assert names(otis, **asked) == both, asked
    for asked in (
        {"player": "otis"},
        {"player": "ada", "opponent": "greta"},
        {"player": "ada", "opponent": "ad"},
        {"length": 7},
        {"score": (5, 3)},
        {"ending": "flag"},
        {"event": "open"},
        {"since": filed.played_at.date() + timedelta(days=1)},
    ):
        assert names(otis, **asked) == [], asked
    assert names(stranger) == names(AnonymousUser()) == []


@pytest.mark.parametrize("typed", ["5-2", " 5 : 2 ", "5\x1c-\u20292"])
def test_a_score_is_read_whatever_spaces_it_has(typed: str) -> None:
    form = archive.ArchiveForm({"score": typed})

    assert form.is_valid()
    assert form.search().score == (5, 2)


def test_its_facts_are_those_of_the_record(filed: ArchivedMatch) -> None:
    verdict = judge(CLEAN)[0]
    games = list(ArchivedGame.objects.order_by("number").values_list("winner", "points", "kind", "how"))
    assert games == [(game.winner, game.points, game.kind, game.how.value) for game in verdict.games]
    for side, tally in enumerate(verdict.statistics.sides):
        row = ArchivedSide.objects.get(side=side)
        assert (row.rolls, row.hits, row.dances) == (tally.rolls, tally.hits, tally.dances)
    words = [turn.word for turn in verdict.statistics.cube]
    told = ArchivedSide.objects.values_list("doubled", "took", "dropped")
    assert [sum(column) for column in zip(*told, strict=True)] == [
        words.count("double"), words.count("take"), words.count("drop")
    ]  # fmt: skip
    assert filed.ending == verdict.games[-1].how.value


# A lone surrogate is not a character.
HALF = rb"""Transcription of a match to 5 points
White: Ann
Black: Ben
Tag: ["Event", "A\ud800"]

Game
W 31: 8/5 6/5
B 21: 13/11 6/5
B Resigns the match
"""


def ruled(points: int, event: str) -> SentFile:
    """A record of a match that a director gave to White."""
    actions = (RuledGame(WHITE, points),)
    record = Record(BySide("Cy", "Di"), Rules(length=5), actions, tags=(("Event", event),))
    return SentFile(f"{event[0]}.json", json_record.write(record))


def test_what_a_database_cannot_store_is_replaced(club: Club, otis: User, now: datetime) -> None:
    """Half a character and NUL in a text, a number of more than four bytes, and a name too long for an index."""
    long = "".join(map(chr, range(0x4E00, 0x4E00 + 3000)))
    sent = [SentFile("a.txt", HALF), ruled(3_000_000_000, "B\0"), ruled(2, long)]
    submissions.hand_in(club=club, by=otis, files=sent, now=now)
    deliver(now)
    list(archiving.fill_archive())

    assert list(ArchivedMatch.objects.order_by("pk").values_list("has_facts", "event_name__name")) == [
        (True, "A?"), (True, "B\N{REPLACEMENT CHARACTER}"), (True, long[: archive_filing.LONGEST_NAME])
    ]  # fmt: skip
    assert ArchivedGame.objects.filter(points=match_summaries.MOST_POINTS).count() == 1


def test_a_match_whose_facts_cannot_be_stored_does_not_stop_the_others(
    club: Club, otis: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_summaries, "make_storable", lambda value: value)
    sent = [SentFile("a.txt", HALF), SentFile("final.mat", CLEAN)]
    submissions.hand_in(club=club, by=otis, files=sent, now=now)
    deliver(now)
    list(archiving.fill_archive())

    read = ArchivedMatch.objects.order_by("pk").values_list("is_read", "has_facts")
    assert list(read) == [(True, False), (True, True)]
    assert ArchivedGame.objects.exclude(archived__has_facts=True).count() == 0
    assert not any(rows.exists() for rows in archiving.query_due(now))


@pytest.mark.long
def test_every_position_of_it_is_found_and_no_other(filed: ArchivedMatch, otis: User, stranger: User) -> None:
    packed = bytes(ArchivedPositions.objects.get().packed)
    boards = {
        sightings.build_key(moment.before.game.board, moment.action.side)
        for chapter in judge(CLEAN)[0].record.chapters()
        for moment in chapter.moments
        if type(moment.action).__name__ == "Rolled"
    }
    assert boards <= sightings.list_keys(packed)
    assert PositionIndex.objects.count() == len(sightings.list_keys(packed))
    for position in boards:
        (found,) = positions.find_occurrences(otis, position).rows
        assert found.line.names == ("Ada", "Bo")
        assert found.sightings
    assert positions.find_occurrences(otis, bytes(10)).rows == ()
    assert positions.find_occurrences(stranger, boards.pop()).rows == ()


def test_the_first_position_says_its_game_and_roll(filed: ArchivedMatch, otis: User) -> None:
    (found,) = positions.find_occurrences(otis, sightings.build_key(STANDARD, WHITE)).rows
    games = ArchivedGame.objects.count()
    assert [(each.game, each.roll) for each in found.sightings] == [(game, 1) for game in range(1, games + 1)]


def test_what_shares_a_number_and_is_another_position_is_not_found(filed: ArchivedMatch, otis: User) -> None:
    other = b"\1" * 10
    PositionIndex.objects.create(pk=sightings.build_entry(other, filed.pk))
    assert positions.list_owners(other) == [filed.pk]
    assert positions.find_occurrences(otis, other).rows == ()


@pytest.mark.long
def test_openings_say_what_was_played_and_how_it_went(
    filed: ArchivedMatch, otis: User, stranger: User
) -> None:
    found = [play for roll in openings.ROLLS for play in openings.list_plays(otis, roll)]
    games = list(ArchivedGame.objects.exclude(roll=None))
    assert sum(each.games for each in found) == len(games) > 0
    assert sum(each.won for each in found) == sum(game.winner == game.opener for game in games)
    assert sum(each.points for each in found) == sum(
        game.points if game.winner == game.opener else -game.points for game in games
    )
    assert not any(openings.list_plays(stranger, roll) for roll in openings.ROLLS)


def test_filed_and_read_twice_it_is_there_once(filed: ArchivedMatch) -> None:
    before = (PositionIndex.objects.count(), ArchivedGame.objects.count())
    ArchivedMatch.objects.update(is_read=False)
    list(archiving.fill_archive())
    assert (PositionIndex.objects.count(), ArchivedGame.objects.count()) == before
    assert ArchivedMatch.objects.count() == 1
    archiving.delete_archive()
    assert not PositionIndex.objects.exists()
    list(archiving.fill_archive())
    assert (PositionIndex.objects.count(), ArchivedGame.objects.count()) == before


def test_the_sweep_has_nothing_to_do_when_all_is_filed(filed: ArchivedMatch, now: datetime) -> None:
    assert not any(rows.exists() for rows in archiving.query_due(now))
    assert archiving.sweep(now) == 0
    ArchivedMatch.objects.all().delete()
    archive_filing.delete_marks()
    assert any(rows.exists() for rows in archiving.query_due(now))


def test_a_turn_that_takes_long_goes_on_in_the_next(
    filed: ArchivedMatch, club: Club, otis: User, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    submissions.hand_in(club=club, by=otis, files=[SentFile("again.mat", CLEAN + b"\n")], now=now)
    deliver(now)
    list(archiving.fill_archive())
    assert ArchivedMatch.objects.update(is_read=False) == 2
    monkeypatch.setattr(sweeps, "SLICE", 0.0)
    for left in (1, 0):
        assert archiving.sweep(now) == 1
        assert ArchivedMatch.objects.filter(is_read=False).count() == left


def test_a_file_is_read_in_another_process_as_here(filed: ArchivedMatch) -> None:
    read = match_summaries.read_file(bytes(filed.record.file.content), filed.record.number)
    assert read is not None
    assert pickle.loads(pickle.dumps(read)) == read


@pytest.mark.long
def test_pages_and_programs_say_the_same(filed: ArchivedMatch, otis: User, client: Client) -> None:
    client.force_login(otis)
    assert b"Ada" in client.get("/archive/?player=ada").content
    assert b"Ada" not in client.get("/archive/?player=nobody").content
    (told,) = client.get("/api/v1/archive/matches/?player=ada").json()["results"]
    assert [side["name"] for side in told["sides"]] == ["Ada", "Bo"]
    assert client.get(told["url"]).status_code == 200
    assert client.get("/archive/positions/?position=4HPwATDgc/ABMA").context["found"].rows
    assert client.get("/api/v1/archive/positions/?position=4HPwATDgc/ABMA").json()["matches"]
    assert client.get("/api/v1/archive/positions/?position=nonsense").status_code == 400
    roll = ArchivedGame.objects.exclude(roll=None).values_list("roll", flat=True).first()
    assert client.get(f"/archive/openings/?roll={roll}").context["games"] > 0
    assert client.get(f"/api/v1/archive/openings/?roll={roll}").json()["plays"]
    assert client.get("/api/v1/archive/openings/?roll=33").status_code == 400
    # Who names no roll is shown one that was played.
    ArchivedGame.objects.exclude(roll=None).update(roll=64)
    assert client.get("/archive/openings/").context["roll"] == 64
    client.logout()
    assert client.get("/api/v1/archive/matches/").json()["results"] == []
    assert client.get(told["url"]).status_code == 404
