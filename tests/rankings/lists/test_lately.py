"""Notable players of a list and the form of a player, compared with figures from the whole ledger."""

from __future__ import annotations

from itertools import groupby
from uuid import UUID

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from players.models import Player
from rankings.lists import graph, highlights, recent_form
from rankings.lists.highlights import Appearance
from rankings.models import LedgerEntry, RatingList
from tests.rankings.rating_lists import history
from tests.tournaments.event_desk import Desk
from tests.tournaments.support import Browser


@st.composite
def ledgers(draw: st.DrawFn) -> list[Appearance]:
    """Matches among four players, both sides of each, in the order of the ledger."""
    steps = []
    for number in range(draw(st.integers(0, 40))):
        winner, loser = draw(st.permutations(range(1, 5)))[:2]
        chance = draw(st.sampled_from((0.1, 0.2, 0.44, 0.45, 0.5, 0.8)))
        change = draw(st.sampled_from((1.0, 2.5, 6.0)))
        match = UUID(int=number)
        steps.append(Appearance(winner, loser, True, change, chance, match))
        steps.append(Appearance(loser, winner, False, -change, 1 - chance, match))
    return steps


def results(steps: list[Appearance], player: int) -> list[bool]:
    return [step.won for step in steps if step.player == player]


def runs(steps: list[Appearance]) -> dict[int, int]:
    """Return the longest run of each player, counted by its groups."""
    return {
        player: max((len(list(group)) for won, group in groupby(results(steps, player)) if won), default=0)
        for player in range(1, 5)
    }


@pytest.mark.long
@given(ledgers())
def test_who_climbed_most_gained_what_their_matches_gave_and_nobody_gained_more(
    steps: list[Appearance],
) -> None:
    gained = {player: sum(step.change for step in steps if step.player == player) for player in range(1, 5)}
    climb = highlights.find_largest_gain(steps)
    if climb is None:
        assert max(gained.values()) <= 0
    else:
        assert climb.gained == gained[climb.player] == max(gained.values())


@pytest.mark.long
@given(ledgers())
def test_no_run_was_longer_and_it_goes_on_where_they_have_not_lost_since(steps: list[Appearance]) -> None:
    run = highlights.find_longest_streak(steps)
    longest = max(runs(steps).values())
    if run is None:
        assert longest < highlights.SHORTEST_RUN
        return
    assert run.wins == longest == runs(steps)[run.player]
    last = results(steps, run.player)[-run.wins :]
    assert run.goes_on == all(last)


@pytest.mark.long
@given(ledgers())
def test_the_surprise_is_the_win_with_the_smallest_chance(steps: list[Appearance]) -> None:
    chances = [step.expectancy for step in steps if step.won]
    surprise = highlights.find_greatest_upset(steps)
    if surprise is None:
        assert all(chance >= highlights.NO_SURPRISE for chance in chances)
    else:
        assert surprise.won
        assert surprise.expectancy == min(chances)


@given(st.lists(st.floats(-500, 4000), min_size=2, max_size=11))
def test_a_small_line_stays_within_its_frame(ratings: list[float]) -> None:
    drawn = graph.draw_sparkline(ratings)
    places = [tuple(map(float, place.split(","))) for place in drawn.line[1:].split("L")]
    assert len(places) == len(ratings)
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    assert all(0 < x < drawn.width and 0 < y < drawn.height for x, y in places)
    assert (float(drawn.x), float(drawn.y)) == places[-1]
    assert drawn.rises == (ratings[-1] >= ratings[0])


@pytest.fixture
def played(desk: Desk) -> RatingList:
    """Four play each other, each of them three times."""
    return history(desk)


@pytest.mark.long
def test_form_is_the_end_of_the_ledger(played: RatingList, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent_form, "MATCHES", 2)
    players = list(Player.objects.values_list("pk", flat=True))
    found = recent_form.load_form(played, players)
    rated = set(LedgerEntry.objects.values_list("player", flat=True))
    assert set(found) == rated
    assert len(rated) == 4
    for player in rated:
        entries = list(LedgerEntry.objects.filter(player=player, voided_at=None).order_by("at", "match"))
        told = found[player]
        assert told.results == tuple(entry.won for entry in entries[-2:])
        assert told.matches == 2
        assert told.change == pytest.approx(entries[-1].after - entries[-told.matches].before)


@pytest.mark.long
def test_the_pages_tell_it_and_forget_it_after_thirty_days(desk: Desk, played: RatingList) -> None:
    rows = LedgerEntry.objects.filter(voided_at=None)
    now = desk.now
    found = highlights.load_highlights(played, now=now)
    assert found["climber"] is not None
    gained = {
        player: sum(rows.filter(player=player).values_list("change", flat=True))
        for player in rows.values_list("player", flat=True)
    }
    assert found["climber"]["gained"] == pytest.approx(max(gained.values()))
    assert highlights.load_highlights(played, now=now + highlights.BACK) is None

    page = Browser().get(reverse("rankings:club", args=[desk.club.slug])).content.decode()
    assert page.count('<svg class="spark') == 4
    card = Browser().get(reverse("rankings:club_card", args=[desk.club.slug])).content.decode()
    best = max(gained, key=lambda player: gained[player])
    assert card.index(Player.objects.get(pk=best).public_name) < card.index("spark")


def test_a_club_without_a_list_has_no_card(desk: Desk) -> None:
    card = Browser().get(reverse("rankings:club_card", args=[desk.club.slug]))
    assert card.status_code == 200
    assert not card.content.strip()
