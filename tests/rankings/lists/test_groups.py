"""Lists of a group of clubs and of the whole site: by consent, from the day of joining, and what was rated stays."""

from __future__ import annotations

import contextlib
from datetime import datetime, timedelta

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from players.accounts import accounts
from players.clubs import clubs
from players.models import Club, Notice
from rankings import errors, verifiers
from rankings.ledger import ledger, reach
from rankings.lists import groups, lists
from rankings.models import GroupMember, LedgerEntry, PlayerRating, RatingList, Reach, Rebuild
from tests.deliveries import deliver
from tests.rankings.ledger.test_ledger_races import together
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser
from tournaments.models import Pairing
from tournaments.play import corrections

ROUND_ROBIN = a_plan("round-robin")
HOUR = timedelta(hours=1)


def another(now: datetime, name: str = "There") -> Desk:
    """A club with its own desk."""
    made = Desk.__new__(Desk)
    made.now = now
    made.director = accounts.register(
        email=f"{name.lower()}@example.org", password=None, name=f"Dan {name}", now=now
    )
    made.club = clubs.create(owner=made.director, name=name, now=now)
    return made


def join(desk: Desk, there: Desk, now: datetime) -> None:
    groups.invite_club(lead=desk.club, club=there.club, by=desk.director, now=now)
    groups.join_group(lead=desk.club, club=there.club, by=there.director, now=now)


def play_one(desk: Desk) -> str:
    desk.now += timedelta(minutes=1)
    key = desk.open()[0].key
    desk.play(key)
    return key


def rated(rating_list: RatingList) -> int:
    """How many matches the list has rated."""
    return LedgerEntry.objects.filter(list=rating_list, voided_at__isnull=True, is_a=True).count()


@pytest.fixture
def there(desk: Desk) -> Desk:
    return another(desk.now)


@pytest.mark.long
def test_a_group_rates_its_clubs_from_joining_to_leaving(desk: Desk, there: Desk) -> None:
    of_group, own = open_list(desk, reach=Reach.GROUP), open_list(desk)
    there.start(ROUND_ROBIN, 4)
    play_one(there)
    deliver(there.now)
    assert rated(of_group) == 0
    there.now += HOUR
    join(desk, there, there.now)
    there.start(ROUND_ROBIN, 4)
    first = play_one(there)
    desk.start(ROUND_ROBIN, 4)
    play_one(desk)
    deliver(there.now)
    assert (rated(of_group), rated(own)) == (2, 1)
    there.now += HOUR
    groups.leave_group(lead=desk.club, club=there.club, by=there.director, now=there.now)
    # Opened while it was in: rated. Opened afterwards: not.
    play_one(there)
    deliver(there.now)
    assert rated(of_group) == 3
    there.event, earlier = None, there.event  # type: ignore[assignment]
    there.start(ROUND_ROBIN, 4)
    play_one(there)
    deliver(there.now)
    assert rated(of_group) == 3
    # What was rated stays, and follows its corrections.
    there.event = earlier
    row = there.row(first)
    assert row.a
    assert row.b
    loser = max(row.a, row.b, key=lambda each: each.number)
    before = PlayerRating.objects.get(list=of_group, player=loser.player).rating
    there.do(
        corrections.correct_result,
        key=first,
        score=(0, row.length) if loser == row.b else (row.length, 0),
        reason="Wrong",
    )
    deliver(there.now)
    assert PlayerRating.objects.get(list=of_group, player=loser.player).rating > before
    assert list(verifiers.find_problems(of_group)) == []


def test_a_list_of_the_whole_site_rates_every_club(desk: Desk, there: Desk) -> None:
    with pytest.raises(errors.NotOperator):
        open_list(desk, reach=Reach.SITE)
    desk.director.is_staff = True
    desk.director.save(update_fields=["is_staff"])
    of_site = open_list(desk, reach=Reach.SITE)
    for each in (desk, there):
        each.start(ROUND_ROBIN, 4)
        play_one(each)
    deliver(there.now)
    assert rated(of_site) == 2
    ledger.rebuild(list_id=of_site.pk, now=there.now)
    assert rated(of_site) == 2
    assert list(verifiers.find_problems(of_site)) == []
    # A rehearsal counts nowhere.
    assert reach.list_lists(there.club.pk).get() == of_site
    assert reach.is_rated(there.fresh())
    there.club.rehearses = desk.club
    there.club.save(update_fields=["rehearses"])
    assert not reach.list_lists(there.club.pk).exists()
    assert not reach.is_rated(there.fresh())
    ledger.rebuild(list_id=of_site.pk, now=there.now)
    assert rated(of_site) == 1


