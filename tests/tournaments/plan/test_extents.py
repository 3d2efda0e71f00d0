"""What the cards say of templates, and the last event of the weekday as the first choice."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from draw.event import Stage as PureStage
from draw.forecast import event_forecast, sketch
from draw.forecast.room import Room
from draw.forecast.run_statistics import Forecast
from draw.random_stream import RandomStream
from players.clubs import clubs
from tests.tournaments.desk.test_pages_director import form_of, text, url
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_rows, local_times
from tournaments.models import Stage, Tournament
from tournaments.plan import outline, plan_views, templates
from tournaments.plan.templates import TEMPLATES, Plan
from tournaments.status import Status

pytestmark = pytest.mark.today

START = datetime(2026, 3, 5, 18, 30, tzinfo=UTC)
# Played over weeks.
EVENINGS = [name for name in TEMPLATES if name != "league"]
RUNS = 12


def stages_of(plan: Plan) -> tuple[PureStage, ...]:
    event = Tournament(match_length=plan.match_length, reporting="winner", play=plan.settings.play.to_json())
    rows = [
        Stage(
            name=one.name,
            format=one.format,
            options=dict(one.options),
            takes=[dict(take) for take in one.takes],
            rules=[dict(rule) for rule in one.rules],
        )
        for one in plan.stages
    ]
    return tuple(event_rows.build_stage(event, row) for row in rows)


def simulated(plan: Plan, players: int) -> Forecast:
    event = event_forecast.plan_event(stages_of(plan), players)
    return event_forecast.forecast_event(event, Room(), START, RandomStream("extent"), runs=RUNS)


def made(name: str, players: int) -> tuple[Plan, outline.Extent]:
    plan = TEMPLATES[name].plan(TEMPLATES[name].length, TEMPLATES[name].rounds)
    found = outline.compute_extent(plan, players, START, "Europe/Berlin")
    assert found is not None
    return plan, found


@pytest.mark.long
@pytest.mark.parametrize("players", [8, 16, 27])
@pytest.mark.parametrize("name", EVENINGS)
def test_a_card_says_what_events_played_by_chance_come_to(name: str, players: int) -> None:
    plan, card = made(name, players)
    played = simulated(plan, players)

    each = sum(played.matches.values()) / players
    # Rounded, and without the second final of two, which may be needed.
    second = 2 / players if name == "double" else 0
    assert card.each - (0.5 if card.is_about else 0.051) <= each
    assert each <= card.each + (0.5 if card.is_about else 0.051) + second
    minutes = sketch.estimate_minutes(
        outline._list_sketched_rounds(plan, outline.build_outline(plan, players))
    )
    assert minutes == pytest.approx((played.over_at() - START).total_seconds() / 60, rel=0.15)


def test_figures_as_they_are_known() -> None:
    # docs/pairing.md: a progressive consolation of 16 has 28 matches.
    _, night = made("club-night", 16)
    assert (night.rounds, night.each, night.tables, night.all_play) == (6, 3.5, 8, 0)
    _, swiss = made("swiss", 16)
    assert (swiss.rounds, swiss.all_play, swiss.tables, swiss.days) == (5, 5, 8, 0)
    _, league = made("league", 8)
    assert (league.rounds, league.all_play, league.days, league.until) == (7, 7, 49, "")
    # The second final is played only where the first did not decide.
    _, double = made("double", 16)
    assert double.each == 3.8


@pytest.mark.parametrize("name", EVENINGS)
def test_the_outline_counts_the_rounds_of_the_card(name: str) -> None:
    plan, extent = made(name, 16)
    shown = outline.build_outline(plan, 16)
    if not extent.is_about:
        assert shown.turns == extent.rounds
        assert round(2 * shown.matches / 16, 1) == extent.each


def test_the_days_of_each_stage_are_those_of_its_own_rounds() -> None:
    plan, _ = made("groups", 16)
    plan = replace(plan, stages=tuple(replace(stage, round_days=7) for stage in plan.stages))
    found = outline.compute_extent(plan, 16, START, "Europe/Berlin")
    assert (len(plan.stages), found.days) == (2, 7 * found.rounds)


def test_a_round_of_a_league_without_days_has_a_week() -> None:
    plan, _ = made("league", 8)
    plan = replace(plan, stages=(replace(plan.stages[0], round_days=None),))
    found = outline.compute_extent(plan, 8, START, "Europe/Berlin")
    assert (found.days, found.until) == (49, "")


def test_an_end_on_another_day_says_which() -> None:
    assert made("novices", 8)[1].until == "23:15"
    assert made("weekend", 16)[1].until == "Fri 6 Mar 04:40"


@pytest.mark.parametrize("players", range(2, 65))
def test_with_so_many_lives_everybody_but_one_loses_them_all(players: int) -> None:
    rounds = list(sketch.list_rounds_from_lives([3] * players, 1))
    losses = 3 * (players - 1)
    assert losses <= sum(rounds) <= losses + 2
    assert max(rounds) == rounds[0] == players // 2


def test_nothing_is_no_time() -> None:
    assert sketch.estimate_minutes([]) == 0
    assert sketch.count_tables([]) == 0
    assert sketch.estimate_slowest(1) == pytest.approx(1)


# The last event of the weekday


def held(desk: Desk, days_ago: int, **details: str) -> Tournament:
    """An event of so many days ago, a Swiss of four rounds to 3."""
    event = desk.announce(a_plan("swiss", rounds=4), 6, **details)
    starts_at = desk.now - timedelta(days=days_ago)
    Tournament.objects.filter(pk=event.pk).update(
        starts_at=starts_at,
        match_length=3,
        status=Status.FINISHED,
        finished_at=starts_at,
        started_at=starts_at,
    )
    return desk.fresh()


@pytest.mark.django_db
def test_the_last_of_this_weekday_comes_before_a_later_one(desk: Desk) -> None:
    same, other = held(desk, 14), held(desk, 3)
    assert templates.find_last_event(desk.club, day=desk.now, now=desk.now) == same
    assert templates.find_last_event(desk.club, day=desk.now - timedelta(days=1), now=desk.now) == other


@pytest.mark.django_db
def test_what_was_cancelled_or_only_announced_is_not_proposed(desk: Desk) -> None:
    Tournament.objects.filter(pk=held(desk, 7).pk).update(status=Status.CANCELLED, finished_at=None)
    Stage.objects.filter(tournament=held(desk, 14)).delete()
    assert templates.find_last_event(desk.club, day=desk.now, now=desk.now) is None


@pytest.mark.django_db
def test_the_form_begins_with_the_last_event_of_this_weekday(desk: Desk, window: Client) -> None:
    event = held(desk, 7, place="Back room")
    address = url("create", desk.club.slug)
    answer = window.get(address)

    form = answer.context["form"]
    assert answer.context["template"].name == f"like-{event.key}"
    assert (form["name"].value(), form["place"].value(), form["match_length"].value()) == (
        "Thursday",
        "Back room",
        3,
    )
    page = text(answer)
    assert "With 6 players" in page
    assert f"As on {local_times.format_day(event.starts_at, desk.club.time_zone)}" in page

    window.post(address, form_of(f"like-{event.key}", name="Again", match_length="3", publish="yes"))
    again = Tournament.objects.get(name="Again")
    assert (again.match_length, again.status) == (3, Status.PUBLISHED)
    assert Stage.objects.get(tournament=again).options == {"rounds": 4}


@pytest.mark.django_db
def test_another_card_leaves_the_length_of_the_last_event(desk: Desk, window: Client) -> None:
    event = held(desk, 7)
    typed = form_of(f"like-{event.key}", match_length="3", choose="weekend")
    page = window.post(url("create", desk.club.slug), typed)
    assert page.context["form"]["match_length"].value() == 9
    shown = [each.name for each in page.context["templates"]]
    assert shown[:2] == ["weekend", f"like-{event.key}"]


@pytest.mark.django_db
def test_an_event_of_another_club_is_not_played_again(desk: Desk) -> None:
    event = held(desk, 7)
    there = clubs.create(owner=desk.director, name="There", now=desk.now)
    assert templates.find_public_event(desk.club, event.key) == event
    assert templates.find_public_event(there, event.key) is None
    assert templates.find_last_event(there, day=desk.now, now=desk.now) is None


@pytest.mark.long
def test_the_card_of_a_format_has_the_length_that_choosing_it_proposes(desk: Desk) -> None:
    """A template of the format played last proposes the length of that event, not its own."""
    usual = TEMPLATES["club-night"]
    event = desk.announce(usual.plan(usual.length + 4, usual.rounds))
    length = plan_views.get_usual_length("club-night", event)
    assert length == event.match_length == usual.length + 4

    found = {card.name: card.extent for card in plan_views.build_cards(event, 8, START, "Europe/Berlin")}

    assert found["club-night"] == outline.compute_extent(usual.plan(length, 0), 8, START, "Europe/Berlin")
    assert found["club-night"] != outline.compute_extent(
        usual.plan(usual.length, 0), 8, START, "Europe/Berlin"
    )
    swiss = TEMPLATES["swiss"]
    own = swiss.plan(swiss.length, swiss.rounds)
    assert found["swiss"] == outline.compute_extent(own, 8, START, "Europe/Berlin")
