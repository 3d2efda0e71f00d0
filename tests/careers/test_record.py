"""A player's record: the figures of all they have played, right at every moment, and private where they want it."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from rest_framework.test import APIClient

from careers import figures, head_to_head, meetings, record, results
from careers.figures import Tally
from draw.rules_of_play import RulesOfPlay
from players.accounts import accounts
from players.clubs import clubs, merging
from players.errors import PlayedEachOther
from players.hooks import load_appearances
from players.models import Player
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base.settings import Settings
from tournaments.models import Entry, Pairing, PairingState, ResultKind, RulingKind
from tournaments.plan import drawing
from tournaments.play import arrivals, corrections
from tournaments.status import Status

if TYPE_CHECKING:
    from django_assert_num_queries import DjangoAssertNumQueries

NOBODY: Any = AnonymousUser()


def plainly(player: Player) -> dict[str, Any]:
    """Count a player's matches one row after the other."""
    total, by_length, by_event, by_opponent = Counter[bool](), Counter[Any](), Counter[Any](), Counter[Any]()
    last: list[bool] = []
    for row in Pairing.objects.select_related("a", "b", "tournament").order_by("decided_at", "pk"):
        sides = [side for side in (row.a, row.b) if side is not None and side.player_id == player.pk]
        is_played = row.state == PairingState.DECIDED and row.kind == ResultKind.PLAYED and not row.is_derived
        if not sides or not is_played or row.is_cancelled or row.winner_id is None:
            continue
        other = row.b if row.a_id == sides[0].pk else row.a
        won = row.winner_id == sides[0].pk
        total[won] += 1
        last.append(won)
        by_length[row.length, won] += 1
        by_event[row.tournament.key, won] += 1
        by_opponent[other.player_id, won] += 1
    return {"total": total, "length": by_length, "event": by_event, "opponent": by_opponent, "last": last}


def check(player: Player, now: datetime) -> None:
    """Hold a record to a plain count."""
    found, due = record.load_record(player, NOBODY, now=now), plainly(player)
    assert found.total == Tally(due["total"][True], due["total"][False])
    assert dict(found.by_length) == {
        (length, 0): Tally(due["length"][length, True], due["length"][length, False])
        for length, _won in due["length"]
    }
    assert {each.key: each.tally for each in found.by_event} == {
        key: Tally(due["event"][key, True], due["event"][key, False]) for key, _won in due["event"]
    }
    assert found.met == len({opponent for opponent, _won in due["opponent"]})
    assert sum(tally.played for _, tally in found.by_year) == len(due["last"])
    run = found.current.matches if found.current else 0
    assert run == next(
        (number for number, won in enumerate(reversed(due["last"])) if won != due["last"][-1]),
        len(due["last"]),
    )
    # The other pages count the same.
    met = meetings.load_meetings(player)
    assert met.total == found.total
    titles = Entry.objects.filter(player=player, place=1, tournament__status=Status.FINISHED)
    assert found.titles_in_all == titles.count()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2))
def test_every_figure_is_a_plain_count_at_every_moment_also_after_a_correction_and_an_undo(
    desk: Desk, seed: int
) -> None:
    rng = random.Random(seed)
    event = desk.start(a_plan(rng.choice(("round-robin", "single-elimination"))), 4, seed=str(seed))
    players = [desk.player(number) for number in range(1, 5)]
    while rows := desk.open():
        desk.now += timedelta(minutes=20)
        desk.play(rng.choice(rows).key, rng.choice((1, 2)))
        decided = list(
            Pairing.objects.filter(tournament=event, state=PairingState.DECIDED, kind=ResultKind.PLAYED)
        )
        if len(decided) in {2, 4}:
            row = rng.choice(decided)
            turned = (0, row.length) if row.score_a else (row.length, 0)
            desk.do(corrections.correct_result, key=row.key, score=turned, reason="Misread")
        for player in players:
            check(player, desk.now)
    before = {player: record.load_record(player, NOBODY, now=desk.now) for player in players}
    [row, *_rest] = Pairing.objects.filter(tournament=event, kind=ResultKind.PLAYED).order_by("-decided_at")
    turned = (0, row.length) if row.score_a else (row.length, 0)
    ruling = desk.do(corrections.correct_result, key=row.key, score=turned, reason="Misread")
    for player in players:
        check(player, desk.now)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was right")
    assert {player: record.load_record(player, NOBODY, now=desk.now) for player in players} == before


