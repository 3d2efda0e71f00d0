"""Latecomers after the start wait for the desk, which gives them a free place or says why it cannot."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.http import HttpResponse
from django.test import Client

from draw.openings import ROUNDS
from players.clubs import clubs
from players.models import Notice, Player, User
from tests.clients import signed_in
from tests.matches.http import Caller
from tests.tournaments.desk.test_helpers import anna
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import event_view
from tournaments.base.errors import (
    AlreadyDone,
    EntriesClosed,
    HasLeft,
    NoPlaceFree,
    NotDirector,
    NotEntered,
    TurnedAway,
    UnknownEntrant,
)
from tournaments.base.settings import Settings
from tournaments.models import DoorAnswer, DoorRequest, Entry, PairingState, Ruling, RulingKind, Tournament
from tournaments.pages import door_requests as selectors
from tournaments.plan import drawing
from tournaments.play import arrivals, corrections, departures, directing, door, entering, openings

pytestmark = pytest.mark.django_db
CHECKS_IN = Settings(needs_check_in=True)


@pytest.fixture
def late(desk: Desk, sign_up: Any) -> User:
    """A member who has entered and is not there when the event begins."""
    user: User = sign_up("Ada Okafor")
    clubs.join(club=desk.club, player=user.player, now=desk.now)
    return user


def begin(desk: Desk, user: User, form: str = "swiss", players: int = 6, **more: Any) -> Entry:
    """Start without a person; return their entry, which is out."""
    desk.announce(a_plan(form, settings=CHECKS_IN, **more), players)
    entering.enter_own_player(tournament_id=desk.pk, user=user, now=desk.now)
    here = list(range(1, players + 1))
    desk.do(entering.check_in_entries, entries=here)
    desk.do(drawing.publish)
    entry = Entry.objects.get(tournament=desk.event, player=user.player)
    assert entry.withdrawn_at is not None
    return entry


def come(desk: Desk, user: User) -> Entry | DoorRequest:
    return door.check_in(tournament_id=desk.pk, user=user, now=desk.now)


def page(window: Client, desk: Desk, name: str = "event") -> str:
    return " ".join(text(window.get(url(name, desk.event.key))).split())


def answered() -> DoorRequest:
    return DoorRequest.objects.get()


@pytest.mark.long
def test_who_comes_late_waits_is_let_in_and_plays_the_next_round(desk: Desk, late: User) -> None:
    entry = begin(desk, late, rounds=3)
    window, director = signed_in(late), signed_in(desk.director)
    assert "You were not here at the start." in page(window, desk)

    for _ in range(2):
        window.post(url("check_in", desk.event.key))
    row = answered()
    assert row.player_key == late.player.key
    assert "The desk knows that you are here." in page(window, desk)
    for where in ("desk", "roster"):
        shown = page(director, desk, where)
        assert "Ada Okafor" in shown
        assert "From round 2 on" in shown

    said = {"request": row.key, "player": "", "place": ROUNDS, "back": "desk"}
    assert director.post(url("let_in", desk.event.key), said)["Location"] == url("desk", desk.event.key)
    entry.refresh_from_db()
    assert (entry.withdrawn_at, entry.arrived) == (None, 2)
    assert answered().answer == DoorAnswer.IN
    assert "Your next match will be set" in page(window, desk)
    assert Notice.objects.filter(user=late, text__startswith="You are in").count() == 1
    desk.play_out()
    assert desk.entry(entry.number).place is not None


@pytest.mark.long
@pytest.mark.share
def test_a_round_with_a_bye_is_missed_like_any_other(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=3), 5)
    for row in desk.open():
        desk.play(row.key)
    assert desk.row("r2.bye").state == PairingState.BYE

    assert desk.do(arrivals.enter_latecomer, name="Gia Moreau").arrived == 3


def test_in_the_last_round_with_a_bye_nobody_comes_late(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=2), 5)
    for row in desk.open():
        desk.play(row.key)
    assert desk.row("r2.bye").state == PairingState.BYE

    with pytest.raises(NoPlaceFree):
        desk.do(arrivals.enter_latecomer, name="Gia Moreau")


def test_who_is_put_on_the_waiting_list_is_told_so(desk: Desk, late: User) -> None:
    begin(desk, late, "single-elimination", 8)
    come(desk, late)

    desk.do(door.accept_request, request_key=answered().key, player_key="", place=openings.WAIT)

    (told,) = Notice.objects.filter(user=late, dedupe_key__contains=".door.").values_list("text", flat=True)
    assert told == "You are on the waiting list: Thursday."


@pytest.mark.long
def test_where_nothing_is_free_they_go_on_waiting(desk: Desk, late: User) -> None:
    begin(desk, late, "single-elimination", 8)
    come(desk, late)

    assert [
        place for place, _words in selectors.list_latecomer_places(event_view.load_view(desk.fresh()))
    ] == [openings.WAIT]
    with pytest.raises(NoPlaceFree):
        desk.do(door.accept_request, request_key=answered().key, player_key="")
    assert answered().answer == DoorAnswer.OPEN

    desk.do(door.accept_request, request_key=answered().key, player_key="", place=openings.WAIT)
    assert Entry.objects.get(player=late.player).waits
    assert "You are on the waiting list." in page(signed_in(late), desk)


@pytest.mark.parametrize("said", ["Every place is taken tonight.", "  ", "x" * 300])
def test_the_desk_refuses_with_a_sentence(desk: Desk, late: User, said: str) -> None:
    begin(desk, late, "single-elimination", 4)
    come(desk, late)
    director, window = signed_in(desk.director), signed_in(late)

    director.post(url("turn_away", desk.event.key), {"request": answered().key, "said": said})

    shown = said.strip()[:200]
    assert answered().said == shown
    assert f"The desk could not let you in. {shown or 'Please ask there.'}" in page(window, desk)
    notice = Notice.objects.get(user=late, text__contains="could not let you in")
    assert shown in notice.text
    with pytest.raises(TurnedAway) as refusal:
        come(desk, late)
    assert shown in str(refusal.value)
    assert DoorRequest.objects.count() == 1


@pytest.mark.long
@pytest.mark.share
def test_the_page_of_late_entries_answers_the_door_too(desk: Desk, late: User) -> None:
    begin(desk, late, rounds=3)
    come(desk, late)
    desk.do(arrivals.enter_latecomer, player_key=late.player.key)
    assert answered().answer == DoorAnswer.IN

    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="went home again")
    # They are not in any more, and may say again that they are here.
    assert "You were not here at the start." in page(signed_in(late), desk)
    come(desk, late)
    assert DoorRequest.objects.filter(answer=DoorAnswer.OPEN).count() == 1


@pytest.mark.long
def test_a_guest_is_let_in_by_name_or_in_somebody_s_place(desk: Desk, late: User) -> None:
    begin(desk, late, "single-elimination", 4)
    row = desk.do(door.note_latecomer, name="Cy Moss")
    shown = signed_in(desk.director).get(url("desk", desk.event.key)).content.decode()
    assert f"{url('act', desk.event.key, 'late-entry')}?name=Cy+Moss" in shown
    form = signed_in(desk.director).get(url("act", desk.event.key, "late-entry") + "?name=Cy+Moss")
    assert 'value="Cy Moss"' in form.content.decode()

    gone = next(iter(desk.pairs().values()))[0]
    desk.do(arrivals.substitute_player, entry=gone, name="cy  Moss", reason="has to leave")
    row.refresh_from_db()
    assert row.answer == DoorAnswer.IN
    assert desk.entry(gone).player == Player.objects.get(name="cy Moss")


def test_who_is_in_has_nothing_to_wait_for(desk: Desk, late: User) -> None:
    desk.announce(a_plan("swiss", rounds=3), 5)
    entering.enter_own_player(tournament_id=desk.pk, user=late, now=desk.now)
    desk.do(drawing.publish)
    assert Entry.objects.get(player=late.player).checked_in_at is None

    assert isinstance(come(desk, late), Entry)

    assert Entry.objects.get(player=late.player).checked_in_at == desk.now
    assert not DoorRequest.objects.exists()


def test_who_is_not_awaited_is_told_why(desk: Desk, late: User, sign_up: Any) -> None:
    entry = begin(desk, late, rounds=3)
    stranger = sign_up("Xi Lu")
    with pytest.raises(NotEntered):
        come(desk, stranger)
    assert "You were not here" not in page(signed_in(stranger), desk)
    assert "You were not here" not in page(Client(), desk)

    desk.do(arrivals.enter_latecomer, player_key=late.player.key)
    desk.do(departures.withdraw_entry, entry=entry.number)
    with pytest.raises(HasLeft):
        come(desk, late)
    Tournament.objects.filter(pk=desk.pk).update(status="CANCELLED")
    with pytest.raises(EntriesClosed):
        come(desk, late)


@pytest.mark.long
def test_a_helper_notes_a_latecomer_and_places_nobody(
    desk: Desk, late: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = begin(desk, late, rounds=3)
    monkeypatch.setattr("django.utils.timezone.now", lambda: desk.now)
    who, phone = anna(desk), Client()
    session = phone.session
    session["helping"] = {desk.event.key: who.helper_id}
    session.save()
    assert "Ada Okafor" in page(phone, desk, "helping")

    def noted(**said: object) -> HttpResponse:
        return phone.post(url("note_latecomer", desk.event.key), said, follow=True)

    assert "Noted: they wait for the director." in text(noted(entry=entry.number))
    noted(name="Cy Moss")
    noted(name=" ")
    assert DoorRequest.objects.count() == 2
    assert [row.name for row in selectors.list_open_requests(desk.event)] == ["Ada Okafor", "Cy Moss"]
    assert Ruling.objects.filter(act=RulingKind.NOTED_LATE, helper__name="Anna").count() == 2
    assert "Ada Okafor" not in page(phone, desk, "helping")
    with pytest.raises(NotDirector):
        door.accept_request(
            tournament_id=desk.pk, request_key=answered_key(), player_key="", by=who, now=desk.now
        )  # type: ignore[arg-type]
    with pytest.raises(UnknownEntrant):
        door.note_latecomer(tournament_id=desk.pk, by=who, now=desk.now, entry=99)
    with pytest.raises(AlreadyDone):
        door.note_latecomer(tournament_id=desk.pk, by=who, now=desk.now, entry=1)


def answered_key() -> str:
    row = DoorRequest.objects.first()
    return row.key


def test_only_players_left_out_by_the_draw_were_not_there_at_the_start(desk: Desk, late: User) -> None:
    desk.announce(a_plan("swiss", settings=CHECKS_IN, rounds=3), 6)
    entering.enter_own_player(tournament_id=desk.pk, user=late, now=desk.now)
    desk.do(directing.withdraw_player, player_key=desk.player(6).key)
    entering.cancel_entry(tournament_id=desk.pk, user=late, now=desk.now)
    desk.now += timedelta(days=1)
    desk.do(entering.check_in_entries, entries=[1, 2, 3, 4])
    desk.do(drawing.publish)

    assert selectors.list_missing_players(desk.fresh()) == [(5, "Guest 5")]
    assert "You were not here at the start." not in page(signed_in(late), desk)


def test_a_program_comes_late_like_anybody(desk: Desk, late: User) -> None:
    begin(desk, late, rounds=3)
    Caller(late).post(f"events/{desk.event.key}/acts/", {"act": "check-in"}, status=200)
    assert answered().player_key == late.player.key


@pytest.mark.long
@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_helper_and_the_player_say_it_at_once_and_they_wait_once(desk: Desk, late: User) -> None:
    entry = begin(desk, late, rounds=3)
    gate = threading.Barrier(4)
    failed: list[BaseException] = []

    def say(act: Any) -> None:
        try:
            gate.wait(30)
            act()
        except BaseException as problem:
            failed.append(problem)
        finally:
            connections.close_all()

    def notes() -> None:
        desk.do(door.note_latecomer, entry=entry.number)

    acts = [lambda: come(desk, late), notes, lambda: come(desk, late), notes]
    threads = [threading.Thread(target=say, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failed
    assert DoorRequest.objects.count() == 1
