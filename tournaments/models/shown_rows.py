"""Rows that the pages of an event show, whichever app they belong to.

Writing one invalidates the cached pages of its event and has open pages ask again, in the transaction of the change: by `save` and
`delete` as by the methods of a query set. No caller has to say so. A model says so by its base class.
"""

from __future__ import annotations

from secrets import token_hex
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from django.db import models, transaction
from django.db.models.signals import class_prepared, post_save, pre_delete
from django.utils import timezone

from runtime import stream
from tournaments.models.events import Tournament
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

STAMP_BYTES: Final = 8
Row = TypeVar("Row", bound=models.Model)


def invalidate(events: Iterable[int | None]) -> None:
    """Have the pages of these events rendered again. Nothing has happened in them: nobody outside is told."""
    wanted = {pk for pk in events if pk is not None}
    for event in Tournament.objects.filter(pk__in=wanted).only("pk", "key", "status").order_by("pk"):
        Tournament.objects.filter(pk=event.pk).update(stamp=token_hex(STAMP_BYTES))
        if event.status in {Status.PUBLISHED, Status.RUNNING}:
            data = {"event": event.key, "status": event.status}
            stream.publish(f"event.{event.key}", "changed", data, now=timezone.now())  # noqa: TID251 - a row has no clock


class ShownRows(models.QuerySet[Row]):
    """Invalidates where no signal is sent."""

    def update(self, **values: Any) -> int:
        """Update the rows; they may belong to other events afterwards."""
        with transaction.atomic(using=self.db):
            pks = list(self.values_list("pk", flat=True))
            before = _events_of(self.model, pks)
            done = super().update(**values)
            invalidate({*before, *_events_of(self.model, pks)})
        return done

    def bulk_create(self, objs: Iterable[Row], *args: Any, **kwargs: Any) -> list[Row]:
        """Create the rows."""
        with transaction.atomic(using=self.db):
            made = super().bulk_create(objs, *args, **kwargs)
            invalidate(_events_of(self.model, [row.pk for row in made]))
        return made


class ShownOnEvent(models.Model):
    """Base of all rows that are shown on the pages of an event."""

    # Where the events of a row are found.
    EVENT: ClassVar[str] = "event"

    objects = models.Manager.from_queryset(ShownRows)()

    class Meta:
        abstract = True


def _events_of(model: type[models.Model], pks: Iterable[Any]) -> list[int | None]:
    rows = model._default_manager.filter(pk__in=list(pks))  # noqa: SLF001 - Django's own name for it
    path: str = model.EVENT  # type: ignore[attr-defined]
    return list(rows.order_by().values_list(path, flat=True))


def _written(
    *, sender: type[models.Model], instance: models.Model, raw: bool = False, **_signal: object
) -> None:
    if not raw:
        invalidate(_events_of(sender, [instance.pk]))


def _watch(*, sender: type[models.Model], **_signal: object) -> None:
    if issubclass(sender, ShownOnEvent):
        post_save.connect(
            _written, sender=sender, dispatch_uid=f"shown {sender.__module__}.{sender.__name__}"
        )
        pre_delete.connect(
            _written, sender=sender, dispatch_uid=f"shown {sender.__module__}.{sender.__name__}"
        )


class_prepared.connect(_watch, dispatch_uid="tournaments.shown_rows")
