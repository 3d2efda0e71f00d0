"""Pages as seen by each role."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.accounts import accounts
from players.clubs import clubs, invitations, merging
from players.models import Club, Invitation, Joining, Membership, Player, Role, User
from runtime import database_errors
from tests.clients import signed_in
from tests.players.conftest import PASSWORD

HOSTILE = """<script>alert(1)</script>"'{{ 7|add:7 }}"""

# Status for: a visitor, an outsider, a member, a director, the owner.
SEEN_BY = {
    "/clubs/": (200, 200, 200, 200, 200),
    "/clubs/?q=bristol&page=99": (200, 200, 200, 200, 200),
    "/clubs/new/": (302, 200, 200, 200, 200),
    "/clubs/bristol-backgammon/": (200, 200, 200, 200, 200),
    "/clubs/bristol-backgammon/members/": (302, 403, 200, 200, 200),
    "/clubs/bristol-backgammon/members/?q=ada&page=x": (302, 403, 200, 200, 200),
    "/clubs/bristol-backgammon/members/merge/": (302, 403, 403, 200, 200),
    "/clubs/bristol-backgammon/invitations/": (302, 403, 403, 200, 200),
    "/clubs/bristol-backgammon/settings/": (302, 403, 403, 403, 200),
    "/clubs/bristol-backgammon/leave/": (302, 200, 200, 200, 200),
    "/clubs/no-such-club/": (404, 404, 404, 404, 404),
    "/clubs/no-such-club/members/": (302, 404, 404, 404, 404),
    "/players/": (200, 200, 200, 200, 200),
    "/players/?q=okafor": (200, 200, 200, 200, 200),
    "/players/2222222222/": (404, 404, 404, 404, 404),
    "/join/no-such-token/": (404, 404, 404, 404, 404),
    "/notices/": (302, 200, 200, 200, 200),
    "/settings/": (302, 200, 200, 200, 200),
    "/settings/appearance/": (200, 200, 200, 200, 200),
    "/settings/privacy/": (302, 200, 200, 200, 200),
    "/settings/data/": (302, 200, 200, 200, 200),
}
PEOPLE = ("visitor", "outsider", "member", "director", "owner")


@pytest.fixture
def everybody(club: Club, ada: User, bo: User, enrol: Callable[..., User]) -> dict[str, User | None]:
    """One of each."""
    return {
        "visitor": None,
        "outsider": bo,
        "member": enrol(club, "Mia Sand"),
        "director": enrol(club, "Dan Wu", Role.DIRECTOR),
        "owner": ada,
    }


@pytest.mark.long
@pytest.mark.parametrize("who", PEOPLE)
def test_each_page_for_each_person(everybody: dict[str, User | None], client: Client, who: str) -> None:
    if user := everybody[who]:
        client.force_login(user)

    answers = {path: client.get(path).status_code for path in SEEN_BY}

    assert answers == {path: statuses[PEOPLE.index(who)] for path, statuses in SEEN_BY.items()}


ACTS = {
    "members/guest/": (302, 403, 403, 302, 302),
    "members/{key}/role/": (302, 403, 403, 403, 302),
    "members/{key}/remove/": (302, 403, 403, 302, 302),
    "members/{key}/claim/": (302, 403, 403, 200, 200),
    "invitations/": (302, 403, 403, 200, 200),
    "members/merge/": (302, 403, 403, 200, 200),
    "settings/": (302, 403, 403, 403, 200),
}


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("act", list(ACTS))
def test_each_act_for_each_person(
    everybody: dict[str, User | None],
    client: Client,
    club: Club,
    ada: User,
    who: str,
    act: str,
    now: datetime,
) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    if user := everybody[who]:
        client.force_login(user)
    before = (Membership.objects.count(), Invitation.objects.count())

    answer = client.post(
        f"/clubs/{club.slug}/{act.format(key=guest.key)}",
        {"name": "Hans", "role": "member", "uses": 1, "days": 14},
    )

    assert answer.status_code == ACTS[act][PEOPLE.index(who)]
    if who in {"visitor", "outsider", "member"}:
        assert (Membership.objects.count(), Invitation.objects.count()) == before
    if who == "visitor":
        assert answer.headers["Location"].startswith("/accounts/login/?next=/clubs/")


def test_members_cost_the_same_however_many(
    club: Club, ada: User, django_assert_max_num_queries: object, now: datetime
) -> None:
    for number in range(40):
        clubs.add_guest(club=club, name=f"Guest {number}", by=ada, now=now)
    browser = signed_in(ada)
    browser.get("/clubs/bristol-backgammon/members/")

    with django_assert_max_num_queries(13):  # type: ignore[operator]
        page = browser.get("/clubs/bristol-backgammon/members/")

    assert page.content.count(b'class="list__row"') == 41