@pytest.fixture
def played(there: Desk) -> Desk:
    """Another club has played six matches."""
    there.start(ROUND_ROBIN, 4)
    there.play_out()
    return there


HOURS = st.lists(st.integers(0, 12), min_size=2, max_size=6, unique=True).map(sorted)


@pytest.mark.long
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(turns=HOURS, opened=st.lists(st.integers(0, 12), min_size=6, max_size=6))
def test_a_match_counts_where_its_club_was_in_when_it_was_opened(
    desk: Desk, played: Desk, turns: list[int], opened: list[int]
) -> None:
    there = played
    GroupMember.objects.all().delete()
    start = desk.now
    of_group = lists.open_list(
        club=desk.club,
        by=desk.director,
        name=f"List {LedgerEntry.objects.count()} {turns} {opened}"[:80],
        system="fibs",
        since=start - HOUR,
        now=start,
        reach=Reach.GROUP,
    )
    for hour, row in zip(opened, there.event.pairings.order_by("pk"), strict=True):
        at = start + hour * HOUR
        Pairing.objects.filter(pk=row.pk).update(opened_at=at, decided_at=at + timedelta(days=1))
    is_in, stays = False, []
    for hour in turns:
        at = start + hour * HOUR
        if is_in:
            groups.leave_group(lead=desk.club, club=there.club, by=desk.director, now=at)
            stays[-1][1] = hour
        else:
            join(desk, there, at)
            stays.append([hour, 99])
        is_in = not is_in
    ledger.rebuild(list_id=of_group.pk, now=start)
    assert rated(of_group) == sum(any(since <= hour < until for since, until in stays) for hour in opened)
    assert list(verifiers.find_problems(of_group)) == []
    Rebuild.objects.all().delete()
    of_group.delete()


def test_both_sides_have_their_say_and_nobody_else(desk: Desk, there: Desk) -> None:
    now, both = desk.now, {"lead": desk.club, "club": there.club, "now": desk.now}
    stranger = accounts.register(email="x@example.org", password=None, name="Xe", now=now)
    for by in (there.director, stranger):
        with pytest.raises(errors.NotKeeper):
            groups.invite_club(**both, by=by)
    groups.invite_club(**both, by=desk.director)
    assert "Here invites There" in Notice.objects.get(user=there.director).text
    with pytest.raises(errors.AskedAlready):
        groups.invite_club(**both, by=desk.director)
    # Who asks does not agree for the other.
    with pytest.raises(errors.NotKeeper):
        groups.join_group(**both, by=desk.director)
    assert not reach.list_members(desk.club)
    groups.join_group(**both, by=there.director)
    groups.join_group(**both, by=there.director)
    assert [each.club for each in reach.list_members(desk.club)] == [there.club]
    with pytest.raises(errors.NotKeeper):
        groups.leave_group(**both, by=stranger)
    groups.leave_group(**both, by=desk.director)
    for act in (groups.join_group, groups.leave_group):
        with pytest.raises(errors.NotInGroup):
            act(**both, by=there.director)
    with pytest.raises(errors.BadGroup):
        groups.invite_club(lead=desk.club, club=desk.club, by=desk.director, now=now)


def test_pages_lead_through_asking_joining_and_leaving(desk: Desk, there: Desk, client: Browser) -> None:
    of_group = open_list(desk, reach=Reach.GROUP)
    here, page = (reverse("rankings:group", args=[each.club.slug]) for each in (desk, there))
    change, theirs = (reverse("rankings:change_group", args=[each.club.slug]) for each in (desk, there))
    client.force_login(desk.director)
    assert "There is no club of this name" in client.post(change, {"club": "Nowhere"}).content.decode()
    assert client.post(change, {"club": "there"}).status_code == 302
    assert "invited, no answer yet" in client.get(here).content.decode()
    again = client.post(change, {"club": "There"})
    assert again.status_code == 422
    assert "has not answered its invitation yet" in again.content.decode()
    client.logout()
    assert "no answer yet" not in client.get(here).content.decode()
    assert "invites your club" not in client.get(page).content.decode()
    client.force_login(there.director)
    assert "invites your club to join" in client.get(page).content.decode()
    assert client.post(change, {"act": "join", "club": "there"}).status_code == 403
    declined = client.post(theirs, {"act": "decline", "club": desk.club.slug}, follow=True)
    assert "Your club does not join the group." in declined.content.decode()
    groups.invite_club(lead=desk.club, club=there.club, by=desk.director, now=desk.now)
    client.post(theirs, {"act": "join", "club": desk.club.slug})
    assert [each.club for each in reach.list_members(desk.club)] == [there.club]
    told = client.get(reverse("rankings:club", args=[there.club.slug])).content.decode()
    assert "Also rated in" in told
    assert of_group.name in told
    open_list(desk)
    client.post(theirs, {"act": "leave", "club": desk.club.slug})
    assert not reach.list_members(desk.club)


