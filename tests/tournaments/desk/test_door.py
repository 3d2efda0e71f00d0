"""At the door: who scans the code comes in or waits, and a director lets them in, seeing who they may be."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.http import HttpResponse
from django.test import Client

from players.accounts import accounts
from players.clubs import clubs
from players.errors import InvalidText
from players.models import Joining, Membership, Player, User
from runtime import receivers
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import codes
from tournaments.base.errors import AlreadyDone, DoorFull, DoorRequestGone, EntriesClosed, PlayerGone
from tournaments.base.settings import Settings
from tournaments.models import DoorAnswer, DoorRequest, Entry, Tournament
from tournaments.pages import door_requests as selectors
from tournaments.plan import drawing
from tournaments.play import directing, door

if TYPE_CHECKING:
    from pytest_django.fixtures import SettingsWrapper

pytestmark = [pytest.mark.django_db, pytest.mark.today]


@pytest.fixture
def opened(desk: Desk) -> Desk:
    desk.announce(a_plan("swiss", rounds=3, settings=Settings(needs_check_in=True)))
    return desk


def browser(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def code(desk: Desk) -> str:
    return codes.build_door_code(desk.pk, desk.event.starts_at, desk.now)


def come(desk: Desk, window: Client, name: str = "") -> HttpResponse:
    return window.post(f"/d/{code(desk)}/", {"name": name}, follow=True)


def let_in(desk: Desk, row: DoorRequest, player_key: str = "") -> Player:
    return desk.do(door.accept_request, request_key=row.key, player_key=player_key)


def request_entry(desk: Desk, name: str, account: Player | None = None, before: str = "") -> DoorRequest:
    return door.request_entry(tournament_id=desk.pk, name=name, account=account, before=before, now=desk.now)


def somebody(desk: Desk, name: str, *, joins: bool) -> User:
    user = accounts.register(email=f"{name[:2]}@example.org", password=None, name=name, now=desk.now)
    if joins:
        clubs.join(club=desk.club, player=user.player, now=desk.now)
    return user


def test_a_code_is_good_for_some_days_and_only_ours(opened: Desk) -> None:
    made = code(opened)
    assert made == codes.build_door_code(opened.pk, opened.event.starts_at, opened.now)
    said = codes.parse_door_code(made)
    assert said.event_id == opened.pk
    assert timedelta(days=1) < said.until - opened.event.starts_at <= timedelta(days=2)
    for other in ("", "1-2", made + "x", made.replace(f"{opened.pk}-", f"{opened.pk + 1}-", 1), "a-b~c"):
        assert codes.parse_door_code(other) is None
        assert browser().get(f"/d/{other or 'x'}/").status_code == 404


def test_an_old_code_leads_to_the_desk(opened: Desk) -> None:
    old = codes.build_door_code(opened.pk, opened.now - timedelta(days=9), opened.now - timedelta(days=9))
    assert browser().get(f"/d/{old}/").status_code == 410
    assert browser().post(f"/d/{old}/", {"name": "Ada"}).status_code == 410
    assert not DoorRequest.objects.exists()


def test_a_guest_waits_and_is_let_in_and_is_there(opened: Desk) -> None:
    window, director = browser(), browser(opened.director)
    assert "the desk knows that you are here" in text(come(opened, window, "Cy Moss"))
    assert not Entry.objects.exists()

    row = DoorRequest.objects.get()
    assert "Cy Moss" in text(director.get(url("roster", opened.event.key)))
    director.post(url("let_in", opened.event.key), {"request": row.key, "player": ""})

    entry = Entry.objects.get(player__name="Cy Moss")
    assert entry.checked_in_at is not None
    assert "You are in, Cy Moss." in text(window.get(f"/d/{code(opened)}/"))
    # Another browser is another person.
    assert "You are in" not in text(browser().get(f"/d/{code(opened)}/"))


@pytest.mark.parametrize("member", ["", "Ada Okafor"])
def test_a_guest_who_is_put_on_the_waiting_list_reads_so(opened: Desk, member: str) -> None:
    known = somebody(opened, member, joins=True).player.key if member else ""
    opened.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), 2, capacity=2)
    window = browser()
    come(opened, window, "Cy Moss")

    let_in(opened, DoorRequest.objects.get(), known)

    page = text(window.get(f"/d/{code(opened)}/"))
    assert "You are on the waiting list." in page
    assert "You are in" not in page
    opened.do(directing.withdraw_player, player_key=opened.player(1).key)
    assert "You are in, Cy Moss." in text(window.get(f"/d/{code(opened)}/"))


def test_a_form_sent_twice_is_one_guest(opened: Desk) -> None:
    window = browser()
    come(opened, window, "Cy Moss")
    come(opened, window, "Cyril Moss")
    assert [row.name for row in DoorRequest.objects.all()] == ["Cyril Moss"]


def test_who_mends_a_name_is_not_let_in_by_a_page_with_the_old_one(opened: Desk) -> None:
    seen = request_entry(opened, "Lina")
    mended = request_entry(opened, "Lena Fischer", before=seen.key)
    assert mended.asked_at == seen.asked_at
    with pytest.raises(DoorRequestGone):
        door.accept_request(
            tournament_id=opened.pk, request_key=seen.key, player_key="", by=opened.director, now=opened.now
        )
    assert [row.name for row in DoorRequest.objects.all()] == ["Lena Fischer"]


def test_a_member_enters_at_once(opened: Desk) -> None:
    ada = somebody(opened, "Ada Okafor", joins=True)
    assert "You are in." in text(come(opened, browser(ada)))
    assert Entry.objects.get().player == ada.player
    assert not DoorRequest.objects.exists()


def test_an_account_from_elsewhere_waits_and_becomes_a_member(opened: Desk) -> None:
    type(opened.club).objects.filter(pk=opened.club.pk).update(joining=Joining.INVITATION)
    ada = somebody(opened, "Ada Okafor", joins=False)
    window = browser(ada)
    come(opened, window)
    come(opened, window)
    row = DoorRequest.objects.get()
    assert not Membership.objects.filter(player=ada.player).exists()

    let_in(opened, row)
    assert Entry.objects.get().player == ada.player
    assert Membership.objects.filter(club=opened.club, player=ada.player).exists()


def test_who_may_be_known_is_shown_with_what_speaks_for_it(opened: Desk) -> None:
    ada = somebody(opened, "Ada Okafor", joins=True)
    row = request_entry(opened, "Ada Okaffor")
    (shown,) = selectors.list_open_requests(opened.event)
    ((alike, is_in),) = shown.maybe
    assert (alike.key, is_in) == (ada.player.key, False)
    assert alike.percent >= 60
    page = text(browser(opened.director).get(url("roster", opened.event.key)))
    assert "It is Ada Okafor" in page
    assert f"{alike.percent} %, spelt a little differently" in page

    assert let_in(opened, row, ada.player.key) == ada.player
    assert not Player.objects.filter(name="Ada Okaffor").exists()


def test_who_is_chosen_has_to_be_of_the_club(opened: Desk) -> None:
    stranger = somebody(opened, "Xi Lu", joins=False)
    row = request_entry(opened, "Xi Lu")
    with pytest.raises(PlayerGone):
        let_in(opened, row, stranger.player.key)
    assert DoorRequest.objects.get().answer == DoorAnswer.OPEN
    assert not Entry.objects.exists()


def test_it_is_answered_once(opened: Desk) -> None:
    row = request_entry(opened, "Cy Moss")
    opened.do(door.refuse_request, request_key=row.key)
    with pytest.raises(AlreadyDone):
        let_in(opened, row)
    with pytest.raises(DoorRequestGone):
        opened.do(door.refuse_request, request_key="nobody")
    assert not Entry.objects.exists()


def test_only_directors_let_in(opened: Desk) -> None:
    row = request_entry(opened, "Cy Moss")
    window = browser(somebody(opened, "Ada Okafor", joins=True))
    assert window.post(url("let_in", opened.event.key), {"request": row.key}).status_code == 403
    assert DoorRequest.objects.get().answer == DoorAnswer.OPEN


def test_after_the_draw_it_is_a_late_entry(opened: Desk) -> None:
    opened.announce(a_plan("swiss", rounds=3), 6)
    opened.do(drawing.publish)
    come(opened, browser(), "Cy Moss")
    row = DoorRequest.objects.get()
    answer = browser(opened.director).post(
        url("let_in", opened.event.key), {"request": row.key, "player": ""}
    )

    assert answer["Location"] == url("roster", opened.event.key)
    assert Entry.objects.get(player__name="Cy Moss").arrived == 2


@pytest.mark.parametrize("status", ["DRAFT", "CANCELLED"])
def test_nobody_comes_to_what_is_not_on(opened: Desk, status: str) -> None:
    Tournament.objects.filter(pk=opened.pk).update(status=status)
    assert come(opened, browser(), "Cy Moss").status_code in {404, 422}
    with pytest.raises(EntriesClosed):
        request_entry(opened, "Cy Moss")


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "\u202e"])
def test_no_name_is_no_guest(opened: Desk, name: str) -> None:
    assert come(opened, browser(), name).status_code == 422
    with pytest.raises(InvalidText):
        request_entry(opened, name)


@pytest.mark.long
@pytest.mark.share
def test_no_more_wait_than_stand_at_a_door(opened: Desk) -> None:
    for number in range(door.MOST_OPEN):
        request_entry(opened, f"Guest {number}")
    with pytest.raises(DoorFull):
        request_entry(opened, "One more")
    opened.do(door.refuse_request, request_key=DoorRequest.objects.first().key)
    request_entry(opened, "One more")


def test_who_stood_at_the_door_is_forgotten(opened: Desk) -> None:
    request_entry(opened, "Cy Moss")
    receivers.prune_all(opened.now + door.KEPT)
    assert DoorRequest.objects.exists()
    receivers.prune_all(opened.now + door.KEPT + timedelta(seconds=1))
    assert not DoorRequest.objects.exists()


def test_the_paper_at_the_door_has_the_code(opened: Desk) -> None:
    answer = browser(opened.director).get(url("paper_door", opened.event.key))
    assert 'class="table-card__code"><svg' in answer.content.decode()
    assert "Valid until" in text(answer)
    assert "Code at the door" in text(browser(opened.director).get(url("papers", opened.event.key)))


def test_where_phones_do_not_reach_us_there_is_no_paper_to_print(
    opened: Desk, settings: SettingsWrapper
) -> None:
    settings.OWN_ADDRESSES, settings.PORT = ["192.168.7.20"], 8000
    director, path = browser(opened.director), url("paper_door", opened.event.key)
    assert "data-print" in text(director.get(path, headers={"host": "localhost:8000"}))
    settings.OWN_ADDRESSES = []
    page = text(director.get(path, headers={"host": "localhost:8000"}))
    assert "Phones do not reach this computer" in page
    assert "data-print" not in page
