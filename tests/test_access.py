"""Each role at each address: what it meets is what the table says, and no address is missing from it.

    python -m pytest tests/test_access.py --write-access

writes what was met into the table; read the difference line by line before it is committed.
"""

from __future__ import annotations

import csv
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from players.models import Export, Invitation, Notice, Role
from players.services import accounts, clubs, exports, invitations, notices
from runtime import nodes, sweeps
from tests import access
from tournaments.services import setup

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpResponse

    from players.models import User

BACKEND = "django.contrib.auth.backends.ModelBackend"
UNNAMED_ADMIN = re.compile(r"^admin/(\w+)/(\w+)/<path:object_id>/$")


class World:
    """A club with everyone in it, another club, and one of each thing that has an address."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.users: dict[str, User | None] = {"anonymous": None}
        for role in access.ROLES[1:]:
            self.users[role] = accounts.register(
                email=f"{role}@example.org", password="three old pennies", name=role.title(), now=now
            )
        owner = self._user("owner")
        self.club = clubs.create(owner=owner, name="Here", now=now)
        self.other_club = clubs.create(owner=self._user("elsewhere"), name="Elsewhere", now=now)
        for role in ("director", "member"):
            clubs.join(club=self.club, player=self._user(role).player, now=now)
        clubs.set_role(
            club=self.club, player=self._user("director").player, role=Role.DIRECTOR, by=owner, now=now
        )
        staff = self._user("staff")
        staff.is_staff = staff.is_superuser = True
        staff.save(update_fields=["is_staff", "is_superuser"])
        self.guest = clubs.add_guest(club=self.club, name="Guest", by=owner, now=now)
        self.invitation = invitations.invite(club=self.club, by=owner, role=Role.MEMBER, uses=5, now=now)
        notices.tell(user=self._user("member"), text="A word to the member", url="/", dedupe_key="x", now=now)
        self.export = exports.ask(user=self._user("member"), now=now)
        self.events = {
            state: setup.draft(
                club=self.club, by=owner, key=key, details=_details(now + timedelta(days=1)), now=now
            )
            for state, key in (("draft", "draftdraft"), ("published", "pubpubpubp"))
        }
        setup.publish(tournament_id=self.events["published"].pk, by=owner, now=now)
        nodes.beat(role="web", now=now)
        nodes.beat(role="web", now=now + timedelta(seconds=20))
        sweeps.run("tidy", now=now)

    def _user(self, role: str) -> User:
        user = self.users[role]
        assert user is not None
        return user

    def path(self, row: access.Row) -> str:
        """Return the address of *row* in this world."""
        if found := UNNAMED_ADMIN.match(row.address):
            return f"/admin/{found[1]}/{found[2]}/{self._any(found[1], found[2])}/"
        if not re.fullmatch(r"[\w:.-]+", row.address):
            return {"admin/(?P<url>.*)$": "/admin/nothing/"}[row.address]
        for arguments in self._arguments(row):
            try:
                return reverse(row.address, kwargs=arguments)
            except NoReverseMatch:
                continue
        raise LookupError(f"tests/test_access.py cannot make an address of {row.address}")

    def _arguments(self, row: access.Row) -> list[dict[str, Any]]:
        event = self.events[row.case if row.case in self.events else "published"]
        guest = {"guest": self.guest, "": self._user("member").player}.get(row.case, self.guest)
        notice = Notice.objects.get(dedupe_key="x")
        options: list[dict[str, Any]] = [
            {},
            {"slug": self.club.slug},
            {"slug": self.club.slug, "key": guest.key},
            {"slug": self.club.slug, "invitation_id": Invitation.objects.get().pk},
            {"key": event.key if row.address.startswith(("tournaments:", "event")) else guest.key},
            {"notice_id": notice.pk},
            {"export_id": Export.objects.get().pk},
            {"token": self.invitation if row.address == "players:join" else "nobody-was-given-this-token"},
            {"uidb36": "1", "key": "set-password"},
            {"key": "nothing"},
            {"pk": 1},
            {"app_label": "players"},
            {"url": "nothing/"},
            {"content_type_id": 1, "object_id": 1},
            {"id": 1},
        ]
        if row.address == "tournaments:player_results":
            options.insert(0, {"key": guest.key})
        if row.address.startswith("admin:"):
            label, _, model = row.address.removeprefix("admin:").partition("_")
            model = re.sub(r"_(changelist|add|history|delete|change)$", "", model)
            if (label, model) in {(m._meta.app_label, m._meta.model_name) for m in apps.get_models()}:
                options.append({"object_id": self._any(label, model)})
                options.append({"id": self._any(label, model)})
        return options

    @staticmethod
    def _any(label: str, model: str) -> object:
        row = apps.get_model(label, model)._default_manager.order_by("pk").first()
        return row.pk if row is not None else 1


def _details(starts_at: datetime) -> Any:
    from tournaments.services.setup import Details

    return Details(name="Thursday", starts_at=starts_at)


def meet(world: World, role: str, row: access.Row) -> str:
    """Go there as *role* and say in a word what was met."""
    client = Client(raise_request_exception=False)
    user = world.users[role]
    if user is not None:
        client.force_login(user, backend=BACKEND)
    response = client.generic(row.method, world.path(row), content_type="application/x-www-form-urlencoded")
    return word_for(response)


def word_for(response: HttpResponse) -> str:
    """Return the status, or for a redirect where it leads: to the sign-in page, or onwards."""
    if response.status_code in {301, 302}:
        is_door = any(door in response["Location"] for door in ("/accounts/login/", "/admin/login/"))
        return "sign in" if is_door else "onwards"
    return str(response.status_code)


@pytest.fixture
def world(db: None) -> World:
    return World(timezone.now() - timedelta(minutes=1))


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    listed = {row.address for row in access.rows()}
    there = set(access.addresses())

    assert there - listed == set(), "new addresses: say in tests/access.csv who may go there"
    assert listed - there == set(), "rows for addresses that are gone"


@pytest.mark.parametrize("role", access.ROLES)
def test_each_role_meets_what_the_table_says(world: World, role: str) -> None:
    met = {}
    for row in access.rows():
        with transaction.atomic():
            met[row.address, row.method, row.case] = (meet(world, role, row), row.meets[role])
            transaction.set_rollback(True)

    assert {at: found for at, (found, said) in met.items() if found != said} == {
        at: said for at, (found, said) in met.items() if found != said
    }


def test_nobody_is_let_in_by_accident() -> None:
    """Nobody but the staff sees the back office beyond its door, and no page breaks for anyone."""
    for row in access.rows():
        if row.address.startswith("admin") and row.address not in {"admin:login", "admin:logout"}:
            for role in ("outsider", "member", "director", "owner", "elsewhere"):
                assert row.meets[role] != "200", f"{role} is let into {row.address}"
        assert "500" not in row.meets.values(), f"{row.address} breaks"


def write_table(world: World) -> None:
    """Write what is met now; for people to read and then to commit."""
    wanted = {(row.address, row.method, row.case) for row in access.rows()}
    for address in access.addresses():
        if not any(address == known for known, *_ in wanted):
            wanted |= {(address, "GET", ""), (address, "POST", "")}
    with access.TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["address", "method", "case", *access.ROLES])
        for address, method, case in sorted(wanted):
            found = []
            for role in access.ROLES:
                with transaction.atomic():
                    found.append(meet(world, role, access.Row(address, method, case, {})))
                    transaction.set_rollback(True)
            writer.writerow([address, method, case, *found])


def test_write_the_table(world: World, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--write-access"):
        pytest.skip("only with --write-access")
    write_table(world)