def test_a_page_of_earlier_ends_only_what_it_showed(desk: Desk, there: Desk, client: Browser) -> None:
    change, theirs = (reverse("rankings:change_group", args=[each.club.slug]) for each in (desk, there))
    join(desk, there, desk.now)
    client.force_login(desk.director)
    refused = client.post(change, {"act": "withdraw", "club": there.club.slug}, follow=True)
    assert "has joined or left the group" in refused.content.decode()
    client.force_login(there.director)
    client.post(theirs, {"act": "decline", "club": desk.club.slug})
    assert [each.club for each in reach.list_members(desk.club)] == [there.club]
    client.post(theirs, {"act": "leave", "club": desk.club.slug})
    groups.invite_club(lead=desk.club, club=there.club, by=desk.director, now=desk.now)
    client.post(theirs, {"act": "leave", "club": desk.club.slug})
    client.force_login(desk.director)
    client.post(change, {"act": "remove", "club": there.club.slug})
    assert [row.club for row in reach.list_invited(desk.club)] == [there.club]


def test_of_two_clubs_called_alike_the_address_says_which(desk: Desk, client: Browser) -> None:
    first = another(desk.now, "Lyon").club
    second = clubs.create(owner=desk.director, name="Lyon", now=desk.now)
    # The address of one is the name of another.
    clubs.create(owner=desk.director, name="Paris", now=desk.now)
    Club.objects.filter(name="Paris").update(name="Marseille")
    clubs.create(owner=desk.director, name="paris", now=desk.now)
    change = reverse("rankings:change_group", args=[desk.club.slug])
    client.force_login(desk.director)
    for said in ("Lyon", "lyon", "Paris", "paris"):
        answer = client.post(change, {"club": said})
        assert (answer.status_code, "Several clubs" in answer.content.decode()) == (422, True)
    client.post(change, {"club": f"https://barpoint.example.org{first.get_absolute_url()}"})
    assert [row.club for row in reach.list_invited(desk.club)] == [first]
    client.post(change, {"club": second.slug.upper()})
    assert {row.club for row in reach.list_invited(desk.club)} == {first, second}


def test_a_club_is_invited_by_its_name_without_capitals_and_accents(desk: Desk, client: Browser) -> None:
    other = clubs.create(owner=desk.director, name="Écarté Köln", city="Köln", now=desk.now)
    clubs.create(owner=desk.director, name="Écarté Köln West", now=desk.now)
    client.force_login(desk.director)
    said = {"club": "écarte köln"}
    assert client.post(reverse("rankings:change_group", args=[desk.club.slug]), said).status_code == 302
    assert [row.club for row in reach.list_invited(desk.club)] == [other]


def test_the_api_does_the_same(desk: Desk, there: Desk) -> None:
    lead, member = APIClient(), APIClient()
    lead.force_authenticate(desk.director)
    member.force_authenticate(there.director)
    group = f"/api/v1/clubs/{desk.club.slug}/rating-group/"
    address = f"{group}{there.club.slug}/"
    assert lead.post(address).status_code == 204
    assert lead.post(address).json()["code"] == "asked_already"
    assert member.get(group).json()["results"] == []
    assert [row["joined_at"] for row in lead.get(group).json()["results"]] == [None]
    assert lead.put(address).status_code == 403
    assert member.put(address).status_code == 204
    assert [row["club"] for row in APIClient().get(group).json()["results"]] == [there.club.slug]
    assert member.delete(address).status_code == 204
    assert member.delete(address).json()["code"] == "not_in_group"
    assert lead.post(f"{group}nowhere/").status_code == 404


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_directors_who_ask_at_once_ask_once(desk: Desk, there: Desk) -> None:
    def ask() -> None:
        with contextlib.suppress(errors.AskedAlready):
            groups.invite_club(lead=desk.club, club=there.club, by=desk.director, now=desk.now)

    together(ask)
    assert GroupMember.objects.count() == 1
