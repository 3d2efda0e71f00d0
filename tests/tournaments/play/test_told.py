"""A club's own programs are notified of calls, results and the end, once each, and only where a person
listens."""

from __future__ import annotations

from collections import Counter
from typing import Any

from players.clubs import webhooks
from runtime.models import Outbox
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.play import corrections


def bodies(what: str = "") -> list[dict[str, Any]]:
    rows = Outbox.objects.filter(kind=webhooks.KIND).order_by("pk").values_list("payload", flat=True)
    return [row["body"] for row in rows if row["body"]["type"] == what or not what]


def listen(desk: Desk) -> None:
    webhooks.add(club=desk.club, url="https://hooks.example.org/x", by=desk.director, now=desk.now)


def later(desk: Desk) -> None:
    desk.now = desk.now.replace(microsecond=desk.now.microsecond + 1)


def test_calls_results_and_the_end_are_told_once_each(desk: Desk) -> None:
    listen(desk)
    desk.start(a_plan("single-elimination"), 4)
    assert {body["match"] for body in bodies("match.called")} == {"main/1.1", "main/1.2"}
    assert bodies("result.entered") == []
    for key in ("main/1.1", "main/1.2"):
        later(desk)
        desk.play(key)
    assert [body["match"] for body in bodies("result.entered")] == ["main/1.1", "main/1.2"]
    assert bodies("event.finished") == []
    later(desk)
    desk.play("main/2.1")
    assert Counter(body["match"] for body in bodies("match.called"))["main/2.1"] == 1
    [over] = bodies("event.finished")
    assert over == {
        "type": "event.finished",
        "at": desk.now.isoformat(),
        "event": desk.event.key,
        "version": desk.fresh().version,
    }


def test_a_corrected_result_is_told_again(desk: Desk) -> None:
    listen(desk)
    desk.start(a_plan("single-elimination"), 4)
    later(desk)
    row = desk.play("main/1.1")
    later(desk)
    score = (row.length, 1) if row.winner_id == row.a_id else (1, row.length)
    desk.do(corrections.correct_result, key="main/1.1", score=score, reason="Misread")
    assert [body["match"] for body in bodies("result.entered")] == ["main/1.1", "main/1.1"]


def test_results_and_the_end_that_come_back_with_an_undone_act_are_told_again(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 4)
    for key in ("main/1.1", "main/1.2", "main/2.1"):
        later(desk)
        desk.play(key)
    later(desk)
    row = desk.row("main/1.1")
    score = (row.length, 1) if row.winner_id == row.b_id else (1, row.length)
    ruling = desk.do(corrections.correct_result, key="main/1.1", score=score, reason="Misread")
    assert desk.fresh().status == "RUNNING"
    listen(desk)
    later(desk)
    desk.do(corrections.undo_act, ruling_id=ruling.pk, reason="It was right")
    assert desk.fresh().status == "FINISHED"
    assert {body["match"] for body in bodies("result.entered")} == {"main/1.1", "main/2.1"}
    assert len(bodies("event.finished")) == 1


def test_a_result_that_an_undone_act_takes_back_is_not_told(desk: Desk) -> None:
    listen(desk)
    desk.start(a_plan("single-elimination"), 4)
    desk.play("main/1.1")
    told = ["main/1.1"]
    later(desk)
    opened = desk.do(corrections.correct_result, key="main/1.1", kind="", reason="Not played yet")
    later(desk)
    back = desk.do(corrections.undo_act, ruling_id=opened.pk, reason="It was")
    assert [body["match"] for body in bodies("result.entered")] == told * 2
    later(desk)
    desk.do(corrections.undo_act, ruling_id=back.pk, reason="It was not")
    assert [body["match"] for body in bodies("result.entered")] == told * 2
    assert bodies("event.finished") == []


def test_where_nobody_listens_nothing_is_written(desk: Desk) -> None:
    desk.start(a_plan("single-elimination"), 2)
    desk.play("main/1.1")
    assert bodies() == []
