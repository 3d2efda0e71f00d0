"""The club's rankings: the order, the explanation of the figures, and the right to open a list."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse

from rankings.formulas.fibs import READINGS
from rankings.formulas.systems import SYSTEMS
from rankings.lists import list_pages, lists
from rankings.models import LedgerEntry, PlayerRating, RatingList
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, strip_tags


@pytest.fixture
def address(desk: Desk) -> str:
    return reverse("rankings:club", args=[desk.club.slug])


@pytest.fixture
def played(desk: Desk) -> Callable[[RatingList], None]:
    """Have four play each other."""

    def _played(_: RatingList) -> None:
        desk.start(a_plan("round-robin"), 4)
        while rows := desk.open():
            desk.now += timedelta(minutes=1)
            desk.play(rows[0].key)
        deliver(desk.now)

    return _played


def shown(client: Browser, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return strip_tags(answer.content.decode())


def test_a_club_without_a_list_says_so(address: str) -> None:
    assert "No rating list yet" in shown(Browser(), address)


@pytest.mark.long
def test_the_page_shows_who_stands_where_and_how_it_is_counted(
    desk: Desk, played: Callable[[RatingList], None], address: str
) -> None:
    rating_list = open_list(desk)
    played(rating_list)
    told = shown(Browser(), address)
    best = PlayerRating.objects.order_by("-rating").select_related("player")[0]
    row = rf"1 G\d {best.player.public_name} provisional \+[\d.]+ {best.rating:.2f} won \d of the last 3"
    assert re.search(row, told)
    entry = LedgerEntry.objects.filter(won=True).select_related("player", "opponent").order_by("-at")[0]
    assert f"{entry.player.public_name} beat {entry.opponent.public_name} over 5 points." in told
    figures = f"{entry.k:.4f} × {entry.weight:.4f} × (1 − {entry.expectancy:.4f}) = {entry.change:.4f}"  # noqa: RUF001
    assert figures in told
    assert "Since 5 March 2026" in told
    assert "1–25" in told  # noqa: RUF001 - the displayed dash


@pytest.mark.long
def test_who_shows_the_same_figure_shares_a_place_and_who_is_provisional_stands_below(
    desk: Desk, played: Callable[[RatingList], None]
) -> None:
    rating_list = open_list(desk, terms=None)
    played(rating_list)
    rating_list.policies.update(provisional_under=15)
    rows = list(PlayerRating.objects.select_related("last").order_by("pk"))
    for row, rating in zip(rows, (1600.001, 1599.999, 1550.0, 1700.0), strict=True):
        PlayerRating.objects.filter(pk=row.pk).update(rating=rating)
    # Before their last match they had ten points of experience.
    earlier = LedgerEntry.objects.get(player=rows[3].player, experience=10)
    PlayerRating.objects.filter(pk=rows[3].pk).update(last=earlier, experience=10)
    ranking = list_pages.load_ranking(desk.club, desk.director, key="", number=1, now=desk.now)
    assert [(row.place, row.is_provisional, row.rating) for row in ranking.page.rows] == [
        (1, False, 1600.001),
        (1, False, 1599.999),
        (3, False, 1550.0),
        (4, True, 1700.0),
    ]


@pytest.mark.long
@pytest.mark.parametrize("provisional_under", [0, 100])
def test_places_go_on_over_pages_also_through_a_tie(
    desk: Desk, played: Callable[[RatingList], None], monkeypatch: pytest.MonkeyPatch, provisional_under: int
) -> None:
    rating_list = open_list(desk)
    played(rating_list)
    rating_list.policies.update(provisional_under=provisional_under)
    for row, rating in zip(PlayerRating.objects.order_by("pk"), (1700, 1600, 1600, 1600), strict=True):
        PlayerRating.objects.filter(pk=row.pk).update(rating=rating)
    monkeypatch.setattr("players.access.requests.PAGE_SIZE", 2)
    places = []
    for number in (1, 2):
        ranking = list_pages.load_ranking(desk.club, desk.director, key="", number=number, now=desk.now)
        places += [row.place for row in ranking.page.rows]
    assert places == [1, 2, 2, 2]


@pytest.mark.long
def test_a_director_opens_a_list_which_rates_what_was_played(
    desk: Desk, played: Callable[[RatingList], None], address: str
) -> None:
    played(RatingList())
    browser = Browser(desk.director)
    form = reverse("rankings:create", args=[desk.club.slug])
    said = {
        "name": "Winter", "system": "glicko2", "shortest": 1, "longest": 25, "played": "any",
        "provisional_under": 0, "rules": "any", "inactive_after": 12, "has_past": "on",
    }  # fmt: skip
    assert browser.post(form, {**said, "shortest": 9, "longest": 3}).status_code == 422
    answer = browser.post(form, said)
    opened = RatingList.objects.get()
    assert answer["Location"] == f"{address}?list={opened.key}"
    twice = browser.post(form, said)
    assert twice.status_code == 422
    assert "The club has a list of this name already." in strip_tags(twice.content.decode())
    assert RatingList.objects.count() == 1
    deliver(opened.created_at)
    told = shown(browser, address)
    assert "Winter 4 players" in told
    assert "±" in told


@pytest.mark.parametrize(("past", "which"), [("on", "so far are being rated"), ("", "from now on are rated")])
def test_a_new_list_says_which_matches_it_rates(desk: Desk, past: str, which: str) -> None:
    browser = Browser(desk.director)
    said = {
        "name": "Winter", "system": "glicko2", "shortest": 1, "longest": 25, "played": "any",
        "provisional_under": 0, "rules": "any", "inactive_after": 12, "has_past": past,
    }  # fmt: skip
    answer = browser.post(reverse("rankings:create", args=[desk.club.slug]), said, follow=True)
    assert f"The list is open. Matches played {which}." in strip_tags(answer.content.decode())


@pytest.mark.parametrize(
    ("page_of", "open_fields"), [("create", []), ("create_season", ["Words in the name"])]
)
def test_what_has_an_answer_from_the_start_is_not_called_optional(
    desk: Desk, page_of: str, open_fields: list[str]
) -> None:
    browser = Browser(desk.director)
    told = shown(browser, reverse(f"rankings:{page_of}", args=[desk.club.slug]))
    assert told.count("(optional)") == len(open_fields)
    for name in open_fields:
        assert f"{name} (optional)" in told


def test_a_director_makes_the_next_version_of_a_policy(desk: Desk, address: str) -> None:
    rating_list = open_list(desk, terms=lists.Terms(longest=9))
    browser = Browser(desk.director)
    form = reverse("rankings:amend", args=[desk.club.slug, rating_list.key])
    assert form in browser.get(address).content.decode()
    assert form not in Browser().get(address).content.decode()
    asked = browser.get(form).content.decode()
    assert re.search(r'name="longest" value="9"', asked)
    said = {"shortest": 3, "longest": 11, "played": "board", "provisional_under": 50}
    said |= {"rules": "any", "inactive_after": 12, "from_at": "", "seen": 1}
    early = browser.post(form, {**said, "from_at": "2020-01-01T10:00"})
    assert early.status_code == 422
    assert "A new policy applies from now on or later." in strip_tags(early.content.decode())
    assert rating_list.policies.count() == 1
    assert browser.post(form, said)["Location"] == f"{address}?list={rating_list.key}"
    first, second = rating_list.policies.order_by("number")
    assert (first.longest, second.longest, second.played) == (9, 11, "board")
    again = browser.post(form, {**said, "seen": 2})
    assert (again.status_code, rating_list.policies.count()) == (422, 2)
    assert "The latest version of the policy says the same." in strip_tags(again.content.decode())
    assert "3–11" in shown(browser, address)  # noqa: RUF001 - the displayed dash


def test_only_directors_open_lists_and_change_policies(desk: Desk, address: str) -> None:
    member = desk.member("Mo Ember")
    browser = Browser(member)
    assert browser.get(reverse("rankings:create", args=[desk.club.slug])).status_code == 403
    assert "Open a rating list" not in shown(browser, address)
    amend = reverse("rankings:amend", args=[desk.club.slug, open_list(desk).key])
    assert browser.get(amend).status_code == 403


def test_an_unknown_list_is_not_there(desk: Desk, address: str) -> None:
    rating_list = open_list(desk)
    assert Browser().get(f"{address}?list={rating_list.key}").status_code == 200
    assert Browser().get(f"{address}?list=nothing").status_code == 404


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_parameter_of_a_system_is_told_in_words(name: str) -> None:
    """Each parameter has a description for people and a name for programs."""
    for reading in READINGS if name == "fibs" else ("",):
        kept = RatingList(system=name, params={"reading": reading} if reading else {})
        told = list_pages.list_labelled_parameters(kept)
        assert [each.name for each in told] == [name for name, _value in list_pages.list_params(kept)]
        assert all(each.title and each.value for each in told)
        assert not {"True", "False", "man-page", "macfibs"} & {each.value for each in told}
