"""The row of points of an event counts what is in the database, in every format and at every moment."""

from __future__ import annotations

from random import Random

import pytest
from django.db.models import Q
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base import event_view, local_times
from tournaments.models import Pairing, PairingState, SeatOrigin, Tournament
from tournaments.pages import agenda
from tournaments.pages.agenda import MOST_ROUNDS
from tournaments.plan.templates import StagePlan
from tournaments.play import departures, directing

pytestmark = pytest.mark.today


def check(event: Tournament) -> agenda.Progress:
    found = agenda.count_progress(event_view.load_view(event))
    rows = Pairing.objects.filter(tournament=event).exclude(state__in=[PairingState.BYE, PairingState.VACANT])
    # A bye whose player is still to come is no match either.
    empty = Q(a_from=SeatOrigin.NOBODY) | Q(b_from=SeatOrigin.NOBODY)
    rows = rows.exclude(empty, state=PairingState.WAITING).exclude(kind="void")
    assert found.done == rows.filter(state=PairingState.DECIDED).count()
    assert found.live == rows.filter(state=PairingState.READY, opened_at__isnull=False).count()
    assert found.total == rows.count()
    assert found.left >= 0
    assert len(found.legs) <= MOST_ROUNDS
    for leg in found.legs:
        assert 0 <= leg.done + leg.live <= leg.count
        assert leg.is_over == (leg.done == leg.count)
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    "form", ["progressive-consolation", "double-elimination", "swiss", "round-robin", "lives"]
)
def test_the_row_agrees_with_the_matches(desk: Desk, form: str) -> None:
    draw = Random(form)
    event = desk.start(a_plan(form, **({"rounds": 3} if form == "swiss" else {})), 6)
    seen = [check(event)]
    for _ in range(6):
        if ready := desk.open():
            desk.play(draw.choice(ready).key)
            seen.append(check(event))

    assert [each.done for each in seen] == list(range(len(seen)))
    if seen[0].is_whole:
        # All matches are known from the start, and a double elimination has one more, if it is needed.
        assert {each.total for each in seen} == {seen[0].total}


@pytest.mark.long
def test_a_bye_to_come_is_no_match(desk: Desk) -> None:
    """With six players on eight lines, losers of a first match have a bye in the consolation."""
    event = desk.start(a_plan("progressive-consolation"), 6)
    totals = {check(event).total}
    while ready := desk.open():
        desk.play(ready[0].key)
        totals.add(check(event).total)

    assert totals == {Pairing.objects.filter(tournament=event, state=PairingState.DECIDED).count()}


def test_a_running_event_says_how_far_it_is_and_one_to_come_does_not(desk: Desk, client: Client) -> None:
    event = desk.announce(a_plan("single-elimination"), 4)
    assert 'class="pips"' not in text(client.get(event.get_absolute_url()))

    event = desk.start(a_plan("single-elimination"), 4)
    desk.play(desk.open()[0].key)
    page = text(client.get(event.get_absolute_url()))

    assert "<strong>1 of 3</strong> matches played" in page
    assert 'class="pips__live"' in page


def test_a_round_over_days_shows_by_when_it_is_to_be_played(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan([StagePlan(format="league", round_days=7)]), 4)
    deadline = local_times.format_moment(desk.open()[0].deadline_at, desk.club.time_zone)

    head = text(client.get(event.get_absolute_url())).partition('class="legs')[2].partition("</ol>")[0]

    assert "to be played by" in head
    assert deadline in head


def test_matches_of_a_player_who_left_are_not_played(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("round-robin"), 4)
    desk.play("r1.1")
    leaver = desk.row("r1.2").a
    desk.do(departures.withdraw_entry, entry=leaver.number)

    assert (check(event).done, check(event).total) == (1, 3)
    page = text(client.get(event.get_absolute_url()))
    assert "1 of 3 played" in page
    assert "void" not in page.partition("Latest results")[2]


def test_before_all_rounds_are_paired_no_total_is_shown(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("swiss", rounds=3), 4)
    desk.play(desk.open()[0].key)
    client.force_login(desk.director)

    for page in (event.get_absolute_url(), url("desk", event.key)):
        assert "1 played so far" in text(client.get(page))


def test_the_winner_stands_on_the_felt_when_all_is_played(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 4)
    desk.play_out()
    event.refresh_from_db()
    winner = event.entries.get(place=1).player.name

    head = text(client.get(event.get_absolute_url())).partition('id="event-head"')[2].partition("<nav")[0]

    assert winner in head
    assert "checker--gold" in head


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_places_left_are_those_that_nobody_has(desk: Desk, client: Client, seed: int) -> None:
    draw = Random(seed)
    event = desk.announce(a_plan("single-elimination"), 0, capacity=5)
    Tournament.objects.filter(pk=event.pk).update(has_waiting_list=True)
    for number in range(8):
        inside = list(event.entries.filter(withdrawn_at__isnull=True).select_related("player"))
        if inside and draw.random() < 0.3:
            row = draw.choice(inside)
            desk.do(directing.withdraw_player, player_key=row.player.key)
        else:
            desk.do(directing.admit_named, names=[f"Somebody {number}"])
        taken = event.entries.filter(withdrawn_at__isnull=True, waits=False).count()
        page = text(client.get(event.get_absolute_url()))
        assert f"<strong>{taken} of 5</strong> in" in page
        assert ("Every place is taken." in page) == (taken == 5)
        if taken < 5:
            left = 5 - taken
            assert f"{left} place left" in page or f"{left} places left" in page
