"""Matches over the API: lists, snapshots, plays, frames, and restricted data."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from engine.formats import position_id
from engine.plays import legal_plays
from engine.side import Side
from matches.journal import live
from matches.lobby import visitors
from matches.models import Match
from matches.state import commands
from players.clubs import clubs
from players.models import Player, Role, User
from runtime.stream import tokens
from tests.matches.http import Bot, Caller
from tests.matches.support import Table, apply_frame, club_terms, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def users(db: None, now: datetime) -> tuple[User, User]:
    return person("Ann", now), person("Ben", now)


@pytest.fixture
def table(now: datetime, users: tuple[User, User]) -> Table:
    return Table(now, players=(users[0].player, users[1].player), agreed=club_terms(3, clock=None))


def keys(answer: dict[str, Any]) -> list[str]:
    return [row["key"] for row in answer["results"]]


# Lists


def test_matches_are_found_by_player_status_and_turn(
    now: datetime, users: tuple[User, User], table: Table
) -> None:
    cleo = person("Cleo", now)
    other = Table(now, players=(cleo.player, users[0].player), agreed=club_terms(1))
    for each in (table, other):
        each.wait(seconds=1)
    other.give(Side.WHITE, commands.Concede())
    ann, ben = Caller(users[0]), Caller(users[1])

    assert set(keys(ann.get("matches/"))) == {table.match.key, other.match.key}
    assert keys(ann.get("matches/?status=finished&player=me")) == [other.match.key]
    assert keys(ben.get("matches/", player="me")) == [table.match.key]
    assert keys(Caller(None).get("matches/", player=cleo.player.key)) == [other.match.key]
    assert keys(ann.get("matches/", due="me")) == [table.match.key]
    table.begin()
    side = table.state.owing[0]
    due = {Side.WHITE: ann, Side.BLACK: ben}
    assert keys(due[side].get("matches/", due="me")) == [table.match.key]
    assert keys(due[side.other].get("matches/", due="me")) == []
    assert keys(Caller(None).get("matches/", player="nobody")) == []


def test_a_hidden_players_matches_are_found_by_insiders(
    now: datetime, users: tuple[User, User], table: Table
) -> None:
    owner, guest = (
        person("Olga", now),
        Player.objects.create(name="Gus", created_at=now, hidden_from_search=True),
    )
    club = clubs.create(owner=owner, name="Here", now=now)
    clubs.join(club=club, player=users[0].player, now=now)
    Player.objects.filter(pk=users[0].player.pk).update(hidden_from_search=True)
    others = Table(now, players=(guest, users[1].player), agreed=club_terms(1)).match
    visitor = Caller(None)
    session = visitor.client.session
    visitors.load_visitor(session, address="127.0.0.1", now=now)
    session.save()

    for caller in (Caller(users[0]), Caller(owner)):
        assert keys(caller.get("matches/", player=users[0].player.key)) == [table.match.key]
    for caller in (Caller(users[1]), Caller(None), visitor):
        assert keys(caller.get("matches/", player=users[0].player.key)) == []
        assert keys(caller.get("matches/", player=guest.key)) == []
    assert set(keys(visitor.get("matches/", player=users[1].player.key))) == {table.match.key, others.key}


def test_a_merged_key_finds_the_players_matches(
    now: datetime, users: tuple[User, User], table: Table
) -> None:
    old = Player.objects.create(name="Old Ann", created_at=now, merged_into=users[0].player)

    assert keys(Caller(None).get("matches/", player=old.key)) == [table.match.key]


@pytest.mark.parametrize(
    ("query", "status"),
    [({"status": "lost"}, 400), ({"due": "you"}, 400), ({"player": "me"}, 401), ({"due": "me"}, 401)],
)
def test_a_filter_that_is_none_is_refused(table: Table, query: dict[str, str], status: int) -> None:
    assert Caller(None).client.get("/api/v1/matches/", query).status_code == status


def test_the_latest_is_on_top_and_lists_end(now: datetime, users: tuple[User, User]) -> None:
    players = (users[0].player, users[1].player)
    made = [Table(now, players=players, agreed=club_terms(1)).match for _ in range(3)]
    Match.objects.filter(pk=made[0].pk).update(moved_at=timezone.now())
    answer = Caller(None).get("matches/", page_size=2)
    assert answer["count"] == 3
    assert keys(answer) == [made[0].key, made[2].key]


def test_private_matches_are_listed_for_their_own(now: datetime, users: tuple[User, User]) -> None:
    owner, member = person("Olga", now), person("Mia", now)
    club = clubs.create(owner=owner, name="Here", now=now)
    clubs.join(club=club, player=member.player, now=now)
    table = Table(now, players=(users[0].player, users[1].player), is_private=True, club=club)
    staff = person("Sue", now)
    staff.is_superuser = True
    staff.save()
    insiders = [users[0], users[1], owner, staff]
    for user in (*insiders, member, None):
        caller = Caller(user)
        is_in = user in insiders
        assert keys(caller.get("matches/")) == ([table.match.key] if is_in else [])
        caller.get(f"matches/{table.match.key}/", status=200 if is_in else 404)
    clubs.set_role(club=club, player=member.player, role=Role.DIRECTOR, by=owner, now=now)
    assert keys(Caller(member).get("matches/")) == [table.match.key]


# Snapshots


def test_a_snapshot_is_what_live_says(table: Table, users: tuple[User, User]) -> None:
    table.begin()
    for caller in (Caller(users[0]), Caller(None)):
        told = caller.get(f"matches/{table.match.key}/")
        assert told["snapshot"] == json.loads(json.dumps(live.build_snapshot(table.state)))
        positions = tokens.verify_token(told["live"]["token"]).positions
        assert positions[live.get_topic(table.match.key)] == told["snapshot"]["head"]
        assert told["terms"] == table.match.terms
        assert told["players"]["white"] == {"key": table.white.key, "name": "Ann"}


def test_plays_are_those_of_the_rules_with_the_boards_they_lead_to(
    table: Table, users: tuple[User, User]
) -> None:
    table.begin()
    game = table.state.match.game
    side, dice = game.turn, game.dice
    assert dice is not None
    told = Bot(users[side], table.match.key).look()["plays"]
    anyone = Caller(None).get(f"matches/{table.match.key}/plays/")
    assert anyone["plays"] == told
    assert (anyone["side"], anyone["dice"], anyone["head"]) == (side.word, str(dice), table.row.head)
    wanted = legal_plays(game.board, side, dice)
    assert [(each["play"], each["steps"]) for each in told] == [
        (play.notation, [list(step) for step in play.steps]) for play in wanted
    ]
    for each, play in zip(told, wanted, strict=True):
        assert position_id.decode(each["position"], side.other) == play.board
        assert each["hits"] == list(play.hits)
    assert Bot(users[side.other], table.match.key).look()["plays"] is None


def test_before_the_roll_there_are_no_plays(table: Table) -> None:
    told = Caller(None).get(f"matches/{table.match.key}/plays/")
    assert told["plays"] is None
    assert told["dice"] is None


# Frames


@pytest.mark.long
def test_frames_lead_from_any_line_to_the_snapshot(
    monkeypatch: pytest.MonkeyPatch, table: Table, users: tuple[User, User]
) -> None:
    monkeypatch.setattr("matches.play.play_api.FRAMES_A_PAGE", 15)
    caller, key = Caller(None), table.match.key
    early = caller.get(f"matches/{key}/")["snapshot"]
    table.begin()
    for _ in range(20):
        table.act()
    if not table.state.match.is_over:
        table.give(Side.WHITE, commands.Concede())
    late = caller.get(f"matches/{key}/")["snapshot"]
    assert late["head"] > 30
    for shown in (early, None):
        seen, after = shown, shown["head"] if shown else 0
        while True:
            page = caller.get(f"matches/{key}/journal/", after=after)
            assert page["head"] == late["head"]
            assert len(page["frames"]) <= 15
            for frame in page["frames"]:
                assert frame["line"]["seq"] == after + 1
                after += 1
                empty = {"results": [], "dice_set": {}}
                seen = apply_frame(seen or empty, frame)
            if not page["more"]:
                break
        assert seen == late
    assert caller.get(f"matches/{key}/journal/", after=late["head"])["frames"] == []
    assert caller.get(f"matches/{key}/journal/", after=late["head"] + 7)["frames"] == []


def test_the_answers_frames_are_those_of_the_journal(table: Table, users: tuple[User, User]) -> None:
    table.begin()
    bot = Bot(users[table.state.owing[0]], table.match.key)
    seen = bot.look()
    answer = bot.give(seen["snapshot"]["head"], {"type": "move", "steps": seen["plays"][0]["steps"]})
    page = bot.get(f"matches/{table.match.key}/journal/", after=seen["snapshot"]["head"])
    assert page["frames"] == answer["frames"]
    assert bot.look()["snapshot"]["head"] == answer["head"]


@pytest.mark.parametrize("after", ["-1", "x", "1e3", "9" * 12, "\u0661", "1.5", ""])
def test_a_line_is_a_number(table: Table, after: str) -> None:
    answer = Caller(None).client.get(f"/api/v1/matches/{table.match.key}/journal/", {"after": after})
    assert answer.status_code == 400
    assert "after" in json.loads(answer.content)["context"]["fields"]


# Files


@pytest.mark.parametrize("name", ["record.mat", "record.sgf", "record.json", "dice.json", "journal.json"])
def test_files_are_there_when_it_is_over(table: Table, users: tuple[User, User], name: str) -> None:
    table.begin()
    path = f"/api/v1/matches/{table.match.key}/{name}"
    client = Caller(None).client
    answer = client.get(path, headers={"Accept": "text/plain"})
    assert answer.status_code == 409
    assert json.loads(answer.content)["code"] == "not-finished"
    table.give(Side.WHITE, commands.Concede())
    answer = client.get(path, headers={"Accept": "image/png"})
    assert answer.status_code == 200
    assert answer.content
    assert table.match.key in answer["Content-Disposition"]
    assert client.get("/api/v1/matches/nosuchkey0/record.mat").status_code == 404
    assert client.post(path).status_code == 405


def test_a_void_match_has_files_too(table: Table) -> None:
    from engine.actions import VoidedMatch
    from tests.matches.watch.test_exports import direct

    direct(table, VoidedMatch("nobody came"))
    for name in ("record.mat", "record.sgf", "record.json", "dice.json", "journal.json"):
        assert Caller(None).client.get(f"/api/v1/matches/{table.match.key}/{name}").status_code == 200


def test_a_list_keeps_its_order_and_its_filter(now: datetime, users: tuple[User, User]) -> None:
    players = (users[0].player, users[1].player)
    agreed = club_terms(3, clock=None)
    tables = [Table(now - timedelta(hours=hours), players=players, agreed=agreed) for hours in (3, 2, 1)]
    for each in tables[:2]:
        each.begin()
    tables[0].now = now
    tables[0].act()
    caller = Caller(users[0])

    assert keys(caller.get("matches/")) == [tables[n].match.key for n in (0, 2, 1)]
    assert keys(caller.get("matches/?status=live&player=me")) == [tables[n].match.key for n in (0, 1)]
    assert keys(caller.get("matches/?status=waiting")) == [tables[2].match.key]


# A play that may or may not be


def test_a_play_is_judged_without_being_played(table: Table, users: tuple[User, User]) -> None:
    table.begin()
    game, head = table.state.match.game, table.row.head
    assert game.turn is not None
    assert game.dice is not None
    legal = legal_plays(game.board, game.turn, game.dice)[0]
    path = f"matches/{table.match.key}/judge/"
    for caller in (Caller(users[0]), Caller(None)):
        told = caller.get(path, play=legal.notation)
        assert (told["play"], told["steps"]) == (legal.notation, [list(step) for step in legal.steps])

    refused = Caller(None).get(path, play="24/24", status=409)
    assert (refused["code"], refused["context"]["rule"]) == ("backwards", "R17")
    assert refused["help"] == "/help/rules/#R17"
    assert refused["context"]["nearest"]
    assert Caller(None).get(path, play="no play", status=409)["code"] == "unread-play"
    assert "play" in Caller(None).get(path, status=400)["context"]["fields"]
    assert table.row.head == head


def test_without_dice_there_is_nothing_to_judge(table: Table) -> None:
    told = Caller(None).get(f"matches/{table.match.key}/judge/", play="8/5", status=409)
    assert (told["code"], told["help"]) == ("play-without-dice", "/help/rules/#R11")
