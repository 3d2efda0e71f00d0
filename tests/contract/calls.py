"""Requests that schemathesis makes of `openapi.json`, sent to the API, and what was wrong with the answers."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import hypothesis
import schemathesis
from django.core import signals
from django.core.handlers.wsgi import WSGIHandler
from django.db import close_old_connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, Phase
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.transport import Response
from schemathesis.generation.case import Case
from schemathesis.generation.hypothesis.builder import HypothesisTestConfig, HypothesisTestMode, create_test
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.api_routes import render_document
from players.accounts import tokens
from players.models import Scope
from tests.world import World

PROBLEM = "application/problem+json"
TAKES_A_NAME = re.compile(r"(?P<list>/api/v1/\w+/){(?P<name>\w+)}/")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
# One of so many requests keeps the made-up names in its address; the others name what is there.
MADE_UP = 4


@dataclass(slots=True)
class Caller:
    """A role that calls, in its own world, and what it has found wrong."""

    role: str
    most: int = 0
    calls: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    world: World = field(init=False)
    headers: dict[str, str] = field(init=False)
    schema: Any = field(init=False)

    def __post_init__(self) -> None:
        now = timezone.now()
        self.world = World(now - timedelta(minutes=1))
        user = self.world.users[self.role]
        # Nothing on the way unpacks what a test is answered.
        self.headers = {"Accept-Encoding": "identity"}
        if user is not None:
            text = tokens.create(user=user, name="A program", scope=Scope.PLAY, now=now)
            self.headers["Authorization"] = f"Bearer {text}"
        said = json.loads(render_document("en", "json"))
        self.schema = schemathesis.openapi.from_dict(linked(said))
        self.schema.app = WSGIHandler()

    def try_each(self, *, examples: int, most: int) -> None:
        """Make requests of every operation: its examples, its edges, and so many at random."""
        self.most = most
        settings = hypothesis.settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        for found in self.schema.get_all_operations():
            config = HypothesisTestConfig(
                project=self.schema.config, modes=list(HypothesisTestMode), settings=settings
            )
            create_test(operation=found.ok(), test_func=settings(self._one()), config=config)()

    def _one(self) -> Any:
        def one(case: Case) -> None:
            if self.calls[case.operation.label] < self.most:
                self.name_what_is_there(case)
                with undone():
                    self.call(case)

        return one

    def call(self, case: Case) -> Response:
        """Send one request and note what is wrong with its answer."""
        self.calls[case.operation.label] += 1
        response = case.call(headers=self.headers)
        self.statuses[response.status_code] += 1
        if case.method.upper() == case.operation.method.upper():
            try:
                case.validate_response(response, checks=CHECKS)
            except FailureGroup as group:
                for each in group.exceptions:
                    self.note(case, response, str(each))
        elif response.status_code not in {401, 404, 405} or PROBLEM not in str(
            response.headers["content-type"]
        ):
            self.note(case, response, "a method that is not there should be a problem")
        return response

    def note(self, case: Case, response: Response, what: str) -> None:
        """Keep the first three of a kind, so that they can be sent again."""
        kind = f"{case.operation.label} {response.status_code} {what.split('Validated')[0].strip()}"
        if len(self.wrong[kind]) < 3:
            sent = json.dumps({"query": case.query, "body": case.body}, default=str)
            self.wrong[kind].append(
                f"{case.method} {case.formatted_path} {sent} -> {response.content[:300]!r}"
            )

    def name_what_is_there(self, case: Case) -> None:
        """Put names of this world into most addresses: made-up ones lead nowhere."""
        turn = self.calls[case.operation.label]
        if turn % MADE_UP:
            for name, there in self._there(case.operation.path).items():
                if name in case.path_parameters:
                    case.path_parameters[name] = there[turn % len(there)]

    def _there(self, path: str) -> dict[str, list[str]]:
        world, people = self.world, self.world.users
        kind = path.removeprefix("/api/v1/").partition("/")[0]
        outsider = people["outsider"]
        return {
            "clubs": {"slug": [world.club.slug, world.other_club.slug], "key": [world.guest.key]},
            "events": {"key": [event.key for event in world.events.values()]},
            "matches": {
                "key": [world.finished.key, world.private.key],
                "line": [line.key for line in world.lines.values()],
            },
            "challenges": {"key": [world.challenge.key]},
            "players": {"key": [outsider.player.key, world.guest.key]},
            "sheets": {"uid": [str(world.open.uid), str(world.rated.uid)]},
            "codes": {"code": [world.code]},
            "transcriptions": {"key": [world.transcription.key], "form": ["mat", "sgf", "json"]},
            "mutes": {"key": [outsider.player.key]},
        }.get(kind, {})


def linked(said: dict[str, Any]) -> dict[str, Any]:
    """Tell schemathesis which lists contain the names in URLs, where it does not find this itself."""
    for path, operations in said["paths"].items():
        found = TAKES_A_NAME.match(path)
        # Some only take things in, and list none.
        if found is None or "get" not in said["paths"].get(found["list"], {}):
            continue
        listed = said["paths"][found["list"]]["get"]["responses"]["200"].setdefault("links", {})
        for operation in operations.values():
            name = operation["operationId"]
            first = {found["name"]: f"$response.body#/results/0/{found['name']}"}
            listed[name] = {"operationId": name, "parameters": first}
    return said


@contextmanager
def undone() -> Iterator[None]:
    """Roll back all changes of the block, so that every request meets the same data."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the test's connection, with its transaction, from one request to the next."""
    for signal in (signals.request_started, signals.request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (signals.request_started, signals.request_finished):
            signal.connect(close_old_connections)
