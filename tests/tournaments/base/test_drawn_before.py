"""What is kept of a drawing is what would be drawn anew, whatever happened in between."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.utils import translation

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import drawn_before, event_view
from tournaments.pages import picture
from tournaments.play import corrections, incidents

if TYPE_CHECKING:
    from datetime import datetime


def drawn(desk: Desk) -> list[str]:
    """Return every picture and list of an event as its pages have them."""
    view = event_view.read(desk.fresh(), with_drafts=True)
    found = []
    for part in view.parts:
        names = ("", *(branch.name for branch in picture.branches(part, "")))
        found += [picture.draw(view, part, name) for name in names]
        found += [str(made.html) for name in part.last for made in picture.rounds(view, part, name)]
    return found


def anew(desk: Desk) -> list[str]:
    """Return the same, drawn by somebody who has seen nothing yet."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawn_before, "of", lambda _event: drawn_before.Pieces())
        return drawn(desk)


@pytest.fixture
def desk(db: None, now: datetime) -> Desk:
    drawn_before.forget()
    return Desk(now)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_a_drawing_after_any_act_is_the_one_drawn_anew(desk: Desk, seed: int) -> None:
    chance = random.Random(seed)
    form = chance.choice(
        ["single-elimination", "progressive-consolation", "last-chance", "double-elimination"]
    )
    desk.start(a_plan(form), chance.randint(5, 20))
    assert drawn(desk) == anew(desk)
    for _ in range(14):
        desk.now += timedelta(minutes=9)
        ready = desk.open()
        kind = chance.choice(["result", "result", "result", "walkover", "correct", "name"])
        if kind == "name":
            player = desk.player(chance.randint(1, 5))
            player.name = f"{player.name} <&{chance.randint(1, 9)}>"
            player.save(update_fields=["name"])
        elif kind == "correct" and (done := desk.event.pairings.filter(kind="played")).exists():
            row = chance.choice(list(done))
            score = (0, row.length) if row.winner_id == row.a_id else (row.length, 0)
            desk.do(corrections.correct, key=row.key, score=score, reason="The other way round", stand=False)
        elif kind == "walkover" and ready:
            row = chance.choice(ready)
            assert row.a is not None
            desk.do(incidents.walkover, key=row.key, loser=row.a.number)
        elif ready:
            desk.play(chance.choice(ready).key)
        assert drawn(desk) == anew(desk)
    with translation.override("de"):
        assert drawn(desk) == anew(desk)


def test_after_a_result_only_the_rows_that_changed_are_made_again(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 16)
    before = event_view.read(desk.fresh())
    picture.draw(before, before.parts[0])
    row = desk.open()[0]
    desk.play(row.key)
    after = event_view.read(desk.fresh())
    same = [play.key for key, play in before.by_key.items() if after.by_key[key] is play]
    changed = sorted(set(before.by_key) - set(same))
    assert row.key in changed
    assert len(changed) == 2
    kept = dict(after.pieces.boxes)
    texts = {key: there[2] for boxes in kept.values() for key, there in boxes.items()}
    picture.draw(after, after.parts[0])
    drawn_again = {
        key
        for boxes in after.pieces.boxes.values()
        for key, there in boxes.items()
        if there[2] is not texts[key]
    }
    assert set(changed) <= drawn_again
    # The two, and those beside whom they stand.
    assert len(drawn_again) <= 5


def test_no_more_is_kept_than_there_is_room_for(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_before, "ROOM", 40)
    first = desk.start(a_plan("single-elimination"), 8)
    drawn(desk)
    for _ in range(4):
        desk.start(a_plan("single-elimination"), 8)
        drawn(desk)
    kept = [event for event, _language in drawn_before._kept]
    assert desk.event.pk in kept
    assert first.pk not in kept
    assert len(kept) < 5
