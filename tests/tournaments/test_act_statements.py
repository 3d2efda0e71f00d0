"""How many statements it takes to announce an event, to admit names and to publish a draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.accounts import tokens
from players.clubs import clubs
from players.models import Player, Scope
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base.event_rows import Rows
from tournaments.hooks import event_changed
from tournaments.models import Tournament
from tournaments.plan import drawing, setup
from tournaments.play import inspection, progress

SAVEPOINTS = ("SAVEPOINT", "RELEASE")


@pytest.fixture
def desk(db: None) -> Desk:
    """A desk whose clock is that of the API, at a club with members."""
    made = Desk(timezone.now())
    guests = [Player(name=f"Known {number}") for number in range(20)]
    clubs.add_guests(club=made.club, guests=guests, by=made.director, now=made.now)
    return made


@pytest.fixture
def program(desk: Desk) -> Caller:
    """A program of the director's."""
    return Caller(None, token=tokens.create(user=desk.director, name="desk", scope=Scope.PLAY, now=desk.now))


def a_draft(desk: Desk, name: str) -> Tournament:
    details = setup.Details(name=name, starts_at=desk.now)
    key = f"draft{len(name):05}"
    plan = a_plan("single-elimination")
    return setup.draft(club=desk.club, by=desk.director, key=key, details=details, now=desk.now, plan=plan)


def act(program: Caller, event: Tournament, word: str, **fields: Any) -> tuple[Any, int]:
    """The answer to an act, and its number of SQL statements besides savepoints."""
    with CaptureQueriesContext(connection) as asked:
        answer = program.post(f"events/{event.key}/acts/", {"act": word, **fields})
    return answer, sum(not one["sql"].startswith(SAVEPOINTS) for one in asked)


def test_announcing_admitting_and_publishing_a_draw_read_each_row_once(
    desk: Desk, program: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tests' own look at the rows is not counted.
    monkeypatch.setattr(inspection, "find_problems", lambda _event: [])
    taken: dict[str, int] = {}
    # Two: with the first act of all, the token is noted as used.
    for name in ("One", "Other"):
        event = a_draft(desk, name)
        names = [*(f"Known {number}" for number in range(8)), *(f"{name} {number}" for number in range(8))]
        acts: tuple[tuple[str, dict[str, Any]], ...] = (
            ("publish", {}),
            ("admit-named", {"names": names}),
            ("publish-draw", {}),
        )
        for word, fields in acts:
            answer, taken[word] = act(program, event, word, **fields)
            event.refresh_from_db()
            assert (answer["version"], answer["status"]) == (event.version, event.status)

    # A draft is hidden: permission to see it is checked first, and by the act again under its lock.
    assert taken == {"publish": 13, "admit-named": 23, "publish-draw": 23}


def test_who_is_admitted_by_name_costs_the_same_in_a_larger_club(desk: Desk, program: Caller) -> None:
    event = a_draft(desk, "One")
    act(program, event, "publish")
    act(program, event, "admit-named", names=["Known 1"])

    with CaptureQueriesContext(connection) as asked:
        program.post(f"events/{event.key}/acts/", {"act": "admit-named", "names": ["Known 2"]})

    (found,) = (one["sql"] for one in asked if '"players_membership"."club_id"' in one["sql"])
    assert " known 2'" in found, "only who may be meant is read"


def test_nothing_follows_an_event_before_it_starts(desk: Desk) -> None:
    heard: list[str] = []

    def follow(*, event: Tournament, **_signal: object) -> None:
        heard.append(event.status)

    event_changed.connect(follow)
    try:
        desk.announce(a_plan("single-elimination"), 4)
        assert heard == []
        desk.do(drawing.publish)
    finally:
        event_changed.disconnect(follow)
    assert heard == ["RUNNING"]


def test_the_rows_that_a_draw_was_checked_with_lead_to_its_matches(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading them again would lead to the same."""
    desk.announce(a_plan("single-elimination"), 5)
    desk.do(drawing.preview)
    given: list[Rows] = []
    go_on: Callable[..., object] = progress.advance_rows

    def noted(rows: Rows, **more: Any) -> object:
        given.append(rows)
        return go_on(rows, **more)

    monkeypatch.setattr(progress, "advance_rows", noted)
    desk.do(drawing.publish)

    (rows,) = given
    assert rows.is_drawn(rows.stages[0])
    assert not progress.advance(desk.fresh(), now=desk.now), "nothing is missing"
