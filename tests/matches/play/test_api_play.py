"""Playing over HTTP: whole matches by programs that know the API alone, and everything that is refused."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest

from engine.actions import RuledPosition
from engine.board import STANDARD
from engine.cube import CENTRED
from engine.dice import Dice
from engine.rules import Rules
from engine.side import Side
from matches.journal import journal
from matches.models import Habits, JournalEntry
from matches.state import commands, terms
from matches.watch import exports
from players.accounts import tokens
from players.models import Scope, User
from tests.matches.http import Bot, Caller, play_out
from tests.matches.support import Table, club_terms, person
from tests.matches.watch.test_exports import direct

pytestmark = pytest.mark.django_db


@pytest.fixture
def users(db: None, now: datetime) -> tuple[User, User]:
    return person("Ann", now), person("Ben", now)


def sat_down(now: datetime, users: tuple[User, User], **more: Any) -> Table:
    return Table(now, players=(users[0].player, users[1].player), **more)


def begun(table: Table, users: tuple[User, User]) -> tuple[Bot, Bot]:
    """Two clients at a board on which the first play is due; the first of them is the one to play."""
    bots = (Bot(users[0], table.match.key, seed=1), Bot(users[1], table.match.key, seed=2))
    while bots[0].look()["snapshot"]["phase"] == "opening":
        for bot in bots:
            bot.act()
    return bots if bots[0].look()["plays"] else bots[::-1]


def lines(table: Table) -> int:
    return JournalEntry.objects.filter(match=table.match).count()


# Whole matches


@pytest.mark.long
@pytest.mark.parametrize("chained", [(True, True), (True, False), (False, False)])
def test_a_match_from_the_promise_to_the_record(
    now: datetime, users: tuple[User, User], chained: tuple[bool, bool]
) -> None:
    table = sat_down(now, users, agreed=club_terms(1))
    bots = [
        Bot(user, table.match.key, has_chain=has, seed=seed)
        for seed, (user, has) in enumerate(zip(users, chained, strict=True))
    ]
    seen = play_out(*bots)
    assert max(seen["snapshot"]["score"]) >= 1
    assert seen["you"]["may"] == []
    assert list(journal.find_problems(table.row)) == []
    for name in ("record.mat", "record.sgf", "record.json", "dice.json", "journal.json"):
        answer = bots[0].client.get(f"/api/v1/matches/{table.match.key}/{name}")
        assert answer.status_code == 200
        assert answer["Content-Disposition"].startswith("attachment")
    assert exports.FairLog.parse(
        bots[0].client.get(f"/api/v1/matches/{table.match.key}/dice.json").content
    ) == exports.FairLog.parse(exports.build_dice_log(table.row).text().encode())


@pytest.mark.long
def test_a_match_by_tokens(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    given = [tokens.create(user=user, name="A bot", scope=Scope.PLAY, now=now) for user in users]
    bots = [
        Bot(user, table.match.key, token=token, seed=seed)
        for seed, (user, token) in enumerate(zip(users, given, strict=True))
    ]
    for _ in range(6):
        for bot in bots:
            bot.act()
    assert not bots[0].client.cookies
    assert bots[0].look()["snapshot"]["game"] == 1
    assert table.row.head > 8
    reader = tokens.create(user=users[0], name="A reader", scope=Scope.READ, now=now)
    looker = Bot(users[0], table.match.key, token=reader)
    assert looker.look()["you"]["side"] == "white"
    assert looker.give(0, {"type": "forgo"}, status=403)["code"] == "read_only_token"


@pytest.mark.long
def test_a_presidents_match_has_no_cube(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users, agreed=club_terms(1))
    for player in (table.white, table.black):
        Habits.objects.create(player=player, auto_roll=False)
    one, two = begun(table, users)
    one.act()
    seen = two.look()
    assert "double" not in seen["you"]["may"]
    assert seen["you"]["may_not"]["double"]["code"] == "no-cube"
    problem = two.give(seen["snapshot"]["head"], {"type": "double"}, status=409)
    assert (problem["code"], problem["context"]["rule"]) == ("no-cube", "R53")


@pytest.mark.long
def test_nobody_doubles_in_the_crawford_game(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users, agreed=club_terms(3))
    for player in (table.white, table.black):
        Habits.objects.create(player=player, auto_roll=False)
    one, two = begun(table, users)
    seen = one.look()
    two_or_so = {"type": "resign", "level": 2}
    one.give(seen["snapshot"]["head"], two_or_so)
    two.give(two.look()["snapshot"]["head"], {"type": "accept"})
    one, two = begun(table, users)
    assert one.look()["snapshot"]["game_is_crawford"] is True
    one.act()
    seen = two.look()
    assert seen["you"]["may_not"]["double"] == {
        "code": "double-in-crawford",
        "title": "You cannot double in the Crawford game.",
        "rule": "R51",
    }
    assert two.give(seen["snapshot"]["head"], {"type": "double"}, status=409)["code"] == "double-in-crawford"


@pytest.mark.long
def test_unlimited_play_goes_on_until_somebody_stops(now: datetime, users: tuple[User, User]) -> None:
    agreed = terms.build_terms(Rules.unlimited(beavers=True), None)
    table = sat_down(now, users, agreed=agreed)
    bots = [Bot(user, table.match.key, seed=seed) for seed, user in enumerate(users)]
    while len(bots[0].look()["snapshot"]["results"]) < 2:
        for bot in bots:
            bot.act()
    seen = bots[0].look()
    answer = bots[0].give(seen["snapshot"]["head"], {"type": "resign", "level": "match"})
    assert answer["frames"][-1]["state"]["outcome"] == {"winner": "black", "how": "concession"}


# Repeated, late and misdirected


@pytest.mark.long
def test_the_same_key_gets_the_same_answer_byte_for_byte(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, two = begun(table, users)
    seen = one.look()
    path = f"matches/{table.match.key}/commands/"
    body = {
        "after": seen["snapshot"]["head"],
        "command": {"type": "move", "play": seen["plays"][0]["play"]},
        "shares": one.shares(seen),
    }
    first = one.send(path, body, key="the-same-key")
    assert first.status_code == 200
    written = lines(table)
    assert one.send(path, body, key="the-same-key").content == first.content
    for bot in (two, one, two, one):
        bot.act()
    assert lines(table) > written
    assert one.send(path, body, key="the-same-key").content == first.content


@pytest.mark.long
def test_the_key_of_another_command_is_refused(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, two = begun(table, users)
    seen = one.look()
    head = seen["snapshot"]["head"]
    move = {"type": "move", "play": seen["plays"][0]["play"]}
    one.give(head, move, key="key-of-mine", shares=one.shares(seen))
    written = lines(table)
    problem = one.give(head, {"type": "double"}, key="key-of-mine", status=422)
    assert problem["code"] == "idempotency_key_reused"
    # Keys are everyone's own.
    two.give(two.look()["snapshot"]["head"], {"type": "share"}, key="key-of-mine", shares={})
    assert lines(table) == written


@pytest.mark.long
def test_a_late_command_is_told_the_head(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, _two = begun(table, users)
    seen = one.look()
    head, play = seen["snapshot"]["head"], seen["plays"][0]["steps"]
    problem = one.give(head - 1, {"type": "move", "steps": play}, status=409)
    assert (problem["code"], problem["context"]) == ("stale", {"head": head})
    problem = one.give(head + 1, {"type": "move", "steps": play}, status=409)
    assert problem["code"] == "stale"


@pytest.mark.long
def test_the_other_side_has_to_wait(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, two = begun(table, users)
    seen = one.look()
    problem = two.give(seen["snapshot"]["head"], {"type": "move", "steps": []}, status=409)
    assert problem["code"] == "not-your-turn"
    assert two.look()["plays"] is None


def test_only_the_two_may_act(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    begun(table, users)
    other = Bot(person("Cleo", now), table.match.key)
    seen = other.look()
    assert seen["you"] is None
    assert seen["plays"] is None
    head = seen["snapshot"]["head"]
    assert other.give(head, {"type": "roll"}, status=403)["code"] == "not-a-player"
    nobody = Caller(None)
    body = {"after": head, "command": {"type": "roll"}}
    assert (
        nobody.post(f"matches/{table.match.key}/commands/", body, status=401)["code"] == "not_authenticated"
    )


def test_of_a_private_match_nobody_else_learns(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users, is_private=True)
    key = table.match.key
    other = Bot(person("Cleo", now), key)
    assert other.give(0, {"type": "roll"}, status=404)["code"] == "not_found"
    assert other.post(f"matches/{key}/pulse/", {}, status=404)["code"] == "not_found"
    for path in ("", "plays/", "journal/", "record.mat", "dice.json"):
        assert other.client.get(f"/api/v1/matches/{key}/{path}").status_code == 404
    assert Bot(users[0], key).look()["private"] is True


def test_there_is_no_such_match(now: datetime, users: tuple[User, User]) -> None:
    assert Bot(users[0], "nosuchkey0").give(0, {"type": "roll"}, status=404)["code"] == "not_found"


@pytest.mark.long
def test_after_the_end_nothing_is_taken(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, _two = begun(table, users)
    one.give(one.look()["snapshot"]["head"], {"type": "resign", "level": "match"})
    written = lines(table)
    finished_at = table.row.finished_at
    for command in (
        {"type": "forgo"},
        {"type": "roll"},
        {"type": "resign", "level": "match"},
        {"type": "share"},
    ):
        problem = one.give(one.look()["snapshot"]["head"], command, status=409)
        assert problem["code"] == "play-after-end"
    assert lines(table) == written
    assert table.row.finished_at == finished_at


# Dice


@pytest.mark.long
def test_shares_that_do_not_fit(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, two = begun(table, users)
    seen = one.look()
    head, number = seen["snapshot"]["head"], seen["you"]["share_for"]
    share = {"type": "share"}
    wrong = one.give(head, share, shares={str(number): "0" * 64}, status=409)
    assert wrong["code"] == "wrong-share"
    early = one.give(head, share, shares={str(number + 3): "0" * 64}, status=409)
    assert (early["code"], early["context"]["next"]) == ("share-not-due", number)
    stolen = one.give(head, share, shares=two.shares(two.look()), status=409)
    assert stolen["code"] == "wrong-share"
    assert one.give(head, share, shares={str(number - 1): "0" * 64})["head"] == head
    assert one.look()["you"]["shares"] == seen["you"]["shares"]


@pytest.mark.long
@pytest.mark.share
@pytest.mark.parametrize("said", [{}, {"reason": ""}, {"reason": "another phone"}])
def test_a_lost_chain_is_forgone_with_or_without_a_reason(
    now: datetime, users: tuple[User, User], said: dict[str, str]
) -> None:
    """Pages send an empty reason."""
    table = sat_down(now, users)
    one, _two = begun(table, users)
    one.give(one.look()["snapshot"]["head"], {"type": "forgo", **said})
    assert one.look()["you"]["share_for"] is None


@pytest.mark.long
def test_a_roll_needs_ones_own_share(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, two = begun(table, users)
    for bot in (one, two):
        seen = bot.look()
        if seen["plays"]:
            bot.give(seen["snapshot"]["head"], {"type": "move", "steps": seen["plays"][0]["steps"]})
    seen = two.look()
    number = seen["you"]["share_for"]
    if not seen["you"]["shares"]:
        problem = two.give(seen["snapshot"]["head"], {"type": "roll"}, status=409)
        assert (problem["code"], problem["context"]["number"]) == ("share-needed", number)
    answer = two.give(seen["snapshot"]["head"], {"type": "roll"}, shares=two.shares(seen, 1))
    assert answer["head"] > seen["snapshot"]["head"]


@pytest.mark.long
def test_what_was_deposited_is_told_to_its_owner_alone(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    one, two = begun(table, users)
    seen = one.look()
    number = seen["you"]["share_for"]
    given = one.shares(seen, 3)
    one.give(seen["snapshot"]["head"], {"type": "share"}, shares=given)
    assert one.look()["you"]["shares"] == [number, number + 1, number + 2]
    for caller in (two, Bot(person("Cleo", now), table.match.key)):
        told = json.dumps([caller.look(), caller.get(f"matches/{table.match.key}/journal/")])
        assert not any(link in told for link in given.values())


# What a body may say


GOOD = "4f9b25964ac4d85d" * 4


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([], ""),
        ("roll", ""),
        ({}, "after"),
        ({"after": 0}, "command"),
        ({"after": -1, "command": {"type": "roll"}}, "after"),
        ({"after": 10**12, "command": {"type": "roll"}}, "after"),
        ({"after": "soon", "command": {"type": "roll"}}, "after"),
        ({"after": 0, "command": "roll"}, "command"),
        ({"after": 0, "command": {"type": "win"}}, "command"),
        ({"after": 0, "command": {"type": ["roll"]}}, "command"),
        ({"after": 0, "command": {}}, "command"),
        ({"after": 0, "command": {"type": "roll", "dice": "66"}}, "command"),
        ({"after": 0, "command": {"type": "roll"}, "seed": 1}, "seed"),
        ({"after": 0, "command": {"type": "move"}}, "command"),
        ({"after": 0, "command": {"type": "move", "play": "8/5", "steps": [[8, 5]]}}, "command"),
        ({"after": 0, "command": {"type": "move", "play": "x" * 101}}, "command"),
        ({"after": 0, "command": {"type": "move", "play": "8/5\u0000"}}, "command"),
        ({"after": 0, "command": {"type": "move", "steps": [[8, 5]] * 5}}, "command"),
        ({"after": 0, "command": {"type": "move", "steps": [[8, 5, 3]]}}, "command"),
        ({"after": 0, "command": {"type": "move", "steps": [[26, 5]]}}, "command"),
        ({"after": 0, "command": {"type": "move", "steps": [[8, -1]]}}, "command"),
        ({"after": 0, "command": {"type": "move", "steps": {"8": 5}}}, "command"),
        ({"after": 0, "command": {"type": "promise", "commitment": "ab"}}, "command"),
        ({"after": 0, "command": {"type": "promise", "commitment": GOOD.upper()}}, "command"),
        ({"after": 0, "command": {"type": "promise", "commitment": GOOD + "\n"}}, "command"),
        ({"after": 0, "command": {"type": "promise", "commitment": GOOD, "words": "x"}}, "command"),
        ({"after": 0, "command": {"type": "promise", "words": "x" * 201}}, "command"),
        ({"after": 0, "command": {"type": "promise", "words": "a\u202eb"}}, "command"),
        ({"after": 0, "command": {"type": "open"}}, "command"),
        ({"after": 0, "command": {"type": "open", "head": 7}}, "command"),
        ({"after": 0, "command": {"type": "forgo", "reason": "x" * 201}}, "command"),
        ({"after": 0, "command": {"type": "resign", "level": 4}}, "command"),
        ({"after": 0, "command": {"type": "resign", "level": True}}, "command"),
        ({"after": 0, "command": {"type": "resign", "level": "all"}}, "command"),
        ({"after": 0, "command": {"type": "roll"}, "shares": []}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "shares": {"0": GOOD}}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "shares": {"-1": GOOD}}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "shares": {"1.5": GOOD}}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "shares": {"\u0661": GOOD}}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "shares": {"9" * 40: GOOD}}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "shares": {"1": "zz"}}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "shares": {str(n): GOOD for n in range(1, 5)}}, "shares"),
        ({"after": 0, "command": {"type": "roll"}, "thought_ms": -1}, "thought_ms"),
        ({"after": 0, "command": {"type": "roll"}, "thought_ms": 10**15}, "thought_ms"),
        ({"after": 0, "command": {"type": "roll"}, "pulse": "x" * 401}, "pulse"),
        ({"after": 0, "command": {"type": "roll"}, "pulse": {}}, "pulse"),
    ],
)
def test_a_body_that_says_anything_else_is_refused(
    now: datetime, users: tuple[User, User], body: Any, field: str
) -> None:
    table = sat_down(now, users)
    written = lines(table)
    problem = Caller(users[0]).post(f"matches/{table.match.key}/commands/", body, status=400)
    assert problem["code"] == "invalid"
    told = problem["context"]["fields"]
    assert field in told if field else told
    assert lines(table) == written


@pytest.mark.parametrize("key", ["", "short", "x" * 81, "with\ttab in it"])
def test_a_command_needs_a_key(now: datetime, users: tuple[User, User], key: str) -> None:
    table = sat_down(now, users)
    body = {"after": 0, "command": {"type": "promise"}}
    problem = Caller(users[0]).post(f"matches/{table.match.key}/commands/", body, key=key, status=400)
    assert "Idempotency-Key" in problem["context"]["fields"]


def test_nothing_may_stand_for_what_is_left_out(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    bot = Bot(users[0], table.match.key)
    body = {"type": "promise", "commitment": None, "words": None}
    assert bot.give(2, body, thought_ms=None)["head"] == 3


# Plays in writing


@pytest.fixture
def opening(now: datetime, users: tuple[User, User]) -> tuple[Table, Bot, Bot]:
    """An opening of 3-1 for the first client."""
    table = sat_down(now, users, agreed=club_terms(3, clock=None))
    table.sit_down()
    direct(table, RuledPosition(STANDARD, Side.WHITE, CENTRED, Dice(3, 1), "for a test"))
    return table, Bot(users[0], table.match.key), Bot(users[1], table.match.key)


@pytest.mark.parametrize(
    "written",
    [
        "8/5 6/5",
        "6/5 8/5",
        "8/5, 6/5",
        " 8/5   6/5* ",
        "8/5(1) 6/5(1)",
        "8/5* 6/5",
        "24/20",
        "24/23/20",
        "bar",
        "24/21/20",
    ],
)
def test_a_play_is_read_as_people_write_it(opening: tuple[Table, Bot, Bot], written: str) -> None:
    table, one, _two = opening
    head = one.look()["snapshot"]["head"]
    if written == "bar":
        problem = one.give(head, {"type": "move", "play": written}, status=409)
        assert problem["code"] == "unread-play"
        assert "bar" in problem["title"]
        return
    answer = one.give(head, {"type": "move", "play": written})
    told = answer["frames"][0]["line"]["fact"]
    assert told["fact"] == "played"
    side = table.state.match.game.turn
    assert side is not None


@pytest.mark.parametrize(
    ("command", "code", "rule"),
    [
        ({"play": "8/4 6/5"}, "dice-mismatch", "R12"),
        ({"play": "8/5"}, "partial-play", "R19"),
        ({"play": ""}, "cannot-move-but-could", "R24"),
        ({"play": "pass"}, "cannot-move-but-could", "R24"),
        ({"play": "7/4 6/5"}, "empty-source", "R01"),
        ({"play": "5/8 6/5"}, "backwards", "R17"),
        ({"play": "6/3 6/off"}, "early-bearoff", "R32"),
        ({"steps": [[8, 5]]}, "partial-play", "R19"),
        ({"steps": [[8, 4], [6, 5]]}, "dice-mismatch", "R12"),
        ({"steps": []}, "cannot-move-but-could", "R24"),
        ({"steps": [[24, 20]]}, "illegal-play", "R12"),
        ({"steps": [[5, 5]]}, "backwards", "R17"),
        ({"steps": [[0, 25]]}, "backwards", "R17"),
    ],
)
def test_a_play_that_is_not_legal_is_refused_with_those_that_are_near(
    opening: tuple[Table, Bot, Bot], command: dict[str, Any], code: str, rule: str
) -> None:
    table, one, _two = opening
    head = one.look()["snapshot"]["head"]
    problem = one.give(head, {"type": "move", **command}, status=409)
    assert problem["code"] == code
    assert problem["context"]["rule"] == rule
    assert problem["help"] == f"/help/rules/#{rule}"
    assert problem["context"]["dice"] == "31"
    legal = {each["play"] for each in one.look()["plays"]}
    near = problem["context"]["nearest"]
    assert near
    assert set(near) <= legal
    assert table.row.head == head


def test_steps_are_taken_as_they_are(opening: tuple[Table, Bot, Bot]) -> None:
    _table, one, _two = opening
    answer = one.give(one.look()["snapshot"]["head"], {"type": "move", "steps": [[6, 5], [8, 5]]})
    assert answer["frames"][0]["line"]["fact"]["steps"] == [[6, 5], [8, 5]]


def test_a_play_without_dice_is_refused_by_the_game(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users, chained=(), agreed=club_terms(3, clock=None))
    for player in (table.white, table.black):
        Habits.objects.create(player=player, auto_roll=False)
    table.begin()
    side = table.state.owing[0]
    table.act()
    other = Bot(users[side.other], table.match.key)
    for body in ({"play": "8/5 6/5"}, {"steps": [[8, 5], [6, 5]]}):
        problem = other.give(other.look()["snapshot"]["head"], {"type": "move", **body}, status=409)
        assert problem["code"] == "play-without-dice"


def test_during_a_resignation_no_play_is_read(opening: tuple[Table, Bot, Bot]) -> None:
    _table, one, two = opening
    one.give(one.look()["snapshot"]["head"], {"type": "resign"})
    problem = two.give(two.look()["snapshot"]["head"], {"type": "move", "play": "nonsense"}, status=409)
    assert problem["code"] == "play-without-dice"
    assert {"accept", "decline"} <= set(two.look()["you"]["may"])
    two.give(two.look()["snapshot"]["head"], {"type": "accept"})
    assert two.look()["snapshot"]["outcome"] is None, "the game is lost, not the match"


# Time


def test_a_move_after_the_time_is_the_flag_and_stays_it(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    table.begin()
    side = table.state.owing[0]
    bot = Bot(users[side], table.match.key)
    seen = bot.look()
    path = f"matches/{table.match.key}/commands/"
    body = {
        "after": seen["snapshot"]["head"],
        "command": {"type": "move", "steps": seen["plays"][0]["steps"]},
    }
    # The clock of the test table stopped long ago; the server's clock has gone on.
    first = bot.send(path, body, key="far-too-late")
    assert first.status_code == 409
    assert json.loads(first.content)["code"] == "time-over"
    assert bot.look()["snapshot"]["outcome"] == {"winner": side.other.word, "how": "flag"}
    assert bot.send(path, body, key="far-too-late").content == first.content


def test_a_claim_is_looked_into(now: datetime, users: tuple[User, User]) -> None:
    table = sat_down(now, users)
    table.begin()
    side = table.state.owing[0]
    claimer = Bot(users[side.other], table.match.key)
    seen = claimer.look()
    assert "claim-flag" in seen["you"]["may"]
    answer = claimer.give(seen["snapshot"]["head"], {"type": "claim-flag"})
    assert answer["frames"][0]["line"]["fact"]["fact"] == "flagged"


def test_a_claim_too_early_is_refused(opening: tuple[Table, Bot, Bot]) -> None:
    _table, _one, two = opening
    problem = two.give(two.look()["snapshot"]["head"], {"type": "claim-flag"}, status=409)
    assert problem["code"] == "time-left"


# The words are of the public API; what each does is written here once more.
COMMANDS = {
    "promise": ({}, commands.Promise),
    "open": ({"head": GOOD}, commands.Open),
    "forgo": ({}, commands.Forgo),
    "roll": ({}, commands.Roll),
    "share": ({}, commands.Share),
    "move": ({"play": ""}, commands.Move),
    "double": ({}, commands.Double),
    "beaver": ({}, commands.Beaver),
    "take": ({}, commands.Take),
    "drop": ({}, commands.Drop),
    "resign": ({"level": 2}, commands.OfferResignation),
    "accept": ({}, commands.AcceptResignation),
    "decline": ({}, commands.DeclineResignation),
    "claim-flag": ({}, commands.ClaimFlag),
    "claim-absence": ({}, commands.ClaimAbsence),
    "play-out": ({}, commands.PlayOut),
}


def test_every_word_is_its_command(users: tuple[User, User]) -> None:
    from matches.play import play_api as shapes

    made = {
        word: type(shapes.COMMAND.read({"after": 0, "command": {"type": word, **body}})["command"])
        for word, (body, _kind) in COMMANDS.items()
    }
    assert made == {word: kind for word, (_body, kind) in COMMANDS.items()}
    assert commands.Command.kinds.keys() == COMMANDS.keys()
    assert commands.Concede not in commands.Command.kinds.values(), "it is a resignation of the level `match`"