@pytest.mark.parametrize("path", ["/clubs/", "/players/?q=a", "/settings/appearance/", "/join/nothing/"])
def test_visitors_cost_little(
    club: Club, client: Client, django_assert_max_num_queries: object, path: str
) -> None:
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        client.get(path)

    assert "session" not in client.cookies


@pytest.mark.long
def test_hostile_names_are_only_text(ada: User, now: datetime) -> None:
    accounts.change(user=ada, now=now, name=HOSTILE, alias=HOSTILE[:40])
    club = clubs.create(owner=ada, name=HOSTILE, city=HOSTILE, about=HOSTILE, now=now)
    clubs.add_guest(club=club, name=HOSTILE, by=ada, now=now)
    clubs.add_guest(club=club, name=HOSTILE, by=ada, now=now)
    invitations.invite(club=club, by=ada, role=Role.MEMBER, note=HOSTILE, now=now)
    browser = signed_in(ada)

    for path in (
        "/clubs/",
        club.get_absolute_url(),
        f"/clubs/{club.slug}/members/",
        f"/clubs/{club.slug}/members/merge/",
        f"/clubs/{club.slug}/invitations/",
        f"/clubs/{club.slug}/settings/",
        ada.player.get_absolute_url(),
        "/players/?q=script",
        "/settings/",
    ):
        page = browser.get(path)
        assert page.status_code == 200
        assert b"<script>alert" not in page.content, path
        assert b"14" not in re.findall(rb"alert\(1\)[^<]*", page.content), path


@pytest.mark.parametrize("text", ["Gus\x00", "Gu\u202es", "", "   ", "\u200b", "x" * 81])
def test_hostile_guests_are_refused_in_the_form(club: Club, ada: User, text: str) -> None:
    page = signed_in(ada).post("/clubs/bristol-backgammon/members/guest/", {"name": text})

    assert page.status_code == 422
    assert b"errorlist" in page.content
    assert Player.objects.count() == 1


def test_a_guest_is_added_in_place_with_htmx(club: Club, ada: User) -> None:
    page = signed_in(ada).post(
        "/clubs/bristol-backgammon/members/guest/",
        {"name": "Gus"},
        headers={"HX-Request": "true", "HX-Target": "members"},
    )

    assert page.status_code == 200
    assert page.content.startswith(b'<div class="split members" id="members">')
    assert b"Gus has been added. You can add another guest." in page.content
    assert "HX-Target" in page.headers["Vary"]


def test_searching_members_reads_what_the_viewer_may_read(
    club: Club, ada: User, enrol: Callable[..., User], now: datetime
) -> None:
    eve, dan = enrol(club, "Eve Novak"), enrol(club, "Dan Wu")
    accounts.change(user=eve, now=now, alias="Nightjar", shown_as="alias")

    for_owner = signed_in(ada).get("/clubs/bristol-backgammon/members/?q=novak").content.decode()
    assert "Eve Novak" in for_owner
    assert "eve.novak@example.org" in for_owner

    browser = signed_in(dan)
    for query in ("novak", "eve.novak@example.org"):
        found = browser.get(f"/clubs/bristol-backgammon/members/?q={query}").content.decode()
        assert "Nightjar" not in found
    everyone = browser.get("/clubs/bristol-backgammon/members/").content.decode()
    assert "Nightjar" in everyone
    assert "Eve Novak" not in everyone
    assert "@example.org" not in everyone.replace("dan.wu@example.org", "")


def test_the_list_of_members_is_narrowed_to_a_kind(
    club: Club, ada: User, enrol: Callable[..., User], now: datetime
) -> None:
    enrol(club, "Eve Novak")
    clubs.add_guest(club=club, name="Tom Weir", by=ada, now=now)
    browser = signed_in(ada)

    def shown(show: str) -> list[str]:
        page = browser.get(f"/clubs/bristol-backgammon/members/?show={show}").content.decode()
        listed = page[page.index('id="member-list"') :]
        return [name for name in ("Ada Okafor", "Eve Novak", "Tom Weir") if f">{name}</a>" in listed]

    assert shown("") == shown("nonsense") == ["Ada Okafor", "Eve Novak", "Tom Weir"]
    assert shown("directors") == ["Ada Okafor"]
    assert shown("guests") == ["Tom Weir"]

    page = browser.get("/clubs/bristol-backgammon/members/?show=guests").content.decode()
    assert "<h2>Guests</h2>" in page
    assert "<h2>Everyone</h2>" not in page
    # A search among the guests stays among them.
    assert '<input type="hidden" name="show" value="guests">' in page
    assert 'name="show"' not in browser.get("/clubs/bristol-backgammon/members/").content.decode()


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a server's disk is its own affair")
def test_another_club_is_read_on_a_full_disk(
    club: Club, ada: User, bo: User, now: datetime, monkeypatch: Any
) -> None:
    other = clubs.create(owner=bo, name="Harbour", now=now)
    client = signed_in(ada)
    client.get(f"/clubs/{club.slug}/")
    monkeypatch.setattr(database_errors, "LEAST_ROOM", 1 << 60)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(f"/clubs/{other.slug}/").status_code == 200
    assert [query["sql"] for query in queries if query["sql"].startswith(("INSERT", "UPDATE"))] == []
    assert client.session["club"]["slug"] == club.slug
    monkeypatch.undo()
    client.get(f"/clubs/{other.slug}/")
    assert client.session["club"]["slug"] == other.slug


