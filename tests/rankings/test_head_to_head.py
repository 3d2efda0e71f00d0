"""Two players against each other: counted right, private where one is, with their ratings, quick for thousands."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from careers import head_to_head
from careers.figures import Tally
from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Membership, Player, Role, User
from rankings.models import LedgerEntry
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.rankings import many
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Entry, Pairing, ResultKind

if TYPE_CHECKING:
    from django_assert_num_queries import DjangoAssertNumQueries


def nobody() -> Any:
    from django.contrib.auth.models import AnonymousUser

    return AnonymousUser()


def address(one: Player, other: Player, name: str = "careers:head_to_head") -> str:
    return reverse(name, args=[one.key, other.key])


@pytest.fixture
def evenings(desk: Desk) -> tuple[Player, Player]:
    """Two players who met four times in two years: the first lost at first, and has won since."""
    open_list(desk, since=desk.now - timedelta(days=1))
    winners = (2, 1, 1, 1)
    players: list[Player] = []
    for number, winner in enumerate(winners):
        plan = replace(a_plan("single-elimination"), match_length=5 if number % 2 else 3)
        event = desk.start(plan, 2)
        if number == 0:
            players = [desk.player(1), desk.player(2)]
        for at, player in enumerate(players, 1):
            Entry.objects.filter(tournament=event, number=at).update(player=player)
        [row] = desk.open()
        desk.now += timedelta(minutes=40)
        desk.play(row.key, winner)
        desk.now += timedelta(days=120)
    deliver(desk.now)
    return players[0], players[1]


@pytest.mark.long
def test_it_is_counted_in_all_and_by_length_year_and_event(evenings: tuple[Player, Player]) -> None:
    one, other = evenings
    found = head_to_head.load_head_to_head(one, other, nobody())
    assert found.total == Tally(3, 1)
    assert (found.streak, found.streak_of.name) == (3, one.name)
    assert found.by_length == (((3, 0), Tally(1, 1)), ((5, 0), Tally(2, 0)))
    years = [row.decided_at.year for row in Pairing.objects.order_by("-decided_at") if row.decided_at]
    assert [year for year, _ in found.by_year] == sorted(set(years), reverse=True)
    assert sum(tally.played for _, tally in found.by_year) == 4
    assert [each.tally for each in found.by_event] == [Tally(1, 0)] * 3 + [Tally(0, 1)]
    assert [each.won for each in found.page.rows] == [True, True, True, False]
    assert [each.score for each in found.page.rows][::3] == ["5\N{EN DASH}0", "0\N{EN DASH}3"]


@pytest.mark.long
def test_the_other_side_is_told_the_mirror(evenings: tuple[Player, Player]) -> None:
    one, other = evenings
    there, back = (
        head_to_head.load_head_to_head(one, other, nobody()),
        head_to_head.load_head_to_head(other, one, nobody()),
    )
    assert (back.total.won, back.total.lost) == (there.total.lost, there.total.won)
    assert (back.streak, back.streak_of.name) == (there.streak, there.streak_of.name)
    assert [each.won for each in back.page.rows] == [not each.won for each in there.page.rows]


@pytest.mark.long
def test_the_page_has_the_ratings_of_then_and_now(client: Client, evenings: tuple[Player, Player]) -> None:
    one, other = evenings
    page = client.get(address(one, other)).content.decode()
    assert "won the last 3 matches" in page
    first, *_rest = LedgerEntry.objects.filter(player=one).order_by("at")
    now = LedgerEntry.objects.filter(player=other).latest("at")
    assert f"{first.before:.2f}" in page
    assert f"{now.after:.2f}" in page
    # From each player's page.
    results = client.get(reverse("careers:player_results", args=[one.key])).content.decode()
    assert address(one, other) in results


@pytest.mark.long
def test_the_desk_s_page_of_a_match_leads_there(desk: Desk, evenings: tuple[Player, Player]) -> None:
    one, other = evenings
    row = Pairing.objects.select_related("a__player", "b__player").latest("decided_at")
    client = signed_in(desk.director)
    page = client.get(reverse("tournaments:pairing", args=[desk.event.key, row.key])).content.decode()
    assert {row.a.player, row.b.player} == {one, other}
    assert address(row.a.player, row.b.player) in page


def test_a_walkover_is_no_meeting(evenings: tuple[Player, Player]) -> None:
    one, other = evenings
    Pairing.objects.filter(pk=Pairing.objects.latest("decided_at").pk).update(kind=ResultKind.WALKOVER)
    found = head_to_head.load_head_to_head(one, other, nobody())
    assert found.total == Tally(2, 1)


@pytest.mark.long
@pytest.mark.parametrize("who", [0, 1])
def test_who_hides_shows_it_to_themselves_and_to_the_club_s_directors(
    desk: Desk, evenings: tuple[Player, Player], who: int
) -> None:
    one, other = evenings
    hidden = evenings[who]
    own = accounts.register(email="own@example.org", password=None, name="Own", now=desk.now)
    other_director = accounts.register(email="else@example.org", password=None, name="Else", now=desk.now)
    clubs.join(club=desk.club, player=own.player, now=desk.now)
    merging.merge_guest(kept=own.player, dropped=hidden, by=desk.director, now=desk.now)
    one, other = (own.player, other) if who == 0 else (one, own.player)
    own.player.hidden_from_search = True
    own.player.save(update_fields=["hidden_from_search"])

    def met(user: User | None) -> int:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client.get(address(one, other)).status_code

    assert [met(user) for user in (None, other_director, own, desk.director)] == [404, 404, 200, 200]
    # A director elsewhere is no director here.
    Membership.objects.filter(player=desk.director.player).update(role=Role.MEMBER)
    assert met(desk.director) == 404


@pytest.mark.long
def test_who_was_merged_is_met_under_their_new_key(desk: Desk, evenings: tuple[Player, Player]) -> None:
    one, other = evenings
    kept = desk.member("Kept").player
    merging.merge_guest(kept=kept, dropped=other, by=desk.director, now=desk.now)
    answer = Client().get(address(one, other))
    assert (answer.status_code, answer["Location"]) == (302, address(one, kept))
    assert Client().get(address(one, one)).status_code == 404


@pytest.mark.long
def test_programs_are_told_the_same(evenings: tuple[Player, Player]) -> None:
    one, other = evenings
    told = APIClient().get(address(one, other, "api:player-against")).json()
    assert (told["won"], told["lost"], told["streak"], told["streak_of"]) == (3, 1, 3, one.key)
    assert told["by_length"] == [
        {"length": 3, "best_of": 0, "won": 1, "lost": 1},
        {"length": 5, "best_of": 0, "won": 2, "lost": 0},
    ]
    assert [each["won"] for each in told["meetings"]] == [True, True, True, False]


def test_any_page_of_thousands_takes_a_handful_of_queries(
    desk: Desk, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    one, other = many.play(desk.club, 600, players=2, since=desk.now, every=timedelta(minutes=1))
    with django_assert_max_num_queries(4):
        found = head_to_head.load_head_to_head(one, other, nobody(), number=99)
    assert (found.total.played, found.page.number, found.page.pages) == (600, 12, 12)
    assert len(found.page.rows) == 50
    assert (found.events, len(found.by_event)) == (2, 2)
