"""Rulings over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from engine.board import STANDARD
from engine.cube import Cube
from engine.dice import Dice
from engine.formats import ids
from engine.side import Side
from engine.situation import Situation
from matches.play import directing_api as shapes
from matches.state import rulings
from matches.state.rulings import Start, Verdict
from matches.state.status import Status
from players.models import User
from tests import prepared
from tests.matches.play.test_directing import Hall

Post = Callable[..., Any]

TEXT = STANDARD.text()
KEYS = count(1)

READ: list[tuple[dict[str, Any], rulings.Ruling]] = [
    ({"type": "pause"}, rulings.Pause()),
    ({"type": "resume"}, rulings.Resume()),
    (
        {"type": "credit-time", "side": "black", "milliseconds": 5},
        rulings.CreditTime(Side.BLACK, 5),
    ),
    ({"type": "take-back", "to_line": 0}, rulings.TakeBack(0)),
    ({"type": "take-back", "to_start_of": "game"}, rulings.TakeBack(to_start_of=Start.GAME)),
    (
        {"type": "set-position", "position": TEXT, "turn": "black", "dice": "61"},
        rulings.SetPosition(STANDARD, Side.BLACK, Cube(), Dice(6, 1)),
    ),
    (
        {"type": "set-position", "position": TEXT, "cube": {"value": 2, "owner": "black"}},
        rulings.SetPosition(STANDARD, Side.WHITE, Cube(2, Side.BLACK)),
    ),
    (
        {"type": "set-position", "position": "4HPwATDgc/ABMA"},
        rulings.SetPosition(STANDARD, Side.WHITE, Cube()),
    ),
    (
        {"type": "set-position", "position": "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:42:0:0:0:7:10"},
        rulings.SetPosition(STANDARD, Side.WHITE, Cube(2, Side.WHITE), Dice(4, 2)),
    ),
    (
        {
            "type": "set-position",
            "position": "XGID=-b----E-C---eE---c-e----B-:1:-1:-1:42:0:0:0:7:10",
            "dice": "",
        },
        rulings.SetPosition(STANDARD, Side.WHITE, Cube(2, Side.WHITE)),
    ),
    ({"type": "set-score", "white": 2, "black": 1}, rulings.SetScore(2, 1)),
    (
        {"type": "set-score", "white": 2, "black": 1, "crawford_played": True},
        rulings.SetScore(2, 1, crawford_played=True),
    ),
    ({"type": "penalise", "side": "white", "points": 1}, rulings.Penalise(Side.WHITE, 1)),
    ({"type": "rule-game", "winner": "white", "points": 4}, rulings.RuleGame(Side.WHITE, 4)),
    ({"type": "rule-match", "winner": "black"}, rulings.RuleMatch(Side.BLACK)),
    (
        {"type": "rule-match", "winner": "black", "verdict": "walkover"},
        rulings.RuleMatch(Side.BLACK, Verdict.WALKOVER),
    ),
    ({"type": "void-game"}, rulings.VoidGame()),
    ({"type": "void-match"}, rulings.VoidMatch()),
]
BAD: list[Any] = [
    None,
    7,
    {},
    {"type": "bribe"},
    {"type": ["pause"]},
    {"type": "pause", "more": 1},
    {"type": "credit-time", "side": "red", "milliseconds": 5},
    {"type": "credit-time", "side": "white", "milliseconds": 0},
    {"type": "credit-time", "side": "white", "milliseconds": 10**30},
    {"type": "take-back"},
    {"type": "take-back", "to_line": 3, "to_start_of": "turn"},
    {"type": "take-back", "to_start_of": "evening"},
    {"type": "set-position", "position": "nonsense"},
    {"type": "set-position", "position": "white 6:15 black 19:15"},
    {"type": "set-position", "position": TEXT, "dice": "77"},
    {"type": "set-position", "position": TEXT, "cube": {"value": 3}},
    {"type": "set-position", "position": TEXT, "cube": {"value": True}},
    {"type": "set-position", "position": TEXT, "cube": {"value": 2, "owner": ["white"]}},
    {"type": "set-position", "position": TEXT, "cube": "2"},
    {"type": "set-score", "white": -1, "black": 0},
    {"type": "penalise", "side": "white", "points": 0},
    {"type": "rule-match", "winner": "white", "verdict": "whim"},
]


@pytest.fixture
def hall(db: None) -> Hall:
    now = timezone.now()

    def make() -> Hall:
        hall = Hall(now)
        hall.begin()
        hall.moves(2)
        return hall

    return prepared.begin("called hall", now, make)


@pytest.fixture
def post(hall: Hall) -> Post:
    def _post(ruling: Any, *, user: User | None = None, key: str | None = None, **more: Any) -> Any:
        client = APIClient()
        client.force_login(user or hall.director)
        body = {"after": hall.row.head, "reason": "a good reason", "ruling": ruling, **more}
        headers = {"Idempotency-Key": key or f"key-number-{next(KEYS)}"}
        return client.post(address(hall), body, format="json", headers=headers)

    return _post


def address(hall: Hall) -> str:
    return f"/api/v1/matches/{hall.match.key}/rulings/"


@pytest.mark.parametrize(("body", "ruling"), READ, ids=lambda each: str(each)[:40])
def test_every_ruling_is_read_as_it_is_meant(body: dict[str, Any], ruling: rulings.Ruling) -> None:
    assert shapes.RULING.read({"after": 1, "reason": "x", "ruling": body})["ruling"] == ruling


def test_every_kind_of_ruling_has_a_shape() -> None:
    assert {type(ruling) for _, ruling in READ} == set(rulings.Ruling.kinds.values())
    assert {body["type"] for body, _ in READ} == set(rulings.Ruling.kinds)


@pytest.mark.parametrize("body", BAD, ids=lambda each: str(each)[:60])
def test_nonsense_is_refused_with_a_sentence(hall: Hall, post: Post, body: Any) -> None:
    answer = post(body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "invalid"
    assert "ruling" in answer.json()["context"]["fields"]


def test_a_ruling_and_its_answer(hall: Hall, post: Post) -> None:
    head = hall.row.head
    answer = post({"type": "pause"}, key="my-own-key", reason="Fire alarm")
    assert answer.status_code == 200, answer.json()
    told = answer.json()
    assert (told["head"], told["frames"][0]["line"]["fact"]["reason"]) == (head + 1, "Fire alarm")
    assert told["frames"][0]["state"]["status"] == "paused"
    again = post({"type": "pause"}, key="my-own-key", reason="Fire alarm", after=head)
    assert (again.status_code, again.json()) == (200, told)
    other = post({"type": "resume"}, key="my-own-key")
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_key_reused")


def test_who_may_not(hall: Hall, post: Post) -> None:
    answer = post({"type": "pause"}, user=hall.white.user)
    assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
    assert APIClient().post(address(hall), {}, format="json").status_code == 401


def test_a_stale_board_and_a_fallen_flag(hall: Hall, post: Post) -> None:
    answer = post({"type": "void-game"}, after=3)
    assert (answer.status_code, answer.json()["code"]) == (409, "stale")
    assert answer.json()["context"]["head"] == hall.row.head


def test_refusals_have_their_codes(hall: Hall, post: Post) -> None:
    assert post({"type": "resume"}).json()["code"] == "not-paused"
    assert post({"type": "take-back", "to_line": 9_999}).json()["code"] == "no-such-line"
    assert post({"type": "pause"}, reason="x" * 400).json()["code"] == "reason-too-long"
    assert hall.row.status == Status.LIVE


def test_the_list_says_who_when_and_why(hall: Hall, post: Post) -> None:
    post({"type": "pause"}, reason="Fire alarm")
    post({"type": "rule-match", "winner": "white", "verdict": "forfeit"}, reason="Black left")
    client = APIClient()
    told = client.get(address(hall)).json()
    assert told["may_rule"] is False
    assert [(each["name"], each["reason"]) for each in told["rulings"]] == [
        ("Dora", "Fire alarm"),
        ("Dora", "Forfeit: Black left"),
    ]
    assert told["rulings"][0]["fact"] == {"fact": "paused", "reason": "Fire alarm"}
    client.force_login(hall.director)
    assert client.get(address(hall)).json()["may_rule"] is True


def test_of_a_private_match_nobody_else_learns(db: None) -> None:
    hall = Hall(timezone.now(), is_private=True)
    client = APIClient()
    assert client.get(address(hall)).status_code == 404
    client.force_login(hall.owner)
    assert client.get(address(hall)).status_code == 200


def test_positions_come_from_any_identifier() -> None:
    for each in ids.IDENTIFIERS:
        text = each.encode(Situation(length=3))
        ruling = shapes.RULING.read(
            {"after": 1, "reason": "x", "ruling": {"type": "set-position", "position": text}}
        )["ruling"]
        assert isinstance(ruling, rulings.SetPosition)
        assert ruling.position == STANDARD
