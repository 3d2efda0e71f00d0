"""The back office: everything opens, facts are not rewritten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.test import Client

from players.accounts import exports, tokens
from players.clubs import clubs, invitations
from players.hooks import time_zone_changed
from players.models import ApiToken, Club, Export, Invitation, Membership, Notice, Player, Role, Scope, User
from runtime.models import Outbox
from tests.clients import signed_in
from tests.notices import leave_notice
from tests.players.conftest import PASSWORD

MODELS = (
    "user",
    "player",
    "club",
    "membership",
    "invitation",
    "notice",
    "export",
    "apitoken",
    "firstdirector",
    "webhook",
)


@pytest.fixture
def office(club: Club, ada: User, now: datetime) -> Client:
    """The browser of someone with all keys, and something to look at."""
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now)
    leave_notice(user=ada, text="Tea", url="/", dedupe_key="tea", now=now)
    exports.request_export(user=ada, now=now)
    tokens.create(user=ada, name="A bot", scope=Scope.PLAY, now=now)
    return signed_in(User.objects.create_superuser("root@example.org", PASSWORD))


@pytest.mark.parametrize("model", MODELS)
def test_each_list_opens_and_is_searched(office: Client, model: str) -> None:
    assert office.get(f"/admin/players/{model}/").status_code == 200
    assert office.get(f"/admin/players/{model}/", {"q": "a"}).status_code == 200


@pytest.mark.long
def test_each_row_opens(office: Client) -> None:
    for model in (User, Player, Membership, Invitation, Notice, Export, ApiToken):
        name = model._meta.model_name
        for pk in model._default_manager.values_list("pk", flat=True):
            page = office.get(f"/admin/players/{name}/{pk}/change/")
            assert page.status_code == 200, name
    digest = Invitation.objects.get().token_hash
    assert digest not in office.get(f"/admin/players/invitation/{Invitation.objects.get().pk}/change/").text
    token = ApiToken.objects.get()
    assert token.token_hash not in office.get(f"/admin/players/apitoken/{token.pk}/change/").text


def test_each_model_is_there() -> None:
    # As its first request does.
    admin.autodiscover()
    ours = {model for model in admin.site._registry if model._meta.app_label == "players"}

    assert {model._meta.model_name for model in ours} == set(MODELS)


def test_an_account_made_here_has_its_player(office: Client) -> None:
    office.post(
        "/admin/players/user/add/",
        {
            "email": "Hal@example.org",
            "usable_password": "true",
            "password1": PASSWORD,
            "password2": PASSWORD,
        },
    )

    assert User.objects.get(email="hal@example.org").player.name == "hal"


def build_club_form(club: Club, **roles: str) -> dict[str, object]:
    """Fill in the page of a club: *roles* by the first word of the name, "" to end a membership."""
    rows = list(club.memberships.select_related("player").order_by("pk"))
    form: dict[str, object] = {
        "name": club.name,
        "slug": club.slug,
        "city": "",
        "country": "",
        "about": "",
        "time_zone": "UTC",
        "joining": "open",
        "felt": "green",
        "name_style": "whole",
        "memberships-TOTAL_FORMS": len(rows),
        "memberships-INITIAL_FORMS": len(rows),
    }
    for number, row in enumerate(rows):
        role = roles.get(row.player.name.split()[0], row.role)
        form |= {
            f"memberships-{number}-id": row.pk,
            f"memberships-{number}-club": club.pk,
            f"memberships-{number}-player": row.player_id,
            f"memberships-{number}-role": role or row.role,
            **({} if role else {f"memberships-{number}-DELETE": "on"}),
        }
    return form


def test_an_orphaned_club_gets_an_owner(office: Client, club: Club, bo: User, now: datetime) -> None:
    membership = clubs.join(club=club, player=bo.player, now=now)

    answer = office.post(f"/admin/players/club/{club.pk}/change/", build_club_form(club, Bo="owner"))

    assert answer.status_code == 302
    assert Membership.objects.get(pk=membership.pk).role == Role.OWNER


def list_inviters() -> set[str]:
    """The names of the players with a valid invitation."""
    rows = Invitation.objects.filter(revoked_at__isnull=True, created_by__isnull=False)
    return set(rows.values_list("created_by__player__name", flat=True))


def test_a_role_taken_away_here_ends_its_invitations(
    office: Client, club: Club, enrol: Callable[..., User], now: datetime
) -> None:
    for name in ("Cleo Marsh", "Dan Wu", "Eve Novak", "Finn Lund"):
        director = enrol(club, name, Role.DIRECTOR)
        invitations.invite(club=club, by=director, role=Role.MEMBER, now=now)

    form = build_club_form(club, Cleo="member", Dan="", Eve="owner")
    assert office.post(f"/admin/players/club/{club.pk}/change/", form).status_code == 302

    assert list_inviters() == {"Ada Okafor", "Eve Novak", "Finn Lund"}


def test_an_account_made_inactive_ends_its_invitations(office: Client, ada: User) -> None:
    page, form = f"/admin/players/user/{ada.pk}/change/", {"email": ada.email, "theme": "auto"}

    assert office.post(page, {**form, "is_active": "on"}).status_code == 302
    assert list_inviters() == {"Ada Okafor"}
    assert office.post(page, form).status_code == 302

    assert list_inviters() == set()


def test_an_address_changed_here_is_the_only_one_of_the_account(office: Client, ada: User) -> None:
    was = ada.email
    EmailAddress.objects.create(user=ada, email=was, verified=True, primary=True)
    page = f"/admin/players/user/{ada.pk}/change/"
    form = {"theme": "auto", "is_active": "on"}

    assert office.post(page, {**form, "email": was}).status_code == 302
    assert EmailAddress.objects.filter(user=ada, verified=True).exists()
    assert office.post(page, {**form, "email": "Ada@example.com"}).status_code == 302

    said = {"login": was, "password": PASSWORD}
    assert Client().post("/accounts/login/", said).status_code == 200
    assert Client().post("/accounts/login/", {**said, "login": "ada@example.com"}).status_code == 302
    Client().post("/accounts/password/reset/", {"email": was})
    [mail] = Outbox.objects.filter(kind="runtime.mail", payload__to=was)
    assert "/password/reset/key/" not in mail.payload["body"]


@pytest.mark.long
@pytest.mark.share
def test_names_and_time_zones_are_checked_here_as_on_the_site(office: Client, club: Club, ada: User) -> None:
    for page, form in (
        (f"club/{club.pk}", build_club_form(club) | {"time_zone": "Mars/Base"}),
        (f"club/{club.pk}", build_club_form(club) | {"name": "Bri\u200bstol"}),
        (
            f"user/{ada.pk}",
            {"email": ada.email, "theme": "auto", "is_active": "on", "time_zone": "Mars/Base"},
        ),
        (f"player/{ada.player.pk}", {"name": "Ad\u202ea", "shown_as": "name"}),
        (f"player/{ada.player.pk}", {"name": "Ada", "alias": "\u200b", "shown_as": "name"}),
    ):
        answer = office.post(f"/admin/players/{page}/change/", form)
        assert (page, answer.status_code) == (page, 200)
        assert "errorlist" in answer.content.decode()
    form = {"name": " Ada   Okafor ", "alias": "", "shown_as": "name"}
    assert office.post(f"/admin/players/player/{ada.player.pk}/change/", form).status_code == 302
    assert Player.objects.get(pk=ada.player.pk).name == "Ada Okafor"


def test_a_time_zone_that_changes_in_the_office_is_told(office: Client, club: Club) -> None:
    form = {
        **{name: getattr(club, name) for name in ("name", "slug", "joining", "felt", "name_style")},
        "memberships-TOTAL_FORMS": 0,
        "memberships-INITIAL_FORMS": 0,
    }
    told: list[tuple[str, str]] = []

    def note_zone(*, club: Club, was: str, **_signal: object) -> None:
        told.append((was, club.time_zone))

    time_zone_changed.connect(note_zone)
    for zone in (club.time_zone, "Asia/Tokyo"):
        answer = office.post(f"/admin/players/club/{club.pk}/change/", form | {"time_zone": zone})
        assert answer.status_code == 302
    assert told == [(club.time_zone, "Asia/Tokyo")]


def test_nobody_in_the_office_erases_people(office: Client, ada: User) -> None:
    assert office.post(f"/admin/players/user/{ada.pk}/delete/", {"post": "yes"}).status_code == 403
    assert office.post(f"/admin/players/player/{ada.player.pk}/delete/", {"post": "yes"}).status_code == 403
