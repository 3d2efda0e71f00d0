"""The product's document format: a round trip keeps everything, and other content is refused."""

from __future__ import annotations

import json

import pytest

from engine import actions
from engine.board import NACKGAMMON, STANDARD, Board, Step
from engine.cube import Cube
from engine.dice import Dice
from engine.errors import Unreadable
from engine.formats import json_record
from engine.formats.limits import Limits
from engine.record import Record
from engine.rules import DeadCube, Rules
from engine.side import BLACK, WHITE, BySide

FACTS = (
    actions.Opened(6, 1),
    actions.Played(WHITE, (Step(13, 7), Step(8, 7))),
    actions.Rolled(BLACK, Dice(6, 6)),
    actions.Played(BLACK),
    actions.Doubled(WHITE),
    actions.Took(BLACK),
    actions.TimeCredited(WHITE, 2_500, "a dropped cup"),
    actions.Penalised(BLACK, 1, 'late "again"'),
    actions.RuledPosition(STANDARD, WHITE, Cube(2, BLACK), Dice(2, 1)),
    actions.RuledScore(BySide(3, 1), crawford_played=True),
    actions.TakenBack(3),
    actions.VoidedMatch(),
)
RULES = [
    Rules(),
    Rules(length=25, crawford=False, dead_cube=DeadCube.REFUSED, backgammons=False),
    Rules.unlimited(jacoby=False, beavers=True, automatic_doubles=2, start=NACKGAMMON),
    Rules(length=3, cube=False, gammons=False, backgammons=False, start=Board.from_counts({3: 2}, {24: 1})),
]


@pytest.mark.parametrize("rules", RULES)
def test_everything_comes_back(rules):
    record = Record(BySide("Ann", "Zoë “B”\n"), rules, FACTS, (("Event", "Cup"), ("Event", "")))
    data = json_record.write(record)
    assert json_record.sniff(data)
    assert json_record.sniff(b"\xef\xbb\xbf" + data)
    assert json_record.parse(data) == (record,)
    assert json_record.write(json_record.parse(data)[0]) == data


def document(**changes):
    plain = json.loads(json_record.write(Record(BySide("a", "b"), Rules(), FACTS[:2])))
    return json.dumps(plain | changes).encode()


def test_it_is_strict():
    assert json_record.parse(document())[0].actions == FACTS[:2]
    refused = [
        document(extra=1),
        document(format="other"),
        document(version=2),
        document(players=["a"]),
        document(players="ab"),
        document(players=["a", 2]),
        document(players=["a", "b" * 5000]),
        document(players=["a", "\ud800"]),
        document(tags=[["a"]]),
        document(tags={"a": "b"}),
        document(rules=[]),
        document(rules={"length": 7.0}),
        document(rules={"length": True}),
        document(rules={"lenght": 7}),
        document(rules={"length": 700}),
        document(rules={"dead_cube": "shy"}),
        document(rules={"start": 3}),
        document(rules={"start": "white 1:99 black"}),
        document(rules={"length": 3, "beavers": True}),
        document(actions=[{"v": 1, "fact": "danced"}]),
        document(actions={}),
        document(actions=[None]),
        document() + b"x",
        document().replace(b'"version": 1', b'"version": 1, "version": 1'),
        document().replace(b'"version": 1', b'"version": NaN'),
        b"[" * 100_000,
        b"[]",
        b'{"format": "barpoint-record"}',
        b"1" * 5_000,
    ]
    for data in refused:
        with pytest.raises(Unreadable) as caught:
            json_record.parse(data)
        assert caught.value.code in {"bad-record", "bad-action", "bad-position"}, data


def test_limits():
    with pytest.raises(Unreadable, match="1 rolls"):
        json_record.parse(document(), Limits(claims=1))
    with pytest.raises(Unreadable, match="bytes"):
        json_record.parse(document(), Limits(bytes=10))


def test_it_knows_its_own():
    assert not json_record.sniff(b'{"format": "BGF"}')
    assert not json_record.sniff(b" barpoint-record")
