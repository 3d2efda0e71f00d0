"""Each write to a row that an event's pages show invalidates them, in every app."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any, Final

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext

from money.models import EventMoney
from rankings.models import TitleChances
from runtime.hooks import SlotPart
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments import hooks
from tournaments.models import EventPageRow, Series, SeriesDay, Tournament
from tournaments.pages import event_parts, page_versions

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("standing_clock")]

TABLE: Final = re.compile(r'(?:FROM|JOIN) "(\w+)"')
# What these hold of an event changes with an act of the event (`changes.announce_change`), or is in the cache key beside its stamp.
OF_THE_EVENT: Final = frozenset({"tournaments", "matches", "players", "sessions", "runtime"})
# Shown, and invalidated otherwise: each with the reason.
OTHERWISE: Final = {
    # Anyone who sets the room, a break or a table of an event changes the event: what is called follows from
    # it.
    "EventRoom": "changes.hint", "Break": "changes.hint", "Table": "changes.hint", "Room": "changes.hint",
    "Assignment": "changes.hint", "Chair": "changes.hint",
    # Chances are computed again, and written, once their list has changed.
    "RatingList": "TitleChances",
    # Whether the menu has a link to rankings; a cached page lasts a minute.
    "Season": "public_pages.LASTS",
}  # fmt: skip


@pytest.fixture
def desk(desk: Desk) -> Desk:
    desk.start(a_plan("swiss", rounds=3), 4)
    return desk


def money(desk: Desk, **more: Any) -> EventMoney:
    return EventMoney(event=desk.event, currency="EUR", opened_at=desk.now, **more)


def mark(desk: Desk) -> object:
    return page_versions.compute_event_key(desk.event.key, now=desk.now)


def changed(desk: Desk, write: Callable[[], object]) -> bool:
    before = mark(desk)
    write()
    return mark(desk) != before


def test_every_way_of_writing_invalidates(desk: Desk) -> None:
    row = money(desk)
    rows = EventMoney.objects.filter(event=desk.event)
    assert changed(desk, row.save)
    row.fee = 5
    assert changed(desk, row.save)
    assert changed(desk, lambda: rows.update(fee=7))
    assert changed(desk, lambda: EventMoney.objects.bulk_update([row], ["fee"]))
    assert changed(desk, rows.delete)
    assert changed(desk, lambda: EventMoney.objects.bulk_create([money(desk)]))
    assert changed(desk, rows.get().delete)
    assert changed(
        desk, lambda: TitleChances.objects.update_or_create(event=desk.event, defaults={"runs": 1})
    )
    assert not changed(desk, lambda: rows.update(fee=7)), "there is none"


def test_a_row_that_many_events_show_invalidates_each(desk: Desk, now: datetime) -> None:
    series = Series.objects.create(
        club=desk.club, name="Tuesdays", weekday=1, at=time(19), days_before=3, created_at=now
    )
    day = SeriesDay.objects.create(series=series, day=now.date())
    day.event = desk.event
    assert changed(desk, day.save)
    series.name = "Wednesdays"
    assert changed(desk, series.save)
    other = Tournament.objects.exclude(pk=desk.pk).first()
    assert changed(desk, lambda: SeriesDay.objects.filter(pk=day.pk).update(event=other)), "it is another's"
    day.event = desk.event
    day.save()
    assert changed(desk, series.delete), "its days go with it"


def unknown_to_the_cache(desk: Desk) -> set[str]:
    """Return the models that the pages of an event read, and of which a change would not be seen."""
    with CaptureQueriesContext(connection) as asked:
        for name in ("event", "bracket", "standings", "players", "schedule"):
            Client().get(url(name, desk.event.key))
        event_parts.load_parts(desk.event.key, now=desk.now)
    read = {table for query in asked for table in TABLE.findall(query["sql"])}
    return {
        model.__name__ for model in apps.get_models() if model._meta.db_table in read and is_unknown(model)
    }


def is_unknown(model: type[Model]) -> bool:
    is_other = model._meta.app_label not in OF_THE_EVENT and not issubclass(model, EventPageRow)
    return is_other and model.__name__ not in OTHERWISE


def test_whatever_pages_read_of_other_apps_is_known_to_the_cache(desk: Desk) -> None:
    money(desk).save()
    TitleChances.objects.update_or_create(
        event=desk.event, defaults={"shares": [[1, 1.0]], "computed_at": desk.now, "made_of": "x"}
    )
    desk.now += timedelta(minutes=1)
    assert unknown_to_the_cache(desk) == set()


def test_an_app_that_shows_rows_of_its_own_cannot_forget_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new part of the page reads a model without the base class: the test above fails for it."""
    from records.models import Submission

    def count(_request: Any, key: str) -> None:
        Submission.objects.filter(pairing__tournament__key=key).count()

    part = SlotPart("money/_none.html", count)
    monkeypatch.setitem(hooks.EVENT_PAGE._values, "toy", part)
    assert unknown_to_the_cache(desk) == {"Submission"}
