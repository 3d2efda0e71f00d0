"""Helpers move a match that is at a table to another one, and call none."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.tournaments.desk.test_helpers import anna
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url
from tournaments.base.errors import ChangedMeanwhile, NotDirector
from tournaments.models import Ruling, RulingKind
from venue.calls import calling
from venue.errors import NotAtTable, TableBroken, TableTaken
from venue.models import Assignment, Table, TableState
from venue.rooms import rooms


@pytest.fixture
def playing(desk: Desk) -> Desk:
    """An event with its first match at table 1, in a room of four."""
    desk.start(a_plan("single-elimination"), 4)
    rooms.open_room(club=desk.club, by=desk.director, name="Back room", labels="1-4", now=desk.now)
    calling.call(table=table("1"), event=desk.event, key=first(desk), by=desk.director, now=desk.now)
    return desk


def table(label: str) -> Table:
    return Table.objects.get(label=label)


def first(desk: Desk) -> str:
    return next(iter(desk.pairs()))


def at(desk: Desk) -> list[str]:
    rows = Assignment.objects.filter(pairing__tournament=desk.event, ended_at__isnull=True)
    return [row.table.label for row in rows.select_related("table")]


def test_a_helper_moves_a_match_and_the_log_says_who(playing: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: playing.now)
    who, phone, key = anna(playing), Client(), first(playing)
    session = phone.session
    session["helping"] = {playing.event.key: who.helper_id}
    session.save()
    page = phone.get(url("helping", playing.event.key))
    assert text(page).count("Move to another table") == 1
    line = next(one for one in page.context["matches"] if one.play.key == key)

    said = {"match": key, "expects": line.expects, "table": table("3").key, "at": "1"}
    phone.post(f"/events/{playing.event.key}/room/move/", said)

    assert at(playing) == ["3"]
    assert Ruling.objects.filter(act=RulingKind.CALLED, helper__name="Anna").count() == 1
    # The same form again: the match is at table 3 by now, and stays there.
    phone.post(f"/events/{playing.event.key}/room/move/", said)
    assert at(playing) == ["3"]
    assert Client().post(f"/events/{playing.event.key}/room/move/", said).status_code == 403


def test_a_disputed_match_that_moves_is_still_disputed(playing: Desk) -> None:
    key = first(playing)
    playing.event.pairings.filter(key=key).update(needs_director="dispute")
    calling.move(table=table("2"), event=playing.event, key=key, by=playing.director, now=playing.now)
    assert playing.row(key).needs_director == "dispute"


def test_a_helper_calls_nobody_and_moves_to_no_table_that_is_taken(playing: Desk) -> None:
    who = anna(playing)
    _, other = playing.pairs()
    said = {"event": playing.event, "now": playing.now}
    with pytest.raises(NotAtTable):
        calling.move(table=table("2"), key=other, by=who, **said)
    with pytest.raises(NotDirector):
        calling.call(table=table("2"), key=other, by=who, **said)  # type: ignore[arg-type]
    calling.call(table=table("2"), key=other, by=playing.director, **said)
    with pytest.raises(TableTaken):
        calling.move(table=table("2"), key=first(playing), by=who, **said)
    Table.objects.filter(label="3").update(state=TableState.BROKEN)
    with pytest.raises(TableBroken):
        calling.move(table=table("3"), key=first(playing), by=who, **said)
    with pytest.raises(ChangedMeanwhile):
        calling.move(table=table("4"), key=first(playing), by=who, saw="9", **said)
    assert sorted(at(playing)) == ["1", "2"]
