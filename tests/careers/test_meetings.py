"""A player's page says whom they have met and how it went, as far as the other does not hide."""

from __future__ import annotations

from django.test import Client

from careers import meetings
from careers.figures import Tally
from engine.rules import Rules
from matches.journal import lifecycle
from matches.state.terms import Terms
from players.models import Player
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.models import Pairing


def met(player: Player) -> list[tuple[str, int, int, bool]]:
    return [
        (one.player.name, one.tally.won, one.tally.lost, last.is_won)
        for one, last in meetings.load_meetings(player).most_often
    ]


def test_meetings_are_counted_from_both_sides(desk: Desk, client: Client) -> None:
    desk.start(a_plan("round-robin"), 3)
    # The lower number wins.
    desk.play_out()
    one, two, three = (desk.player(number) for number in (1, 2, 3))

    assert sorted(met(one)) == [(two.name, 1, 0, True), (three.name, 1, 0, True)]
    assert sorted(met(two)) == [(one.name, 0, 1, False), (three.name, 1, 0, True)]
    assert meetings.load_meetings(two).total == Tally(1, 1)
    part = text(client.get(url("careers:player_results", two.key), headers={"HX-Request": "true"}))
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
    assert meetings.load_meetings(one).total.won == 2


def test_an_open_match_is_no_meeting(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)

    assert meetings.load_meetings(desk.player(1)) == meetings.Meetings(Tally(0, 0), (), ())


def test_the_last_matches_say_who_won_and_where_they_were_played(desk: Desk, client: Client) -> None:
    event = desk.start(a_plan("round-robin"), 3)
    desk.play_out()
    two, three = desk.player(2), desk.player(3)
    three.hidden_from_search = True
    three.save(update_fields=["hidden_from_search"])

    last = meetings.load_meetings(two).last

    # A player with a hidden name is not named here, but the match is listed.
    assert {(one.name, one.is_won) for one in last} == {(desk.player(1).name, False), ("", True)}
    assert {one.event_key for one in last} == {event.key}
    # The latest first.
    decided = Pairing.objects.filter(tournament=event, b__isnull=False).order_by("-decided_at", "-pk")
    own = [
        row for row in decided.values_list("a__player", "b__player", "winner__player") if two.pk in row[:2]
    ]
    assert [one.is_won for one in last] == [winner == two.pk for _a, _b, winner in own]
    part = text(client.get(url("careers:player_results", two.key), headers={"HX-Request": "true"}))
    assert part.count('class="checker checker--small checker--ebony"') == 1
    assert "an unnamed player" in part
    assert three.name not in part


def test_a_board_that_its_players_keep_to_themselves_is_no_replay(desk: Desk) -> None:
    event = desk.start(a_plan("single-elimination"), 2)
    [play] = desk.open()
    desk.play_out()
    board = lifecycle.create(white=desk.player(1), black=desk.player(2), terms=Terms(Rules(5)), now=desk.now)
    Pairing.objects.filter(tournament=event, key=play.key).update(match=board)

    assert [one.board for one in meetings.load_meetings(desk.player(1)).last] == [board.key]
    board.is_private = True
    board.save(update_fields=["is_private"])
    assert [one.board for one in meetings.load_meetings(desk.player(1)).last] == [""]


def test_the_page_of_a_former_player_shows_visitors_no_zeros_and_leads_nowhere(
    desk: Desk, client: Client
) -> None:
    desk.start(a_plan("round-robin"), 3)
    desk.play_out()
    gone = desk.player(2)
    gone.name, gone.erased_at, gone.hidden_from_search = "", desk.now, True
    gone.save(update_fields=["name", "erased_at", "hidden_from_search"])
    address, part = url("careers:player_results", gone.key), {"HX-Request": "true"}

    shown = text(client.get(address, headers=part))
    assert "None that we can show." in shown
    assert "No finished events" not in shown
    assert "0\N{EN DASH}0" not in shown

    client.force_login(desk.director, backend="django.contrib.auth.backends.ModelBackend")
    shown = text(client.get(address, headers=part))
    assert "1\N{EN DASH}1" in shown
    assert url("careers:record", gone.key) not in shown
