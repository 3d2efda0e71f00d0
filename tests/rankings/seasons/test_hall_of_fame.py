"""The hall of fame: the winners of most events, of the seasons, and the leaders of the dated lists."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from players.clubs import clubs, merging
from players.models import Player
from rankings.lists import dated_lists
from rankings.models import DatedInterval, DatedList, DatedRating
from rankings.seasons import fame, seasons
from rankings.seasons.seasons import SeasonTerms
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import strip_tags
from tournaments.play import corrections


def night(desk: Desk, winner: int, players: int = 2) -> str:
    """Play an evening of guests that this one wins; return its last match."""
    desk.now += timedelta(days=8)
    desk.start(a_plan("single-elimination"), players)
    last = ""
    while rows := desk.open():
        row = rows[0]
        last = row.key
        numbers = {row.a.number, row.b.number}
        desk.play(row.key, winner if winner in numbers else min(numbers))
    return last


def list_winners(desk: Desk) -> list[tuple[int, str, int]]:
    lines = fame.load_fame(desk.club, now=desk.now).winners.lines
    return [(line.place, line.name, line.times) for line in lines]


def shown(desk: Desk) -> str:
    page = Client().get(reverse("rankings:fame", args=[desk.club.slug]))
    assert page.status_code == 200
    return strip_tags(page.content.decode())


def test_before_the_first_event_is_over_nobody_is_in_it(desk: Desk) -> None:
    assert not fame.load_fame(desk.club, now=desk.now)
    assert "No one yet" in shown(desk)


@pytest.mark.long
def test_those_who_have_won_as_many_events_share_the_place_at_every_moment(desk: Desk) -> None:
    wins: Counter[str] = Counter()
    for winner in (2, 1, 3, 2, 1):
        last = night(desk, winner, 4)
        wins[f"Guest {winner}"] += 1
        ranked = sorted(wins.items(), key=lambda each: (-each[1], each[0]))
        by_wins = sorted(wins.values(), reverse=True)
        assert list_winners(desk) == [(1 + by_wins.index(count), name, count) for name, count in ranked]
    assert [place for place, *_rest in list_winners(desk)] == [1, 1, 3]

    # The final is corrected: its loser becomes the winner of the event.
    final = desk.row(last)
    loser = ({final.a.number, final.b.number} - {1}).pop()
    score = (final.length, 0) if final.a.number == loser else (0, final.length)
    desk.do(corrections.correct_result, key=last, score=score, reason="Swapped")
    assert (f"Guest {loser}", wins[f"Guest {loser}"] + 1) in [
        (name, count) for _, name, count in list_winners(desk)
    ]


@pytest.mark.long
def test_whoever_won_a_season_and_led_a_list_is_remembered(desk: Desk) -> None:
    day = desk.now.date()
    terms = SeasonTerms("Spring", day, day + timedelta(days=40))
    seasons.open_season(club=desk.club, by=desk.director, terms=terms, now=desk.now)
    rating_list = open_list(desk, since=desk.now - timedelta(days=1), dated=DatedInterval.WEEK)
    rating_list.policies.update(provisional_under=0)
    for winner in (2, 2, 1):
        night(desk, winner)
    deliver(desk.now)
    assert not fame.load_fame(desk.club, now=desk.now).seasons  # it is still being played

    desk.now += timedelta(days=40)
    while dated_lists.sweep(desk.now):
        pass
    deliver(desk.now)
    found = fame.load_fame(desk.club, now=desk.now)
    assert [(each.season.name, [who.player.public_name for who in each.first]) for each in found.seasons] == [
        ("Spring", ["Guest 2"])
    ]
    (of_list,) = found.lists
    rows = DatedRating.objects.filter(dated_list__list=rating_list, place=1, is_provisional=False)
    led = Counter(row.player.public_name for row in rows.select_related("player"))
    assert led
    assert {line.name: line.times for line in of_list.leaders.lines} == dict(led)
    assert of_list.highest.rating == max(row.rating for row in rows)
    page = shown(desk)
    assert f"{of_list.highest.rating:.2f}" in page
    assert "Season winners" in page

    answer = APIClient().get(reverse("api:hall-of-fame", args=[desk.club.slug])).json()
    assert [(one["place"], one["name"], one["times"]) for one in answer["winners"]] == list_winners(desk)
    assert answer["seasons"][0]["won_by"][0]["name"] == "Guest 2"
    assert answer["lists"][0]["highest"]["rating"] == of_list.highest.rating


def test_a_merge_brings_the_lists_along_that_a_player_led(desk: Desk) -> None:
    rating_list = open_list(desk, dated=DatedInterval.WEEK)
    guest, kept = (
        clubs.add_guest(club=desk.club, name=name, by=desk.director, now=desk.now) for name in ("Bea", "Ada")
    )
    for week, (who, rating) in enumerate(((guest, 1700.0), (guest, 1600.0), (kept, 1550.0))):
        at = desk.now + timedelta(weeks=week)
        made = DatedList.objects.create(list=rating_list, day=at.date(), at=at, made_at=at)
        DatedRating.objects.create(
            dated_list=made, player=who, place=1, is_provisional=False, rating=rating, deviation=0,
            experience=1, matches=1,
        )  # fmt: skip
        if not week:
            # They shared the first place.
            DatedRating.objects.create(
                dated_list=made, player=kept, place=1, is_provisional=False, rating=rating, deviation=0,
                experience=1, matches=1,
            )  # fmt: skip
    merging.merge_guest(kept=kept, dropped=guest, by=desk.director, now=desk.now)
    (of_list,) = fame.load_fame(desk.club, now=desk.now).lists
    assert [(line.name, line.times) for line in of_list.leaders.lines] == [("Ada", 3)]
    assert (of_list.highest.name, of_list.highest.url) == ("Ada", kept.get_absolute_url())


@pytest.mark.long
def test_whoever_has_left_for_good_is_in_it_no_more(desk: Desk) -> None:
    night(desk, 1)
    assert list_winners(desk) == [(1, "Guest 1", 1)]
    gone = Player.objects.filter(entries__place=1)
    assert gone.update(erased_at=desk.now, name="", alias="") == 1
    assert list_winners(desk) == []
