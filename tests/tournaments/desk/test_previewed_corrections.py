"""Correcting a result: the consequences come while it is typed, and one press does what they say."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import text, url

Post = Callable[..., Any]

KEY = "main/1.1"


def in_field(page: Any, name: str) -> str:
    """Return the value of a hidden field."""
    found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', text(page))
    return html.unescape(found[1])


@pytest.fixture
def post(desk: Desk, client: Client) -> Post:
    """Post a correction of the first match of four, whose final is played: with the two points turned round."""
    desk.start(a_plan("single-elimination"), 4)
    desk.play_out()
    client.force_login(desk.director)
    address, row = url("act", desk.event.key, "correct"), desk.row(KEY)
    expects = in_field(client.get(address, {"match": KEY}), "expects")
    said = {
        "expects": expects,
        "match": KEY,
        "kind": "played",
        "score": f"{row.score_b} {row.score_a}",
        "reason": "turned",
    }
    return lambda **more: client.post(address, said | more)


@pytest.mark.long
def test_the_consequences_are_shown_before_there_is_a_reason(desk: Desk, post: Post) -> None:
    before = desk.row(KEY).winner_id
    looked = post(look="yes", reason="")
    assert looked.status_code == 200
    assert "no longer counts" in text(looked)
    assert "autofocus" not in text(looked).partition('id="preview-card"')[0].rpartition("<section")[2]
    assert post(look="yes", score="5").status_code == 200, "half a score is no mistake yet"
    assert "What will happen" not in text(post(look="yes", score="5"))
    assert desk.row(KEY).winner_id == before


@pytest.mark.long
def test_one_press_does_what_is_shown(desk: Desk, post: Post) -> None:
    before = desk.row(KEY).winner_id
    seen = in_field(post(look="yes", reason=""), "seen")
    assert post(sure="unless-lost").status_code == 200, "nothing was shown before"
    assert desk.row(KEY).winner_id == before
    done, row = post(sure="unless-lost", seen=seen), desk.row(KEY)
    assert row.winner_id != before
    # The desk opens at the match.
    assert done["Location"] == f"{url('desk', desk.event.key)}?state=done#m-{row.stage_id}-{row.position}"


@pytest.mark.long
@pytest.mark.parametrize("sure", ["unless-lost", "yes", "stand"])
def test_another_score_than_the_one_shown_is_shown_first(desk: Desk, post: Post, sure: str) -> None:
    row = desk.row(KEY)
    assert row.score_b is not None
    high, low = max(row.score_a, row.score_b), min(row.score_a, row.score_b)
    other = f"{low + 1} {high}" if row.score_a == high else f"{high} {low + 1}"
    seen = in_field(post(look="yes"), "seen")
    again = post(sure=sure, seen=seen, score=other)
    assert "What will happen" in text(again)
    assert desk.row(KEY).winner_id == row.winner_id


def test_the_score_is_typed_first(desk: Desk, post: Post, client: Client) -> None:
    page = text(client.get(url("act", desk.event.key, "correct"), {"match": KEY}))
    assert "autofocus" in page.partition('name="score"')[2].partition(">")[0]
