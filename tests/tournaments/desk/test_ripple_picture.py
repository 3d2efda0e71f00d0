"""What a correction would change is drawn in the bracket before it is made."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from tournaments.models import Pairing

BOX = re.compile(r'<g class="p ([a-z ]+)"')


@pytest.fixture
def desk(desk: Desk, client: Client) -> Desk:
    client.force_login(desk.director)
    return desk


def foreseen(desk: Desk, client: Client, key: str) -> str:
    """Return the page that says what turning a result round would do, without doing it."""
    row = desk.row(key)
    score = f"0 {row.length}" if row.winner_id == row.a_id else f"{row.length} 0"
    at = f"/events/{desk.event.key}/acts/correct/"
    shown = client.get(at, {"match": key}).content.decode()
    expects = re.search(r'name="expects" value="([^"]*)"', shown)
    said = {
        "match": key,
        "expects": unescape(expects[1]),
        "kind": "played",
        "score": score,
        "reason": "Turned round",
    }
    answer = client.post(at, said)
    assert answer.status_code == 200
    assert desk.row(key).winner_id == row.winner_id
    return answer.content.decode()


def marked(page: str) -> list[str]:
    """The marks of the boxes."""
    kinds = (kind for classes in BOX.findall(page) for kind in classes.split())
    return sorted(kind for kind in kinds if kind in {"itself", "changes", "loses"})


@pytest.mark.long
def test_every_match_that_would_change_is_marked(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 8)
    desk.play_out()
    first = min(row.key for row in Pairing.objects.filter(tournament=desk.event, round__number=1))
    # The later matches of the player who won by mistake.
    row = desk.row(first)
    later = Pairing.objects.filter(tournament=desk.event, round__number__gt=1)
    hit = sum(row.winner_id in {one.a_id, one.b_id} for one in later)
    page = foreseen(desk, client, first)
    pictures = page.split("Or keep the later results")
    found = marked(pictures[0])
    assert found.count("itself") == 1
    assert len(found) - 1 >= hit >= 1
    assert "loses" in found
    # The list has each of them in words as well.
    assert pictures[0].count(">result lost<") == found.count("loses")
    assert "The list says the same in words." in " ".join(page.split())


@pytest.mark.long
def test_a_large_bracket_is_drawn_as_far_as_something_changes(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 64)
    for row in desk.open():
        desk.play(row.key)
    first = desk.event.pairings.filter(kind="played").order_by("key")[0].key
    page = foreseen(desk, client, first)
    assert 1 < len(BOX.findall(page)) < 10
    assert "itself" in marked(page)


@pytest.mark.long
def test_where_nothing_follows_nothing_is_drawn(desk: Desk, client: Client) -> None:
    desk.start(a_plan("single-elimination"), 4)
    desk.play_out()
    assert marked(foreseen(desk, client, "main/2.1")) == []
    desk.start(a_plan("round-robin"), 4)
    desk.play_out()
    key = desk.event.pairings.filter(kind="played").order_by("key")[0].key
    assert marked(foreseen(desk, client, key)) == []
