"""Challenges: permitted opponents and terms, the states of an offer, and concurrent requests."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from engine.clock import DAY, MINUTE, SECOND, DelayMethod
from engine.rules import HYPERGAMMON
from engine.side import Side
from matches.bots import bots, minds
from matches.lobby import challenges, offers, visitors
from matches.models import Bot, Challenge, Habits, Match
from matches.models.challenges import Offer, WantedSide
from matches.play import match_lists, terms_validation
from matches.play.terms_validation import OwnClock, read_terms
from matches.state import commands
from matches.state.errors import BadTerms, NotAPlayer, Refused
from matches.state.status import Status
from matches.state.terms import Terms
from players.accounts import accounts, exports
from players.clubs import clubs
from players.models import Club, Player, User
from players.people import people as locking
from runtime.work import sweeps
from tests.clients import signed_in
from tests.matches.support import Table, club_terms, person
from tests.players.test_races import Meeting, at_once

pytestmark = pytest.mark.django_db

LIVE = read_terms(length=3, clock="club")
SLOW = read_terms(length=3, clock="correspondence")
UNTIMED = read_terms(length=3)


@pytest.fixture
def ann(db: None, now: datetime) -> Player:
    return person("Ann", now).player


@pytest.fixture
def ben(db: None, now: datetime) -> Player:
    return person("Ben", now).player


@pytest.fixture
def cleo(db: None, now: datetime) -> Player:
    return person("Cleo", now).player


@pytest.fixture
def club(ann: Player, now: datetime) -> Club:
    assert ann.user is not None
    return clubs.create(owner=ann.user, name="Bristol Backgammon", now=now)


def finished(challenge: Challenge, now: datetime) -> Match:
    """Return the challenge's match, given up by white."""
    table = Table.__new__(Table)
    table.match, table.now, table.given = challenge.match, now, 0
    table.white, table.black = challenge.match.white, challenge.match.black
    table.give(Side.WHITE, commands.Concede(), shares={})
    return table.row


# -- terms


def test_terms_are_made_of_plain_values() -> None:
    terms = read_terms(length=7, variant="hypergammon", cube=False, dead_cube="refused", clock="club")
    rules = terms.rules

    assert (rules.length, rules.start, rules.cube, rules.dead_cube) == (7, HYPERGAMMON, False, "refused")
    assert terms.clock == "club"
    assert terms.control.reserve == 14 * MINUTE
    assert read_terms(length=5).control is None
    endless = read_terms(length=0, jacoby=True, beavers=True, automatic_doubles=2).rules
    assert (endless.jacoby, endless.beavers, endless.automatic_doubles) == (True, True, 2)
    assert not endless.crawford


def test_a_clock_of_ones_own() -> None:
    days = read_terms(length=5, clock=OwnClock("simple", DAY, 3 * DAY))
    quick = read_terms(length=0, clock=OwnClock("fischer", 5 * MINUTE, 10 * SECOND))

    assert days.is_correspondence
    assert days.patience == 7 * DAY
    assert quick.control.timing is DelayMethod.FISCHER
    assert not quick.is_correspondence


@pytest.mark.parametrize(
    ("told", "fields"),
    [
        ({"length": 26}, {"length"}),
        ({"length": -1, "clock": "club"}, {"length"}),
        ({"length": 5, "jacoby": True, "beavers": True}, {"jacoby", "beavers"}),
        ({"length": 0, "automatic_doubles": 6}, {"automatic_doubles"}),
        ({"length": 0, "automatic_doubles": -1}, {"automatic_doubles"}),
        ({"length": 5, "variant": "tavli", "dead_cube": "maybe"}, {"variant", "dead_cube"}),
        ({"length": 0, "clock": "club"}, {"clock"}),
        ({"length": 5, "clock": "sundial"}, {"clock"}),
        ({"length": 5, "clock": OwnClock("sundial", MINUTE)}, {"clock"}),
        ({"length": 5, "clock": OwnClock("simple", 0, 9 * SECOND)}, {"clock"}),
        ({"length": 5, "clock": OwnClock("fischer", 9 * SECOND, MINUTE)}, {"clock"}),
        ({"length": 5, "clock": OwnClock("plain", MINUTE, SECOND)}, {"clock"}),
        ({"length": 5, "clock": OwnClock("simple", 31 * DAY)}, {"clock"}),
        ({"length": 5, "clock": OwnClock("simple", MINUTE, 15 * DAY)}, {"clock"}),
        ({"length": 5, "clock": OwnClock("simple", -1, MINUTE)}, {"clock"}),
    ],
)
def test_terms_nobody_can_play_by_are_refused_field_by_field(told: dict[str, Any], fields: set[str]) -> None:
    with pytest.raises(BadTerms) as refused:
        read_terms(**told)

    assert set(refused.value.context["fields"]) == fields
    assert all(sentence in str(refused.value) for sentence in refused.value.context["fields"].values())


