"""Rating lists over the API: the data of the pages, unrounded, and only for permitted callers."""

from __future__ import annotations

from dataclasses import asdict
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from players.accounts import accounts
from players.models import Player
from rankings import rate, system
from rankings.errors import PolicyTooEarly, PolicyUnchanged
from rankings.formulas.values import Outcome
from rankings.ledger import rated_matches
from rankings.lists import lists
from rankings.models import PlayerRating, RatingList
from tests.rankings.ledger.test_ledger_races import WORKERS, together
from tests.rankings.rating_lists import history, open_list
from tests.tournaments.event_desk import Desk

LISTS = "/api/v1/rating-lists/"


@pytest.fixture
def rating_list(desk: Desk) -> RatingList:
    """Four have played each other."""
    return history(desk)


def load_json(address: str, client: APIClient | None = None) -> Any:
    answer = (client or APIClient()).get(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.mark.long
def test_a_club_s_lists_say_how_they_rate(rating_list: RatingList, desk: Desk) -> None:
    terms = lists.Terms(longest=7, provisional_under=50)
    later = desk.now + timedelta(days=1)
    lists.amend(rating_list=rating_list, terms=terms, from_at=later, by=desk.director, now=desk.now)
    (found,) = load_json(f"{LISTS}?club={desk.club.slug}")["results"]
    assert load_json(f"{LISTS}{rating_list.key}/") == found
    assert (found["key"], found["system"], found["club"]) == (rating_list.key, "fibs", desk.club.slug)
    assert found["params"]["k_floor"] == 1.0
    assert [(each["number"], each["longest"]) for each in found["policies"]] == [(1, 25), (2, 7)]
    assert load_json(f"{LISTS}?club=nowhere")["results"] == []


@pytest.mark.long
def test_a_ranking_says_who_stands_where(rating_list: RatingList) -> None:
    found = load_json(f"{LISTS}{rating_list.key}/ranking/")
    rows = list(PlayerRating.objects.order_by("-rating").select_related("player"))
    assert [each["rating"] for each in found["results"]] == [row.rating for row in rows]
    assert [each["place"] for each in found["results"]] == [1, 2, 3, 4]
    assert found["results"][0]["player"]["name"] == rows[0].player.public_name
    assert {each["provisional"] for each in found["results"]} == {True}


@pytest.mark.long
def test_places_go_on_over_pages(rating_list: RatingList) -> None:
    pages = [load_json(f"{LISTS}{rating_list.key}/ranking/?page_size=3&page={page}") for page in (1, 2)]
    assert [each["place"] for page in pages for each in page["results"]] == [1, 2, 3, 4]


@pytest.mark.long
def test_the_ledger_is_enough_to_recompute_the_list(rating_list: RatingList) -> None:
    entries = load_json(f"{LISTS}{rating_list.key}/entries/")["results"]
    assert len(entries) == 12
    outcomes = [
        Outcome(each["match"], number, each["player"], each["opponent"], each["won"], each["length"])
        for number, each in enumerate(entries[::2])
    ]
    found = rate(system("fibs"), outcomes)
    ranking = load_json(f"{LISTS}{rating_list.key}/ranking/")["results"]
    assert {each["player"]["key"]: each["rating"] for each in ranking} == {
        key: standing.rating for key, standing in found.players.items()
    }
    assert [each["after"] for each in entries] == [step.after.rating for step in found.steps]


@pytest.mark.long
def test_the_ledger_of_one_player_and_of_one_event(rating_list: RatingList, desk: Desk) -> None:
    player = PlayerRating.objects.select_related("player")[0].player
    mine = load_json(f"{LISTS}{rating_list.key}/entries/?player={player.key}")["results"]
    entries = rated_matches.list_entries(rating_list).filter(player=player)
    assert [each["after"] for each in mine] == [entry.after for entry in entries]
    event = mine[0]["event"]
    assert load_json(f"{LISTS}{rating_list.key}/entries/?event={event}")["count"] == 12
    assert load_json(f"{LISTS}{rating_list.key}/entries/?event=nothing")["count"] == 0
    assert APIClient().get(f"{LISTS}{rating_list.key}/entries/?player=nobody").status_code == 404


@pytest.mark.long
def test_who_hides_tells_it_to_their_clubs_directors_alone(rating_list: RatingList, desk: Desk) -> None:
    row = PlayerRating.objects.select_related("player")[0]
    own = f"/api/v1/players/{row.player.key}/ratings/"
    mine = f"{LISTS}{rating_list.key}/entries/?player={row.player.key}"
    assert [each["rating"] for each in load_json(own)["results"]] == [row.rating]
    Player.objects.filter(pk=row.player_id).update(hidden_from_search=True)
    assert load_json(own)["results"] == []
    assert load_json(mine)["count"] == 0
    director = APIClient()
    director.force_login(desk.director)
    assert [each["rating"] for each in load_json(own, director)["results"]] == [row.rating]
    assert load_json(mine, director)["count"] == 3


@pytest.fixture
def director(desk: Desk) -> APIClient:
    client = APIClient()
    client.force_authenticate(desk.director)
    return client


def test_a_director_opens_a_list_by_api(desk: Desk, director: APIClient) -> None:
    said = {
        "club": desk.club.slug, "name": "Winter", "system": "glicko2", "params": {"tau": 0.3}, "reach": "group",
        "dated": "month", "about": "For the winter.", "has_past": False, "policy": {"longest": 11, "rules": "usual"},
    }  # fmt: skip
    assert APIClient().post(LISTS, said, format="json").status_code == 401
    answer = director.post(LISTS, said, format="json")
    assert answer.status_code == 201, answer.content
    made = answer.json()
    assert load_json(f"{LISTS}{made['key']}/") == made
    assert {name: made[name] for name in said if name not in {"has_past", "params", "policy"}} == {
        name: said[name] for name in said if name not in {"has_past", "params", "policy"}
    }
    assert made["params"]["tau"] == 0.3
    (policy,) = made["policies"]
    assert (policy["shortest"], policy["longest"], policy["rules"]) == (1, 11, "usual")
    assert (policy["provisional_under"], policy["inactive_after"], policy["played"]) == (100, 12, "any")
    again = director.post(LISTS, said, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "name_taken")


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"system": "chess"}, 400, "bad_system"),
        ({"params": {"tau": -1}}, 400, "bad_system"),
        ({"params": {"tau": ["x"]}}, 400, "bad_system"),
        ({"params": {"nothing": 1}}, 400, "bad_system"),
        ({"system": "elo", "params": {"exponent": 1000}}, 400, "bad_system"),
        ({"params": {"volatility": 100}}, 400, "bad_system"),
        ({"policy": {"shortest": 7, "longest": 5}}, 400, "bad_policy"),
        ({"policy": {"longest": 0}}, 400, "invalid"),
        ({"policy": {"longst": 5}}, 400, "invalid"),
        ({"name": ""}, 400, "invalid"),
        ({"reach": "town"}, 400, "invalid"),
        ({"reach": "site"}, 403, "not_operator"),
        ({"club": "nowhere"}, 404, "not_found"),
    ],
)
def test_what_cannot_be_opened_is_refused_and_nothing_is_made(
    desk: Desk, director: APIClient, wrong: dict[str, object], status: int, code: str
) -> None:
    said = {"club": desk.club.slug, "name": "Winter", "system": "glicko2", **wrong}
    answer = director.post(LISTS, said, format="json")
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert not RatingList.objects.exists()


