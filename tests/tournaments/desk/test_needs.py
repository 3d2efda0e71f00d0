"""Matches that need the director: each is listed once, disputes come first, and a score has names."""

from __future__ import annotations

import pytest

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import event_view
from tournaments.desk import desk as desks
from tournaments.desk.desk import MatchIssue
from tournaments.models import Pairing
from tournaments.pages import viewer_part
from tournaments.play import table_play

pytestmark = pytest.mark.today


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """A knock-out of eight guests, under way."""
    desk.start(a_plan("single-elimination"), 8)
    return desk


def needs(desk: Desk) -> tuple[MatchIssue, ...]:
    return desks.build_desk(event_view.load_view(desk.fresh(), with_drafts=True), "").needs


def test_a_dispute_comes_first_and_each_match_once(desk: Desk) -> None:
    first, second, third, *_ = desk.open()
    Pairing.objects.filter(pk__in=[first.pk, second.pk]).update(needs_director="no-show")
    table_play.set_score(desk.event, third, (3, 1), now=desk.now, flag="a")
    Pairing.objects.filter(pk=third.pk).update(needs_director="dispute")

    found = needs(desk)

    assert [each.key for each in found] == [third.key, first.key, second.key]
    assert "has run out of time." in found[0].why, (
        "the fallen flag stands beside the dispute, not in a second card"
    )
    assert all(each.acts for each in found)


def test_a_match_that_is_not_played_in_time_can_be_forfeited(desk: Desk) -> None:
    first, second, *_ = desk.open()
    Pairing.objects.filter(pk=first.pk).update(needs_director="no-show")
    Pairing.objects.filter(pk=second.pk).update(needs_director="deadline")

    assert [each.acts[0] for each in needs(desk)] == ["no-show", "forfeit"]


def test_a_denied_report_reads_the_readers_own_points_first(desk: Desk) -> None:
    row = desk.open()[0]
    assert row.b
    row.reports.create(by=row.a, score_a=5, score_b=3, at=desk.now, status="disputed")

    [meeting] = viewer_part.load_viewer_part(event_view.load_view(desk.fresh()), row.b, now=desk.now).meetings

    name = row.a.player.public_name
    assert meeting.report_text == f"You dispute what {name} says: you 3, {name} 5. The director decides."
