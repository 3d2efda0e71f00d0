"""Base class of rows that are shown on an event's pages, in any app.

Writing such a row invalidates the cached pages of its event and notifies open pages, in the same transaction.
That applies to `save` and `delete` and to the methods of a query set, without a call by the writer.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from secrets import token_hex
from typing import Any, ClassVar, Final, TypeVar

from django.db import models, transaction
from django.db.models.signals import class_prepared, post_save, pre_delete
from django.utils import timezone

from runtime import stream
from tournaments.models.events import Tournament
from tournaments.status import OPEN

STAMP_BYTES: Final = 8
Row = TypeVar("Row", bound=models.Model)


def invalidate_events(events: Iterable[int | None]) -> None:
    """Invalidate the cached pages of these events. Sends no webhooks and no notices."""
    wanted = {pk for pk in events if pk is not None}
    for event in Tournament.objects.filter(pk__in=wanted).only("pk", "key", "status").order_by("pk"):
        Tournament.objects.filter(pk=event.pk).update(stamp=token_hex(STAMP_BYTES))
        notify_event_pages(event, now=timezone.now())  # noqa: TID251 - a row has no clock


def notify_event_pages(event: Tournament, *, now: datetime) -> None:
    """Notify the open pages of an event that can be played or entered."""
    if event.status in OPEN:
        stream.publish(f"event.{event.key}", "changed", {"event": event.key, "status": event.status}, now=now)


class EventPageQuerySet(models.QuerySet[Row]):
    """A query set that invalidates the pages of events in the methods that send no signals."""

    def update(self, **values: Any) -> int:
        """Update the rows, and invalidate the pages of their former and present events."""
        with transaction.atomic(using=self.db):
            pks = list(self.values_list("pk", flat=True))
            before = _list_events(self.model, pks)
            done = super().update(**values)
            invalidate_events({*before, *_list_events(self.model, pks)})
        return done

    def bulk_create(self, objs: Iterable[Row], *args: Any, **kwargs: Any) -> list[Row]:
        with transaction.atomic(using=self.db):
            made = super().bulk_create(objs, *args, **kwargs)
            invalidate_events(_list_events(self.model, [row.pk for row in made]))
        return made


class EventPageRow(models.Model):
    """Base class of rows that are shown on an event's pages."""

    # The path from a row to its events.
    EVENT: ClassVar[str] = "event"

    objects = models.Manager.from_queryset(EventPageQuerySet)()

    class Meta:
        abstract = True


def _list_events(model: type[models.Model], pks: Iterable[Any]) -> list[int | None]:
    rows = model._default_manager.filter(pk__in=list(pks))  # noqa: SLF001 - Django's own name for it
    path: str = model.EVENT  # type: ignore[attr-defined]
    return list(rows.order_by().values_list(path, flat=True))


def _invalidate_written(
    *, sender: type[models.Model], instance: models.Model, raw: bool = False, **_signal: object
) -> None:
    if not raw:
        invalidate_events(_list_events(sender, [instance.pk]))


def _connect_signals(*, sender: type[models.Model], **_signal: object) -> None:
    if issubclass(sender, EventPageRow):
        for signal in (post_save, pre_delete):
            signal.connect(
                _invalidate_written,
                sender=sender,
                dispatch_uid=f"shown {sender.__module__}.{sender.__name__}",
            )


class_prepared.connect(_connect_signals, dispatch_uid="tournaments.shown_rows")
