"""Latecomers: entered if there is a free place, and listed as waiting otherwise."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from players.accounts import accounts
from players.clubs import clubs, merging
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tests.tournaments.test_events import CHAINS
from tournaments.base.errors import AlreadyDone, HasLeft, NoPlaceFree, PlaceTaken
from tournaments.base.settings import Settings
from tournaments.models import Entry, Tournament
from tournaments.plan import drawing
from tournaments.play import arrivals, corrections, departures, directing, incidents, openings


def with_a_gap(desk: Desk) -> str:
    """Play the first round of a full knock-out in which a person never came; return the gap in the
    consolation."""
    desk.start(a_plan("progressive-consolation"), 8)
    first, *others = list(desk.pairs())
    for key in others:
        desk.play(key)
    desk.do(incidents.record_no_show, key=first, loser=desk.pairs()[first][0])
    (way,) = openings.list_openings(desk.event)
    return way.place


def test_a_full_knock_out_refuses_and_says_what_there_is(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    before = desk.image()

    with pytest.raises(NoPlaceFree) as refusal:
        desk.do(arrivals.enter_latecomer, name="Zoe Late")

    assert "Zoe Late" in str(refusal.value)
    assert refusal.value.context["places"] == ["wait"]
    assert desk.image() == before


@pytest.mark.long
def test_the_gap_in_the_consolation_is_offered_and_taken(desk: Desk) -> None:
    gap = with_a_gap(desk)
    with pytest.raises(NoPlaceFree) as refusal:
        desk.do(arrivals.enter_latecomer, name="Zoe Late")
    assert refusal.value.context["places"] == [gap, "wait"]

    late = desk.do(arrivals.enter_latecomer, name="Zoe Late", place=gap)

    match = next(key for key, two in desk.pairs().items() if late.number in two)
    assert match.startswith("consolation/1.")
    desk.play(match, winner=late.number)
    desk.play_out()
    assert desk.entry(late.number).place is not None


def late_number(desk: Desk) -> int:
    return Entry.objects.get(tournament=desk.event, player__name="Zoe Late").number


@pytest.mark.long
def test_the_desk_names_who_waits_when_a_place_has_come_free(desk: Desk, window: Client) -> None:
    gap = with_a_gap(desk)
    at_desk = url("desk", desk.event.key)
    assert "There is a place for" not in text(window.get(at_desk))
    desk.do(arrivals.enter_latecomer, name="Zoe Late", place=openings.WAIT)

    shown = text(window.get(at_desk))

    assert "There is a place for Zoe Late" in shown
    assert "Consolation, round 1" in shown
    # One press lets her in, with what the button sends.
    page = window.get(at_desk).content.decode()
    form = page[page.index('acts/late-entry/">') :].partition("</form>")[0]
    sent = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert sent["place"] == gap
    done = window.post(f"/events/{desk.event.key}/acts/late-entry/", sent, follow=True)
    assert done.redirect_chain[-1][0] == at_desk
    assert any("consolation/1." in key for key, two in desk.pairs().items() if late_number(desk) in two)
    assert "There is a place for" not in text(window.get(at_desk))


def test_the_place_of_a_deleted_account_on_the_waiting_list_goes_to_the_next(
    desk: Desk, window: Client
) -> None:
    with_a_gap(desk)
    gone = desk.member("Mo Ember")
    waiting = desk.do(arrivals.enter_latecomer, player_key=gone.player.key, place=openings.WAIT)
    desk.do(arrivals.enter_latecomer, name="Zoe Late", place=openings.WAIT)

    accounts.erase(user=gone, now=desk.now)

    assert "There is a place for Zoe Late" in text(window.get(url("desk", desk.event.key)))
    waiting.refresh_from_db()
    assert (waiting.withdrawn_at, waiting.waits, waiting.left) == (desk.now, False, "")


def test_a_disqualified_player_does_not_wait_for_a_place(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    late = desk.do(arrivals.enter_latecomer, name="Zoe Late", place=openings.WAIT)

    desk.do(departures.disqualify_entry, entry=late.number, reason="shouted")

    assert openings.list_waiting(desk.fresh()) == []


@pytest.mark.long
def test_a_place_is_taken_once(desk: Desk) -> None:
    gap = with_a_gap(desk)
    desk.do(arrivals.enter_latecomer, name="Zoe Late", place=gap)

    with pytest.raises(PlaceTaken):
        desk.do(arrivals.enter_latecomer, name="Yan Later", place=gap)


@pytest.mark.long
@pytest.mark.share
def test_to_let_somebody_into_the_consolation_can_be_taken_back(desk: Desk) -> None:
    gap = with_a_gap(desk)
    before = desk.image()
    desk.do(arrivals.enter_latecomer, name="Zoe Late", place=gap)

    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="went home again")

    assert desk.image() == before


def test_a_loser_who_falls_after_all_takes_the_seat_back(desk: Desk) -> None:
    gap = with_a_gap(desk)
    late = desk.do(arrivals.enter_latecomer, name="Zoe Late", place=gap)
    no_show = next(row for row in desk.event.pairings.all() if row.kind == "no-show")

    desk.do(corrections.correct_result, key=no_show.key, score=(5, 0), reason="had only been outside")

    assert all(late.number not in two for two in desk.pairs().values())
    assert openings.list_without_place(desk.event) == {late.number}
    again = desk.do(arrivals.enter_latecomer, player_key=late.player.key, place=openings.WAIT)
    assert again.waits


@pytest.mark.long
def test_who_waits_is_let_in_later_or_goes_again(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    late = desk.do(arrivals.enter_latecomer, name="Zoe Late", place=openings.WAIT)
    other = desk.do(arrivals.enter_latecomer, name="Yan Later", place=openings.WAIT)
    assert late.waits
    with pytest.raises(AlreadyDone):
        desk.do(arrivals.enter_latecomer, player_key=late.player.key, place=openings.WAIT)

    gone = next(iter(desk.pairs().values()))[0]
    desk.do(arrivals.substitute_player, entry=gone, player_key=late.player.key, reason="has to leave")
    desk.do(departures.withdraw_entry, entry=other.number)

    assert desk.entry(gone).player == late.player
    assert not Entry.objects.filter(pk=late.pk).exists()
    assert desk.event.entries.filter(withdrawn_at__isnull=False).get() == other
    desk.play_out()


@pytest.mark.parametrize("after", [False, True])
def test_a_substitute_does_not_come_for_a_player_who_has_left(desk: Desk, after: bool) -> None:
    desk.start(a_plan("swiss", rounds=3), 6)
    desk.do(departures.withdraw_entry, entry=1, after=after)
    ruling = desk.ruling().pk
    with pytest.raises(HasLeft, match="Guest 1 has left"):
        desk.do(arrivals.substitute_player, entry=1, name="Zoe Late", reason="takes over")

    desk.do(corrections.undo_act, ruling_id=ruling, reason="there is a substitute")
    desk.do(arrivals.substitute_player, entry=1, name="Zoe Late", reason="takes over")
    for key in list(desk.pairs()):
        desk.play(key)
    assert any(1 in two for two in desk.pairs().values())


def test_a_substitute_off_the_list_can_be_taken_back(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 8)
    late = desk.do(arrivals.enter_latecomer, name="Zoe Late", place=openings.WAIT)
    before = desk.image()
    gone = next(iter(desk.pairs().values()))[0]
    desk.do(arrivals.substitute_player, entry=gone, player_key=late.player.key, reason="has to leave")

    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="stays after all")

    assert desk.image() == before


def test_a_place_goes_back_to_a_player_who_was_merged_since(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    guest = desk.player(1)
    desk.do(arrivals.substitute_player, entry=1, name="Zoe Late", reason="has to leave")
    kept = clubs.add_guest(club=desk.club, name="Ada Bright", by=desk.director, now=desk.now)
    merging.merge_guest(kept=kept, dropped=guest, by=desk.director, now=desk.now)

    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="stays after all")

    assert desk.player(1) == kept


def test_who_waited_at_the_draw_still_waits(desk: Desk) -> None:
    desk.announce(a_plan("single-elimination", Settings(has_waiting_list=True)), capacity=4)
    desk.do(directing.admit_named, names=[f"Guest {number}" for number in range(1, 6)])
    desk.do(drawing.publish)

    assert [entry.number for entry in desk.event.entries.filter(waits=True, withdrawn_at=None)] == [5]
    assert openings.list_waiting(desk.event) == [(desk.player(5).key, "Guest 5")]


@pytest.mark.parametrize(
    ("form", "asks"), [("single-elimination", False), ("swiss", True), ("groups", False)]
)
def test_points_for_rounds_missed_are_asked_for_where_there_are_rounds(
    desk: Desk, window: Client, form: str, asks: bool
) -> None:
    desk.start(a_plan(form, **({"rounds": 3} if form == "swiss" else {})), 8)

    page = text(window.get(url("act", desk.event.key, "late-entry")))

    assert ("Points for the rounds missed" in page) is asks


@pytest.mark.long
def test_the_page_offers_what_is_true_and_says_where_they_stand(desk: Desk, window: Client) -> None:
    gap = with_a_gap(desk)
    address = url("act", desk.event.key, "late-entry")
    page = text(window.get(address))
    assert f'value="{gap}"' in page
    assert "Consolation, round 1, against Guest" in page

    said = {"name": "Zoe Late", "place": gap, "reason": ""}
    seen = text(window.post(address, said))
    assert "Zoe Late: Consolation, round 1, against Guest" in seen
    done = text(window.post(address, said | {"sure": "yes"}, follow=True))

    assert "Zoe Late: Consolation, round 1, against Guest" in done


@pytest.mark.long
def test_the_page_puts_somebody_in_for_another(desk: Desk, window: Client) -> None:
    desk.start(a_plan("single-elimination"), 8)
    address = url("act", desk.event.key, "late-entry")
    assert "No place is free" in text(window.get(address))
    said: dict[str, Any] = {"name": "Zoe Late", "place": openings.INSTEAD, "reason": ""}
    assert window.post(address, said | {"sure": "yes"}).status_code == 422

    leaver = desk.player(3).name
    done = window.post(address, said | {"instead": "3", "reason": "ill", "sure": "yes"}, follow=True)

    assert desk.player(3).name == "Zoe Late"
    assert f"Zoe Late takes the place of {leaver}." in text(done)


@pytest.mark.long
@pytest.mark.share
def test_without_a_free_place_a_latecomer_waits_or_replaces_the_chosen_player(
    desk: Desk, window: Client
) -> None:
    desk.start(a_plan("single-elimination"), 8)
    address = url("act", desk.event.key, "late-entry")
    page = window.get(address).content.decode()
    assert re.findall(r'name="place" value="(\w+)"[^>]*checked', page) == [openings.WAIT]
    said = {"name": "Zoe Late", "place": openings.WAIT, "reason": "", "sure": "yes"}

    assert "Zoe Late takes the place of" in text(window.post(address, said | {"instead": "3"}, follow=True))
    assert desk.player(3).name == "Zoe Late"
    window.post(address, said | {"name": "Xe Later"})
    assert openings.list_waiting(desk.fresh())[-1][1] == "Xe Later"


@pytest.mark.long
def test_a_latecomer_takes_a_place_without_a_reason_and_the_preview_names_the_match(
    desk: Desk, window: Client
) -> None:
    desk.start(a_plan("single-elimination"), 8)
    address = url("act", desk.event.key, "late-entry")
    assert "(optional)" in text(window.get(address))
    said = {"name": "Zoe Late", "place": openings.INSTEAD, "instead": "3", "reason": ""}

    page = text(window.post(address, said))
    assert "1 match changes." in page
    assert "No match changes" not in page
    row = next(row for row in desk.open() if row.a and row.b and 3 in {row.a.number, row.b.number})
    old = f"{row.a.player.name} and {row.b.player.name}"
    assert f"{old.replace(desk.player(3).name, 'Zoe Late')} instead of {old}." in page
    assert "called again" not in page

    window.post(address, said | {"sure": "yes"})
    assert desk.player(3).name == "Zoe Late"
    assert desk.ruling().reason == "In place of a player who leaves"


def test_a_match_that_was_called_is_called_again_for_a_substitute(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("single-elimination"), 8)
    Tournament.objects.filter(pk=event.pk).update(waits_for_call=True)
    event.pairings.filter(opened_at__isnull=False).update(called_at=desk.now)
    said = {"entry": "3", "name": "Zoe Late", "reason": "ill"}
    assert "The match is called again." in text(window.post(url("act", event.key, "substitute"), said))


@pytest.mark.long
def test_the_preview_of_an_exchange_names_the_matches_of_both(desk: Desk, window: Client) -> None:
    desk.start(a_plan("single-elimination"), 8)
    row = next(row for row in desk.open() if row.a and row.b and 3 in {row.a.number, row.b.number})
    other = next(one for one in range(1, 9) if row.a and row.b and one not in {row.a.number, row.b.number})
    said = {"entry": "3", "other": str(other), "reason": "mixed up"}
    assert "2 matches change." in text(window.post(url("act", desk.event.key, "exchange"), said))


@pytest.mark.long
def test_the_waiting_list_of_the_page_is_on_the_roster(desk: Desk, window: Client) -> None:
    desk.start(a_plan("single-elimination"), 8)
    address = url("act", desk.event.key, "late-entry")
    said = {"name": "Zoe Late", "place": openings.WAIT, "reason": "", "sure": "yes"}
    assert "Zoe Late: On the waiting list" in text(window.post(address, said, follow=True))

    page = text(window.get(url("roster", desk.event.key)))

    assert "Waiting list" in page
    everybody = text(window.get(url("players", desk.event.key)))
    assert everybody.index("Waiting list") < everybody.index("Zoe Late")
    assert "8 players" in everybody
    player = Entry.objects.get(tournament=desk.event, waits=True).player
    assert f"player_key={player.key}" in page


@pytest.mark.long
def test_a_program_is_told_what_there_is(desk: Desk) -> None:
    gap = with_a_gap(desk)
    caller = Caller(desk.director)
    path = f"events/{desk.event.key}/acts/"
    told = {"act": "late-entry", "name": "Zoe Late"}

    refusal = caller.post(path, told, status=409)

    assert refusal["code"] == "no_place_free"
    assert refusal["context"]["places"] == [gap, "wait"]
    seen = caller.post(path, told | {"place": gap, "preview": True}, status=200)
    assert [one["key"] for one in seen["ripple"]] == [gap.rpartition("/")[0]]
    caller.post(path, told | {"place": gap}, status=200)


@pytest.mark.long
def test_a_latecomer_never_reopens_what_is_over(desk: Desk) -> None:
    desk.start(a_plan(CHAINS["groups, then a cup"]), 8)
    while not desk.event.pairings.filter(stage__name="cup", opened_at__isnull=False).exists():
        for key in list(desk.pairs()):
            desk.play(key)
    before = desk.image()

    with pytest.raises(NoPlaceFree):
        desk.do(arrivals.enter_latecomer, name="Zoe Late")

    assert desk.image() == before
