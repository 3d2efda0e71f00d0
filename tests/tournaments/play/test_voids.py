"""A match that was declared void, and one of its two goes before it is played again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from draw.event import Kind
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.models import Pairing, PairingState, Ruling, RulingKind
from tournaments.play import arrivals, corrections, departures, incidents, inspection, progress
from tournaments.play.snapshots import Image

PLAYERS = 6
# In these formats a void match is played again; in all others it is over and counts for neither player.
KNOCKOUTS = [
    ("single-elimination", {}),
    ("single-elimination", {"redraw": True}),
    pytest.param("double-elimination", {}, marks=pytest.mark.long),
    pytest.param("progressive-consolation", {}, marks=pytest.mark.long),
    pytest.param("first-match-losers", {}, marks=pytest.mark.long),
]
ROUNDS = [
    ("swiss", {"rounds": 2}),
    pytest.param("lives", {"lives": 2}, marks=pytest.mark.long),
    pytest.param("lives", {"lives": 2, "mode": "continuous"}, marks=pytest.mark.long),
    pytest.param("round-robin", {}, marks=pytest.mark.long),
    pytest.param("league", {}, marks=pytest.mark.long),
    pytest.param("groups", {"groups": 2}, marks=pytest.mark.long),
]


def voided(desk: Desk, form: str, **options: Any) -> Pairing:
    """Start an event and declare its first match void; return this match."""
    desk.start(a_plan(form, **options), PLAYERS)
    row = desk.open()[0]
    act(desk, incidents.void_match, key=row.key, reason="The wrong two sat down")
    return desk.row(row.key)


def act(desk: Desk, what: Callable[..., Any], **said: Any) -> Any:
    """Carry out an act a minute later."""
    desk.now += timedelta(minutes=1)
    return desk.do(what, **said)


def restored(desk: Desk, ruling: Ruling) -> None:
    act(desk, corrections.undo_act, ruling_id=ruling.pk, reason="They came back")


def image(desk: Desk) -> Image:
    """Return all rows without their times: a match that is open again has back the time since the act."""
    found = desk.image()
    for row in found["pairings"].values():
        del row["called_at"], row["deadline_at"], row["due_at"]
    return found


def seated(row: Pairing) -> tuple[int, int]:
    return row.a.number, row.b.number


def is_whole(desk: Desk) -> bool:
    """True if the rows agree with the event and advancing it again changes nothing."""
    before = desk.image()
    is_done = progress.advance_event(tournament_id=desk.pk, now=desk.now)
    return not is_done and desk.image() == before and not list(inspection.find_problems(desk.fresh()))


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), KNOCKOUTS)
@pytest.mark.parametrize("first", [0, 1])
def test_whoever_stays_goes_on_and_it_can_be_taken_back(
    desk: Desk, first: int, form: str, options: dict[str, Any]
) -> None:
    row = voided(desk, form, **options)
    leaves, stays = seated(row)[first], seated(row)[1 - first]
    before = image(desk)

    ruling = act(desk, departures.withdraw_entry, entry=leaves, after=False)

    row = desk.row(row.key)
    assert (row.kind, row.winner and row.winner.number, row.decided_at) == (
        Kind.WITHDRAWAL,
        stays,
        desk.now,
    )
    assert is_whole(desk)

    restored(desk, ruling)

    assert image(desk) == before
    assert row.key in desk.pairs()
    desk.play(row.key, leaves)
    assert desk.row(row.key).kind == Kind.PLAYED


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), KNOCKOUTS)
def test_both_leave(desk: Desk, form: str, options: dict[str, Any]) -> None:
    """The player who is left has won, even if they leave later (P33)."""
    row = voided(desk, form, **options)
    first, then = seated(row)
    before = image(desk)

    one = act(desk, departures.withdraw_entry, entry=first, after=False)
    between = image(desk)
    other = act(desk, departures.withdraw_entry, entry=then, after=False)

    found = desk.row(row.key)
    assert (found.kind, found.winner and found.winner.number) == (Kind.WITHDRAWAL, then)
    assert is_whole(desk)
    restored(desk, other)
    assert image(desk) == between
    restored(desk, one)
    assert image(desk) == before


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), [*KNOCKOUTS, *ROUNDS])
@pytest.mark.parametrize("what", ["after", "sent home", "substitute", "exchange", "nothing"])
def test_whatever_else_happens_it_goes_on(desk: Desk, what: str, form: str, options: dict[str, Any]) -> None:
    row = voided(desk, form, **options)
    one, other = seated(row)
    before = image(desk)

    ruling: Ruling | None = None
    match what:
        case "after":
            ruling = act(desk, departures.withdraw_entry, entry=one, after=True)
        case "sent home":
            ruling = act(desk, departures.disqualify_entry, entry=one, reason="Threw a checker")
        case "substitute":
            act(desk, arrivals.substitute_player, entry=one, name="Sub", reason="Ill")
            ruling = desk.ruling()
            assert ruling.act == RulingKind.SUBSTITUTED
            act(desk, departures.withdraw_entry, entry=one, after=False)
            restored(desk, desk.ruling())
        case "exchange":
            ruling = act(desk, corrections.exchange_players, entry=one, other=other, reason="Wrong names")
            act(desk, departures.withdraw_entry, entry=one, after=False)
            restored(desk, desk.ruling())

    assert is_whole(desk)
    if ruling is not None:
        restored(desk, ruling)
        assert image(desk) == before
    desk.play_out()


@pytest.mark.parametrize(("form", "options"), ROUNDS)
def test_where_it_counts_for_nobody_it_stays_void(desk: Desk, form: str, options: dict[str, Any]) -> None:
    row = voided(desk, form, **options)
    before = image(desk)

    ruling = act(desk, departures.withdraw_entry, entry=seated(row)[0], after=False)

    found = desk.row(row.key)
    assert (found.state, found.kind, found.winner) == (PairingState.DECIDED, Kind.VOID, None)
    assert is_whole(desk)
    restored(desk, ruling)
    assert image(desk) == before


@pytest.mark.long
@pytest.mark.parametrize(("form", "options"), KNOCKOUTS)
def test_what_was_played_is_void_after_somebody_has_left(
    desk: Desk, form: str, options: dict[str, Any]
) -> None:
    desk.start(a_plan(form, **options), PLAYERS)
    key = desk.open()[0].key
    winner, loser = seated(desk.row(key))
    desk.play(key, winner)
    act(desk, departures.withdraw_entry, entry=winner, after=False)
    before = image(desk)

    ruling = act(desk, corrections.correct_result, key=key, kind=Kind.VOID.value, reason="They never played")

    row = desk.row(key)
    assert (row.state, row.kind, row.winner and row.winner.number) == (
        PairingState.DECIDED,
        Kind.WITHDRAWAL,
        loser,
    )
    assert is_whole(desk)
    restored(desk, ruling)
    assert image(desk) == before


def test_the_act_that_made_it_void_is_taken_back_after_somebody_has_left(desk: Desk) -> None:
    row = voided(desk, "single-elimination")
    void = desk.ruling()
    leaves, stays = seated(row)
    left = act(desk, departures.withdraw_entry, entry=leaves, after=False)

    restored(desk, void)

    assert desk.row(row.key).winner_id == desk.entry(stays).pk
    assert is_whole(desk)
    restored(desk, left)
    assert row.key in desk.pairs()
    assert is_whole(desk)


def test_the_pages_say_who_has_left(desk: Desk, client: Client) -> None:
    row = voided(desk, "single-elimination")
    leaves, _ = seated(row)
    bracket = url("bracket", desk.event.key)
    assert "wd." not in text(client.get(bracket))

    act(desk, departures.withdraw_entry, entry=leaves, after=False)

    page = text(client.get(bracket))
    assert "wd." in page
    assert ">void<" not in page
