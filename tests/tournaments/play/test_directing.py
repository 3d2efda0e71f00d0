"""What directors do: admitting, starting, results, second thoughts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from players.clubs import clubs
from players.errors import InvalidText
from players.models import Club, Player, User
from runtime.models import TopicEvent
from runtime.stream.events import load_heads
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_rows
from tournaments.base.errors import (
    AlreadyDone,
    EventFull,
    NotAMember,
    NotDirector,
    NoWinner,
    PlacesMissing,
    PlacesSkip,
    ReasonNeeded,
    TooFewEntries,
    UnknownEntrant,
    WrongStatus,
)
from tournaments.models import Entry, Ruling, RulingKind, Tournament
from tournaments.play import directing
from tournaments.play.inspection import find_problems
from tournaments.status import Status


def test_the_director_enters_whoever_is_there(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(players=(otis,))
    keys = [otis.player.key, runa.player.key]

    assert directing.admit_members(tournament_id=made.pk, player_keys=keys, by=greta, now=now) == 1
    assert directing.admit_members(tournament_id=made.pk, player_keys=keys, by=greta, now=now) == 0

    assert made.rulings.get(act=RulingKind.ADMITTED).data == {"players": [runa.player.key]}


def test_however_long_the_list_it_costs_the_same_and_the_club_hears_of_it_once(
    event: Callable[..., Tournament], club: Club, greta: User, now: datetime
) -> None:
    costs = []
    for count in (2, 12):
        made = event()
        before = load_heads([f"club.{club.slug}"])[f"club.{club.slug}"]
        with CaptureQueriesContext(connection) as asked:
            names = [f"Guest {count} {number}" for number in range(count)]
            directing.admit_named(tournament_id=made.pk, names=names, by=greta, now=now)
        costs.append(len(asked))
        news = TopicEvent.objects.filter(topic=f"club.{club.slug}", seq__gt=before)
        assert [one.name for one in news.order_by("seq")] == ["members", "changed"]
        assert made.entries.count() == count

    assert costs[0] == costs[1]


def test_a_list_of_which_one_line_is_wrong_takes_nobody_in(
    event: Callable[..., Tournament], club: Club, greta: User, now: datetime
) -> None:
    before = club.memberships.count()
    with pytest.raises(InvalidText):
        directing.admit_named(tournament_id=event().pk, names=["Ann", "x" * 81], by=greta, now=now)
    assert club.memberships.count() == before


def test_matches_before_the_draw_are_found(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    assert list(find_problems(desk.event)) == []
    desk.event.status = Status.PUBLISHED
    assert list(find_problems(desk.event)) == [f"{desk.event.key}: matches before the draw"]


def test_of_an_event_that_has_not_begun_only_what_can_be_there_is_read(
    desk: Desk, django_assert_num_queries: Callable[[int], Any]
) -> None:
    desk.announce(a_plan("single-elimination"), 4)
    with django_assert_num_queries(2):
        rows = event_rows.load_rows(desk.event)
    assert ([one.number for one in rows.entries], rows.pairings, rows.byes) == ([1, 2, 3, 4], [], [])


def test_a_guest_who_comes_again_is_the_same_guest(
    event: Callable[..., Tournament], greta: User, now: datetime
) -> None:
    first, second = event(), event()

    came = directing.admit_guest(tournament_id=first.pk, name="Uncle  Bob", by=greta, now=now)
    again = directing.admit_guest(tournament_id=second.pk, name="uncle bob", by=greta, now=now)

    assert came == again
    assert came.name == "Uncle Bob"
    assert Player.objects.filter(user__isnull=True).count() == 1


def test_all_or_none_of_those_who_were_ticked(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, stranger: User, now: datetime
) -> None:
    made = event(capacity=2)

    with pytest.raises(NotAMember):
        directing.admit_members(
            tournament_id=made.pk, player_keys=[otis.player.key, stranger.player.key], by=greta, now=now
        )
    with pytest.raises(EventFull):
        directing.admit_members(
            tournament_id=made.pk,
            player_keys=[otis.player.key, runa.player.key, greta.player.key],
            by=greta,
            now=now,
        )

    assert not made.entries.exists()
    assert not made.rulings.filter(act=RulingKind.ADMITTED).exists()


def test_a_player_is_taken_out_and_may_come_back(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.RUNNING, players=(otis, runa))

    directing.withdraw_player(
        tournament_id=made.pk, player_key=otis.player.key, by=greta, now=now, reason=" Ill" + "!" * 300
    )
    directing.withdraw_player(tournament_id=made.pk, player_key=otis.player.key, by=greta, now=now)
    assert made.rulings.get(act=RulingKind.REMOVED).reason == "Ill" + "!" * 297
    assert Entry.objects.get(tournament=made, player=otis.player).withdrawn_at == now

    directing.admit_members(tournament_id=made.pk, player_keys=[otis.player.key], by=greta, now=now)
    assert Entry.objects.get(tournament=made, player=otis.player).withdrawn_at is None


def test_nobody_starts_alone(
    event: Callable[..., Tournament], greta: User, otis: User, now: datetime
) -> None:
    with pytest.raises(TooFewEntries):
        directing.start_event(tournament_id=event(players=(otis,)).pk, by=greta, now=now)


@pytest.mark.parametrize(
    ("status", "refusal"),
    [
        (Status.DRAFT, WrongStatus),
        (Status.RUNNING, AlreadyDone),
        (Status.FINISHED, WrongStatus),
        (Status.CANCELLED, WrongStatus),
    ],
)
def test_what_cannot_start(
    event: Callable[..., Tournament],
    greta: User,
    otis: User,
    runa: User,
    now: datetime,
    status: Status,
    refusal: type[Exception],
) -> None:
    made = event(status, players=() if status is Status.DRAFT else (otis, runa))

    with pytest.raises(refusal):
        directing.start_event(tournament_id=made.pk, by=greta, now=now)


def test_a_result_with_shared_places(
    event: Callable[..., Tournament],
    member: Callable[[str], User],
    greta: User,
    otis: User,
    runa: User,
    now: datetime,
) -> None:
    third, fourth, late = member("Tess Oak"), member("Udo Klar"), member("Vera Lund")
    made = event(Status.RUNNING, players=(otis, runa, third, fourth, late))
    keys = [user.player.key for user in (otis, runa, third, fourth, late)]
    places = dict(zip(keys, (1, 2, 3, 3, None), strict=True))

    with pytest.raises(PlacesSkip, match=r"After place 3 comes place 5, not 4"):
        directing.record_finish(tournament_id=made.pk, places={**places, keys[4]: 4}, by=greta, now=now)
    directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)

    made.refresh_from_db()
    assert (made.status, made.finished_at) == (Status.FINISHED, now)
    assert {entry.player.key: entry.place for entry in made.entries.all()} == places
    assert made.rulings.get(act=RulingKind.FINISHED).data == {"places": places}
    with pytest.raises(AlreadyDone):
        directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
    with pytest.raises(WrongStatus):
        directing.record_finish(tournament_id=made.pk, places={**places, keys[4]: 5}, by=greta, now=now)


@pytest.mark.parametrize(
    ("places", "refusal"),
    [
        ({"otis": 1}, PlacesMissing),
        ({"otis": 1, "runa": 2, "nobody": 3}, UnknownEntrant),
        ({"otis": None, "runa": None}, NoWinner),
        ({"otis": 2, "runa": 3}, NoWinner),
        ({"otis": 1, "runa": 3}, PlacesSkip),
    ],
)
def test_an_order_that_does_not_add_up_changes_nothing(
    event: Callable[..., Tournament],
    greta: User,
    otis: User,
    runa: User,
    now: datetime,
    places: dict[str, int | None],
    refusal: type[Exception],
) -> None:
    made = event(Status.RUNNING, players=(otis, runa))
    keys = {"otis": otis.player.key, "runa": runa.player.key}

    with pytest.raises(refusal):
        directing.record_finish(
            tournament_id=made.pk,
            places={keys.get(name, name): place for name, place in places.items()},
            by=greta,
            now=now,
        )

    made.refresh_from_db()
    assert made.status == Status.RUNNING
    assert not made.entries.filter(place__isnull=False).exists()


def test_a_result_is_reopened_with_a_reason_and_keeps_its_places_to_mend(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(Status.FINISHED, players=(otis, runa))

    with pytest.raises(ReasonNeeded):
        directing.reopen_event(tournament_id=made.pk, reason="  ", by=greta, now=now)
    directing.reopen_event(tournament_id=made.pk, reason="Swapped the finalists", by=greta, now=now)

    made.refresh_from_db()
    assert (made.status, made.finished_at) == (Status.RUNNING, None)
    assert made.entries.get(player=otis.player).place == 1
    ruling = made.rulings.get(act=RulingKind.REOPENED)
    assert ruling.data == {"was": "FINISHED", "places": {otis.player.key: 1, runa.player.key: 2}}


@pytest.mark.parametrize("was", [Status.PUBLISHED, Status.RUNNING])
def test_a_cancellation_is_taken_back_to_where_it_was(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime, was: Status
) -> None:
    made = event(was, players=(otis, runa))
    directing.cancel_event(tournament_id=made.pk, reason="No heating", by=greta, now=now)

    directing.reopen_event(tournament_id=made.pk, reason="It is warm again", by=greta, now=now)

    made.refresh_from_db()
    assert made.status == was


@pytest.mark.parametrize("status", [Status.DRAFT, Status.PUBLISHED, Status.RUNNING])
def test_there_is_nothing_to_reopen(
    event: Callable[..., Tournament], greta: User, otis: User, runa: User, now: datetime, status: Status
) -> None:
    made = event(status, players=() if status is Status.DRAFT else (otis, runa))

    with pytest.raises(WrongStatus):
        directing.reopen_event(tournament_id=made.pk, reason="Why not", by=greta, now=now)


def test_members_and_directors_of_other_clubs_direct_nothing(
    event: Callable[..., Tournament], otis: User, runa: User, stranger: User, now: datetime
) -> None:
    clubs.create(owner=stranger, name="Elsewhere", now=now)
    made = event(Status.RUNNING, players=(otis, runa))
    pk = made.pk
    for user in (otis, stranger):
        for act in (
            lambda by: directing.start_event(tournament_id=pk, by=by, now=now),
            lambda by: directing.admit_members(tournament_id=pk, player_keys=[], by=by, now=now),
            lambda by: directing.admit_guest(tournament_id=pk, name="Bob", by=by, now=now),
            lambda by: directing.withdraw_player(tournament_id=pk, player_key="x", by=by, now=now),
            lambda by: directing.record_finish(tournament_id=pk, places={}, by=by, now=now),
            lambda by: directing.cancel_event(tournament_id=pk, reason="x", by=by, now=now),
            lambda by: directing.reopen_event(tournament_id=pk, reason="x", by=by, now=now),
        ):
            with pytest.raises(NotDirector):
                act(user)


# What the database refuses by itself


@pytest.mark.parametrize(
    "columns",
    [
        {"status": "PAUSED"},
        {"status": "FINISHED"},
        {"status": "RUNNING"},
        {"match_length": 0},
        {"match_length": 26},
        {"capacity": 1},
    ],
)
def test_the_database_refuses_an_impossible_event(
    event: Callable[..., Tournament], columns: dict[str, object]
) -> None:
    made = event()

    with pytest.raises(IntegrityError), transaction.atomic():
        Tournament.objects.filter(pk=made.pk).update(**columns)


def test_the_database_refuses_an_impossible_entry(
    event: Callable[..., Tournament], otis: User, now: datetime
) -> None:
    made = event(players=(otis,))
    entry = made.entries.get()

    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.create(tournament=made, player=otis.player, entered_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.filter(pk=entry.pk).update(place=0)
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.filter(pk=entry.pk).update(place=1, withdrawn_at=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Ruling.objects.create(tournament=made, act=RulingKind.CANCELLED, reason="", at=now)
