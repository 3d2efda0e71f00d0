"""A club with a director, members and events, made the way the site makes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from players.accounts import accounts
from players.clubs import clubs
from players.keys import new_key
from players.models import Club, Role, User
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser
from tournaments.models import Tournament
from tournaments.plan import drawing, setup
from tournaments.plan.templates import StagePlan
from tournaments.play import changes, directing, entering, inspection
from tournaments.status import Status


@pytest.fixture
def sign_up(db: None, now: datetime) -> Callable[[str], User]:
    """Return an account: sign_up("Greta Halloway")."""

    def _sign_up(name: str) -> User:
        email = f"{name.lower().replace(' ', '.')}@example.org"
        return accounts.register(email=email, password=None, name=name, now=now)

    return _sign_up


@pytest.fixture
def greta(sign_up: Callable[[str], User]) -> User:
    """The owner of the club, who directs its events."""
    return sign_up("Greta Halloway")


@pytest.fixture
def club(greta: User, now: datetime) -> Club:
    """Greta's club, open to anyone, on Berlin time."""
    return clubs.create(
        owner=greta, name="Lantern Street", city="Potsdam", time_zone="Europe/Berlin", now=now
    )


@pytest.fixture
def member(sign_up: Callable[[str], User], club: Club, now: datetime) -> Callable[[str], User]:
    """Return a member of the club: member("Otis Fenn")."""

    def _member(name: str) -> User:
        user = sign_up(name)
        clubs.join(club=club, player=user.player, now=now)
        return user

    return _member


@pytest.fixture
def otis(member: Callable[[str], User]) -> User:
    """A member."""
    return member("Otis Fenn")


@pytest.fixture
def runa(member: Callable[[str], User]) -> User:
    """Another member."""
    return member("Runa Vik")


@pytest.fixture
def director(member: Callable[[str], User], club: Club, greta: User, now: datetime) -> User:
    """A director who does not own the club."""
    user = member("Pavel Dorn")
    clubs.set_role(club=club, player=user.player, role=Role.DIRECTOR, by=greta, now=now)
    return user


@pytest.fixture
def stranger(sign_up: Callable[[str], User]) -> User:
    """A person with an account and no club."""
    return sign_up("Ivo Stern")


@pytest.fixture
def event(club: Club, greta: User, now: datetime) -> Callable[..., Tournament]:
    """Return an event in a status: event(Status.RUNNING, players=[otis, runa], capacity=8)."""

    def _event(
        status: Status = Status.PUBLISHED, *, players: tuple[User, ...] = (), **details: Any
    ) -> Tournament:
        words = setup.Details(
            **{"name": "Thursday night", "starts_at": now + timedelta(hours=1), "match_length": 5} | details
        )
        make = setup.draft if status is Status.DRAFT else setup.announce
        made = make(club=club, by=greta, key=new_key(), details=words, now=now)
        for user in players:
            entering.enter_own_player(tournament_id=made.pk, user=user, now=now)
        if status in {Status.RUNNING, Status.FINISHED}:
            directing.start_event(tournament_id=made.pk, by=greta, now=now)
        if status is Status.FINISHED:
            places = {user.player.key: place for place, user in enumerate(players, 1)}
            directing.record_finish(tournament_id=made.pk, places=places, by=greta, now=now)
        if status is Status.CANCELLED:
            directing.cancel_event(tournament_id=made.pk, reason="Flooded cellar", by=greta, now=now)
        made.refresh_from_db()
        return made

    return _event


@pytest.fixture
def client() -> Client:
    """A browser that sends what its forms hide."""
    return Browser()


@pytest.fixture
def window(desk: Desk) -> Client:
    """The director's browser."""
    return Browser(desk.director)


@pytest.fixture(autouse=True)
def rows_are_as_proposed(monkeypatch: pytest.MonkeyPatch) -> None:
    """After every change that a service makes to an event, its rows are equal to the proposed rows."""
    tell = changes.announce_change

    def hint(event: Tournament, *, now: datetime) -> None:
        assert list(inspection.find_problems(event)) == []
        tell(event, now=now)

    monkeypatch.setattr(changes, "announce_change", hint)


@pytest.fixture
def members(desk: Desk) -> Callable[[StagePlan], dict[int, User]]:
    """Start a stage of four members in matches to three: members(StagePlan(format="last-chance"))."""

    def _members(stage: StagePlan) -> dict[int, User]:
        rules = ({"length": 3, "minutes_a_point": "2", "delay_seconds": 12},)
        desk.announce(a_plan([replace(stage, rules=rules)]))
        users = [desk.entrant(name) for name in ("Ann", "Ben", "Cid", "Dee")]
        desk.do(drawing.publish)
        desk.fresh()
        return {user.player.pk: user for user in users}

    return _members


@pytest.fixture
def users(members: Callable[[StagePlan], dict[int, User]]) -> dict[int, User]:
    """Four members in a knock-out, by their players."""
    return members(StagePlan(format="single-elimination"))
