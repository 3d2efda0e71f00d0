"""Search in a list: by name, among active players, and a user's own row; all by the URL."""

from __future__ import annotations

import random
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from rest_framework.test import APIClient

from players.accounts import accounts
from players.clubs import clubs
from players.models import User
from rankings.ledger import order
from rankings.lists import list_search, lists
from rankings.models import PlayerRating, RatingList
from tests.rankings.lists.test_rankings_page import shown
from tests.rankings.rating_lists import open_list
from tests.rankings.standing_rows import stand
from tests.tournaments.event_desk import Desk
from tests.tournaments.support import Browser

NAMES = ("Ada Amsel", "Bert Brandt", "Adam Zoë", "Cleo Ames", "Dan Drossel", "Ada Brandt")


@pytest.fixture
def kept(desk: Desk) -> RatingList:
    """A list of a hundred and twenty, every third of whom has not played for two years."""
    made = open_list(desk)
    rng = random.Random(7)
    figures = [
        (1500 + rng.gauss(0, 80), rng.choice((20, 400)), 700 if number % 3 == 0 else 20)
        for number in range(120)
    ]
    rows = stand(made, figures, desk.now)
    for row, name in zip(rows, NAMES, strict=False):
        row.player.name = name
        row.player.save(update_fields=["name"])
    return made


@pytest.fixture
def me(desk: Desk, kept: RatingList) -> User:
    """A user in the middle of the list of players."""
    user = accounts.register(email="me@example.org", password=None, name="Mina Meise", now=desk.now)
    row = order.load_whole_list(kept, 100)[61]
    PlayerRating.objects.filter(pk=row.pk).update(player=user.player, last_at=desk.now)
    return user


@pytest.fixture
def address(desk: Desk) -> str:
    return reverse("rankings:club", args=[desk.club.slug])


def names(
    kept: RatingList, viewer: User | AnonymousUser, wanted: list_search.ListFilters, desk: Desk
) -> list[str]:
    which = list_search.build_condition(wanted, viewer, now=desk.now)
    return [row.player.public_name for row in order.OrderedPlayers(kept, 100, which, now=desk.now)[:200]]