def test_a_walkover_is_no_match_and_who_hides_is_counted_but_not_named(desk: Desk, client: Client) -> None:
    desk.start(a_plan("round-robin"), 3)
    desk.play_out()
    one, two, three = (desk.player(number) for number in (1, 2, 3))
    three.hidden_from_search = True
    three.save(update_fields=["hidden_from_search"])
    found = record.load_record(one, NOBODY, now=desk.now)
    assert found.total == Tally(2, 0)
    assert [each.player.name for each in found.opponents] == [two.name]
    assert found.met == 2
    page = text(client.get(url("careers:record", one.key)))
    assert three.name not in page
    assert "1 of 2" in " ".join(page.split())
    Pairing.objects.filter(tournament=desk.event).update(kind=ResultKind.WALKOVER)
    again = record.load_record(one, NOBODY, now=desk.now)
    assert again.total == Tally(0, 0)
    # A title is one, however it came about.
    assert again.titles_in_all == 1


@pytest.mark.long
def test_who_hides_shows_it_to_themselves_and_to_their_clubs_directors(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 3)
    desk.play_out()
    user = accounts.register(email="one@example.org", password=None, name="One", now=desk.now)
    user.player.hidden_from_search = True
    user.player.save(update_fields=["hidden_from_search"])
    Entry.objects.filter(tournament=desk.event, number=1).update(player=user.player)
    address = url("careers:record", user.player.key)
    elsewhere = accounts.register(email="else@example.org", password=None, name="Else", now=desk.now)
    for viewer, status in ((None, 404), (elsewhere, 404), (user, 200), (desk.director, 200)):
        client, api = Client(), APIClient()
        if viewer is not None:
            client.force_login(viewer)
            api.force_authenticate(viewer)
        assert client.get(address).status_code == status
        assert api.get(f"/api/v1/players/{user.player.key}/record/").status_code == status


def test_programs_read_what_the_page_shows(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    one = desk.player(1)
    found = record.load_record(one, NOBODY, now=desk.now)
    told = APIClient().get(f"/api/v1/players/{one.key}/record/").json()
    assert (told["won"], told["lost"], told["met"]) == (found.total.won, found.total.lost, found.met)
    assert told["streak"]["matches"] == 3
    assert [each["code"] for each in told["achievements"]] == [each.code for each in found.achievements]
    assert [each["event"] for each in told["titles"]] == [desk.event.key]
    assert told["by_event"] == [{"event": desk.event.key, "won": 3, "lost": 0}]


def test_what_is_to_be_played_is_told_until_it_is(desk: Desk, client: Client) -> None:
    desk.start(a_plan("round-robin"), 4)
    one = desk.player(1)
    [row] = [row for row in desk.open() if one.pk in (row.a.player_id, row.b.player_id)]
    other = row.b.player if row.a.player_id == one.pk else row.a.player
    found = record.load_record(one, NOBODY, now=desk.now)
    assert [(each.opponent, each.event_key) for each in found.coming] == [(other.name, desk.event.key)]
    assert f"against {other.name}" in text(client.get(url("careers:record", one.key)))
    desk.play_out()
    after = record.load_record(one, NOBODY, now=desk.now)
    assert after.coming == ()


def test_an_event_that_never_began_or_has_no_place_does_not_come_up(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), 3, capacity=2)
    one, three = desk.player(1), desk.player(3)

    def coming(player: Player, days: int = 0) -> list[str]:
        found = record.load_record(player, NOBODY, now=desk.now + timedelta(days=days))
        return [each.event_key for each in found.coming]

    assert coming(one) == [desk.event.key]
    assert coming(three) == []
    assert coming(one, days=2) == []


@pytest.mark.long
@pytest.mark.share
def test_a_best_of_three_is_no_match_to_two_points(desk: Desk, client: Client) -> None:
    plan = a_plan("single-elimination")
    of_games = replace(plan, settings=Settings(play=RulesOfPlay(best_of=3)))
    desk.start(of_games, 2)
    one, two = (desk.player(number) for number in (1, 2))
    desk.play_out()
    event = desk.start(replace(plan, match_length=2), 2)
    for number, player in ((1, one), (2, two)):
        Entry.objects.filter(tournament=event, number=number).update(player=player)
    desk.play_out()

    found = record.load_record(one, NOBODY, now=desk.now)
    met = head_to_head.load_head_to_head(one, two, NOBODY)
    assert found.by_length == met.by_length == (((2, 0), Tally(1, 0)), ((2, 3), Tally(1, 0)))
    told = APIClient().get(f"/api/v1/players/{one.key}/record/").json()["by_length"]
    assert [(each["length"], each["best_of"], each["won"]) for each in told] == [(2, 0, 1), (2, 3, 1)]
    for page in (url("careers:record", one.key), url("careers:head_to_head", one.key, two.key)):
        shown = text(client.get(page))
        assert shown.count("best of 3 games") == shown.count("2 points") > 0


def test_an_old_key_leads_on_and_nobody_s_is_not_there(client: Client, desk: Desk) -> None:
    assert client.get(url("careers:record", "bcdfghjkmn")).status_code == 404
    empty = accounts.register(email="new@example.org", password=None, name="New", now=desk.now)
    assert "No match yet" in text(client.get(url("careers:record", empty.player.key)))


