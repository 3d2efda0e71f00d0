"""Chances and eligibility by lists of a club's groups and of the whole site."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from players.models import Player
from rankings import errors
from rankings.chances import chances, title_chances
from rankings.chances import titles as selected
from rankings.eligibility import eligibility as asking
from rankings.eligibility import eligibility_pages
from rankings.eligibility.eligibility import RequirementTerms
from rankings.ledger import reach
from rankings.lists import groups, lists
from rankings.models import LedgerEntry, Policy, RatingList, Reach, Requirement, TitleChances
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.rankings.eligibility.test_eligibility import DAY, publish
from tests.rankings.lists.test_groups import HOUR, another, join
from tests.rankings.rating_lists import history, open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text
from tournaments.models import Pairing


@pytest.fixture
def there(desk: Desk) -> Desk:
    """Another club."""
    return another(desk.now)


def administer(desk: Desk) -> None:
    """Permit the director to open lists of the whole site."""
    desk.director.is_staff = True
    desk.director.save(update_fields=["is_staff"])


def known(desk: Desk, there: Desk, kind: Reach) -> tuple[RatingList, list[Player]]:
    """A list from beyond that knows four players, by an evening at the club that keeps it; the other club has joined."""
    administer(desk)
    far = history(desk, reach=kind)
    there.now = desk.now + HOUR
    if kind == Reach.GROUP:
        join(desk, there, there.now)
    return far, [desk.player(number) for number in range(1, 5)]


def meet(there: Desk, players: list[Player]) -> Pairing:
    """Begin an event of the other club with these players; return its first match."""
    there.now += HOUR
    event = there.start(a_plan("single-elimination"), len(players))
    for number, player in enumerate(players, 1):
        event.entries.filter(number=number).update(player=player)
    row = there.open()[0]
    return Pairing.objects.select_related("tournament", "a__player", "b__player", "match").get(pk=row.pk)


def likely(there: Desk) -> TitleChances:
    """The chances in the event's row after all background work."""
    there.now += title_chances.EVERY
    deliver(there.now)
    return TitleChances.objects.get(event=there.event)


# -- which lists


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(turns=st.lists(st.sampled_from(["ask", "join", "leave"]), max_size=6))
@pytest.mark.long
def test_the_lists_of_now_are_those_of_the_groups_a_club_is_in(
    desk: Desk, there: Desk, turns: list[str]
) -> None:
    RatingList.objects.all().delete()
    administer(desk)

    def kept(of: Desk, name: str, reach: Reach) -> RatingList:
        return lists.open_list(
            club=of.club, by=of.director, name=name, system="fibs", now=desk.now, reach=reach
        )

    of_site, of_group = kept(desk, "Site", Reach.SITE), kept(desk, "Group", Reach.GROUP)
    kept(desk, "Theirs", Reach.CLUB)
    own = kept(there, "Own", Reach.CLUB)
    is_asked = is_in = False
    for turn in turns:
        if turn == "ask" and not is_asked:
            groups.invite_club(lead=desk.club, club=there.club, by=desk.director, now=desk.now)
            is_asked = True
        elif turn == "join" and is_asked:
            groups.join_group(lead=desk.club, club=there.club, by=there.director, now=desk.now)
            is_in = True
        elif turn == "leave" and is_asked:
            groups.leave_group(lead=desk.club, club=there.club, by=there.director, now=desk.now)
            is_asked = is_in = False
    assert reach.list_current_lists(there.club.pk) == [own, *([of_group] if is_in else []), of_site]
    assert reach.list_foreign_lists(there.club) == [*([of_group] if is_in else []), of_site]
    if is_asked:
        groups.leave_group(lead=desk.club, club=there.club, by=there.director, now=desk.now)


@pytest.mark.parametrize(("kind", "rated"), [("club", 0), ("site", 1)])
@pytest.mark.parametrize("by_api", [False, True])
def test_a_list_of_the_site_rates_what_older_clubs_played_before_its_own_was_there(
    desk: Desk, there: Desk, kind: str, rated: int, by_api: bool
) -> None:
    administer(desk)
    there.start(a_plan("round-robin"), 4)
    there.play(there.open()[0].key)
    desk.club.created_at = there.now + HOUR
    desk.club.save(update_fields=["created_at"])
    said = {"name": "All", "system": "fibs", "reach": kind, "has_past": True}
    if by_api:
        program = APIClient()
        program.force_authenticate(desk.director)
        answer = program.post("/api/v1/rating-lists/", {**said, "club": desk.club.slug}, format="json")
        assert answer.status_code == 201, answer.content
    else:
        browser = signed_in(desk.director)
        terms = {"shortest": 1, "longest": 25, "played": "any", "rules": "any"}
        page = reverse("rankings:create", args=[desk.club.slug])
        said |= {**terms, "provisional_under": 0, "inactive_after": 12}
        assert browser.post(page, said).status_code == 302

    deliver(timezone.now())

    assert LedgerEntry.objects.filter(is_a=True).count() == rated
    oldest = there.club if kind == "site" else desk.club
    assert Policy.objects.get().from_at == oldest.created_at


