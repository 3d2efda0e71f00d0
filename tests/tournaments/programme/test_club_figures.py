"""How much has been played at a club, as its page's head says it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.play import departures
from tournaments.programme import calendar
from tournaments.programme.calendar import ClubFigures
from tournaments.status import Status

pytestmark = pytest.mark.today


def head(desk: Desk) -> str:
    """The part of the club's page that the browser loads for its head."""
    part = text(Client().get(url("club_events", desk.club.slug), headers={"HX-Request": "true"}))
    return " ".join(part.partition('id="club-figures"')[2].split())


@pytest.mark.long
def test_only_what_was_played_counts_and_at_once(desk: Desk) -> None:
    assert calendar.count_club_figures(desk.club) == ClubFigures(0, 0)
    assert head(desk) == ""
    desk.start(a_plan("single-elimination"), 3)
    # A bye is no match.
    assert calendar.count_club_figures(desk.club) == ClubFigures(0, 0)

    (first,) = desk.open()
    desk.play(first.key)
    # The event is still running.
    assert calendar.count_club_figures(desk.club) == ClubFigures(0, 1)
    assert "<strong>1</strong> <span> match played" in head(desk)

    # A withdrawal gives a walkover, which is not a played match.
    (final,) = desk.open()
    desk.do(departures.withdraw_entry, entry=final.a.number, reason="has to go")
    desk.fresh()
    assert desk.event.status == Status.FINISHED
    assert calendar.count_club_figures(desk.club) == ClubFigures(1, 1)

    desk.start(a_plan("round-robin"), 4)
    assert desk.play_out() == 6
    assert calendar.count_club_figures(desk.club) == ClubFigures(2, 7)
    said = head(desk)
    assert "<strong>2</strong> <span>events</span>" in said
    assert "<strong>7</strong> <span> matches played" in said
