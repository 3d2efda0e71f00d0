"""A division for novices over the API, from its announcement to its order: no cube, no backgammons, three minutes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from draw.files import event_input
from draw.rules_of_play import RulesOfPlay
from engine import formats
from engine.verdict import adjudicate
from matches.models import Habits, Match
from matches.play import deadlines as flags
from matches.watch import exports
from players.models import User
from tests.matches.http import Bot, Caller
from tests.tournaments.event_desk import Desk
from tournaments.models import Pairing
from tournaments.play import boards, deadlines

pytestmark = pytest.mark.today


@pytest.fixture
def novices(desk: Desk) -> list[User]:
    found = [desk.member(name) for name in ("Ann", "Ben", "Cid", "Dee")]
    for user in found:
        Habits.objects.create(player=user.player, auto_roll=False)
    return found


class Novice(Bot):
    """Plays at random, and gives the game up as soon as there is one, where *loses*."""

    loses = False
    level = 2

    def decide(self, seen: dict[str, Any]) -> dict[str, Any] | None:
        if self.loses and is_mine(seen):
            level = min(self.level, max(level for level in seen["you"]["resign_levels"] if level != "match"))
            return {"type": "resign", "level": level}
        if "accept" in seen["you"]["may"]:
            return {"type": "accept"}
        return super().decide(seen)


def is_mine(seen: Any) -> bool:
    """Is this one to roll, in a game that has begun?"""
    return seen["snapshot"]["phase"] != "opening" and "roll" in seen["you"]["may"]


def act(caller: Caller, event: str, word: str, **fields: Any) -> Any:
    return caller.post(f"events/{event}/acts/", {"act": word, **fields})


def seated(row: dict[str, Any], numbers: dict[int, User]) -> tuple[User, User]:
    return numbers[row["a"]["entry"]], numbers[row["b"]["entry"]]


def open_board(event: str, row: dict[str, Any], two: tuple[User, User]) -> tuple[Novice, Novice]:
    key = act(Caller(two[0]), event, "open-board", key=row["key"])["about"]["match"]["key"]
    return Novice(two[0], key, seed=1), Novice(two[1], key, seed=2)


def until(bots: tuple[Novice, Novice], done: Callable[[Any], bool]) -> Any:
    for _ in range(400):
        seen = bots[0].look()
        if done(seen):
            return seen
        for bot in bots:
            bot.act()
    raise AssertionError("it does not come to that")


def is_over(seen: Any) -> bool:
    return bool(seen["snapshot"]["status"] == "finished")


def cubeless(bots: tuple[Novice, Novice]) -> None:
    """Check that there is no doubling, and that a backgammon cannot be lost."""
    until(bots, lambda seen: any(is_mine(bot.look()) for bot in bots))
    roller = next(bot for bot in bots if is_mine(bot.look()))
    seen = roller.look()
    assert "double" not in seen["you"]["may"]
    assert seen["you"]["may_not"]["double"]["code"] == "no-cube"
    assert roller.give(seen["snapshot"]["head"], {"type": "double"}, status=409)["code"] == "no-cube"
    assert 3 not in seen["you"]["resign_levels"]
    refused = roller.give(seen["snapshot"]["head"], {"type": "resign", "level": 3}, status=None)
    assert refused["status"] in {400, 409}
    rules = seen["terms"]["rules"] if "terms" in seen else Match.objects.get(key=roller.match).terms["rules"]
    assert (rules["cube"], rules["backgammons"]) == (False, False)


@pytest.mark.long
def test_a_division_for_novices_from_the_announcement_to_the_order(desk: Desk, novices: list[User]) -> None:
    director = Caller(desk.director)
    made = director.post(
        "events/",
        {
            "club": desk.club.slug,
            "name": "Novices",
            "starts_at": timezone.now().isoformat(),
            "plan": {"template": "novices", "rounds": 2},
        },
        status=201,
    )
    event = made["key"]
    assert (made["play"]["cube"], made["play"]["backgammons"], made["play"]["gammons"]) == (
        False,
        False,
        True,
    )
    act(director, event, "publish")
    told = Caller(novices[0]).get(f"events/{event}/")
    assert (told["lateness"][0], told["match_length"], told["play"]["cube"]) == ([3, 1], 5, False)

    numbers: dict[int, User] = {}
    for user in novices:
        act(Caller(user), event, "enter")
    for entry in director.list(f"events/{event}/entries/"):
        numbers[entry["number"]] = next(user for user in novices if user.player.key == entry["player"])
    act(director, event, "check-in-for", entries=[*numbers])
    act(director, event, "preview-draw")
    act(director, event, "publish-draw")

    # Round 1: one is four minutes late, so that the other begins with a point; then a gammon counts two.
    first, second = director.list(f"events/{event}/pairings/", state="ready")
    two = seated(first, numbers)
    act(Caller(two[0]), event, "here", key=first["key"], entry=first["a"]["entry"])
    assert deadlines.sweep(timezone.now() + timedelta(minutes=4)) == 1
    bots = open_board(event, first, two)
    assert bots[0].look()["snapshot"]["score"] == [1, 0]
    cubeless(bots)
    bots[1].loses = True
    seen = until(bots, lambda seen: bool(seen["snapshot"]["results"]))
    assert seen["snapshot"]["score"] == [3, 0]
    until(bots, is_over)
    record = exports.build_record(Match.objects.get(key=bots[0].match))
    for form in ("mat", "sgf", "json"):
        rules = adjudicate(formats.read(formats.write(record, form))[0]).rules
        assert rules == record.rules

    # The other match is written down: by the rules no cube was turned.
    wrong = [{"winner": "b", "points": 2, "cube": 2, "end": "single"}] * 3
    body = {"act": "result", "key": second["key"], "score": [0, 5], "games": wrong}
    refused = director.post(f"events/{event}/acts/", body, status=None)
    assert refused["code"] == "bad_game"
    act(director, event, "result", key=second["key"], score=[2, 5])

    boards.sweep(timezone.now())
    ready = [each for each in director.list(f"events/{event}/pairings/", state="ready") if each["opened_at"]]
    assert [each["round"] for each in ready] == [2, 2]
    for row in ready:
        bots = open_board(event, row, seated(row, numbers))
        bots[1].loses = True
        until(bots, is_over)
        boards.sweep(timezone.now())

    assert flags.sweep(timezone.now()) == 0
    assert Caller(novices[0]).get(f"events/{event}/")["status"] == "FINISHED"
    order = director.list(f"events/{event}/standings/")
    winner = next(row for row in ready if row["a"]["entry"] == order[0]["entry"])
    assert (order[0]["rank"], len(order)) == (1, 4)
    assert winner["a"]["entry"] in {first["a"]["entry"], second["b"]["entry"]}
    late = Pairing.objects.get(tournament__key=event, key=first["key"])
    assert (late.a_late, late.b_late, late.kind, late.score_b) == (0, 1, "played", 0)
    filed, _names = event_input.read_event(director.get(f"events/{event}/event.json"))
    assert filed.stages[0].rules[0].rules.play == RulesOfPlay(cube=False, backgammons=False)