@pytest.mark.long
def test_a_long_career_takes_no_more_queries(
    desk: Desk, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    desk.start(a_plan("round-robin"), 6)
    desk.play_out()
    with django_assert_max_num_queries(11):
        record.load_record(desk.player(1), NOBODY, now=desk.now)


def test_players_on_the_waiting_list_are_not_in_the_field_and_have_not_played(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), 6, capacity=4)
    desk.do(drawing.publish)
    desk.play_out()
    [winner] = Entry.objects.filter(tournament=desk.event, place=1).select_related("player")

    assert [each.field for each in results.load_results(winner.player, NOBODY).results] == [4]
    assert [each.field for each in record.list_finished(winner.player)] == [4]
    assert results.load_results(desk.player(5), NOBODY).played == 0
    assert record.list_finished(desk.player(5)) == []


def played(player: Player) -> tuple[Tally, set[int]]:
    """Return a player's tally and opponents, the same on all pages."""
    found, met = record.list_played(player), meetings.load_meetings(player)
    tally = figures.count_results(found)
    assert met.total == tally
    assert [one.is_won for one in met.last] == [each.won for each in reversed(found)]
    assert load_appearances([player.pk]).matches[player.pk] == tally.played
    opponents = {each.opponent for each in found}
    assert {one.player.key for one, _last in met.most_often} == {
        each.key for each in Player.objects.filter(pk__in=opponents)
    }
    return tally, opponents


def test_what_was_played_before_a_substitute_came_is_of_the_player_who_left(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    one = desk.player(1)
    [row] = [row for row in desk.open() if one.pk in (row.a.player_id, row.b.player_id)]
    first = row.b.player if row.a.player_id == one.pk else row.a.player
    desk.now += timedelta(minutes=5)
    desk.play(row.key, 1)
    desk.now += timedelta(minutes=5)
    desk.do(arrivals.substitute_player, entry=1, name="Sub Sally", reason="Ill")
    sally = desk.player(1)
    assert (played(one), played(sally)) == ((Tally(1, 0), {first.pk}), (Tally(0, 0), set()))
    assert played(first) == (Tally(0, 1), {one.pk})
    totals = [
        link and link.total
        for each in (one, sally)
        for link in (head_to_head.load_link(first, each, NOBODY), head_to_head.load_link(each, first, NOBODY))
    ]
    assert totals == [Tally(0, 1), Tally(1, 0), None, None]
    with pytest.raises(PlayedEachOther):
        merging.merge_guest(kept=first, dropped=one, by=desk.director, now=desk.now)


@pytest.mark.long
def test_two_who_met_and_were_replaced_later_keep_their_match(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    row = next(row for row in desk.open() if row.a and row.b)
    won, lost = row.a.player, row.b.player
    desk.play(row.key, row.a.number)
    for number, name in ((row.a.number, "Sub Sally"), (row.b.number, "Sub Sam")):
        desk.now += timedelta(minutes=5)
        desk.do(arrivals.substitute_player, entry=number, name=name, reason="Ill")

    assert played(won) == (Tally(1, 0), {lost.pk})
    assert played(lost) == (Tally(0, 1), {won.pk})
    assert [played(desk.player(each.number)) for each in (row.a, row.b)] == [(Tally(0, 0), set())] * 2


@pytest.mark.long
def test_a_career_follows_what_a_substitute_plays_a_merge_and_an_undo(desk: Desk) -> None:
    desk.start(a_plan("round-robin"), 4)
    one = desk.player(1)
    [row] = [row for row in desk.open() if one.pk in (row.a.player_id, row.b.player_id)]
    first = row.b.player if row.a.player_id == one.pk else row.a.player
    desk.play(row.key, 1)
    desk.now += timedelta(minutes=5)
    desk.do(arrivals.substitute_player, entry=1, name="Sub Sally", reason="Ill")
    sally = desk.player(1)
    desk.now += timedelta(minutes=5)
    desk.play_out()
    rest = {desk.player(number).pk for number in (2, 3, 4)} - {first.pk}
    assert (played(one), played(sally)) == ((Tally(1, 0), {first.pk}), (Tally(2, 0), rest))
    assert played(first)[1] == {one.pk, *rest}

    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    merging.merge_guest(kept=kept, dropped=one, by=desk.director, now=desk.now)
    assert played(kept) == (Tally(1, 0), {first.pk})

    ruling = desk.event.rulings.get(act=RulingKind.SUBSTITUTED)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="She was not there")
    assert played(kept) == (Tally(3, 0), {first.pk, *rest})
    assert played(sally) == (Tally(0, 0), set())