def test_an_administrator_opens_a_list_of_the_site_and_others_open_none(desk: Desk) -> None:
    said = {"club": desk.club.slug, "name": "All", "system": "fibs", "reach": "site"}
    outsider = accounts.register(email="out@example.org", password=None, name="Otto Out", now=desk.now)
    client = APIClient()
    client.force_authenticate(outsider)
    refused = client.post(LISTS, {**said, "reach": "club"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_keeper")
    desk.director.is_staff = True
    desk.director.save()
    client.force_authenticate(desk.director)
    assert client.post(LISTS, said, format="json").json()["reach"] == "site"


def test_the_next_version_of_a_policy_changes_what_it_names(desk: Desk, director: APIClient) -> None:
    kept = open_list(desk, terms=lists.Terms(longest=7, friendlies=True))
    address = f"{LISTS}{kept.key}/policies/"
    later = (timezone.now() + timedelta(days=1)).isoformat()
    assert APIClient().post(address, {"longest": 9}, format="json").status_code == 401
    answer = director.post(address, {"longest": 9, "from_at": later}, format="json")
    assert answer.status_code == 201, answer.content
    first, second = answer.json()["policies"]
    assert (first["longest"], second["longest"], second["number"]) == (7, 9, 2)
    assert second["friendlies"] is True
    # Another one that begins before: what is rated is said before it is played.
    early = director.post(address, {"longest": 5}, format="json")
    assert (early.status_code, early.json()["code"]) == (409, "policy_too_early")
    wrong = director.post(address, {"shortest": 11}, format="json")
    assert wrong.json()["code"] in {"bad_policy", "policy_too_early"}
    same = director.post(
        address, {"from_at": (timezone.now() + timedelta(days=2)).isoformat()}, format="json"
    )
    assert (same.status_code, same.json()["code"]) == (409, "policy_unchanged")
    assert kept.policies.count() == 2


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z"])
def test_a_policy_begins_in_a_year_that_has_dates(desk: Desk, director: APIClient, moment: str) -> None:
    kept = open_list(desk)
    answer = director.post(f"{LISTS}{kept.key}/policies/", {"longest": 9, "from_at": moment}, format="json")

    assert (answer.status_code, list(answer.json()["context"]["fields"])) == (400, ["from_at"])
    assert kept.policies.count() == 1


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_of_changes_at_once_none_takes_another_back(desk: Desk) -> None:
    kept = open_list(desk)
    changes: list[dict[str, Any]] = [{"longest": 9}, {"friendlies": True}, {"inactive_after": 3}]
    waiting, made = iter(enumerate(changes * WORKERS)), []

    def change() -> None:
        number, said = next(waiting)
        begins = desk.now + timedelta(days=1, minutes=number)
        try:
            lists.change_terms(rating_list=kept, terms=said, from_at=begins, by=desk.director, now=desk.now)
        except (PolicyTooEarly, PolicyUnchanged):
            return
        made.append(said)

    together(change)
    last = asdict(lists.get_last_terms(kept))
    assert made
    for said in made:
        assert {name: last[name] for name in said} == said


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_two_programs_that_open_the_same_list_at_once_open_one(desk: Desk) -> None:
    answers: list[int] = []

    def ask() -> None:
        client = APIClient()
        client.force_authenticate(desk.director)
        said = {"club": desk.club.slug, "name": "Winter", "system": "fibs"}
        answers.append(client.post(LISTS, said, format="json").status_code)

    together(ask)
    assert sorted(answers) == [201] + [409] * (WORKERS - 1)
    assert RatingList.objects.count() == 1
