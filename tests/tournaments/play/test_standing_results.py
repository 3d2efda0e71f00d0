"""A correction may keep later results: one match gets another result, and no player moves."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from draw import stages
from draw.files import event_file, event_input
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.play.test_corrections import lines, progressive, turned
from tests.tournaments.support import text, url
from tournaments.base import event_rows
from tournaments.base.errors import NothingToStand
from tournaments.play import corrections, preview
from tournaments.status import Status


def played(desk: Desk) -> dict[str, tuple[int | None, int | None, int | None]]:
    rows = desk.event.pairings.filter(kind="played")
    return {key: (a, b, winner) for key, a, b, winner in rows.values_list("key", "a", "b", "winner")}


@pytest.mark.long
def test_nobody_moves_and_the_match_has_its_right_result(desk: Desk) -> None:
    key = progressive(desk)
    before = played(desk)
    went_on = desk.row(key).winner
    seats = {each: lines(desk, each) for each in before}
    seen = preview.preview_act(
        desk.pk,
        lambda: desk.do(
            corrections.correct_result, key=key, score=turned(desk, key), reason="written wrongly", stand=True
        ),
    )
    assert [(str(one.key), one.change.value) for one in seen.ripples] == [(key, "turns")]
    assert seen.lost == ()

    desk.do(
        corrections.correct_result, key=key, score=turned(desk, key), reason="written wrongly", stand=True
    )

    assert desk.row(key).winner != went_on
    after = played(desk)
    assert {each: two for each, two in after.items() if each != key} == {
        each: two for each, two in before.items() if each != key
    }
    assert {each: lines(desk, each) for each in seats} == seats
    desk.play_out()
    assert desk.fresh().status == Status.FINISHED


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "options"),
    [
        ("single-elimination", {}),
        ("single-elimination", {"redraw": True}),
        ("last-chance", {}),
        ("double-elimination", {}),
        ("first-match-losers", {}),
    ],
)
@pytest.mark.parametrize("kind", ["played", "no-show", "double forfeit"])
def test_the_order_is_that_of_the_bracket(desk: Desk, form: str, options: dict[str, bool], kind: str) -> None:
    desk.start(a_plan(form, **options), 9)
    desk.play(key := next(iter(desk.pairs())))
    desk.play_out()
    order = {entry.number: entry.place for entry in desk.event.entries.all()}
    row = desk.row(key)
    assert row.a
    assert row.b
    loser = row.b.number if row.winner_id == row.a_id else row.a.number
    how = {"score": turned(desk, key)} if kind == "played" else {"kind": kind}
    how |= {"winner": loser} if kind == "no-show" else {}

    desk.do(corrections.correct_result, key=key, reason="written wrongly", stand=True, **how)

    assert desk.fresh().status == Status.FINISHED
    assert {entry.number: entry.place for entry in desk.event.entries.all()} == order
    told, names = event_input.read_event(
        json.loads(
            json.dumps(event_file.write_event(event_rows.build_event(event_rows.load_rows(desk.event))))
        )
    )
    ranks = {int(one.entrant): one.rank for one in stages.propose(told).ranking}
    assert (ranks, len(names.written)) == (order, 9), "whoever makes it again from the file comes to the same"


@pytest.mark.long
def test_it_is_taken_back_and_a_later_correction_moves_after_all(desk: Desk) -> None:
    key = progressive(desk)
    before = desk.image()
    ruling = desk.do(
        corrections.correct_result, key=key, score=turned(desk, key), reason="written wrongly", stand=True
    )
    went_on = lines(desk, "main/2.1")

    desk.do(
        corrections.correct_result, key=key, kind="walkover", winner=desk.row(key).winner.number, reason="so"
    )

    assert lines(desk, "main/2.1") != went_on, "without it the players move by the result"
    desk.do(corrections.undo_act, ruling_id=desk.ruling().pk, reason="no")
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="it was right after all")
    assert desk.image() == before


def test_what_costs_nothing_needs_nothing_to_stand(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play_out()

    with pytest.raises(NothingToStand):
        desk.do(
            corrections.correct_result,
            key="main/2.1",
            score=turned(desk, "main/2.1"),
            reason="misread",
            stand=True,
        )
    with pytest.raises(NothingToStand):
        desk.do(corrections.correct_result, key="main/1.1", kind="", reason="play it again", stand=True)


def test_rounds_that_follow_from_points_have_nothing_to_stand(desk: Desk) -> None:
    desk.start(a_plan("swiss", rounds=2), 6)
    desk.play_out()

    with pytest.raises(NothingToStand):
        desk.do(
            corrections.correct_result, key="r1.1", score=turned(desk, "r1.1"), reason="misread", stand=True
        )


@pytest.mark.long
def test_the_page_shows_both_ways_and_does_the_second(desk: Desk, client: Client) -> None:
    key = progressive(desk)
    client.force_login(desk.director)
    address = url("act", desk.event.key, "correct")
    a, b = turned(desk, key)
    said = {"match": key, "kind": "played", "score": f"{a} {b}", "reason": "written wrongly"}
    seats = lines(desk, "main/2.1")

    page = text(client.post(address, said))
    assert "no longer count" in page
    assert "Or keep the later results" in page
    client.post(address, said | {"sure": "stand"})

    assert lines(desk, "main/2.1") == seats
    assert (desk.row(key).score_a, desk.row(key).score_b) == (a, b)
    assert "later results are kept" in text(client.get(url("rulings", desk.event.key)))


@pytest.mark.long
def test_a_program_says_stand(desk: Desk) -> None:
    key = progressive(desk)
    caller = Caller(desk.director)
    told = {
        "act": "correct",
        "key": key,
        "score": list(turned(desk, key)),
        "reason": "misread",
        "stand": True,
    }

    seen = caller.post(f"events/{desk.event.key}/acts/", told | {"preview": True})

    assert [one["key"] for one in seen["ripple"]] == [key]