def test_a_rehearsal_is_rated_by_no_list_of_the_site(desk: Desk, there: Desk) -> None:
    administer(desk)
    of_site = open_list(desk, reach=Reach.SITE)
    assert reach.list_current_lists(there.club.pk) == [of_site]
    there.club.rehearses = desk.club
    there.club.save(update_fields=["rehearses"])
    assert reach.list_current_lists(there.club.pk) == []


def test_friendlies_count_in_the_lists_of_the_group(desk: Desk, there: Desk) -> None:
    of_group = open_list(desk, reach=Reach.GROUP, terms=lists.Terms(friendlies=True))
    assert reach.list_friendlies_policies([there.club.pk], now=desk.now) == ()
    join(desk, there, desk.now)
    [found] = reach.list_friendlies_policies([there.club.pk], now=desk.now)
    assert found.list == of_group
    assert found.policy


# -- chances


@pytest.mark.long
@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("kind", [Reach.GROUP, Reach.SITE])
def test_the_chances_of_a_match_are_those_of_the_list_that_is_named(
    desk: Desk, there: Desk, kind: Reach
) -> None:
    far, players = known(desk, there, kind)
    row = meet(there, [players[0], players[3]])
    one, other = row.a.player, row.b.player
    [shown] = chances.compute_chances(row, None, now=there.now)
    situation = chances.Situation(0.5, row.length, "")
    assert shown.list == far
    assert shown.chance == chances.compute_list_chance(far, one, other, situation, now=there.now)
    assert shown.chance != 0.5
    assert chances.compute_pair_chance(there.club, one, other, row.length, now=there.now) == shown.chance
    director = signed_in(there.director)
    page = text(director.get(reverse("tournaments:pairing", args=[there.event.key, row.key])))
    assert f"{far.name} ({desk.club.name})" in page
    assert f"{shown.share} %" in page
    if kind == Reach.GROUP:
        groups.leave_group(lead=desk.club, club=there.club, by=there.director, now=there.now)
        assert chances.compute_chances(row, None, now=there.now) == ()
        assert chances.compute_pair_chance(there.club, one, other, row.length, now=there.now) is None
        # A match that was opened before joining is not rated, so nothing is said of it.
        join(desk, there, there.now + HOUR)
        assert chances.compute_chances(row, None, now=there.now + HOUR) == ()


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_the_title_goes_by_the_group_s_list_while_the_club_is_in_it(desk: Desk, there: Desk) -> None:
    far, players = known(desk, there, Reach.GROUP)
    # The club's list has priority, but has no ratings of these players.
    lists.open_list(club=there.club, by=there.director, name="Own", system="fibs", now=there.now)
    meet(there, players)
    row = likely(there)
    assert row.list == far
    found = selected.build_input(there.fresh(), now=there.now)
    assert found
    assert found.list == far
    made = selected.compute(found)
    assert made
    assert dict(row.shares) == {int(one): round(share, 4) for one, share in made.shares.items()}
    page = text(Client().get(there.event.get_absolute_url()))
    assert f"{far.name} ({desk.club.name})" in page
    assert reverse("rankings:calibration", args=[desk.club.slug, far.key]) in page

    groups.leave_group(lead=desk.club, club=there.club, by=there.director, now=there.now)
    row = likely(there)
    assert (row.list, row.shares) == (None, [])
    assert "Chances to win" not in text(Client().get(there.event.get_absolute_url()))
    join(desk, there, there.now + HOUR)
    there.now += HOUR
    assert likely(there).list == far


# -- who may play


def test_who_may_play_is_asked_of_the_group_s_list(desk: Desk, there: Desk) -> None:
    far = open_list(desk, reach=Reach.GROUP)
    there.announce(a_plan("round-robin"))
    high, low = (there.member(name) for name in ("Hanna High", "Lars Low"))
    publish(desk, far, (high.player, 1612.5), (low.player, 1400.0))
    terms = RequirementTerms(far, DAY, at_least=1500.0)

    def ask() -> None:
        asking.set_requirement(of=there.event, terms=terms, by=there.director, now=there.now)

    with pytest.raises(errors.BadRequirement):
        ask()
    join(desk, there, there.now)
    director, page = Client(), reverse("rankings:event_eligibility", args=[there.event.key])
    director.force_login(there.director)
    called = f"{far.name} ({desk.club.name})"
    assert f">{called}</option>" in text(director.get(page))
    said = {"list": far.key, "day": DAY.isoformat(), "at_least": "1500"}
    assert director.post(page, said).status_code == 302
    made = Requirement.objects.get()
    assert (made.list, made.at_least) == (far, 1500.0)
    for each in (director.get(page), Client().get(there.event.get_absolute_url())):
        assert f"in {called} of" in text(each)
    told = eligibility_pages.judge_players(made, [high.player.pk, low.player.pk])
    assert [told[each.player.pk].code for each in (high, low)] == ["eligible", "too_low"]

    groups.leave_group(lead=desk.club, club=there.club, by=there.director, now=there.now)
    # Announced limits are unchanged, but the list can no longer be chosen.
    left = text(director.get(page))
    assert f"{far.name} no longer rates this club" in left
    assert f">{called}</option>" not in left
    assert told == eligibility_pages.judge_players(made, [high.player.pk, low.player.pk])
    with pytest.raises(errors.BadRequirement):
        ask()
    assert director.post(page, said).status_code == 422
