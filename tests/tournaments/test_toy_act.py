"""The recipe of an act on an event holds: a service and an entry in the table, and page, preview, API and log know it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client

import tournaments
from players.models import User
from tests.matches.http import Caller
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments.base import act_fields
from tournaments.base.errors import AlreadyDone
from tournaments.desk import acts
from tournaments.desk import acts_api as api
from tournaments.desk.acts.act import Act
from tournaments.models import Ruling, RulingKind
from tournaments.play import changes

pytestmark = [pytest.mark.django_db, pytest.mark.today]

# -- the service


def rename(*, tournament_id: int, name: str, reason: str, by: User, now: datetime) -> Ruling:
    """Give the event another name.

    :raises NotDirector, ReasonNeeded, AlreadyDone: nothing changes.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        why = changes.require_reason(reason)
        if event.name == name:
            raise AlreadyDone
        event.name = name
        event.save(update_fields=["name"])
        ruling = changes.record_ruling(
            event, RulingKind.EDITED, by=by, now=now, reason=why, data={"changed": ["name"]}
        )
        changes.announce_change(event, now=now)
        return ruling


TOY = Act(
    name="rename",
    title="Rename the event",
    about="The event gets another name; its address stays.",
    service=rename,
    fields=(act_fields.Text(name="name", label="Its new name", most=80), act_fields.NEEDED_REASON),
)


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    # -- the entry
    monkeypatch.setitem(acts.ACTS, "rename", TOY)


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.start(a_plan("single-elimination"), 4)
    return desk


@pytest.mark.long
def test_a_director_finds_it_is_asked_sees_and_does_it(desk: Desk, window: Client) -> None:
    address = url("act", desk.event.key, "rename")
    assert address in window.get(url("desk", desk.event.key)).content.decode()
    page = window.get(address).content.decode()
    for words in ("Rename the event", "The event gets another name; its address stays.", "Its new name"):
        assert words in page
    assert "is required" in window.post(address, {"name": "Friday"}).content.decode()
    seen = window.post(address, {"name": "Friday", "reason": "Moved"})
    assert seen.status_code == 200
    assert desk.fresh().name == "Thursday"
    done = window.post(address, {"name": "Friday", "reason": "Moved", "sure": "yes"}, follow=True)
    assert "Done: Rename the event." in done.content.decode()
    assert desk.fresh().name == "Friday"
    log = window.get(url("rulings", desk.event.key)).content.decode()
    assert "Changed the announcement" in log
    assert "Moved" in log


def test_nobody_else_may(desk: Desk) -> None:
    assert Client().get(url("act", desk.event.key, "rename")).status_code in {302, 403, 404}


def test_a_program_asks_for_it_and_is_refused_as_the_table_says(desk: Desk) -> None:
    caller, at = Caller(desk.director), f"events/{desk.event.key}/acts/"
    refused = caller.post(at, {"act": "rename", "name": "x" * 81, "reason": "Moved"}, status=400)
    assert [*refused["context"]["fields"]] == ["name"]
    foreseen = caller.post(
        at, {"act": "rename", "name": "Friday", "reason": "Moved", "preview": True}, status=200
    )
    assert foreseen
    assert desk.fresh().name == "Thursday"
    caller.post(at, {"act": "rename", "name": "Friday", "reason": "Moved"}, status=200)
    assert desk.fresh().name == "Friday"
    assert (
        caller.post(at, {"act": "rename", "name": "Friday", "reason": "x"}, status=409)["code"]
        == "already_done"
    )


def test_the_api_describes_it() -> None:
    told = api.map_serializers()["rename"]()
    assert told.__doc__ == "Rename the event. The event gets another name; its address stays."
    assert {"act", "name", "reason", "expects", "preview"} == {*told.fields}
    assert told.fields["name"].max_length == 80


def test_other_files_know_acts_only_where_they_treat_them_apart() -> None:
    """A new act needs none of these; who treats one apart says here why."""
    apart = {
        # Payments and lots stay with the entries that are exchanged: its preview says so.
        "desk/act_views.py": {"restore", "rule", "correct", "exchange"},
        "desk/running_views.py": {"result", "publish-round", "approve"},
        "desk/act_pages.py": {"substitute"},
        # Helpers may do these two, on a separate page.
        "desk/helping_views.py": {"check-in-for", "note-latecomer", "result"},
    }
    folder = Path(tournaments.__file__).parent
    found: dict[str, set[str]] = {}
    table_of_acts = folder / "desk" / "acts"
    for file in (each for each in folder.rglob("*.py") if table_of_acts not in each.parents):
        path, text = file.relative_to(folder).as_posix(), file.read_text("utf-8")
        named = {name for name in acts.ACTS if f'ACTS["{name}"]' in text or f'.name == "{name}"' in text}
        named |= {name for name in acts.ACTS if f'.name != "{name}"' in text}
        if named:
            found[path] = named
    assert found == apart
