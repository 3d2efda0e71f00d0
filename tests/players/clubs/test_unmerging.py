"""Undoing a merge: the moved rows go back, and later rows remain with the player who made them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from players.accounts import accounts
from players.clubs import clubs, merging
from players.errors import CannotUnmerge, MergedOn, NotAllowed, NotMerged
from players.models import Club, Membership, Merge, Notice, Player, Role, User
from runtime.work import outbox


def merge(kept: Player, dropped: Player, by: User, now: datetime) -> Merge:
    merging.merge_guest(kept=kept, dropped=dropped, by=by, now=now)
    return Merge.objects.get(dropped=dropped, undone_at__isnull=True)


def members(club: Club) -> set[tuple[str, str, datetime]]:
    return set(club.memberships.values_list("player__name", "role", "joined_at"))


@pytest.fixture
def two(club: Club, ada: User, now: datetime) -> tuple[Player, Player]:
    kept, dropped = (clubs.add_guest(club=club, name=name, by=ada, now=now) for name in ("Gus", "Gus H."))
    return kept, dropped


def test_they_are_two_again_with_what_they_had(
    club: Club, ada: User, two: tuple[Player, Player], now: datetime
) -> None:
    kept, dropped = two
    later = now + timedelta(days=1)
    before = members(club)
    row = merge(kept, dropped, ada, later)
    assert len(members(club)) == len(before) - 1
    merging.unmerge(merge_id=row.pk, by=ada, now=later)
    assert members(club) == before
    dropped.refresh_from_db()
    assert dropped.merged_into is None
    row.refresh_from_db()
    assert (row.undone_at, row.undone_by) == (later, ada)
    with pytest.raises(NotMerged):
        merging.unmerge(merge_id=row.pk, by=ada, now=later)
    # It may turn out otherwise once more.
    again = merge(kept, dropped, ada, later)
    assert Merge.objects.count() == 2
    merging.unmerge(merge_id=again.pk, by=ada, now=later)
    assert members(club) == before


def test_a_later_merge_is_undone_first(club: Club, ada: User, now: datetime) -> None:
    one, two, three = (clubs.add_guest(club=club, name=f"Gus {n}", by=ada, now=now) for n in (1, 2, 3))
    before = members(club)
    first, second = merge(two, one, ada, now), merge(three, two, ada, now)
    with pytest.raises(MergedOn):
        merging.unmerge(merge_id=first.pk, by=ada, now=now)
    merging.unmerge(merge_id=second.pk, by=ada, now=now)
    assert set(Player.objects.filter(merged_into=two)) == {one}
    assert not Player.objects.filter(merged_into=three).exists()
    merging.unmerge(merge_id=first.pk, by=ada, now=now)
    assert members(club) == before


def test_memberships_of_other_clubs_are_told_apart(club: Club, ada: User, bo: User, now: datetime) -> None:
    elsewhere = clubs.create(owner=ada, name="Elsewhere", now=now)
    guest = clubs.add_guest(club=elsewhere, name="Bo", by=ada, now=now)
    earlier = now - timedelta(days=9)
    Membership.objects.create(club=club, player=guest, role=Role.MEMBER, joined_at=earlier)
    clubs.join(club=club, player=bo.player, now=now)
    before = members(club), members(elsewhere)
    row = merge(bo.player, guest, ada, now)
    assert ("Bo Lindgren", "member", now) in members(elsewhere)
    merging.unmerge(merge_id=row.pk, by=ada, now=now)
    assert (members(club), members(elsewhere)) == before


def test_who_has_a_role_by_now_stays(club: Club, ada: User, bo: User, now: datetime) -> None:
    elsewhere = clubs.create(owner=ada, name="Elsewhere", now=now)
    guest = clubs.add_guest(club=elsewhere, name="Bo", by=ada, now=now)
    Membership.objects.create(club=club, player=guest, role=Role.MEMBER, joined_at=now)
    clubs.join(club=club, player=bo.player, now=now)
    row = merge(bo.player, guest, ada, now)
    clubs.set_role(club=elsewhere, player=bo.player, role=Role.DIRECTOR, by=ada, now=now)
    merging.unmerge(merge_id=row.pk, by=ada, now=now)
    assert {name: role for name, role, _ in members(elsewhere)} == {
        "Ada Okafor": "owner",
        "Bo Lindgren": "director",
        "Bo": "member",
    }


def test_only_directors_of_the_guests_clubs_may(
    club: Club, ada: User, bo: User, two: tuple[Player, Player], enrol: Callable[..., User], now: datetime
) -> None:
    row = merge(*two, ada, now)
    for stranger in (bo, enrol(club, "Eve Novak")):
        with pytest.raises(NotAllowed):
            merging.unmerge(merge_id=row.pk, by=stranger, now=now)
    assert Merge.objects.get().undone_at is None


def test_whoever_left_for_good_stays_one(club: Club, ada: User, bo: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Bo", by=ada, now=now)
    clubs.join(club=club, player=bo.player, now=now)
    row = merge(bo.player, guest, ada, now)
    accounts.erase(user=bo, now=now)
    with pytest.raises(CannotUnmerge):
        merging.unmerge(merge_id=row.pk, by=ada, now=now)


def test_the_account_is_told(club: Club, ada: User, bo: User, now: datetime) -> None:
    guest = clubs.add_guest(club=club, name="Bob", by=ada, now=now)
    clubs.join(club=club, player=bo.player, now=now)
    row = merge(bo.player, guest, ada, now)
    merging.unmerge(merge_id=row.pk, by=ada, now=now)
    merge(bo.player, guest, ada, now)
    while outbox.drain(queue="default", now=now):
        pass
    told = Notice.objects.filter(user=bo).order_by("pk").values_list("text", flat=True)
    assert [text for text in told if "Bob" in text] == [
        "The matches of the guest Bob are yours now.",
        "The matches of the guest Bob are no longer yours.",
        "The matches of the guest Bob are yours now.",
    ]
