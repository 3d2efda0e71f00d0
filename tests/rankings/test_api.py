"""Rating lists for programs: what the pages tell, in full precision, and to those alone who may see it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from rest_framework.test import APIClient

from players.models import Player
from rankings import rate, system
from rankings.formulas.values import Outcome
from rankings.models import PlayerRating
from rankings.selectors import rateable
from rankings.services import lists
from tests.tournaments.desk import a_plan

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from rankings.models import RatingList
    from tests.tournaments.desk import Desk

LISTS = "/api/v1/rating-lists/"


@pytest.fixture
def rating_list(
    desk: Desk, keep: Callable[..., RatingList], deliver: Callable[[datetime], int]
) -> RatingList:
    """Four have played each other."""
    kept = keep()
    desk.start(a_plan("round-robin"), 4)
    while rows := desk.open():
        desk.now += timedelta(minutes=1)
        desk.play(rows[0].key)
    deliver(desk.now)
    return kept


def told(address: str, client: APIClient | None = None) -> Any:
    answer = (client or APIClient()).get(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.mark.long
def test_a_club_s_lists_say_how_they_rate(rating_list: RatingList, desk: Desk) -> None:
    terms = lists.Terms(longest=7, provisional_under=50)
    later = desk.now + timedelta(days=1)
    lists.amend(rating_list=rating_list, terms=terms, from_at=later, by=desk.director, now=desk.now)
    (found,) = told(f"{LISTS}?club={desk.club.slug}")["results"]
    assert told(f"{LISTS}{rating_list.key}/") == found
    assert (found["key"], found["system"], found["club"]) == (rating_list.key, "fibs", desk.club.slug)
    assert found["params"]["k_floor"] == 1.0
    assert [(each["number"], each["longest"]) for each in found["policies"]] == [(1, 25), (2, 7)]
    assert told(f"{LISTS}?club=nowhere")["results"] == []


@pytest.mark.long
def test_a_ranking_says_who_stands_where(rating_list: RatingList) -> None:
    found = told(f"{LISTS}{rating_list.key}/ranking/")
    rows = list(PlayerRating.objects.order_by("-rating").select_related("player"))
    assert [each["rating"] for each in found["results"]] == [row.rating for row in rows]
    assert [each["place"] for each in found["results"]] == [1, 2, 3, 4]
    assert found["results"][0]["player"]["name"] == rows[0].player.public_name
    assert {each["provisional"] for each in found["results"]} == {True}


@pytest.mark.long
def test_places_go_on_over_pages(rating_list: RatingList) -> None:
    pages = [told(f"{LISTS}{rating_list.key}/ranking/?page_size=3&page={page}") for page in (1, 2)]
    assert [each["place"] for page in pages for each in page["results"]] == [1, 2, 3, 4]


@pytest.mark.long
def test_the_ledger_is_enough_to_recompute_the_list(rating_list: RatingList) -> None:
    entries = told(f"{LISTS}{rating_list.key}/entries/")["results"]
    assert len(entries) == 12
    outcomes = [
        Outcome(each["match"], number, each["player"], each["opponent"], each["won"], each["length"])
        for number, each in enumerate(entries[::2])
    ]
    found = rate(system("fibs"), outcomes)
    ranking = told(f"{LISTS}{rating_list.key}/ranking/")["results"]
    assert {each["player"]["key"]: each["rating"] for each in ranking} == {
        key: standing.rating for key, standing in found.players.items()
    }
    assert [each["after"] for each in entries] == [step.after.rating for step in found.steps]


@pytest.mark.long
def test_the_ledger_of_one_player_and_of_one_event(rating_list: RatingList, desk: Desk) -> None:
    player = PlayerRating.objects.select_related("player")[0].player
    mine = told(f"{LISTS}{rating_list.key}/entries/?player={player.key}")["results"]
    entries = rateable.entered(rating_list).filter(player=player)
    assert [each["after"] for each in mine] == [entry.after for entry in entries]
    event = mine[0]["event"]
    assert told(f"{LISTS}{rating_list.key}/entries/?event={event}")["count"] == 12
    assert told(f"{LISTS}{rating_list.key}/entries/?event=nothing")["count"] == 0
    assert APIClient().get(f"{LISTS}{rating_list.key}/entries/?player=nobody").status_code == 404


@pytest.mark.long
def test_who_hides_tells_it_to_their_clubs_directors_alone(rating_list: RatingList, desk: Desk) -> None:
    row = PlayerRating.objects.select_related("player")[0]
    own = f"/api/v1/players/{row.player.key}/ratings/"
    mine = f"{LISTS}{rating_list.key}/entries/?player={row.player.key}"
    assert [each["rating"] for each in told(own)] == [row.rating]
    Player.objects.filter(pk=row.player_id).update(hidden_from_search=True)
    assert told(own) == []
    assert told(mine)["count"] == 0
    director = APIClient()
    director.force_login(desk.director)
    assert [each["rating"] for each in told(own, director)] == [row.rating]
    assert told(mine, director)["count"] == 3
