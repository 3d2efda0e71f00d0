"""Two at the same moment: first shown with the guard off, then stopped by it.

On PostgreSQL, where transactions really run side by side; the embedded database takes turns.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from datetime import datetime
from types import SimpleNamespace

import pytest
from django.db import connection, connections

from players.accounts import accounts
from players.clubs import clubs, invitations, merging
from players.errors import (
    AlreadyClaimed,
    AlreadyMember,
    InvitationSpent,
    LastOwner,
    PlayersError,
    SoleOwner,
    WelcomeLinkUsed,
)
from players.models import Club, Invitation, Membership, Player, Role, User

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]

# Long enough for the other to arrive if nothing holds it back.
PATIENCE_S = 1.0


@pytest.fixture(autouse=True)
def _real_rows() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL")


class Meeting:
    """A point in a service where two threads wait for each other, unless a guard keeps one away."""

    def __init__(self) -> None:
        self._barrier = threading.Barrier(2)

    def wait(self) -> None:
        with contextlib.suppress(threading.BrokenBarrierError):
            self._barrier.wait(PATIENCE_S)

    def after(self, act: Callable[..., object]) -> Callable[..., object]:
        """Return *act*, meeting once it is done."""

        def met(*args: object, **kwargs: object) -> object:
            answer = act(*args, **kwargs)
            self.wait()
            return answer

        return met

    def before(self, act: Callable[..., object]) -> Callable[..., object]:
        """Return *act*, meeting first."""

        def met(*args: object, **kwargs: object) -> object:
            self.wait()
            return act(*args, **kwargs)

        return met


def at_once(*acts: Callable[[], object]) -> list[type[Exception] | None]:
    """Run *acts* side by side; return what each was refused with."""
    outcomes: list[type[Exception] | None] = [None] * len(acts)

    def run(number: int, act: Callable[[], object]) -> None:
        try:
            act()
        except PlayersError as error:
            outcomes[number] = type(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    return outcomes


def refused(outcomes: list[type[Exception] | None]) -> list[type[Exception]]:
    return [each for each in outcomes if each is not None]


# One use, two people


def trusting_spend(invitation: Invitation, *, now: datetime) -> None:
    """Look, then write: what one would do without thinking of others."""
    row = Invitation.objects.get(pk=invitation.pk)
    if row.uses_left < 1:
        raise InvitationSpent
    row.uses_left -= 1
    row.save(update_fields=["uses_left"])


@pytest.fixture
def single(club: Club, ada: User, now: datetime) -> str:
    return invitations.invite(club=club, by=ada, role=Role.MEMBER, now=now)


def test_without_the_guard_one_use_lets_in_two(
    club: Club, single: str, sign_up: Callable[..., User], monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    people = [sign_up(name) for name in ("Bo Lindgren", "Cleo Marsh")]
    row = Meeting()
    monkeypatch.setattr(invitations, "_count_use", trusting_spend)
    monkeypatch.setattr(Invitation, "save", row.before(Invitation.save))

    outcomes = at_once(*(lambda p=p: invitations.accept(token=single, user=p, now=now) for p in people))

    assert refused(outcomes) == []
    assert club.memberships.count() == 3


@pytest.mark.parametrize("_again", range(3))
def test_one_use_lets_in_one(
    club: Club,
    single: str,
    sign_up: Callable[..., User],
    monkeypatch: pytest.MonkeyPatch,
    now: datetime,
    _again: int,
) -> None:
    people = [sign_up(name) for name in ("Bo Lindgren", "Cleo Marsh")]
    monkeypatch.setattr(invitations, "_count_use", Meeting().before(invitations._count_use))

    outcomes = at_once(*(lambda p=p: invitations.accept(token=single, user=p, now=now) for p in people))

    assert refused(outcomes) == [InvitationSpent]
    assert club.memberships.count() == 2
    assert Invitation.objects.get().uses == 1


def test_one_person_pressing_twice_takes_one_use(
    club: Club, ada: User, bo: User, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    token = invitations.invite(club=club, by=ada, role=Role.MEMBER, uses=2, now=now)
    monkeypatch.setattr(invitations, "_count_use", Meeting().before(invitations._count_use))

    outcomes = at_once(*[lambda: invitations.accept(token=token, user=bo, now=now)] * 2)

    assert refused(outcomes) == [AlreadyMember]
    assert Invitation.objects.get().uses_left == 1


# One guest, two who say it is them


@pytest.fixture
def claims(club: Club, ada: User, now: datetime) -> tuple[Player, list[str]]:
    """A guest with two open links, as an older version might have left them."""
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    tokens = [invitations.invite(club=club, by=ada, role=Role.MEMBER, guest=guest, now=now) for _ in range(2)]
    Invitation.objects.update(revoked_at=None)
    return guest, tokens


def accept_both(people: list[User], tokens: list[str], now: datetime) -> list[type[Exception] | None]:
    return at_once(
        *(
            lambda p=p, t=t: invitations.accept(token=t, user=p, now=now)
            for p, t in zip(people, tokens, strict=True)
        )
    )


def test_without_the_guard_a_guest_is_claimed_twice(
    club: Club,
    claims: tuple[Player, list[str]],
    sign_up: Callable[..., User],
    monkeypatch: pytest.MonkeyPatch,
    now: datetime,
) -> None:
    people = [sign_up(name) for name in ("Bo Lindgren", "Cleo Marsh")]
    meeting = Meeting()

    def trusting_unite(*, kept: Player, dropped: Player, by: User, now: datetime) -> None:
        row = Player.objects.get(pk=dropped.pk)
        assert row.merged_into is None
        meeting.wait()
        row.merged_into = kept
        row.save(update_fields=["merged_into"])

    monkeypatch.setattr(merging, "lock_players", lambda **_: None)
    monkeypatch.setattr(merging, "merge_players", trusting_unite)

    assert refused(accept_both(people, claims[1], now)) == []


def test_a_guest_is_claimed_once(
    club: Club,
    claims: tuple[Player, list[str]],
    sign_up: Callable[..., User],
    monkeypatch: pytest.MonkeyPatch,
    now: datetime,
) -> None:
    guest, tokens = claims
    people = [sign_up(name) for name in ("Bo Lindgren", "Cleo Marsh")]
    monkeypatch.setattr(merging, "lock_players", Meeting().before(merging.lock_players))

    outcomes = accept_both(people, tokens, now)

    assert refused(outcomes) == [AlreadyClaimed]
    guest.refresh_from_db()
    assert guest.merged_into in {user.player for user in people}
    assert club.memberships.count() == 2


def test_two_merges_that_cross_leave_no_ring(
    club: Club, ada: User, monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    gus, hal = (clubs.add_guest(club=club, name=name, by=ada, now=now) for name in ("Gus", "Hal"))
    monkeypatch.setattr(merging, "lock_players", Meeting().before(merging.lock_players))

    outcomes = at_once(
        lambda: merging.merge_guest(kept=gus, dropped=hal, by=ada, now=now),
        lambda: merging.merge_guest(kept=hal, dropped=gus, by=ada, now=now),
    )

    assert len(refused(outcomes)) == 1
    assert Player.objects.filter(merged_into__isnull=False).count() == 1


# Two owners, both leaving


@pytest.fixture
def owners(club: Club, ada: User, enrol: Callable[..., User]) -> list[User]:
    enrol(club, "Mia Sand")
    return [ada, enrol(club, "Bo Lindgren", Role.OWNER)]


def owners_of(club: Club) -> int:
    return Membership.objects.filter(club=club, role=Role.OWNER).count()


def test_without_the_guard_both_owners_leave(
    club: Club, owners: list[User], monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(clubs, "lock_clubs", lambda rows: rows)
    monkeypatch.setattr(clubs, "_require_other_owner", Meeting().after(clubs._require_other_owner))

    at_once(*(lambda u=u: clubs.leave(club=club, player=u.player, now=now) for u in owners))

    assert owners_of(club) == 0


def test_one_of_two_owners_stays(
    club: Club, owners: list[User], monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(clubs, "_require_other_owner", Meeting().after(clubs._require_other_owner))

    outcomes = at_once(*(lambda u=u: clubs.leave(club=club, player=u.player, now=now) for u in owners))

    assert refused(outcomes) == [LastOwner]
    assert owners_of(club) == 1


def test_one_of_two_owners_is_not_erased(
    club: Club, owners: list[User], monkeypatch: pytest.MonkeyPatch, now: datetime
) -> None:
    monkeypatch.setattr(accounts, "_needs_new_owner", Meeting().after(accounts._needs_new_owner))

    outcomes = at_once(*(lambda u=u: accounts.erase(user=u, now=now) for u in owners))

    assert refused(outcomes) == [SoleOwner]
    assert owners_of(club) == 1


# One welcome link


def enter_both(now: datetime) -> list[type[Exception] | None]:
    token = accounts.find_welcome_token() or ""
    return at_once(
        *(
            lambda name=name: accounts.create_first_account(
                token=token,
                email=f"{name}@example.org",
                password="three old pennies",
                name=name,
                now=now,
            )
            for name in ("ada", "bo")
        )
    )


def test_without_the_guard_two_come_in_first(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    nothing = SimpleNamespace(user=None, save=lambda **_: None)
    rows = SimpleNamespace(create=lambda **_: nothing, exists=lambda: False)
    monkeypatch.setattr(accounts, "FirstDirector", SimpleNamespace(objects=rows))
    monkeypatch.setattr(accounts, "is_welcome_link_open", Meeting().after(accounts.is_welcome_link_open))

    assert refused(enter_both(now)) == []
    assert User.objects.filter(is_superuser=True).count() == 2


def test_one_comes_in_first(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(accounts, "is_welcome_link_open", Meeting().after(accounts.is_welcome_link_open))

    assert refused(enter_both(now)) == [WelcomeLinkUsed]
    assert User.objects.count() == 1


def test_one_person_joins_once(club: Club, bo: User, now: datetime) -> None:
    outcomes = at_once(*[lambda: clubs.join(club=club, player=bo.player, now=now)] * 4)

    assert refused(outcomes) == [AlreadyMember] * 3
    assert club.memberships.count() == 2