# -- offering and accepting


def test_a_challenge_becomes_a_match(ann: Player, ben: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, side="black", now=now)
    accepted = challenges.accept(challenge_id=row.pk, player=ben, now=now + timedelta(minutes=1))
    again = challenges.accept(challenge_id=row.pk, player=ben, now=now + timedelta(days=9))

    match = accepted.match
    assert (match.white, match.black, match.club) == (ben, ann, None)
    assert match.status == Status.WAITING
    assert match.waits_until == match.deadline_at == now + timedelta(minutes=11)
    assert match.terms == LIVE.to_json()
    assert again.match == match
    assert Match.objects.count() == 1


@pytest.mark.parametrize("terms", [SLOW, UNTIMED])
def test_a_slow_match_waits_for_days(ann: Player, ben: Player, terms: Terms, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=terms, now=now)
    accepted = challenges.accept(challenge_id=row.pk, player=ben, now=now)

    assert row.expires_at == now + timedelta(days=7)
    assert accepted.match.waits_until == now + timedelta(days=7)


def test_an_open_seat_is_taken_by_whoever_comes(
    ann: Player, ben: Player, cleo: Player, now: datetime
) -> None:
    row = challenges.offer(challenger=ann, terms=LIVE, side="white", now=now)
    taken = challenges.accept(challenge_id=row.pk, player=cleo, now=now)

    assert row.expires_at == now + timedelta(minutes=30)
    assert (taken.opponent, taken.status) == (cleo, Offer.ACCEPTED)
    assert taken.match.white == ann
    with pytest.raises(Refused) as refused:
        challenges.accept(challenge_id=row.pk, player=ben, now=now)
    assert refused.value.code == "not-open"


@pytest.mark.long
def test_the_lot_gives_either_side(ann: Player, ben: Player, now: datetime) -> None:
    whites = set()
    for _ in range(40):
        row = challenges.offer(challenger=ann, opponent=ben, terms=UNTIMED, now=now)
        match = challenges.accept(challenge_id=row.pk, player=ben, now=now).match
        whites.add(match.white)
        Match.objects.filter(pk=match.pk).update(status=Status.VOID, finished_at=now, deadline_at=None)

    assert whites == {ann, ben}


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises((Refused, BadTerms)) as refused, transaction.atomic():
        act()
    return refused.value.code


def test_who_cannot_play_is_not_challenged(ann: Player, ben: Player, club: Club, now: datetime) -> None:
    assert ann.user is not None
    guest = clubs.add_guest(club=club, name="Guest", by=ann.user, now=now)
    ben.user.is_active = False
    ben.user.save()

    for opponent in (ann, guest, ben):
        with pytest.raises(BadTerms) as refused:
            challenges.offer(challenger=ann, opponent=opponent, terms=LIVE, now=now)
        assert set(refused.value.context["fields"]) == {"opponent"}


def test_a_hidden_player_is_challenged_by_members_of_their_clubs_only(
    ann: Player, ben: Player, cleo: Player, club: Club, now: datetime
) -> None:
    clubs.join(club=club, player=ben, now=now)
    Player.objects.filter(pk=ben.pk).update(hidden_from_search=True)

    assert challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now).opponent == ben
    with pytest.raises(BadTerms, match="cannot be challenged"):
        challenges.offer(challenger=cleo, opponent=ben, terms=LIVE, now=now)


def test_a_hidden_player_may_be_asked_for_a_rematch(
    played: Match, ann: Player, ben: Player, now: datetime
) -> None:
    Player.objects.filter(pk=ben.pk).update(hidden_from_search=True)

    assert challenges.request_rematch(match=played, player=ann, now=now).opponent == ben


