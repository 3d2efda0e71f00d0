"""Requests with hostile values: no address answers with a server error.

Each request has every name that a page or the API reads, all with the same hostile value at once: too large a
number, a day at the end of the calendar, a NUL, and so on.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django.db import transaction
from django.urls import resolve

from config.query import has_method, load_parameters
from tests import access
from tests.inputs import form_fields, names_of_api, names_read_by_hand
from tests.world import World

HOSTILE: Final = {
    "thirty digits": "9" * 30,
    "negative": "-1",
    "past the database": str(2**63),
    "exponent": "1e999999",
    "not a number": "NaN",
    "last day": "9999-12-31",
    "last moment": "9999-12-31T23:59:59Z",
    "first moment": "0001-01-01T00:00",
    "nul": "a\x00b",
    "separator": "\x1c5",
    "surrogate": "\ud800",
    "long": "a" * 60,
    "nested": "[" * 2_000,
}
# Beside numbers, what JSON alone can say.
NESTED: Final = {"a": [[[[{"a": 10**30}]]]]}
ERROR: Final = 500


def addresses(world: World, method: str) -> list[tuple[str, str]]:
    """Return each address once, with a path that leads to something."""
    found: dict[str, str] = {}
    for row in access.rows():
        if row.method == method and not row.address.startswith("admin"):
            found.setdefault(row.address, world.path(row))
    return sorted(found.items())


def ask_all(
    world: World, method: str, requests: Iterable[tuple[str, str, dict[str, Any]]]
) -> dict[str, list[str]]:
    """Send each request to all addresses as a director. Return those that broke."""
    world.client("owner")
    broken: dict[str, list[str]] = {}
    paths = addresses(world, method)
    for what, query, body in requests:
        for name, path in paths:
            with transaction.atomic():
                response = world.client("owner").generic(method, f"{path}?{query}", **body)
                if response.status_code >= ERROR:
                    broken.setdefault(name, []).append(what)
                transaction.set_rollback(True)
    return broken


@pytest.mark.long
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_query_breaks_no_address(world: World, what: str) -> None:
    names = {each.name for each in names_read_by_hand()} | names_of_api("query")
    query = urlencode(dict.fromkeys(sorted(names), HOSTILE[what]), errors="surrogatepass")
    assert ask_all(world, "GET", [(what, query, {})]) == {}


@pytest.mark.long
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_parameter_breaks_no_address_of_the_api(world: World, what: str) -> None:
    """Only a declared parameter comes to a view; each is sent by itself, since one that is refused hides the others."""
    client, answers = world.client("owner"), {}
    for name, path in addresses(world, "GET"):
        view = resolve(path).func
        if name.startswith("api:") and has_method(view, "GET"):
            for parameter in load_parameters(view, "GET"):
                query = urlencode({parameter: HOSTILE[what]}, errors="surrogatepass")
                with transaction.atomic():
                    answers[name, parameter] = client.get(f"{path}?{query}").status_code
    assert len(answers) > 80
    assert [each for each, status in answers.items() if status >= ERROR] == []


@pytest.mark.long
@pytest.mark.parametrize("what", HOSTILE)
def test_a_hostile_form_breaks_no_address(world: World, what: str) -> None:
    names = {each.name for each in names_read_by_hand()} | {each.name for each in form_fields()}
    form = urlencode(dict.fromkeys(sorted(names), HOSTILE[what]), errors="surrogatepass")
    body = {"data": form, "content_type": "application/x-www-form-urlencoded"}
    assert ask_all(world, "POST", [(what, "", body)]) == {}


@pytest.mark.long
@pytest.mark.parametrize("what", [*HOSTILE, "nested values", "huge integer"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH"])
def test_a_hostile_body_breaks_no_address_of_the_api(world: World, what: str, method: str) -> None:
    value = {"nested values": NESTED, "huge integer": 10**30}.get(what, HOSTILE.get(what))
    data = json.dumps(dict.fromkeys(sorted(names_of_api("body")), value))
    body = {
        "data": data,
        "content_type": "application/json",
        "headers": {"Idempotency-Key": "one of this test"},
    }
    assert ask_all(world, method, [(what, "", body)]) == {}