def test_founding_a_club(bo: User) -> None:
    browser = signed_in(bo)
    wrong = browser.post("/clubs/new/", {"name": "", "time_zone": "Mars/Base", "joining": "maybe"})
    right = browser.post("/clubs/new/", {"name": "Oslo", "time_zone": "Europe/Oslo", "joining": "open"})

    assert wrong.content.count(b"errorlist") == 3
    assert right.headers["Location"] == "/clubs/oslo/"
    assert Club.objects.get().memberships.get().role == Role.OWNER


def test_joining_and_leaving(club: Club, bo: User) -> None:
    browser = signed_in(bo)

    for _ in range(2):
        assert (
            browser.post("/clubs/bristol-backgammon/join/").headers["Location"]
            == "/clubs/bristol-backgammon/"
        )
    assert club.memberships.filter(player=bo.player).exists()
    assert browser.get("/clubs/bristol-backgammon/join/").headers["Location"] == "/clubs/bristol-backgammon/"
    for _ in range(2):
        browser.post("/clubs/bristol-backgammon/leave/")

    assert not club.memberships.filter(player=bo.player).exists()


def test_the_last_owner_reads_why_not(club: Club, ada: User) -> None:
    page = signed_in(ada).post("/clubs/bristol-backgammon/leave/", follow=True)

    assert b"A club needs an owner. Make someone else an owner first." in page.content


def test_a_link_is_shown_once_with_its_code(club: Club, ada: User) -> None:
    browser = signed_in(ada)
    page = browser.post(
        "/clubs/bristol-backgammon/invitations/", {"role": "member", "uses": 3, "days": 7, "note": "the door"}
    ).content.decode()

    (token,) = set(re.findall(r"/join/([\w-]{32})/", page))
    assert "<svg" in page
    again = browser.get("/clubs/bristol-backgammon/invitations/")
    assert token not in again.content.decode()
    assert "no-store" in again.headers["Cache-Control"]
    assert b"the door" in again.content
    assert Invitation.objects.get().uses_left == 3


def test_a_director_cannot_slip_a_role_into_a_link(club: Club, enrol: Callable[..., User]) -> None:
    browser = signed_in(enrol(club, "Dan Wu", Role.DIRECTOR))

    browser.post("/clubs/bristol-backgammon/invitations/", {"role": "owner", "uses": 1, "days": 7})

    assert Invitation.objects.get().role == Role.MEMBER


def test_another_clubs_link_is_not_found(club: Club, ada: User, bo: User, now: datetime) -> None:
    elsewhere = clubs.create(owner=bo, name="Elsewhere", now=now)
    invitations.invite(club=club, by=ada, role=Role.MEMBER, now=now)
    pk = Invitation.objects.get().pk

    assert signed_in(bo).post(f"/clubs/{elsewhere.slug}/invitations/{pk}/revoke/").status_code == 404
    assert Invitation.objects.get().revoked_at is None


def test_the_way_in_for_someone_without_an_account(club: Club, ada: User, client: Client) -> None:
    from django.utils import timezone

    token = invitations.invite(club=club, by=ada, role=Role.MEMBER, now=timezone.now())
    page = client.get(f"/join/{token}/").content.decode()
    assert f"/accounts/signup/?next=/join/{token}/" in page
    assert f"/accounts/login/?next=/join/{token}/" in page
    assert client.post(f"/join/{token}/").headers["Location"].startswith("/accounts/login/")

    signed_up = client.post(
        f"/accounts/signup/?next=/join/{token}/",
        {"name": "Gus Hale", "email": "gus@example.org", "password1": PASSWORD, "next": f"/join/{token}/"},
    )

    assert signed_up.headers["Location"] == f"/join/{token}/"
    joined = client.post(f"/join/{token}/")
    assert joined.headers["Location"] == "/clubs/bristol-backgammon/"
    assert club.memberships.filter(player__name="Gus Hale").exists()