def test_a_clubs_seat_is_for_its_members(
    ann: Player, ben: Player, cleo: Player, club: Club, now: datetime
) -> None:
    clubs.join(club=club, player=ben, now=now)
    row = challenges.offer(challenger=ann, club=club, terms=LIVE, now=now)

    assert list(offers.list_open_seats(ben, now=now)) == [row]
    assert list(offers.list_open_seats(cleo, now=now)) == []
    assert refusal(lambda: challenges.accept(challenge_id=row.pk, player=cleo, now=now)) == "not-a-member"
    assert (
        refusal(lambda: challenges.offer(challenger=cleo, club=club, terms=LIVE, now=now)) == "not-a-member"
    )
    named = lambda: challenges.offer(challenger=ann, opponent=cleo, club=club, terms=LIVE, now=now)  # noqa: E731
    assert refusal(named) == "not-a-member"
    match = challenges.accept(challenge_id=row.pk, player=ben, now=now).match
    assert match.club == club


def test_only_the_one_who_was_asked_may_answer(ann: Player, ben: Player, cleo: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)
    on = {"challenge_id": row.pk}

    assert refusal(lambda: challenges.accept(**on, player=cleo, now=now)) == "not-for-you"
    assert refusal(lambda: challenges.accept(**on, player=ann, now=now)) == "own-offer"
    assert refusal(lambda: challenges.decline(**on, player=cleo, now=now)) == "not-for-you"
    assert refusal(lambda: challenges.withdraw(**on, player=ben, now=now)) == "not-yours"
    assert challenges.decline(**on, player=ben, now=now).status == Offer.DECLINED
    assert challenges.decline(**on, player=ben, now=now).status == Offer.DECLINED
    assert refusal(lambda: challenges.accept(**on, player=ben, now=now)) == "not-open"
    assert refusal(lambda: challenges.withdraw(**on, player=ann, now=now)) == "not-open"


def test_an_offer_can_be_taken_back(ann: Player, ben: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)

    for _twice in range(2):
        assert challenges.withdraw(challenge_id=row.pk, player=ann, now=now).status == Offer.WITHDRAWN
    assert refusal(lambda: challenges.accept(challenge_id=row.pk, player=ben, now=now)) == "not-open"


def test_an_offer_ends_by_itself(ann: Player, ben: Player, now: datetime) -> None:
    seat = challenges.offer(challenger=ann, terms=LIVE, now=now)
    named = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)
    late = now + timedelta(minutes=30)

    assert refusal(lambda: challenges.accept(challenge_id=seat.pk, player=ben, now=late)) == "not-open"
    assert sweeps.run("matches.offers", now=late)
    assert list(Challenge.objects.values_list("status", flat=True).order_by("pk")) == ["expired", "open"]
    assert challenges.accept(challenge_id=named.pk, player=ben, now=late).match is not None


def test_who_sits_down_leaves_the_lobby(ann: Player, ben: Player, cleo: Player, now: datetime) -> None:
    first = challenges.offer(challenger=ann, terms=LIVE, now=now)
    second = challenges.offer(challenger=ann, terms=LIVE, now=now)
    slow = challenges.offer(challenger=ann, terms=SLOW, now=now)
    bens = challenges.offer(challenger=ben, terms=LIVE, now=now)

    challenges.accept(challenge_id=first.pk, player=ben, now=now)

    assert list(offers.list_open_seats(cleo, now=now)) == [slow]
    statuses = dict(Challenge.objects.values_list("pk", "status"))
    assert statuses == {
        first.pk: "accepted",
        second.pk: "withdrawn",
        slow.pk: "open",
        bens.pk: "withdrawn",
    }


# -- limits


def test_three_offers_at_a_time(ann: Player, ben: Player, now: datetime) -> None:
    rows = [challenges.offer(challenger=ann, terms=LIVE, now=now) for _ in range(challenges.MOST_OPEN)]

    assert refusal(lambda: challenges.offer(challenger=ann, terms=LIVE, now=now)) == "too-many-offers"
    challenges.withdraw(challenge_id=rows[0].pk, player=ann, now=now)
    challenges.offer(challenger=ann, terms=LIVE, now=now)
    challenges.offer(challenger=ann, terms=LIVE, now=now + timedelta(minutes=31))


