"""The schema says what is: it is sound, every answer of a match keeps to it, and every refusal is in it."""

from __future__ import annotations

import json
import re
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft202012Validator

from engine.side import Side
from matches.models import Habits
from matches.play import problems
from matches.state.commands import Command
from tests.matches.http import Bot, Caller
from tests.matches.support import Table, club_terms, person

pytestmark = pytest.mark.django_db


@cache
def schema() -> dict[str, Any]:
    from drf_spectacular.generators import SchemaGenerator

    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-any-return, no-untyped-call]


def strict(told: Any) -> Any:
    """OpenAPI 3.0 as JSON Schema, where nothing is answered that is not described."""
    if isinstance(told, list):
        return [strict(each) for each in told]
    if not isinstance(told, dict):
        return told
    made = {
        name: strict(each) for name, each in told.items() if name not in {"readOnly", "nullable", "example"}
    }
    if made.get("type") == "object" and "properties" in made and "additionalProperties" not in made:
        made["additionalProperties"] = False
    if "$ref" in made:
        made["$ref"] = made["$ref"].replace("#/components/schemas/", "#/$defs/")
    return {"anyOf": [made, {"type": "null"}]} if told.get("nullable") else made


@cache
def validator(path: str, method: str, status: str) -> Draft202012Validator:
    answer = schema()["paths"][path][method]["responses"][status]["content"]["application/json"]["schema"]
    defs = {name: strict(each) for name, each in schema()["components"]["schemas"].items()}
    return Draft202012Validator({**strict(answer), "$defs": defs})


def hold(told: Any, path: str, method: str = "get") -> None:
    """Hold an answer against its description."""
    errors = sorted(validator(f"/api/v1/{path}", method, "200").iter_errors(told), key=str)
    assert not errors, [(list(error.absolute_path), error.message[:200]) for error in errors[:5]]


@pytest.mark.long
def test_it_is_sound(tmp_path: Path) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", file=str(tmp_path / "schema.yml"))


@pytest.mark.long
def test_whole_matches_keep_to_it(now: datetime) -> None:
    users = person("Ann", now), person("Ben", now)
    table = Table(now, players=(users[0].player, users[1].player), agreed=club_terms(1))
    Habits.objects.create(player=table.white, auto_roll=False)
    bots = [Bot(user, table.match.key, seed=seed, has_chain=not seed) for seed, user in enumerate(users)]
    watcher = Caller(None)
    key = table.match.key
    phases = set()
    for turn in range(400):
        for bot in bots:
            seen = bot.look()
            hold(seen, "matches/{key}/")
            phases.add(seen["snapshot"]["phase"])
            command = bot.decide(seen)
            if command is None:
                continue
            if turn == 12 and 1 in seen["you"]["resign_levels"]:
                command = {"type": "resign"}
            answer = bot.give(seen["snapshot"]["head"], command, shares=bot.shares(seen), turn=turn % 2 == 0)
            hold(answer, "matches/{key}/commands/", "post")
        hold(watcher.get(f"matches/{key}/plays/"), "matches/{key}/plays/")
        if bots[0].look()["snapshot"]["status"] == "finished":
            break
    hold(watcher.get(f"matches/{key}/"), "matches/{key}/")
    hold(watcher.get(f"matches/{key}/journal/"), "matches/{key}/journal/")
    hold(watcher.get("matches/"), "matches/")
    pulse = bots[0].post(f"matches/{key}/pulse/", {})
    hold(pulse, "matches/{key}/pulse/", "post")
    hold(bots[0].post(f"matches/{key}/pulse/", {"token": pulse["token"]}), "matches/{key}/pulse/", "post")
    assert {"opening", "to-roll", "to-play"} <= phases


@pytest.mark.long
@pytest.mark.share
def test_an_answer_that_says_more_would_be_noticed(now: datetime) -> None:
    table = Table(now)
    seen = Caller(None).get(f"matches/{table.match.key}/")
    hold(seen, "matches/{key}/")
    for spoiled in (
        {**seen, "salts": []},
        {**seen, "snapshot": {**seen["snapshot"], "deposits": {}}},
        {**seen, "snapshot": {**seen["snapshot"], "phase": "asleep"}},
        {name: value for name, value in seen.items() if name != "live"},
    ):
        with pytest.raises(AssertionError):
            hold(spoiled, "matches/{key}/")


@pytest.mark.long
@pytest.mark.share
def test_every_command_is_in_it_with_an_example(client: Client) -> None:
    told = json.loads(client.get("/api/v1/schema/?format=json").content)
    request = told["paths"]["/api/v1/matches/{key}/commands/"]["post"]["requestBody"]["content"]
    examples = [each["value"]["command"]["type"] for each in request["application/json"]["examples"].values()]
    assert set(examples) >= set(Command.kinds) - {"open"} | {"open"}
    command = told["components"]["schemas"]["Command"]
    assert set(command["discriminator"]["mapping"]) == set(Command.kinds)
    for each in request["application/json"]["examples"].values():
        from matches.play import play_api as shapes

        shapes.COMMAND.read(each["value"])


def test_every_code_of_a_command_is_in_it() -> None:
    """The schema describes every error code in the modules that process a command."""
    from inspect import getsource

    from engine import clock, game
    from matches.play import automatic_facts, clocks, play, play_parsing
    from matches.state import dicing, errors, match_state

    modules = (game, clock, dicing, match_state, errors, clocks, automatic_facts, play, play_parsing)
    codes = set()
    for module in modules:
        text = getsource(module)
        codes |= set(re.findall(r'IllegalAction\(\s*"([a-z-]+)"', text))
        codes |= set(re.findall(r'code\s*=\s*"([a-z-]+)"', text))
        codes |= set(re.findall(r'\w+: \("([a-z-]+)", "', text))
    codes |= set(play_parsing.SENTENCES)
    # What no player's command can meet.
    codes -= {
        "match", "gap", "back-in-time", "bad-credit", "bad-clock", "clock-runs", "already-opened", "not-allowed",
        "bad-terms", "absence-too-long", "absence-used-up", "too-much-talk", "two-promises",
    }  # fmt: skip
    described = " ".join(
        f"`{code}` {meaning}" for codes in problems.COMMANDS.values() for code, meaning in codes.items()
    )
    assert {code for code in codes if f"`{code}`" not in described} == set()


@pytest.mark.long
@pytest.mark.share
def test_problems_keep_to_it(now: datetime) -> None:
    table = Table(now)
    table.begin()
    bot = Bot(table.player(Side.WHITE).user, table.match.key)  # type: ignore[arg-type]
    told = bot.give(0, {"type": "roll"}, status=409)
    responses = schema()["paths"]["/api/v1/matches/{key}/commands/"]["post"]["responses"]
    assert set(responses) >= {"200", "400", "401", "403", "404", "409", "422", "429"}
    defs = {name: strict(each) for name, each in schema()["components"]["schemas"].items()}
    for status in ("400", "409"):
        shape = responses[status]["content"]["application/problem+json"]["schema"]
        Draft202012Validator({**strict(shape), "$defs": defs}).validate(told)
