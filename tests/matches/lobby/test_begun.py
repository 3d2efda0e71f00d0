"""The challenger is notified at once when a match begins; a rematch is agreed on at the board."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.side import Side
from matches.bots import bots
from matches.lobby import challenges, offers
from matches.models import Challenge, Match
from matches.play.terms_validation import read_terms
from matches.state import commands
from players.accounts import accounts
from players.models import Player
from runtime.models import TopicEvent
from runtime.work import sweeps
from tests.clients import signed_in
from tests.matches.support import Table, person

pytestmark = pytest.mark.django_db

LIVE = read_terms(length=3, clock="club")


@pytest.fixture
def ann(db: None, now: datetime) -> Player:
    return person("Ann", now).player


@pytest.fixture
def ben(db: None, now: datetime) -> Player:
    return person("Ben", now).player


def heard(player: Player, name: str) -> list[Any]:
    """The data of the events published on this player's user topic."""
    events = TopicEvent.objects.filter(topic=f"user.{player.user_id}", name=name).order_by("seq")
    return list(events.values_list("data", flat=True))


def played(ann: Player, ben: Player, now: datetime) -> Match:
    """Two have played a match that they agreed on, and it is over."""
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, side="white", now=now)
    taken = challenges.accept(challenge_id=row.pk, player=ben, now=now)
    assert taken.match is not None
    table = at(taken.match, now)
    table.give(Side.WHITE, commands.Concede(), shares={})
    return table.row


def at(match: Match, now: datetime) -> Table:
    table = Table.__new__(Table)
    table.match, table.now, table.given = match, now, 0
    table.white, table.black = match.white, match.black
    return table


def test_whoever_offered_hears_that_the_match_begins(ann: Player, ben: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)
    assert heard(ann, "match-begins") == []
    match = challenges.accept(challenge_id=row.pk, player=ben, now=now).match
    challenges.accept(challenge_id=row.pk, player=ben, now=now)

    assert heard(ann, "match-begins") == [{"match": match.key, "opponent": "Ben"}]
    assert heard(ben, "match-begins") == []


def test_a_seat_that_is_taken_is_told_to_whoever_opened_it(ann: Player, ben: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, terms=LIVE, now=now)
    challenges.accept(challenge_id=row.pk, player=ben, now=now)

    assert [told["opponent"] for told in heard(ann, "match-begins")] == ["Ben"]


def test_a_bot_that_accepts_is_no_news(ann: Player, now: datetime) -> None:
    challenges.offer(challenger=ann, opponent=bots.get_practice_bot().player, terms=LIVE, now=now)

    assert heard(ann, "match-begins") == []
    assert not offers.list_unjoined(ann).exists()


def test_who_was_away_is_told_until_they_have_come(ann: Player, ben: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, side="white", now=now)
    assert not offers.list_unjoined(ann).exists()
    match = challenges.accept(challenge_id=row.pk, player=ben, now=now).match
    assert match is not None

    assert [each.match for each in offers.list_unjoined(ann)] == [match]
    assert not offers.list_unjoined(ben).exists()
    # The page commits to its dice as soon as it shows the board.
    at(match, now).give(Side.WHITE, commands.Promise(words="here I am"), shares={})
    assert not offers.list_unjoined(ann).exists()


def test_every_change_of_a_rematch_is_told_to_both(ann: Player, ben: Player, now: datetime) -> None:
    match = played(ann, ben, now)
    first = challenges.request_rematch(match=match, player=ann, now=now)
    assert [heard(each, "rematch") for each in (ann, ben)] == [[{"match": match.key}]] * 2
    challenges.decline(challenge_id=first.pk, player=ben, now=now)
    second = challenges.request_rematch(match=match, player=ben, now=now)
    challenges.withdraw(challenge_id=second.pk, player=ben, now=now)
    assert [len(heard(each, "rematch")) for each in (ann, ben)] == [4, 4]
    ignored = challenges.request_rematch(match=match, player=ben, now=now)
    assert sweeps.run("matches.offers", now=ignored.expires_at)
    assert [len(heard(each, "rematch")) for each in (ann, ben)] == [6, 6]

    third = challenges.request_rematch(match=match, player=ben, now=now)
    challenges.request_rematch(match=match, player=ann, now=now)
    third.refresh_from_db()
    assert heard(ben, "match-begins")[-1] == {"match": third.match.key, "opponent": "Ann"}


def test_a_rematch_with_a_player_who_deletes_the_account_is_told_to_the_other(
    ann: Player, ben: Player, now: datetime
) -> None:
    challenges.request_rematch(match=played(ann, ben, now), player=ann, now=now)
    assert len(heard(ben, "rematch")) == 1
    assert ann.user is not None
    accounts.erase(user=ann.user, now=now)
    assert len(heard(ben, "rematch")) == 2


def test_how_it_stands_with_a_rematch_over_http(ann: Player, ben: Player, now: datetime) -> None:
    match = played(ann, ben, now)
    browser, stranger = Client(), Client()
    browser.force_login(ann.user)
    stranger.force_login(person("Cleo", now))
    address = f"/api/v1/matches/{match.key}/rematch/"
    assert browser.get(address).json() == {"offer": None}

    # The address goes by the real watch.
    row = challenges.request_rematch(match=match, player=ben, now=timezone.now())
    found = browser.get(address).json()["offer"]
    assert (found["key"], found["status"], found["challenger"]["name"]) == (row.key, "open", "Ben")
    assert stranger.get(address).status_code == 403
    assert Client().get(address).status_code == 401

    accepted = browser.post(f"/api/v1/challenges/{row.key}/accept/").json()
    assert browser.get(address).json()["offer"]["match"] == accepted["match"]
    assert Challenge.objects.filter(rematch_of=match).count() == 1


def test_what_has_begun_over_http(ann: Player, ben: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)
    challenges.accept(challenge_id=row.pk, player=ben, now=now)
    browser = signed_in(ann.user)

    found = browser.get("/api/v1/challenges/begun/").json()
    assert [each["opponent"]["name"] for each in found] == ["Ben"]
    browser.force_login(ben.user)
    assert browser.get("/api/v1/challenges/begun/").json() == []
