"""Ratings on the pages of players and matches: from the ledger, and only for permitted viewers."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from players.accounts import accounts
from players.models import Player
from rankings.ledger import rated_matches
from rankings.lists import player_ratings as ratings
from rankings.models import LedgerEntry, PlayerRating, RatingList
from tests.rankings.rating_lists import history, open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, strip_tags
from tournaments.models import Pairing


@pytest.fixture
def rating_list(desk: Desk) -> RatingList:
    """Four have played each other, a day between the matches."""
    return history(desk, each=timedelta(days=1))


@pytest.fixture
def best(rating_list: RatingList) -> PlayerRating:
    return rating_list.ratings.select_related("player", "last", "list__club").order_by("-rating")[0]


def shown(browser: Browser, address: str) -> str:
    answer = browser.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def page_of(player: Player) -> str:
    return reverse("players:player", args=[player.key])


def ratings_of(player: Player) -> str:
    return reverse("rankings:player", args=[player.key])


def test_a_player_of_no_list_has_no_card(desk: Desk) -> None:
    open_list(desk)
    told = shown(Browser(), page_of(desk.director.player))
    assert "Match by match" not in told
    assert "No match has been rated yet." in shown(Browser(), ratings_of(desk.director.player))


@pytest.mark.long
def test_the_card_says_where_a_player_stands(best: PlayerRating) -> None:
    told = strip_tags(shown(Browser(), page_of(best.player)))
    assert f"{best.list.name} {best.list.club.name} · place 1 of 4 · 3 matches provisional" in told
    assert f"{best.rating:.2f}" in told
    assert "<svg" in shown(Browser(), page_of(best.player))


@pytest.mark.long
def test_the_history_tells_every_match_and_each_leads_to_its_figures(best: PlayerRating) -> None:
    html = shown(Browser(), ratings_of(best.player))
    told = strip_tags(html)
    entries = list(
        rated_matches.list_entries(best.list).filter(player=best.player).select_related("opponent")
    )
    assert len(entries) == 3
    for entry in entries:
        assert entry.opponent.public_name in told
        assert f"{entry.change:+.2f} {entry.after:.2f}" in told
        assert str(entry.match) in html
    assert max(entry.after for entry in entries) == pytest.approx(
        float(re.search(r"([\d.]+) highest", told)[1]),  # type: ignore[index]
        abs=0.005,
    )


@pytest.mark.long
def test_the_line_holds_the_rating_at_the_end_of_each_day(best: PlayerRating) -> None:
    entries = rated_matches.list_entries(best.list).filter(player=best.player)
    whole = ratings.list_days(best, None)
    assert [rating for _, rating in whole] == [entry.after for entry in entries]
    assert [day for day, _ in whole] == [entry.at.date() for entry in entries]
    # The earlier entries become one day at the start, so that the line has a first point.
    since = entries[1].at + timedelta(hours=1)
    assert ratings.list_days(best, since) == [(since.date(), entries[1].after), whole[2]]


@pytest.mark.long
def test_the_address_asks_for_a_list_and_a_period(best: PlayerRating, desk: Desk) -> None:
    other = open_list(desk, "elo", since=desk.now - timedelta(days=40))
    address = ratings_of(best.player)
    assert Browser().get(f"{address}?list={other.key}").status_code == 404
    assert 'aria-current="page">3 months' in shown(
        Browser(), f"{address}?list={best.list.key}&period=quarter"
    )
    assert 'aria-current="page">1 year' in shown(Browser(), f"{address}?period=nonsense")


@pytest.mark.long
def test_who_hides_is_seen_by_themselves_and_by_their_clubs_directors(desk: Desk, best: PlayerRating) -> None:
    owner = accounts.register(email="o@example.org", password=None, name="Olu", now=desk.now)
    Player.objects.filter(pk=owner.player.pk).delete()
    Player.objects.filter(pk=best.player_id).update(user=owner, hidden_from_search=True)
    stranger = accounts.register(email="s@example.org", password=None, name="Stranger", now=desk.now)
    figure = f"{best.rating:.2f}"
    for address in (page_of(best.player), ratings_of(best.player)):
        assert figure not in shown(Browser(), address)
        assert figure not in shown(Browser(stranger), address)
        assert figure in shown(Browser(desk.director), address)
        assert figure in shown(Browser(owner), address)


@pytest.mark.long
def test_an_old_key_leads_to_the_ratings_of_who_was_merged(best: PlayerRating, desk: Desk) -> None:
    guest = Player.objects.create(name="Old", created_at=desk.now, merged_into=best.player)
    assert Browser().get(ratings_of(guest))["Location"] == ratings_of(best.player)


@pytest.mark.long
def test_a_match_tells_what_it_did_to_both(desk: Desk, best: PlayerRating) -> None:
    entry = LedgerEntry.objects.filter(won=True).select_related("player", "opponent").latest("at")
    loser = LedgerEntry.objects.get(match=entry.match, won=False)
    row = Pairing.objects.get(uid=entry.match)
    public = reverse("rankings:match", args=[desk.club.slug, entry.match])
    desks = reverse("tournaments:pairing", args=[row.tournament.key, row.key])
    for told in (strip_tags(shown(Browser(), public)), strip_tags(shown(Browser(desk.director), desks))):
        assert f"Rating before {entry.before:.2f} {loser.before:.2f}" in told
        assert f"Chance before {entry.expectancy:.4f} {loser.expectancy:.4f}" in told
        assert f"Gain or loss +{entry.change:.2f} {loser.change:.2f}" in told
        assert f"Rating after {entry.after:.2f} {loser.after:.2f}" in told


@pytest.mark.long
def test_a_match_that_no_list_has_rated_has_no_figures(desk: Desk, best: PlayerRating) -> None:
    desk.start(a_plan("round-robin"), 4)
    row = desk.row(desk.open()[0].key)
    address = reverse("rankings:match", args=[desk.club.slug, row.uid])
    assert Browser().get(address).status_code == 404
    desks = reverse("tournaments:pairing", args=[row.tournament.key, row.key])
    assert "Chance before" not in shown(Browser(desk.director), desks)


@pytest.mark.long
def test_at_every_moment_the_sum_of_the_ledger_is_the_rating(rating_list: RatingList, desk: Desk) -> None:
    start = 1500.0
    for player in PlayerRating.objects.values_list("player", flat=True):
        running = start
        for entry in rated_matches.list_entries(rating_list).filter(player=player):
            assert entry.before == running
            running += entry.change
            assert entry.after == running
        assert PlayerRating.objects.get(player=player, list=rating_list).rating == running
