"""Entering and withdrawing; the last place goes to one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import connection, connections
from django.db.models import Q

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Club, Player, User
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.errors import (
    EntriesClosed,
    EventFull,
    NotAMember,
    NotEntered,
    PlayerGone,
    TournamentError,
)
from tournaments.models import Entry, Leaving, Pairing, PairingState, Tournament
from tournaments.plan import drawing
from tournaments.play import changes, corrections, directing, entering, event_control
from tournaments.status import Status


def names_in(event: Tournament) -> list[str]:
    entries = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True)
    return sorted(entries.values_list("player__name", flat=True))


def test_a_member_enters_and_withdraws(event: Callable[..., Tournament], otis: User, now: datetime) -> None:
    made = event()

    entering.enter_own_player(tournament_id=made.pk, user=otis, now=now)
    entering.enter_own_player(tournament_id=made.pk, user=otis, now=now)
    assert names_in(made) == ["Otis Fenn"]

    entering.cancel_entry(tournament_id=made.pk, user=otis, now=now)
    entering.cancel_entry(tournament_id=made.pk, user=otis, now=now)
    assert names_in(made) == []

    entering.enter_own_player(tournament_id=made.pk, user=otis, now=now)
    assert names_in(made) == ["Otis Fenn"]
    assert Entry.objects.count() == 1


def test_only_members_enter(event: Callable[..., Tournament], stranger: User, now: datetime) -> None:
    with pytest.raises(NotAMember):
        entering.enter_own_player(tournament_id=event().pk, user=stranger, now=now)


@pytest.mark.parametrize("status", [Status.DRAFT, Status.RUNNING, Status.FINISHED, Status.CANCELLED])
def test_players_enter_by_themselves_only_before_the_start(
    event: Callable[..., Tournament],
    otis: User,
    runa: User,
    director: User,
    now: datetime,
    status: Status,
) -> None:
    made = event(status, players=() if status is Status.DRAFT else (otis, runa))

    with pytest.raises(EntriesClosed):
        entering.enter_own_player(tournament_id=made.pk, user=director, now=now)
    with pytest.raises(EntriesClosed):
        entering.cancel_entry(tournament_id=made.pk, user=otis, now=now)


def test_who_never_entered_cannot_withdraw(
    event: Callable[..., Tournament], otis: User, now: datetime
) -> None:
    with pytest.raises(NotEntered, match="Otis Fenn"):
        entering.cancel_entry(tournament_id=event().pk, user=otis, now=now)


def test_a_full_event_takes_nobody_until_somebody_goes(
    event: Callable[..., Tournament], otis: User, runa: User, director: User, now: datetime
) -> None:
    made = event(players=(otis, runa), capacity=2)

    with pytest.raises(EventFull, match="2"):
        entering.enter_own_player(tournament_id=made.pk, user=director, now=now)
    # Entering again is idempotent.
    entering.enter_own_player(tournament_id=made.pk, user=otis, now=now)

    entering.cancel_entry(tournament_id=made.pk, user=otis, now=now)
    entering.enter_own_player(tournament_id=made.pk, user=director, now=now)
    with pytest.raises(EventFull):
        entering.enter_own_player(tournament_id=made.pk, user=otis, now=now)
    assert names_in(made) == ["Pavel Dorn", "Runa Vik"]


def test_a_merged_player_is_entered_no_more(
    event: Callable[..., Tournament], club: Club, greta: User, otis: User, now: datetime
) -> None:
    made = event()
    guest = clubs.add_guest(club=club, name="O. Fenn", by=greta, now=now)
    merging.merge_guest(kept=otis.player, dropped=guest, by=greta, now=now)

    with pytest.raises(PlayerGone):
        entering.seat_players(made, [Player.objects.get(pk=guest.pk)], now=now)


def test_who_leaves_for_good_frees_the_place(
    event: Callable[..., Tournament], otis: User, runa: User, now: datetime
) -> None:
    ahead, over = event(players=(otis, runa)), event(Status.FINISHED, players=(otis, runa))

    accounts.erase(user=otis, now=now)

    assert names_in(ahead) == ["Runa Vik"]
    assert Entry.objects.get(tournament=over, place=1).player.erased_at == now


@pytest.mark.parametrize("way", ["before the draw", "cancelled", "ended early"])
def test_who_leaves_for_good_while_the_event_is_over_is_not_in_it_when_it_is_reopened(
    desk: Desk, otis: User, way: str
) -> None:
    desk.announce(a_plan("single-elimination"), players=3)
    clubs.join(club=desk.club, player=otis.player, now=desk.now)
    entering.enter_own_player(tournament_id=desk.pk, user=otis, now=desk.now)
    if way != "before the draw":
        desk.do(drawing.publish)
    end = event_control.end_event_early if way == "ended early" else directing.cancel_event
    desk.do(end, reason="No room")

    accounts.erase(user=otis, now=desk.now)
    desk.do(directing.reopen_event, reason="A room")

    entry = Entry.objects.get(tournament=desk.event, player__erased_at__isnull=False)
    assert entry.withdrawn_at or entry.left
    assert not Pairing.objects.filter(Q(a=entry) | Q(b=entry), state=PairingState.READY).exists()


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("way", ["a correction", "an end taken back", "a round more"])
def test_who_leaves_for_good_is_not_in_an_event_that_an_act_opens_again(
    desk: Desk, otis: User, way: str
) -> None:
    desk.announce(a_plan("swiss", rounds=1), players=3)
    clubs.join(club=desk.club, player=otis.player, now=desk.now)
    entering.enter_own_player(tournament_id=desk.pk, user=otis, now=desk.now)
    desk.do(drawing.publish)
    mine = Entry.objects.get(tournament=desk.event, player=otis.player)
    if way == "an end taken back":
        desk.do(event_control.end_event_early, reason="No room")
    else:
        desk.play_out()
    accounts.erase(user=otis, now=desk.now)
    before = desk.image()

    if way == "a correction":
        [other] = desk.event.pairings.exclude(Q(a=mine) | Q(b=mine))
        desk.do(corrections.correct_result, key=other.key, kind="", reason="To be played")
    elif way == "an end taken back":
        desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="A room")
    else:
        desk.do(event_control.add_round)

    mine.refresh_from_db()
    assert desk.fresh().status == Status.RUNNING
    assert mine.left == Leaving.NOW
    assert not Pairing.objects.filter(Q(a=mine) | Q(b=mine), state=PairingState.READY).exists()
    if way != "an end taken back":
        desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="A slip")
        assert desk.image() == before


def crowd_in(event: Tournament, users: list[User], now: datetime) -> list[str]:
    """Let all users enter themselves at the same moment, and return their messages."""
    gate = threading.Barrier(len(users))
    told: list[str] = []

    def press(user: User) -> None:
        try:
            gate.wait(10)
            entering.enter_own_player(tournament_id=event.pk, user=user, now=now)
        except TournamentError as refusal:
            told.append(refusal.code)
        except Exception as error:
            told.append(type(error).__name__)
        else:
            told.append("in")
        finally:
            connections.close_all()

    threads = [threading.Thread(target=press, args=(user,)) for user in users]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return sorted(told)


@pytest.mark.django_db(transaction=True)
def test_of_eight_at_once_two_get_the_two_places(
    event: Callable[..., Tournament], member: Callable[[str], User], now: datetime
) -> None:
    made = event(capacity=2)
    users = [member(f"Racer {letter}") for letter in "ABCDEFGH"]

    told = crowd_in(made, users, now)

    assert told == ["event_full"] * 6 + ["in"] * 2
    assert len(names_in(made)) == 2


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_without_the_lock_they_get_into_each_others_way(
    event: Callable[..., Tournament],
    member: Callable[[str], User],
    now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite's writers stand in line anyway")
    made = event(capacity=2)
    users = [member(f"Racer {letter}") for letter in "ABCD"]
    counted = threading.Barrier(len(users))
    honest = entering._count_places

    def decide_together(event: Tournament, newcomers: int, *, playing: int, waiting: int) -> int:
        counted.wait(10)
        return honest(event, newcomers, playing=playing, waiting=waiting)

    monkeypatch.setattr(
        changes, "lock_event", lambda pk: Tournament.objects.select_related("club").get(pk=pk)
    )
    monkeypatch.setattr(entering, "_count_places", decide_together)

    told = crowd_in(made, users, now)

    # Each took the event for empty: too many get in, or the number that two of them took is refused by the database.
    assert set(told) <= {"in", "IntegrityError"}
    assert told.count("in") > 2 or "IntegrityError" in told


@pytest.mark.django_db(transaction=True)
def test_two_who_start_at_once_start_it_once(
    event: Callable[..., Tournament], greta: User, director: User, otis: User, runa: User, now: datetime
) -> None:
    made = event(players=(otis, runa))
    gate = threading.Barrier(2)
    told: list[str] = []

    def press(user: User) -> None:
        try:
            gate.wait(10)
            directing.start_event(tournament_id=made.pk, by=user, now=now)
            told.append("started")
        except TournamentError as refusal:
            told.append(refusal.code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=press, args=(user,)) for user in (greta, director)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(told) == ["already_done", "started"]
    assert made.rulings.filter(act="STARTED").count() == 1


def test_compare_and_set_holds_even_without_the_lock(
    event: Callable[..., Tournament], otis: User, runa: User, greta: User, now: datetime
) -> None:
    stale = event(players=(otis, runa))
    directing.start_event(tournament_id=stale.pk, by=greta, now=now)

    with pytest.raises(TournamentError) as refusal:
        changes.change_status(stale, Status.PUBLISHED, Status.CANCELLED, now=now)

    assert refusal.value.code == "wrong_status"
    assert Tournament.objects.get(pk=stale.pk).status == Status.RUNNING
