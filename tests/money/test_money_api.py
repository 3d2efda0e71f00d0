"""An event's money for programs."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from rest_framework.test import APIClient

from money.models import MoneyLine
from players.accounts import accounts as people
from tests.money.conftest import Till
from tests.tournaments.event_desk import a_plan
from tournaments.plan import drawing

TERMS = {
    "currency": "EUR",
    "decimals": 2,
    "fee": 2000,
    "rake_percent": "10.00",
    "prizes": {"main": ["60", "40"]},
}


class Program:
    """A program that acts in a director's name."""

    def __init__(self, till: Till) -> None:
        self.till, self.client = till, APIClient()
        self.client.force_authenticate(till.director)
        self.numbers = count(1)

    def at(self, page: str = "") -> str:
        return f"/api/v1/events/{self.till.event.key}/money/{page}"

    def get(self, page: str = "", status: int = 200) -> Any:
        answer = self.client.get(self.at(page))
        assert answer.status_code == status, answer.content
        return answer.json()

    def put(self, status: int = 200, **said: Any) -> Any:
        answer = self.client.put(self.at(), {**TERMS, **said}, format="json")
        assert answer.status_code == status, answer.content
        return answer.json()

    def post(self, page: str, status: int = 201, key: str = "", **said: Any) -> Any:
        named = {"Idempotency-Key": key or f"a request, number {next(self.numbers)}"}
        answer = self.client.post(self.at(page), said, format="json", headers=named)
        assert answer.status_code == status, answer.content
        return answer.json()


@pytest.fixture
def program(till: Till) -> Program:
    till.announce(a_plan("single-elimination"), 4)
    return Program(till)


def test_an_event_without_money_answers_404(program: Program) -> None:
    program.get(status=404)
    program.get("lines/", status=404)
    program.post("lines/", status=409, act="pay", entrant=1)


@pytest.mark.long
def test_a_night_over_the_api(program: Program) -> None:
    assert program.put()["terms"] == {**TERMS, "registration": 0, "added": 0, "steps": [], "reduced": []}
    pool = program.post("pools/", name="Jackpot", stake=500)
    assert (pool["number"], pool["prizes"], pool["reading"]) == (1, ["100"], "main")
    for entrant in (1, 2, 3, 4):
        (line,) = program.post("lines/", act="pay", entrant=entrant)
        assert (line["kind"], line["entrant"], line["amount"]) == ("fee", entrant, 2000)
    program.post("lines/", act="stake", entrant=3, pool=1)
    program.post("lines/", act="spend", amount=200, note="Chalk")
    program.till.do(drawing.publish)
    program.till.play_out()
    told = program.get()
    assert told["due"] == [{"entrant": 1, "amount": 4200}, {"entrant": 3, "amount": 3300}]
    sums = told["sums"]
    assert (
        sums["fees"] + sums["stakes"] == sums["payouts"] + sums["rake"] + sums["expenses"] + sums["carried"]
    )
    program.post(
        "lines/", act="split", shares=[{"entrant": 1, "amount": 3750}, {"entrant": 3, "amount": 3750}]
    )
    (paid,) = program.post("lines/", act="pay_out", entrant=1, amount=3750)
    (back,) = program.post("lines/", act="take_back", line=paid["number"], note="Wrong player")
    assert (back["amount"], back["takes_back"]) == (-3750, paid["number"])
    lines = program.get("lines/")["results"]
    assert [line["number"] for line in lines] == list(range(1, 11))


def test_prizes_by_entries(program: Program) -> None:
    steps = [{"entries": 4, "prizes": {"main": ["100"]}}]
    assert program.put(steps=steps)["terms"]["steps"] == steps


def test_the_same_request_is_carried_out_once(program: Program) -> None:
    program.put()
    said = {"act": "spend", "amount": 200, "note": "Chalk"}
    first = program.post("lines/", key="the same request", **said)
    assert program.post("lines/", key="the same request", **said) == first
    assert MoneyLine.objects.count() == 1


@pytest.mark.parametrize(
    "said",
    [
        {"act": "tip"},
        {"act": "pay"},
        {"act": "pay", "entrant": "x"},
        {"act": "stake", "entrant": 1},
        {"act": "spend", "amount": 0, "note": "x"},
        {"act": "spend", "amount": 10**13, "note": "x"},
        {"act": "take_back", "line": 1},
        {"act": "split"},
        {"act": "split", "shares": [{"entrant": -1, "amount": 5}]},
        {"act": "split", "shares": [{"entrant": 40_000, "amount": 5}]},
        {"act": "split", "shares": [{"entrant": 1, "amount": 5}, {"entrant": 1, "amount": 6}]},
    ],
)
def test_a_request_that_says_too_little_is_refused(program: Program, said: dict[str, Any]) -> None:
    program.put()
    assert program.post("lines/", status=400, **said)["code"] == "invalid"
    assert not MoneyLine.objects.exists()


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"prizes": {"main": ["60", "50"]}}, "bad_terms"),
        ({"currency": "eur"}, "bad_terms"),
        ({"fee": -1}, "invalid"),
        # An exponent: a long one would be computed for hours.
        ({"prizes": {"main": ["1e1"]}}, "invalid"),
        ({"steps": [{"entries": 4, "prizes": {"main": ["1e1"]}}]}, "invalid"),
    ],
)
def test_terms_that_cannot_be_are_refused(program: Program, said: dict[str, Any], code: str) -> None:
    assert program.put(status=400, **said)["code"] == code


def test_a_refusal_has_a_code(program: Program) -> None:
    program.put()
    program.post("lines/", act="pay", entrant=1)
    assert program.post("lines/", status=409, act="pay", entrant=1)["code"] == "paid_already"


def test_only_directors_see_lines_and_write_them(program: Program) -> None:
    program.put()
    program.client.force_authenticate(None)
    program.get()
    program.get("lines/", status=401)
    program.client.force_authenticate(
        people.register(email="x@example.org", password=None, name="Stranger", now=program.till.now)
    )
    program.get("lines/", status=403)
    program.put(status=403)
    program.post("lines/", status=403, act="pay", entrant=1)
    program.post("pools/", status=403, name="Jackpot", stake=500)


@pytest.mark.parametrize(
    ("said", "field"),
    [
        ({"act": "pay", "entrant": 1, "amount": 500}, "amount"),
        ({"act": "spend", "amount": 5, "note": "Chalk", "entrant": 1}, "entrant"),
        ({"act": "pay_out", "entrant": 1, "amount": 5, "note": "x"}, "note"),
    ],
)
def test_a_field_that_an_act_does_not_read_is_refused(
    program: Program, said: dict[str, Any], field: str
) -> None:
    program.put()
    answer = program.post("lines/", status=400, **said)
    assert answer["context"]["fields"][field][0]["code"] == "unknown_field"
    assert not MoneyLine.objects.exists()


@pytest.mark.parametrize(
    "said",
    [
        {"act": "pay", "entrant": 991},
        {"act": "stake", "entrant": 1, "pool": 99},
        {"act": "stake", "entrant": 991, "pool": 1},
        {"act": "pay_out", "entrant": 991, "amount": 5},
        {"act": "split", "shares": [{"entrant": 991, "amount": 5}, {"entrant": 992, "amount": 5}]},
        {"act": "take_back", "line": 99, "note": "x"},
    ],
)
def test_rows_that_do_not_exist_are_refused(program: Program, said: dict[str, Any]) -> None:
    program.put()
    program.post("pools/", name="Jackpot", stake=500)
    assert program.post("lines/", status=409, **said)["code"]
    assert not MoneyLine.objects.exists()
