"""Friendlies in the lists of their club: only where the policy takes them, exactly once, by the version of the agreement."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from rankings import verifiers
from rankings.ledger import ledger
from rankings.lists import lists
from rankings.lists.lists import Terms
from rankings.models import LedgerEntry, RatingList
from tests.deliveries import deliver
from tests.fixtures.test_friendlies import Two, two
from tournaments.models import Pairing, Tournament
from tournaments.play import corrections, results

__all__ = ("Two", "two")


def opened(two: Two, name: str, **terms: object) -> RatingList:
    return lists.open_list(
        club=two.desk.club,
        by=two.desk.director,
        name=name,
        system="fibs",
        terms=Terms(**terms),  # type: ignore[arg-type]
        now=two.now,
    )


def played(two: Two, event: Tournament, ann: int = 5, bob: int = 0) -> Pairing:
    key = Pairing.objects.get(tournament=event).key
    return results.enter_result(
        tournament_id=event.pk, key=key, by=two.desk.director, score=two.score(event, ann, bob), now=two.now
    )


def standing(rating_list: RatingList) -> list[tuple[str, bool, int]]:
    rows = LedgerEntry.objects.filter(list=rating_list, voided_at__isnull=True).order_by("player")
    return [(row.player.name, row.won, row.policy.number) for row in rows.select_related("player", "policy")]


def test_it_is_rated_once_where_the_policy_takes_friendlies(two: Two) -> None:
    takes, refuses = opened(two, "Takes", friendlies=True), opened(two, "Refuses")
    short = opened(two, "Short", friendlies=True, longest=3)
    live = opened(two, "Live", friendlies=True, played="live")
    played(two, event := two.agreed())
    deliver(two.now)
    ledger.update_lists(event_id=event.pk, now=two.now)
    assert standing(takes) == [("Ann", True, 1), ("Bob", False, 1)]
    assert [standing(each) for each in (refuses, short, live)] == [[], [], []]
    assert not [
        problem for each in (takes, refuses, short, live) for problem in verifiers.find_problems(each)
    ]


def test_the_policy_counts_that_was_in_force_when_they_agreed(two: Two) -> None:
    kept = opened(two, "Club", friendlies=True)
    early = two.agreed()
    two.now += timedelta(hours=1)
    lists.amend(
        rating_list=kept, terms=Terms(friendlies=False), from_at=two.now, by=two.desk.director, now=two.now
    )
    two.now += timedelta(hours=1)
    late = two.agreed()
    played(two, early)
    played(two, late)
    deliver(two.now)
    assert standing(kept) == [("Ann", True, 1), ("Bob", False, 1)]
    assert LedgerEntry.objects.filter(list=kept, event=late).count() == 0


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("what", ["corrected", "void"])
def test_a_correction_or_a_void_plays_the_ledger_again(two: Two, what: str) -> None:
    kept = opened(two, "Club", friendlies=True)
    row = played(two, first := two.agreed())
    two.now += timedelta(minutes=1)
    played(two, two.agreed())
    deliver(two.now)
    before = list(
        LedgerEntry.objects.filter(list=kept, voided_at__isnull=True).values_list("after", flat=True)
    )
    said = {"tournament_id": first.pk, "key": row.key, "by": two.desk.director, "now": two.now}
    if what == "corrected":
        corrections.correct_result(**said, score=two.score(first, 2, 5), reason="The slip says so.")
    else:
        corrections.correct_result(**said, kind="void", reason="It was not played.")
    deliver(two.now)
    found = standing(kept)
    assert len(found) == (4 if what == "corrected" else 2)
    after = list(
        LedgerEntry.objects.filter(list=kept, voided_at__isnull=True).values_list("after", flat=True)
    )
    assert after != before
    assert list(verifiers.find_problems(kept)) == []


def test_pages_say_what_counts_and_what_it_did(two: Two, client: Client) -> None:
    kept = opened(two, "Club", friendlies=True)
    row = played(two, two.agreed())
    deliver(two.now)
    client.force_login(two.ann)
    page = client.get(reverse("fixtures:friendlies")).content.decode()
    assert "friendlies of 1 to 25 points are rated" in page
    rated = reverse("rankings:match", args=[two.desk.club.slug, row.uid])
    match = client.get(rated).content.decode()
    assert "1522.36" in match
    told = client.get(
        reverse("rankings:club", args=[two.desk.club.slug]), {"list": kept.key}
    ).content.decode()
    assert "count if both players agreed before the match" in told
