"""A player's page says whom they have met and how it went, as far as the other does not hide."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.tournaments.desk import a_plan
from tests.tournaments.support import text, url
from tournaments.selectors import meetings

if TYPE_CHECKING:
    from django.test import Client

    from players.models import Player
    from tests.tournaments.desk import Desk


def met(player: Player) -> list[tuple[str, int, int, bool]]:
    return [(one.name, one.won, one.lost, one.won_last) for one in meetings.of(player).most_often]


def test_meetings_are_counted_from_both_sides(desk: Desk, client: Client) -> None:
    desk.start(a_plan("round-robin"), 3)
    # The lower number wins.
    desk.play_out()
    one, two, three = (desk.player(number) for number in (1, 2, 3))

    assert sorted(met(one)) == [(two.name, 1, 0, True), (three.name, 1, 0, True)]
    assert sorted(met(two)) == [(one.name, 0, 1, False), (three.name, 1, 0, True)]
    assert (meetings.of(two).won, meetings.of(two).lost) == (1, 1)
    part = text(client.get(url("player_results", two.key), headers={"HX-Request": "true"}))
    assert "1\N{EN DASH}1" in part
    assert "50 % won" in part
    assert 'hx-swap-oob="true"' in part


def test_who_hides_counts_and_is_not_named(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)
    desk.play_out()
    one, two, three = (desk.player(number) for number in (1, 2, 3))
    three.hidden_from_search = True
    three.save(update_fields=["hidden_from_search"])

    assert met(one) == [(two.name, 1, 0, True)]
    assert meetings.of(one).won == 2


def test_an_open_match_is_no_meeting(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)

    assert meetings.of(desk.player(1)) == meetings.Meetings()