@pytest.mark.parametrize("few", [0, 500])
def test_names_are_found_whatever_their_accents_and_in_the_order_of_the_list(
    desk: Desk, kept: RatingList, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr(list_search, "FEW", few)
    everybody = [row.player.public_name for row in order.load_whole_list(kept, 100)]

    def found(query: str) -> list[str]:
        return names(kept, AnonymousUser(), list_search.ListFilters(query), desk)

    assert found("ada") == [name for name in everybody if "Ada" in name]
    assert found("ZOE adam") == ["Adam Zoë"]
    assert found("nobody") == []
    assert len(found("")) == 120


def test_who_hides_is_found_by_name_by_themselves_and_by_directors(
    desk: Desk, kept: RatingList, me: User
) -> None:
    player = me.player
    player.hidden_from_search = True
    player.save(update_fields=["hidden_from_search"])
    wanted = list_search.ListFilters("meise")
    assert names(kept, AnonymousUser(), wanted, desk) == []
    assert names(kept, me, wanted, desk) == ["Mina Meise"]
    assert "Mina Meise" in names(kept, AnonymousUser(), list_search.ALL, desk)


def test_who_has_not_played_for_a_year_is_left_out_where_so_asked(desk: Desk, kept: RatingList) -> None:
    since = desk.now - timedelta(days=366)
    due = [row.player.public_name for row in order.load_whole_list(kept, 100) if row.last_at >= since]
    assert names(kept, AnonymousUser(), list_search.ListFilters(is_active=True), desk) == due
    assert len(due) == 80


def test_the_page_keeps_what_is_asked_for_in_its_address_and_places_stay(
    desk: Desk, kept: RatingList, address: str
) -> None:
    PlayerRating.objects.all().update(last_at=desk.now - timedelta(days=9000))
    PlayerRating.objects.filter(player__name__startswith="Ada").update(last_at=desk.now)
    page = shown(Browser(), f"{address}?q=brandt&active=1")
    assert "1 of 120 players" in page
    row = PlayerRating.objects.get(player__name="Ada Brandt")
    place = order.compute_places(kept, [row], 100)[row.pk]
    assert f"{place} AB Ada Brandt" in page
    html = Browser().get(f"{address}?active=1").content.decode()
    assert 'value="1" checked' in html
    assert "No one found" in shown(Browser(), f"{address}?q=nobody")
    part = (
        Browser()
        .get(f"{address}?q=ada", headers={"HX-Request": "true", "HX-Target": "ranking"})
        .content.decode()
    )
    assert "<html" not in part
    assert "3 of 120 players" in " ".join(part.split())


def test_the_pager_goes_on_with_what_was_asked_for(kept: RatingList, address: str) -> None:
    html = Browser().get(f"{address}?q=player&list={kept.key}").content.decode()
    assert f"?q=player&amp;list={kept.key}&amp;page=2" in html
    last = Browser().get(f"{address}?q=player&list={kept.key}&page=3").content.decode()
    assert "Page 3 of 3" in " ".join(last.split())


@pytest.mark.parametrize("asked", ["", "&active=1"])
def test_find_me_leads_to_the_page_with_my_row(
    desk: Desk, kept: RatingList, me: User, address: str, asked: str, settings: object
) -> None:
    browser = Browser(me)
    assert "Find me" in browser.get(address).content.decode()
    there = browser.get(f"{address}?find=me&list={kept.key}{asked}")["Location"]
    assert urlsplit(there).fragment == "me"
    html = browser.get(there.partition("#")[0]).content.decode()
    row = html[html.index('id="me"') :].partition("</tr>")[0]
    assert "Mina Meise" in row
    assert "you" in row
    if asked:
        assert "active=1" in there


def test_who_is_not_in_the_list_is_told_so(desk: Desk, kept: RatingList, address: str) -> None:
    other = accounts.register(email="other@example.org", password=None, name="Olaf Otter", now=desk.now)
    browser = Browser(other)
    assert "Find me" not in browser.get(address).content.decode()
    told = browser.get(f"{address}?find=me", follow=True)
    assert "You are not in this list" in told.content.decode()
    assert Browser().get(f"{address}?find=me&list=nothing").status_code == 404


def test_programs_find_as_pages_do(desk: Desk, kept: RatingList, me: User) -> None:
    address = reverse("api:rating-list-ranking", args=[kept.key])
    client = APIClient()
    everybody = client.get(address, {"page_size": 200}).json()["results"]
    ada = client.get(address, {"q": "ada"}).json()["results"]
    assert ada == [row for row in everybody if "Ada" in row["player"]["name"]]
    assert client.get(address, {"player": "me"}).json()["results"] == []
    [one] = client.get(address, {"player": ada[0]["player"]["key"]}).json()["results"]
    assert one == ada[0]
    client.force_authenticate(me)
    [mine] = client.get(address, {"player": "me"}).json()["results"]
    assert mine == next(row for row in everybody if row["player"]["name"] == "Mina Meise")
    client.force_authenticate(None)
    active = client.get(address, {"active": "true", "page_size": 200}).json()
    since = (desk.now - timedelta(days=366)).isoformat()
    assert active["count"] == sum(row["last_at"] >= since[:10] for row in everybody)
    # As the policy has it: never inactive.
    kept.policies.update(inactive_after=0)
    assert client.get(address, {"active": "true"}).json()["count"] == len(everybody)


def test_somebody_of_no_club_comes_to_the_lists_there_are(desk: Desk, address: str) -> None:
    browser = Browser()
    page = browser.get("/rankings/").content.decode()
    assert "No rating list yet" in page
    open_list(desk)
    # From pages of no club the way leads there, and on where it is the only one.
    assert 'href="/rankings/"' in browser.get("/players/").content.decode()
    assert browser.get("/rankings/")["Location"] == address
    other = clubs.create(owner=desk.director, name="Elsewhere", now=desk.now)
    lists.open_list(club=other, by=desk.director, name="Ours", system="elo", now=desk.now)
    told = shown(browser, "/rankings/")
    assert told.index("Elsewhere") < told.index("Ours") < told.index("Here") < told.index("List 1")