def test_each_closed_link_says_its_own_sentence(club: Club, ada: User, bo: User, now: datetime) -> None:
    expired = invitations.invite(club=club, by=ada, role=Role.MEMBER, days=1, now=now)
    browser = signed_in(bo)

    for act in (browser.get, browser.post):
        page = act(f"/join/{expired}/")
        assert page.status_code == 410
        assert b"This invitation has expired." in page.content


def test_an_old_key_leads_on(club: Club, ada: User, client: Client, now: datetime) -> None:
    kept, dropped = (clubs.add_guest(club=club, name=name, by=ada, now=now) for name in ("Gus", "Gus H."))
    merging.merge_guest(kept=kept, dropped=dropped, by=ada, now=now)

    answer = client.get(dropped.get_absolute_url())

    assert (answer.status_code, answer.headers["Location"]) == (302, kept.get_absolute_url())


def test_someone_erased_is_a_former_player(bo: User, client: Client, now: datetime) -> None:
    address = bo.player.get_absolute_url()
    accounts.erase(user=bo, now=now)

    page = client.get(address)

    assert b"Former player" in page.content
    assert b"Bo Lindgren" not in page.content


def test_who_hides_is_found_by_their_directors_alone(
    club: Club, ada: User, bo: User, enrol: Callable[..., User], client: Client, now: datetime
) -> None:
    eve, dan = enrol(club, "Eve Novak"), enrol(club, "Dan Wu")
    accounts.change(user=eve, now=now, hidden_from_search=True)

    def finds() -> bool:
        return b"Eve Novak" in client.get("/players/?q=novak").content

    assert not finds()
    client.force_login(bo)
    assert not finds()
    client.force_login(dan)
    assert not finds()
    client.force_login(ada)
    assert finds()
    clubs.leave(club=club, player=eve.player, now=now)
    assert not finds()


def test_a_search_matches_nothing_that_is_not_shown(bo: User, client: Client, now: datetime) -> None:
    accounts.change(user=bo, now=now, alias="Nightjar", shown_as="alias")

    assert b"Nightjar" in client.get("/players/?q=nightjar").content
    for query in ("lindgren", "bo.lindgren@example.org", "example.org", "\x00", "%"):
        assert b"list__row" not in client.get("/players/", {"q": query}).content


def test_merging_by_the_form(club: Club, ada: User, now: datetime) -> None:
    kept, dropped = (clubs.add_guest(club=club, name="Gus", by=ada, now=now) for _ in range(2))
    browser = signed_in(ada)

    offered = browser.get("/clubs/bristol-backgammon/members/merge/").content.decode()
    assert "/clubs/bristol-backgammon/members/duplicates/" in offered
    same = browser.post("/clubs/bristol-backgammon/members/merge/", {"kept": kept.key, "dropped": kept.key})
    assert b"Choose two different players." in same.content
    browser.post("/clubs/bristol-backgammon/members/merge/", {"kept": kept.key, "dropped": dropped.key})

    dropped.refresh_from_db()
    assert dropped.merged_into == kept


@pytest.mark.long
def test_undoing_a_merge_where_it_was_made(club: Club, ada: User, now: datetime) -> None:
    kept, dropped = (clubs.add_guest(club=club, name=name, by=ada, now=now) for name in ("Gus", "Augustus"))
    merging.merge_guest(kept=kept, dropped=dropped, by=ada, now=now)
    browser, page = signed_in(ada), "/clubs/bristol-backgammon/members/merge/"
    form = re.search(r'action="([^"]+/undo/)"', browser.get(page).content.decode())
    told = browser.post(form[1], follow=True).content.decode()
    assert "Augustus and Gus are two players again." in told
    assert "/undo/" not in told
    dropped.refresh_from_db()
    assert dropped.merged_into is None
    # Their own page is theirs again.
    assert browser.get(dropped.get_absolute_url()).status_code == 200
    assert browser.post(form[1], follow=True).status_code == 200
    assert "This merge has been undone already." in browser.post(form[1], follow=True).content.decode()


def test_a_closed_club_offers_no_joining(ada: User, bo: User, now: datetime) -> None:
    club = clubs.create(owner=ada, name="Closed", joining=Joining.INVITATION, now=now)
    browser = signed_in(bo)

    assert b"/join/" not in browser.get(club.get_absolute_url()).content
    page = browser.post("/clubs/closed/join/", follow=True)
    assert b"by invitation" in page.content
    assert not club.memberships.filter(player=bo.player).exists()
