"""Duplicates become one player."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.db import IntegrityError, transaction

from players.clubs import clubs, merging
from players.errors import AlreadyMerged, CannotMerge, HasAccount, NotAllowed
from players.hooks import player_merged
from players.models import Club, Membership, Merge, Player, Role, User


def test_the_history_moves_and_the_row_stays(club: Club, ada: User, now: datetime) -> None:
    heard: list[tuple[int, int]] = []
    listener = lambda kept, dropped, **_: heard.append((kept.pk, dropped.pk))  # noqa: E731
    player_merged.connect(listener)
    kept, dropped = (clubs.add_guest(club=club, name=name, by=ada, now=now) for name in ("Gus", "Gus H."))

    merging.merge_guest(kept=kept, dropped=dropped, by=ada, now=now)
    with pytest.raises(AlreadyMerged):
        merging.merge_guest(kept=kept, dropped=dropped, by=ada, now=now)

    dropped.refresh_from_db()
    assert dropped.merged_into == kept
    assert heard == [(kept.pk, dropped.pk)]
    assert list(club.memberships.filter(role=Role.MEMBER).values_list("player", flat=True)) == [kept.pk]
    player_merged.disconnect(listener)


def test_a_merge_happens_once_even_without_the_lock(club: Club, ada: User, now: datetime) -> None:
    kept, dropped = (clubs.add_guest(club=club, name=name, by=ada, now=now) for name in ("Gus", "Gus H."))
    merging.merge_guest(kept=kept, dropped=dropped, by=ada, now=now)

    with pytest.raises(AlreadyMerged):
        merging._move_rows(kept, dropped, by=ada, now=now)
    assert Merge.objects.count() == 1


def test_chains_are_flattened(club: Club, ada: User, now: datetime) -> None:
    one, two, three = (clubs.add_guest(club=club, name=f"Gus {n}", by=ada, now=now) for n in (1, 2, 3))

    merging.merge_guest(kept=two, dropped=one, by=ada, now=now)
    merging.merge_guest(kept=three, dropped=two, by=ada, now=now)

    assert set(Player.objects.filter(merged_into=three)) == {one, two}
    with pytest.raises(AlreadyMerged):
        merging.merge_guest(kept=one, dropped=three, by=ada, now=now)


def test_memberships_are_united_under_the_higher_role(club: Club, ada: User, bo: User, now: datetime) -> None:
    elsewhere = clubs.create(owner=ada, name="Elsewhere", now=now)
    guest = clubs.add_guest(club=elsewhere, name="Bo", by=ada, now=now)
    Membership.objects.create(club=club, player=guest, role=Role.MEMBER, joined_at=now)
    clubs.join(club=club, player=bo.player, now=now)
    clubs.set_role(club=club, player=bo.player, role=Role.DIRECTOR, by=ada, now=now)

    merging.merge_guest(kept=bo.player, dropped=guest, by=ada, now=now)

    assert set(bo.player.memberships.values_list("club__name", "role")) == {
        ("Bristol Backgammon", "director"),
        ("Elsewhere", "member"),
    }
    assert not guest.memberships.exists()


def test_nobody_is_merged_into_themselves(club: Club, ada: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)

    with pytest.raises(CannotMerge):
        merging.merge_guest(kept=guest, dropped=guest, by=ada, now=now)
    with pytest.raises(IntegrityError), transaction.atomic():
        Player.objects.filter(pk=guest.pk).update(merged_into=guest.pk)


def test_an_account_is_never_dropped(club: Club, ada: User, bo: User, now: datetime) -> None:
    clubs.join(club=club, player=bo.player, now=now)
    guest = clubs.add_guest(club=club, name="Gus", by=ada, now=now)

    with pytest.raises(HasAccount, match="Bo Lindgren"):
        merging.merge_guest(kept=guest, dropped=bo.player, by=ada, now=now)


def test_directors_merge_in_their_own_clubs_only(
    club: Club, ada: User, bo: User, enrol: Callable[..., User], now: datetime
) -> None:
    elsewhere = clubs.create(owner=bo, name="Elsewhere", now=now)
    theirs = clubs.add_guest(club=elsewhere, name="Gus", by=bo, now=now)
    ours = clubs.add_guest(club=club, name="Gus", by=ada, now=now)
    member = enrol(club, "Eve Novak")

    with pytest.raises(NotAllowed):
        merging.merge_guest(kept=ours, dropped=theirs, by=ada, now=now)
    with pytest.raises(CannotMerge):
        merging.merge_guest(kept=theirs, dropped=ours, by=ada, now=now)
    with pytest.raises(NotAllowed):
        merging.merge_guest(kept=member.player, dropped=ours, by=member, now=now)

    assert not Player.objects.filter(merged_into__isnull=False).exists()


def test_a_listener_that_fails_undoes_the_merge(club: Club, ada: User, now: datetime) -> None:
    kept, dropped = (clubs.add_guest(club=club, name=name, by=ada, now=now) for name in ("Gus", "Gus H."))

    def refuse(**_: object) -> None:
        raise RuntimeError

    player_merged.connect(refuse)
    with pytest.raises(RuntimeError):
        merging.merge_guest(kept=kept, dropped=dropped, by=ada, now=now)
    player_merged.disconnect(refuse)

    dropped.refresh_from_db()
    assert dropped.merged_into is None
    assert dropped.memberships.exists()
