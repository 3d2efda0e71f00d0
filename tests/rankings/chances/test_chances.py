"""Chances: right by formula and by table, the same as the ledger expects, and shown once a list has proved itself."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from rest_framework.test import APIClient

from engine.equity import compute_chance
from engine.rules import Rules
from matches.journal import lifecycle
from matches.journal.journal import RequestIdentity
from matches.models import Match
from matches.play import directing as adjudicating
from matches.state.rulings import SetScore
from matches.state.terms import Terms
from players.clubs import clubs
from rankings.chances import calibration, chances
from rankings.formulas.chances import compute_points_left, shift_chance
from rankings.formulas.elo import Elo
from rankings.formulas.fibs import Fibs
from rankings.formulas.glicko2 import Glicko2
from rankings.formulas.values import Standing, System
from rankings.models import LedgerEntry, Opening, OpeningImport, RatingList
from tests.clients import signed_in
from tests.deliveries import deliver
from tests.rankings import many
from tests.rankings.rating_lists import history, open_list
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing
from tournaments.play import corrections

SYSTEMS: list[System] = [Fibs(), Elo(), Glicko2()]
ratings = st.floats(800, 2200)
deviations = st.floats(30, 350)
lengths = st.integers(1, 25)


def at(how: System, a: Standing, b: Standing, mine: int, theirs: int, *, past: bool = False) -> float:
    left = compute_points_left(mine, theirs, crawford_played=past)
    return shift_chance(compute_chance(mine, theirs, crawford_played=past), how.chance(a, b, left))


# -- the formula


@pytest.mark.pure
@pytest.mark.parametrize("how", SYSTEMS, ids=lambda how: type(how).__name__)
class TestFormula:
    @given(r=ratings, s=ratings, d=deviations, e=deviations, mine=lengths, theirs=lengths, past=st.booleans())
    def test_both_sides_sum_to_one(
        self, how: System, r: float, s: float, d: float, e: float, mine: int, theirs: int, *, past: bool
    ) -> None:
        a, b = Standing(r, deviation=d, volatility=0.06), Standing(s, deviation=e, volatility=0.06)
        if r == s:
            b = Standing(s, deviation=d, volatility=0.06)
        there, back = at(how, a, b, mine, theirs, past=past), at(how, b, a, theirs, mine, past=past)
        assert there + back == pytest.approx(1, abs=1e-9)

    @given(r=ratings, length=lengths, mine=lengths, theirs=lengths, past=st.booleans())
    def test_between_equals_it_is_the_table(
        self, how: System, r: float, length: int, mine: int, theirs: int, *, past: bool
    ) -> None:
        same = Standing(r, deviation=80.0, volatility=0.06)
        assert at(how, same, same, mine, theirs, past=past) == pytest.approx(
            compute_chance(mine, theirs, crawford_played=past), abs=1e-9
        )
        assert how.chance(same, same, length) == 0.5

    @given(r=ratings, s=ratings, length=lengths)
    def test_before_the_first_game_it_is_the_system_s_own(
        self, how: System, r: float, s: float, length: int
    ) -> None:
        a, b = (Standing(each, deviation=60.0, volatility=0.06) for each in (r, s))
        assert at(how, a, b, length, length) == pytest.approx(how.chance(a, b, length), abs=1e-9)

    @given(r=ratings, s=ratings, more=st.floats(1, 200), mine=lengths, theirs=lengths)
    def test_a_higher_rating_is_a_better_chance(
        self, how: System, r: float, s: float, more: float, mine: int, theirs: int
    ) -> None:
        a, better, b = (Standing(each, deviation=60.0, volatility=0.06) for each in (r, r + more, s))
        assert at(how, better, b, mine, theirs) > at(how, a, b, mine, theirs)

    @given(r=ratings, s=ratings, mine=st.integers(2, 25), theirs=lengths, past=st.booleans())
    def test_a_point_more_is_a_better_chance(
        self, how: System, r: float, s: float, mine: int, theirs: int, *, past: bool
    ) -> None:
        a, b = (Standing(each, deviation=60.0, volatility=0.06) for each in (r, s))
        # Behind after the Crawford game; before it, the point may lead to the Crawford game.
        past = past and theirs == 1
        assert at(how, a, b, mine - 1, theirs, past=past) >= at(how, a, b, mine, theirs, past=past)


@pytest.mark.pure
def test_figures_worked_out_by_hand() -> None:
    strong, weak = Standing(1700.0), Standing(1500.0)
    # 200 points over 5: 10^(200 x sqrt 5 / 2000) to one.
    assert Fibs().chance(strong, weak, 5) == pytest.approx(10**0.2236067977 / (10**0.2236067977 + 1))
    # At 2 away, 4 away there are 3 points left; the table says 66.87 %: 2.0184 to one times 1.4901 to one.
    assert at(Fibs(), strong, weak, 2, 4) == pytest.approx(0.7505, abs=1e-4)
    # The Crawford game: the leader has 81.4 %; once it has been played, 69.0 %.
    assert at(Fibs(), weak, weak, 1, 4) == pytest.approx(0.81436)
    assert at(Fibs(), weak, weak, 1, 4, past=True) == pytest.approx(0.68998)
    # One point each to go is a single game, at any match length.
    assert at(Fibs(), strong, weak, 1, 1, past=True) == pytest.approx(Fibs().chance(strong, weak, 1))


# -- a list


def brute(rating_list: RatingList) -> float:
    """The Brier score, straight from the definition."""
    rows = LedgerEntry.objects.filter(list=rating_list, voided_at__isnull=True)
    by_match: dict[Any, LedgerEntry] = {}
    for row in rows.order_by("-is_a"):
        there = by_match.get(row.match)
        if there is None or row.expectancy > there.expectancy:
            by_match[row.match] = row
    return sum((row.expectancy - row.won) ** 2 for row in by_match.values()) / len(by_match)


def again(desk: Desk) -> Pairing:
    """A new match between the winner and the last of the evening."""
    players = [desk.player(1), desk.player(4)]
    event = desk.start(a_plan("single-elimination"), 2)
    for number, player in enumerate(players, 1):
        event.entries.filter(number=number).update(player=player)
    [row] = desk.open()
    return Pairing.objects.select_related("tournament", "a__player", "b__player", "match").get(pk=row.pk)


@pytest.mark.long
@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("system", ["fibs", "elo", "glicko2"])
def test_what_is_shown_is_what_the_ledger_expects(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    # In the first month of a list by periods every chance is a half.
    monkeypatch.setattr(calibration, "GOOD", 0.3)
    history(desk, system)
    # Glicko-2 rates by the month.
    desk.now += timedelta(days=40)
    row = again(desk)
    [shown] = chances.compute_chances(row, None, now=desk.now)
    desk.now += timedelta(minutes=30)
    desk.play(row.key)
    deliver(desk.now)

    entries = LedgerEntry.objects.filter(match=row.uid, voided_at__isnull=True)
    favourite = entries.order_by("-expectancy")[0]
    is_first = favourite.player_id == row.a.player_id
    expected = favourite.expectancy if is_first else 1 - favourite.expectancy
    assert shown.chance == pytest.approx(expected, abs=1e-9)
    assert shown.chance != 0.5
    assert shown.share + shown.rest == 100


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_who_brings_a_rating_along_begins_with_it(desk: Desk) -> None:
    kept = history(desk)
    event = desk.start(a_plan("single-elimination"), 2)
    for number in (1, 2):
        new = clubs.add_guest(club=desk.club, name=f"New {number}", by=desk.director, now=desk.now)
        event.entries.filter(number=number).update(player=new)
    [open_row] = desk.open()
    row = Pairing.objects.select_related("tournament", "a__player", "b__player").get(pk=open_row.pk)
    [before] = chances.compute_chances(row, None, now=desk.now)
    assert before.chance == 0.5
    brought = OpeningImport.objects.create(list=kept, source="FIBS", made_at=desk.now, saved_at=desk.now)
    Opening.objects.create(
        list=kept, opening_import=brought, player=row.a.player, day=desk.now.date(), rating=1700.0
    )
    [shown] = chances.compute_chances(row, None, now=desk.now)
    assert shown.chance == pytest.approx(Fibs().chance(Standing(1700.0), Standing(1500.0), row.length))
    desk.play(row.key)
    deliver(desk.now)
    entry = LedgerEntry.objects.get(event=event, player=row.a.player, voided_at__isnull=True)
    assert entry.expectancy == pytest.approx(shown.chance)


@pytest.mark.long
def test_nothing_is_shown_before_200_good_results(desk: Desk) -> None:
    kept = history(desk)
    found = calibration.score_predictions(kept)
    assert (found.matches, found.is_good) == (6, False)
    assert found.brier < 0.25
    assert chances.compute_chances(again(desk), None, now=desk.now) == ()
    page = Client().get(reverse("rankings:calibration", args=[desk.club.slug, kept.key])).content.decode()
    assert "194 more are needed" in page
    assert "<table" not in page


@pytest.mark.parametrize(
    ("matches", "brier", "is_good"),
    [(199, 0.2, False), (200, 0.2499, True), (200, 0.25, False), (5000, 0.26, False), (0, None, False)],
)
def test_the_rule_is_200_results_and_less_than_a_quarter(
    matches: int, brier: float | None, is_good: bool
) -> None:
    assert calibration.Score(matches, brier).is_good is is_good


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_a_correction_is_followed(desk: Desk) -> None:
    kept = history(desk)
    before = calibration.score_predictions(kept)
    assert before.brier == pytest.approx(brute(kept))
    row = Pairing.objects.filter(tournament=desk.event).order_by("decided_at").last()
    score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
    desk.do(corrections.correct_result, key=row.key, score=score, reason="Misread")
    deliver(desk.now)
    after = calibration.score_predictions(kept)
    assert after.matches == before.matches
    assert after.brier == pytest.approx(brute(kept))
    assert after.brier != pytest.approx(before.brier)


@pytest.mark.long
@pytest.mark.parametrize("system", ["fibs", "glicko2"])
def test_bins_hold_every_match_once(desk: Desk, system: str) -> None:
    kept = open_list(desk, system, since=desk.now - timedelta(days=1))
    many.play(desk.club, 400, players=12, since=desk.now, every=timedelta(hours=4))
    desk.start(a_plan("round-robin"), 2)
    desk.play_out()
    deliver(desk.now + timedelta(days=100))
    found = calibration.load_calibration(kept)
    assert found.score.brier == pytest.approx(brute(kept))
    assert sum(each.matches for each in found.bins) == found.score.matches
    assert all(each.low / 100 <= each.expected <= each.high / 100 for each in found.bins)
    told = APIClient().get(reverse("api:rating-list-calibration", args=[kept.key])).json()
    assert (told["matches"], told["brier"]) == (found.score.matches, found.score.brier)
    assert told["shows_chances"] is found.score.is_good


# -- on a board


def score(desk: Desk, board: Match, white: int, black: int) -> None:
    desk.now += timedelta(minutes=1)
    adjudicating.rule(
        match_id=board.pk,
        user=desk.director,
        ruling=SetScore(white, black),
        reason="as seen",
        after=Match.objects.get(pk=board.pk).head,
        now=desk.now,
        request=RequestIdentity("desk", f"{white}-{black}", ""),
    )


@pytest.mark.long
@pytest.mark.usefixtures("soon")
def test_a_running_match_is_judged_by_its_score(desk: Desk) -> None:
    history(desk)
    row = again(desk)
    board = lifecycle.create(
        white=row.b.player,
        black=row.a.player,
        terms=Terms(Rules(5)),
        club=desk.club,
        now=desk.now,
    )
    Pairing.objects.filter(pk=row.pk).update(match=board)
    score(desk, board, 4, 0)

    director = signed_in(desk.director)
    address = reverse("matches:match", args=[board.key])
    here = director.get(address).content.decode()
    assert "Winning chances, by rating and score" in here
    assert "At 0\N{EN DASH}4" in here
    assert "At 0\N{EN DASH}4" in Client().get(address).content.decode()
