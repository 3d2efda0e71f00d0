"""Each role at each address: what it meets is what the table says, and no address is missing from it.

    python -m pytest tests/test_access.py --write-access

writes what was met into the table; read the difference line by line before it is committed.
"""

from __future__ import annotations

import csv
import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.utils import timezone

from tests import access, said
from tests.world import World
from tournaments.desk.acts import ACTS
from tournaments.desk.acts.act import Actor

# This address takes every act on an event; each act of the table has its own row.
ACTS_ADDRESS = "api:event-act-list"
# Half a minute each: these in every run of .ci/run, the others in `make check`.
OFTEN = {"anonymous", "member", "director"}
# What only an event that runs has to show.
RUNNING = {
    (f"tournaments:{name}", "GET")
    for name in (
        "event", "bracket", "standings", "players", "schedule", "desk", "roster", "describe", "draw", "arrange",
        "pairing", "games", "act", "rulings", "restore", "report", "embed_bracket", "embed_standings",
        "papers", "paper_draw", "paper_pairings", "paper_names", "paper_slips", "paper_score_sheet", "paper_standings", "paper_cross",
        "paper_entries",
    )
} | {
    (f"api:event-{name}", "GET")
    for name in (
        "detail", "entries", "pairings", "plan", "rulings", "standings", "title-chances", "event.json", "finish.csv",
        "report.trf", "results.csv", "standings.csv",
    )
} | {("tournaments:report", "POST"), ("tournaments:enter_result", "POST")}  # fmt: skip


def meet(world: World, role: str, row: access.Row) -> str:
    """Go there as *role* and say in a word what was met."""
    client = world.client(role)
    asked: dict[str, Any] = {"content_type": "application/x-www-form-urlencoded"}
    if row.address == ACTS_ADDRESS and row.case:
        asked = {"content_type": "application/json", "data": json.dumps(said.body(ACTS[row.case]))}
        asked["headers"] = {"Idempotency-Key": f"to {row.case} once"}
    response = client.generic(row.method, world.path(row), **asked)
    return word_for(response)


def word_for(response: HttpResponse) -> str:
    """Return the status, or for a redirect where it leads: to the sign-in page, or onwards."""
    if response.status_code in {301, 302}:
        is_sign_in = any(page in response["Location"] for page in ("/accounts/login/", "/admin/login/"))
        return "sign in" if is_sign_in else "onwards"
    return str(response.status_code)


@pytest.fixture
def world(db: None) -> World:
    return World(timezone.now() - timedelta(minutes=1))


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    listed = {row.address for row in access.rows()}
    there = set(access.addresses())

    assert there - listed == set(), "new addresses: say in tests/access.csv who may go there"
    assert listed - there == set(), "rows for addresses that are gone"


@pytest.mark.long
@pytest.mark.parametrize(
    "role", [pytest.param(role, marks=pytest.mark.share) if role in OFTEN else role for role in access.ROLES]
)
def test_each_role_meets_what_the_table_says(world: World, role: str) -> None:
    met = {}
    world.client(role)
    for row in access.rows():
        with transaction.atomic():
            met[row.address, row.method, row.case] = (meet(world, role, row), row.meets[role])
            transaction.set_rollback(True)

    assert {at: found for at, (found, said) in met.items() if found != said} == {
        at: said for at, (found, said) in met.items() if found != said
    }


def test_nobody_is_let_in_by_accident() -> None:
    """Only the staff get beyond the sign-in page of the back office, and no page answers with a 500."""
    for row in access.rows():
        if row.address.startswith("admin") and row.address not in {"admin:login", "admin:logout"}:
            for role in ("outsider", "member", "director", "owner", "elsewhere"):
                assert row.meets[role] != "200", f"{role} is let into {row.address}"
        assert "500" not in row.meets.values(), f"{row.address} breaks"


def test_every_act_is_for_those_whom_its_table_names() -> None:
    """A director's act is refused to everybody else; what it comes to for a director is a matter of the event."""
    rows = {row.case: row.meets for row in access.rows() if row.address == ACTS_ADDRESS and row.case}
    assert {*rows} == {*ACTS}
    for name, meets in rows.items():
        assert meets["anonymous"] == "401", name
        if ACTS[name].who is Actor.DIRECTOR:
            assert {meets[role] for role in ("outsider", "member", "elsewhere")} == {"403"}, name
            assert not {meets[role] for role in ("director", "owner", "staff")} & {"400", "401", "403"}, name


def write_table(world: World) -> None:
    """Write what is met now; for people to read and then to commit."""
    wanted = {(row.address, row.method, row.case) for row in access.rows()}
    for address in access.addresses():
        if not any(address == known for known, *_ in wanted):
            wanted |= {(address, "GET", ""), (address, "POST", "")}
    wanted |= {(address, method, "running") for address, method in RUNNING}
    wanted |= {(ACTS_ADDRESS, "POST", act) for act in ACTS}
    rows = []
    for role in access.ROLES:
        world.client(role)
    for address, method, case in sorted(wanted):
        found = []
        for role in access.ROLES:
            with transaction.atomic():
                found.append(meet(world, role, access.Row(address, method, case, {})))
                transaction.set_rollback(True)
        rows.append([address, method, case, *found])
    # All at once: a run that is cut short leaves the table whole.
    with access.TABLE.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["address", "method", "case", *access.ROLES])
        writer.writerows(rows)


@pytest.mark.long
def test_write_the_table(world: World, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--write-access"):
        pytest.skip("only with --write-access")
    write_table(world)
