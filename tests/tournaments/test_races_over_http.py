"""Races of two requests over HTTP, fifty times each, at two web processes on PostgreSQL.

One request wins, and both get an answer. The rounds in which both overlapped are counted, because a race
without overlap shows nothing.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

import pytest

from matches.models import JournalEntry
from players.models import Club, Player
from tests.matches.test_crash import flags_fell_once, say
from tests.runtime.conftest import _services_or_skip, apart, migrated_postgresql, static_root  # noqa: F401
from tests.runtime.premises import ALIAS, Premises
from tests.runtime.support import get, together
from tournaments.models import Pairing, PairingState, Report, ReportStatus, Ruling, RulingKind, Tournament
from tournaments.status import Status

Ask = Callable[[], int]

pytestmark = [pytest.mark.services, pytest.mark.slow]

ROUNDS = 50
CSRF = "c" * 32
# How long the clocks run that a move comes to at the last moment.
CLOCK_SECONDS = 25


class Caller:
    """Anyone who asks over HTTP, on a fresh connection each time."""

    def __init__(self, place: Premises) -> None:
        self.port = place.port
        self.met: list[bool] = []

    def act(self, token: str, event: str, **told: Any) -> int:
        return self.post(token, f"/api/v1/events/{event}/acts/", told)

    def post(self, token: str, path: str, told: Any) -> int:
        status, _, _ = get(
            self.port, path, method="POST", body=json.dumps(told).encode(), Authorization=f"Bearer {token}",
            Content_Type="application/json", Idempotency_Key=uuid4().hex,
        )  # fmt: skip
        return status

    def press(self, session: str, path: str, **fields: str) -> int:
        """Press a button of a page."""
        status, _, _ = get(
            self.port, path, method="POST", body=urlencode({**fields, "csrfmiddlewaretoken": CSRF}).encode(),
            Cookie=f"session={session}; csrf={CSRF}", Content_Type="application/x-www-form-urlencoded",
        )  # fmt: skip
        return status

    def race(self, *asks: Ask) -> list[int]:
        """Send all requests at once, and return each answer."""
        spans: list[Any] = [None] * len(asks)

        def run(place: int) -> int:
            began = time.monotonic()
            status = asks[place]()
            spans[place] = (began, time.monotonic())
            return status

        found = together(len(asks), run)
        self.met.append(max(began for began, _ in spans) < min(ended for _, ended in spans))
        return found


@pytest.fixture
def installation(apart: Any) -> Premises:  # noqa: F811
    place: Premises = apart
    return place


def test_two_at_one_thing(installation: Premises) -> None:
    seeded = say(installation, "tests.tournaments.contested", str(ROUNDS))
    installation.open("serve", "web", WEB_PROCESSES="2")
    installation.start("worker")
    installation.start("beat")
    caller = Caller(installation)

    two_browsers_on_one_turn(caller, seeded["turns"])
    a_report_against_the_desk(caller, seeded["reported"], seeded["desks"][0])
    a_confirmation_against_a_dispute(caller, seeded["answered"])
    two_publish_one_draw(caller, seeded["published"], seeded["desks"])
    one_link_for_two(caller, seeded["invited"])
    a_merge_against_a_result(caller, seeded)
    flags_against_moves(
        caller, say(installation, "tests.tournaments.contested", str(ROUNDS), str(CLOCK_SECONDS))
    )

    assert sum(caller.met) > len(caller.met) / 2, "they hardly ever met"
    verified = installation.run("verify")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def two_browsers_on_one_turn(caller: Caller, boards: list[Any]) -> None:
    for board in boards:
        told = caller.race(*(partial(move, caller, board, steps) for steps in board["moves"]))
        assert sorted(told) == [200, 409], told
    played = JournalEntry.objects.using(ALIAS).filter(
        match__key__in=[board["key"] for board in boards], fact__fact="played"
    )
    assert Counter(played.values_list("match__key", flat=True)) == {board["key"]: 1 for board in boards}


def move(caller: Caller, board: Any, steps: Any) -> int:
    told = {"after": board["after"], "command": {"type": "move", "steps": steps}}
    return caller.post(board["token"], f"/api/v1/matches/{board['key']}/commands/", told)


def a_report_against_the_desk(caller: Caller, event: Any, desk: str) -> None:
    """What the desk has entered is not reported over, and what was reported the desk may rule upon."""
    for match in event["matches"]:
        reported, entered = caller.race(
            partial(caller.act, match["a"], event["key"], act="report", key=match["key"], score=[5, 0]),
            partial(caller.act, desk, event["key"], act="result", key=match["key"], score=[2, 5]),
        )
        assert entered == 200
        assert reported in {200, 409}
    assert results(event) == {match["key"]: (2, 5) for match in event["matches"]}


def a_confirmation_against_a_dispute(caller: Caller, event: Any) -> None:
    """The same person agrees in one browser and denies in another: who agrees in the end has agreed."""
    for match in event["matches"]:
        told = {"key": match["key"], "score": [5, 1]}
        assert caller.act(match["a"], event["key"], act="report", **told) == 200
        confirmed, disputed = caller.race(
            partial(caller.act, match["b"], event["key"], act="confirm", **told),
            partial(caller.act, match["b"], event["key"], act="dispute", **told),
        )
        assert confirmed == 200
        assert disputed in {200, 409}
    assert results(event) == {match["key"]: (5, 1) for match in event["matches"]}
    reports = Report.objects.using(ALIAS).filter(pairing__tournament__key=event["key"])
    assert set(reports.values_list("status", flat=True)) == {ReportStatus.CONFIRMED}


def results(event: Any) -> dict[str, tuple[int, int]]:
    """Return the results of the first round."""
    rows = Pairing.objects.using(ALIAS).filter(
        tournament__key=event["key"],
        key__in=[match["key"] for match in event["matches"]],
        state=PairingState.DECIDED,
    )
    return {key: (a, b) for key, a, b in rows.values_list("key", "score_a", "score_b")}


def two_publish_one_draw(caller: Caller, events: list[str], desks: list[str]) -> None:
    for key in events:
        told = caller.race(*(partial(caller.act, desk, key, act="publish-draw") for desk in desks))
        assert sorted(told) == [200, 409], told
    drawn = Tournament.objects.using(ALIAS).filter(key__in=events, status=Status.RUNNING)
    assert drawn.count() == len(events)
    rulings = Ruling.objects.using(ALIAS).filter(tournament__key__in=events, act=RulingKind.PUBLISHED_DRAW)
    assert set(Counter(rulings.values_list("tournament__key", flat=True)).values()) == {1}


def one_link_for_two(caller: Caller, links: list[Any]) -> None:
    for link in links:
        told = caller.race(
            *(partial(caller.press, who, f"/join/{link['token']}/") for who in link["sessions"])
        )
        assert sorted(told) == [302, 410], told
    there = Club.objects.using(ALIAS).get(name="There")
    assert there.memberships.count() == len(links) + 1


def a_merge_against_a_result(caller: Caller, seeded: Any) -> None:
    """Neither blocks the other, and the result belongs to the account in the end."""
    event = seeded["merged"]
    for match in event["matches"]:
        merged, entered = caller.race(
            partial(
                caller.press, seeded["session"], f"/clubs/{seeded['slug']}/members/merge/",
                kept=match["account"], dropped=match["guest"],
            ),
            partial(
                caller.act, seeded["desks"][1], event["key"], act="result", key=match["key"], score=[5, 3]
            ),
        )  # fmt: skip
        assert (merged, entered) == (302, 200)
    assert results(event) == {match["key"]: (5, 3) for match in event["matches"]}
    winners = Pairing.objects.using(ALIAS).filter(
        tournament__key=event["key"], key__in=[match["key"] for match in event["matches"]]
    )
    accounts = {match["account"] for match in event["matches"]}
    assert set(winners.values_list("winner__player__key", flat=True)) == accounts
    assert not Player.objects.using(ALIAS).filter(
        key__in=[match["guest"] for match in event["matches"]], merged_into=None
    )


def flags_against_moves(caller: Caller, boards: list[Any]) -> None:
    """A move comes as the clock runs out: it was in time, or it was not, and each flag falls once."""
    rng = random.Random(3)
    told = Counter[int]()

    def late(place: int) -> None:
        for board in boards[place::5]:
            time.sleep(max(0.0, board["due"] + rng.uniform(-0.5, 1.5) - time.time()))
            told[move(caller, board, board["moves"][0])] += 1

    together(5, late, timeout=120)
    assert set(told) == {200, 409}, told
    flags_fell_once([board["key"] for board in boards])
    played = JournalEntry.objects.using(ALIAS).filter(
        match__key__in=[board["key"] for board in boards], fact__fact="played"
    )
    assert played.count() == told[200]