def test_how_many_matches_somebody_may_have() -> None:
    assert (challenges.MOST_LIVE, challenges.MOST_SLOW) == (10, 30)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many matches as the server allows take seconds to begin."""
    monkeypatch.setattr(challenges, "MOST_LIVE", 2)
    monkeypatch.setattr(challenges, "MOST_SLOW", 4)


@pytest.mark.parametrize(("terms", "most"), [(LIVE, 2), (SLOW, 4), (UNTIMED, 4)])
def test_so_many_unfinished_matches(
    few: None, ann: Player, ben: Player, cleo: Player, now: datetime, terms: Terms, most: int
) -> None:
    bot = bots.get_practice_bot().player
    for _ in range(most):
        challenges.offer(challenger=ann, opponent=bot, terms=terms, now=now)
    offered = challenges.offer(challenger=ben, opponent=ann, terms=terms, now=now)

    assert refusal(lambda: challenges.offer(challenger=ann, terms=terms, now=now)) == "too-many-matches"
    assert (
        refusal(lambda: challenges.accept(challenge_id=offered.pk, player=ann, now=now)) == "too-many-matches"
    )
    # The bot has as many and takes more; those of the other kind are counted apart.
    challenges.offer(challenger=cleo, opponent=bot, terms=terms, now=now)
    challenges.offer(challenger=ann, opponent=bot, terms=SLOW if terms is LIVE else LIVE, now=now)


def test_one_may_not_take_a_seat_of_somebody_who_has_too_much_to_do(
    few: None, ann: Player, ben: Player, now: datetime
) -> None:
    seat = challenges.offer(challenger=ann, terms=UNTIMED, now=now)
    for _ in range(challenges.MOST_SLOW):
        challenges.offer(challenger=ann, opponent=bots.get_practice_bot().player, terms=UNTIMED, now=now)

    with pytest.raises(Refused, match="Ann has 4 unfinished matches"):
        challenges.accept(challenge_id=seat.pk, player=ben, now=now)
    assert Challenge.objects.get(pk=seat.pk).status == Offer.OPEN


# -- rematches


@pytest.fixture
def played(ann: Player, ben: Player, now: datetime) -> Match:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, side="white", now=now)
    return finished(challenges.accept(challenge_id=row.pk, player=ben, now=now), now)


def test_a_rematch_swaps_the_sides(played: Match, ann: Player, ben: Player, now: datetime) -> None:
    first = challenges.request_rematch(match=played, player=ann, now=now)
    again = challenges.request_rematch(match=played, player=ann, now=now)
    second = challenges.request_rematch(match=played, player=ben, now=now)
    late = challenges.request_rematch(match=played, player=ann, now=now)

    assert first.status == Offer.OPEN
    assert first == again == second == late
    match = second.match
    assert (match.white, match.black) == (ben, ann)
    assert match.terms == played.terms
    assert Match.objects.count() == 2


def test_a_rematch_that_was_not_wanted_may_be_offered_again(
    played: Match, ann: Player, ben: Player, now: datetime
) -> None:
    first = challenges.request_rematch(match=played, player=ann, now=now)
    challenges.decline(challenge_id=first.pk, player=ben, now=now)
    second = challenges.request_rematch(match=played, player=ben, now=now)
    third = challenges.request_rematch(match=played, player=ann, now=now + timedelta(days=2))

    assert len({first.pk, second.pk, third.pk}) == 3
    assert list(Challenge.objects.order_by("pk").values_list("status", flat=True))[1:] == [
        "declined",
        "expired",
        "open",
    ]


def test_what_has_no_rematch(ann: Player, ben: Player, cleo: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)
    running = challenges.accept(challenge_id=row.pk, player=ben, now=now).match
    assert running is not None
    nobodys = Table(now, players=(ann, ben))
    nobodys.give(Side.WHITE, commands.Concede(), shares={})

    for match in (running, nobodys.row):
        assert (
            refusal(lambda m=match: challenges.request_rematch(match=m, player=ann, now=now)) == "no-rematch"
        )
    with pytest.raises(NotAPlayer):
        challenges.request_rematch(match=running, player=cleo, now=now)


def test_there_is_no_chat_with_a_bot(browser: Client, ann: Player, now: datetime) -> None:
    bot = bots.get_practice_bot().player
    browser.post("/play/offer/", {"opponent": bot.key, "length": "1", "clock": "none"})
    post(browser, "challenges/", {"opponent": bot.key, "length": 3}, "some-key")
    visitors.begin_practice(player=ann, length=5, now=now)

    made = Match.objects.order_by("length").values_list("length", "terms__has_chat")
    assert list(made) == [(1, False), (3, False), (5, False)]


def test_a_bot_takes_its_revenge_at_once(ann: Player, now: datetime) -> None:
    row = challenges.offer(
        challenger=ann, opponent=bots.get_practice_bot().player, terms=LIVE, side="white", now=now
    )
    again = challenges.request_rematch(match=finished(row, now), player=ann, now=now)

    assert again.status == Offer.ACCEPTED
    assert again.match.black == ann


# -- who has left


def test_the_offers_of_somebody_who_left_are_closed(
    ann: Player, ben: Player, cleo: Player, now: datetime
) -> None:
    challenges.offer(challenger=ann, terms=LIVE, now=now)
    challenges.offer(challenger=ben, opponent=ann, terms=LIVE, now=now)
    challenges.offer(challenger=ben, opponent=cleo, terms=LIVE, now=now)
    assert ann.user is not None

    accounts.erase(user=ann.user, now=now)

    assert list(Challenge.objects.order_by("pk").values_list("status", flat=True)) == [
        "withdrawn",
        "withdrawn",
        "open",
    ]


def test_the_offers_of_an_inactive_account_cannot_be_accepted(
    ann: Player, ben: Player, now: datetime
) -> None:
    seat = challenges.offer(challenger=ann, terms=LIVE, now=now)
    asked = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)
    User.objects.filter(pk=ann.user_id).update(is_active=False)

    assert not offers.list_open_seats(ben, now=now)
    for row in (seat, asked):
        why = refusal(lambda pk=row.pk: challenges.accept(challenge_id=pk, player=ben, now=now))
        assert why == "not-open"
    assert challenges.join_or_open_seat(player=ben, terms=LIVE, now=now).challenger == ben


def test_ones_own_data_says_what_one_offered(ann: Player, ben: Player, now: datetime) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)
    challenges.accept(challenge_id=row.pk, player=ben, now=now)
    challenges.offer(challenger=ann, terms=LIVE, now=now)
    Habits.objects.create(player=ann, auto_play=True)
    assert ann.user is not None
    export = exports.request_export(user=ann.user, now=now)
    exports.write_export({"export_id": export.pk}, now=now)
    export.refresh_from_db()
    told = json.loads(bytes(export.content))

    assert [(each["opponent"], each["status"]) for each in told["challenges"]] == [
        (None, "open"),
        ("Ben", "accepted"),
    ]
    assert told["challenges"][1]["match"] == Match.objects.get().key
    assert told["habits"]["auto_play"] is True
    assert offers.export_habits(ben) == {}


# -- whose turn it is


def test_my_turn_lists_the_most_urgent_first(ann: Player, ben: Player, now: datetime) -> None:
    slow = Table(now, players=(ann, ben), agreed=club_terms(3, clock="correspondence"))
    untimed = Table(now + timedelta(hours=1), players=(ben, ann), agreed=club_terms(3, clock=None))
    older = Table(now, players=(ben, ann), agreed=club_terms(3, clock=None))
    live = Table(now + timedelta(hours=1), players=(ann, ben))
    for table in (slow, untimed, older, live):
        table.begin()
    over = Table(now, players=(ann, ben))
    over.give(Side.BLACK, commands.Concede(), shares={})
    both = {match.pk: match for match in Match.objects.filter(status=Status.LIVE)}
    found, other = match_lists.list_turns(ann), match_lists.list_turns(ben)

    assert {m.pk for m in (*found.mine, *found.theirs)} == set(both)
    assert found.mine == other.theirs
    assert found.theirs == other.mine
    order = [live.match, slow.match, older.match, untimed.match]
    for side in (found.mine, found.theirs):
        assert list(side) == sorted(side, key=order.index)
    assert {m.pk for m in found.saved} == {untimed.match.pk, older.match.pk}


@pytest.mark.long
def test_an_untimed_match_is_taken_up_again_after_a_year(ann: Player, ben: Player, now: datetime) -> None:
    table = Table(now, players=(ann, ben), agreed=club_terms(1, clock=None))
    table.begin()
    table.wait(days=365)
    for name in ("matches.offers", "matches.notices"):
        sweeps.run(name, now=table.now)

    assert match_lists.list_turns(ann).saved
    assert table.play_out().match.is_over


# -- the database itself


def test_the_database_refuses_an_accepted_offer_without_a_match(
    ann: Player, ben: Player, now: datetime
) -> None:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, now=now)

    for changes in ({"status": "accepted"}, {"status": "gone"}, {"opponent": ann}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Challenge.objects.filter(pk=row.pk).update(**changes)


# -- over HTTP


@pytest.fixture
def browser(ann: Player) -> Client:
    return signed_in(ann.user)


def other_browser(player: Player) -> Client:
    return signed_in(player.user)


def post(client: Client, path: str, body: dict[str, Any] | None = None, key: str = "") -> Any:
    headers = {"Idempotency-Key": key} if key else {}
    return client.post(f"/api/v1/{path}", body or {}, content_type="application/json", headers=headers)


def test_a_challenge_over_http(browser: Client, ann: Player, ben: Player) -> None:
    body = {"opponent": ben.key, "length": 5, "clock": "club", "rated": False, "side": "white"}
    made = post(browser, "challenges/", body, "first-key")
    again = post(browser, "challenges/", body, "first-key")
    other = post(browser, "challenges/", {**body, "length": 7}, "first-key")
    bens = other_browser(ben)

    assert made.status_code == again.status_code == 201
    assert made.json() == again.json()
    assert other.status_code == 422
    assert Challenge.objects.count() == 1
    key = made.json()["key"]
    assert [row["key"] for row in bens.get("/api/v1/challenges/").json()["results"]] == [key]
    accepted = post(bens, f"challenges/{key}/accept/")
    assert accepted.status_code == 200
    assert accepted.json()["status"] == "accepted"
    shown = browser.get(f"/api/v1/challenges/{key}/").json()
    assert shown["match"] == accepted.json()["match"]
    assert shown["terms"]["clock"] == "club"
    waiting = browser.get("/api/v1/turns/").json()
    assert waiting["count"] == 1
    assert waiting["mine"][0]["key"] == shown["match"]


def test_a_challenge_to_a_rated_match_is_refused(browser: Client, ben: Player) -> None:
    answer = post(browser, "challenges/", {"opponent": ben.key, "rated": True}, "first-key")

    assert (answer.status_code, answer.json()["code"]) == (400, "bad-terms")
    assert "friendly" in str(answer.json()["context"]["fields"]["rated"])
    assert not Challenge.objects.exists()


@pytest.mark.long
def test_the_lobby_over_http(browser: Client, ann: Player, ben: Player, cleo: Player) -> None:
    bens = other_browser(ben)
    own = {"timing": "fischer", "reserve": 300, "delay": 10}
    key = post(bens, "challenges/", {"length": 0, "jacoby": True, "own_clock": own}, "the-seat").json()["key"]

    assert [row["key"] for row in browser.get("/api/v1/challenges/?show=lobby").json()["results"]] == [key]
    assert browser.get("/api/v1/challenges/?show=mine").json()["results"] == []
    assert bens.get("/api/v1/challenges/?show=lobby").json()["results"] == []
    assert [r["key"] for r in bens.get("/api/v1/challenges/?show=mine").json()["results"]] == [key]
    assert browser.get("/api/v1/challenges/?show=all").status_code == 400
    assert browser.get("/api/v1/challenges/?status=lost").status_code == 400
    assert post(browser, f"challenges/{key}/accept/").status_code == 200
    late = post(other_browser(cleo), f"challenges/{key}/accept/")
    assert (late.status_code, late.json()["code"]) == (409, "not-open")
    assert other_browser(cleo).get(f"/api/v1/challenges/{key}/").status_code == 404
    assert browser.get("/api/v1/challenges/?status=accepted").json()["count"] == 1


def test_a_clubs_seat_over_http(browser: Client, ann: Player, ben: Player, club: Club) -> None:
    made = post(browser, "challenges/", {"club": club.slug, "length": 3}, "clubs-seat")

    assert made.status_code == 201
    assert made.json()["club"] == club.slug
    assert other_browser(ben).get("/api/v1/challenges/?show=lobby").json()["results"] == []


def test_declined_and_withdrawn_over_http(browser: Client, ann: Player, ben: Player) -> None:
    keys = [
        post(browser, "challenges/", {"opponent": ben.key}, f"challenge-{n}").json()["key"] for n in (1, 2)
    ]

    assert post(other_browser(ben), f"challenges/{keys[0]}/decline/").json()["status"] == "declined"
    assert post(browser, f"challenges/{keys[1]}/withdraw/").json()["status"] == "withdrawn"
    assert post(browser, "challenges/0000000000/withdraw/").status_code == 404


@pytest.mark.parametrize(
    ("body", "code", "fields"),
    [
        ({"length": "many"}, "invalid", {"length"}),
        ({"variant": "tavli"}, "invalid", {"variant"}),
        ({"own_clock": {"timing": "simple"}}, "invalid", {"own_clock"}),
        ({"length": 5, "jacoby": True}, "bad-terms", {"jacoby"}),
        ({"clock": "club", "own_clock": {"timing": "simple", "reserve": 300}}, "bad-terms", {"clock"}),
        ({"opponent": "nobody"}, "bad-terms", {"opponent"}),
        ({"club": "nowhere"}, "bad-terms", {"club"}),
    ],
)
def test_bad_offers_are_answered_with_their_fields(
    browser: Client, body: dict[str, Any], code: str, fields: set[str]
) -> None:
    answer = post(browser, "challenges/", body, "one-more-key")

    assert answer.status_code == 400
    assert answer.json()["code"] == code
    assert set(answer.json()["context"]["fields"]) == fields
    assert not Challenge.objects.exists()


def test_a_challenge_needs_a_key_of_its_own(browser: Client) -> None:
    assert post(browser, "challenges/", {"length": 3}).status_code == 400


def test_a_rematch_over_http(browser: Client, played: Match, ben: Player, cleo: Player) -> None:
    first = post(browser, f"matches/{played.key}/rematch/")
    second = post(other_browser(ben), f"matches/{played.key}/rematch/")

    assert (first.status_code, first.json()["match"]) == (200, None)
    assert second.json()["key"] == first.json()["key"]
    assert second.json()["match"]
    assert second.json()["rematch_of"] == played.key
    assert post(other_browser(cleo), f"matches/{played.key}/rematch/").status_code == 403


def test_habits_over_http(browser: Client, ann: Player) -> None:
    before = browser.get("/api/v1/habits/").json()
    changed = browser.patch(
        "/api/v1/habits/", {"auto_play": True, "mails_turn": True}, content_type="application/json"
    )
    wrong = browser.patch("/api/v1/habits/", {"auto_roll": "often"}, content_type="application/json")

    assert before == {
        "auto_roll": True,
        "auto_pass": True,
        "auto_play": False,
        "mails_turn": False,
        "mails_challenge": False,
        "mails_result": False,
        "mails_call": False,
    }
    assert changed.json() == {**before, "auto_play": True, "mails_turn": True}
    assert browser.get("/api/v1/habits/").json() == changed.json()
    assert Habits.objects.get().player == ann
    assert wrong.status_code == 400


def test_bots_are_listed_to_anyone() -> None:
    bot = bots.get_practice_bot()
    Bot.objects.create(player=Player.objects.create(name="Asleep"), slug="asleep", is_active=False)

    ours = {"key": bot.player.key, "name": minds.CLUB.player, "level": 4, "title": "Advanced", "pr": 6.5}
    assert Client().get("/api/v1/bots/").json() == [ours]


# -- two at the same moment (on PostgreSQL, where transactions run side by side)

races = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def real_rows() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL")


def people(now: datetime, *names: str) -> list[Player]:
    return [person(name, now).player for name in names]


def careless(row: Challenge, status: Offer, *, now: datetime, **changes: Any) -> None:
    """Write what one has just decided, without asking whether it still holds."""
    Challenge.objects.filter(pk=row.pk).update(
        status=status, **{k: v for k, v in changes.items() if v is not None}
    )


def take_at_once(now: datetime, seat: Challenge, players: list[Player]) -> list[Any]:
    def take(player: Player) -> object:
        return challenges.accept(challenge_id=seat.pk, player=player, now=now)

    return at_once(*(lambda p=p: tolerant(lambda: take(p)) for p in players))


def tolerant(act: Callable[[], object]) -> None:
    """Let one come too late."""
    try:
        act()
    except Refused as error:
        if error.code != "not-open":
            raise


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_without_the_guards_one_seat_seats_two(
    real_rows: None, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben, cleo = people(now, "Ann", "Ben", "Cleo")
    seat = challenges.offer(challenger=ann, terms=LIVE, now=now)
    monkeypatch.setattr(locking, "lock_players", lambda _: {})
    monkeypatch.setattr(challenges, "_close", careless)
    monkeypatch.setattr(challenges, "_require_open", Meeting().after(challenges._require_open))

    take_at_once(now, seat, [ben, cleo])

    assert Match.objects.count() == 2


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("guard", ["lock", "compare-and-set"])
def test_one_seat_seats_one(
    real_rows: None, now: datetime, monkeypatch: pytest.MonkeyPatch, guard: str
) -> None:
    """Either guard alone is enough."""
    ann, ben, cleo = people(now, "Ann", "Ben", "Cleo")
    seat = challenges.offer(challenger=ann, terms=LIVE, now=now)
    if guard == "lock":
        monkeypatch.setattr(challenges, "_close", careless)
    else:
        monkeypatch.setattr(locking, "lock_players", lambda _: {})
    monkeypatch.setattr(challenges, "_require_open", Meeting().after(challenges._require_open))

    take_at_once(now, seat, [ben, cleo])

    match = Match.objects.get()
    assert Challenge.objects.get().match == match
    assert match.white in {ann, Challenge.objects.get().opponent}


def rematch_at_once(now: datetime, played: Match, players: list[Player]) -> list[str]:
    outcomes: list[str] = []

    def press(player: Player) -> None:
        try:
            row = challenges.request_rematch(match=Match.objects.get(pk=played.pk), player=player, now=now)
            outcomes.append(row.status)
        except IntegrityError:
            outcomes.append("broken")

    at_once(*(lambda p=p: press(p) for p in players))
    return sorted(outcomes)


def just_played(now: datetime, ann: Player, ben: Player) -> Match:
    row = challenges.offer(challenger=ann, opponent=ben, terms=LIVE, side=WantedSide.WHITE, now=now)
    return finished(challenges.accept(challenge_id=row.pk, player=ben, now=now), now)


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_two_rematches_collide(
    real_rows: None, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = people(now, "Ann", "Ben")
    played = just_played(now, ann, ben)
    monkeypatch.setattr(locking, "lock_players", lambda _: {})
    monkeypatch.setattr(challenges, "_require_players", Meeting().after(challenges._require_players))

    assert rematch_at_once(now, played, [ann, ben]) == ["broken", "open"]


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_two_who_want_a_rematch_at_once_get_one(
    real_rows: None, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, ben = people(now, "Ann", "Ben")
    played = just_played(now, ann, ben)
    monkeypatch.setattr(locking, "lock_players", Meeting().before(locking.lock_players))

    assert rematch_at_once(now, played, [ann, ben]) == ["accepted", "open"]
    assert Match.objects.count() == 2
    assert Challenge.objects.filter(rematch_of=played).count() == 1


def test_the_bounds_of_own_clocks_are_said_in_the_sentence() -> None:
    with pytest.raises(BadTerms, match="30 days, and the delay at most 14"):
        read_terms(length=5, clock=OwnClock("simple", terms_validation.LONGEST_RESERVE + 1))


def test_an_account_without_a_player_row_is_no_player(client: Client, now: datetime) -> None:
    user: User = person("Dana", now)
    user.player.delete()
    client.force_login(user)

    assert client.get("/api/v1/turns/").status_code == 403
