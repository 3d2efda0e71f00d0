"""Notices to all entrants: one outbox row in the request, the rest in small batches later."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from draw.event import format_places
from players.models import Notice, User
from players.notices.kinds import NoticeKind, Reader
from runtime.work import outbox
from tournaments.models import Entry, Ruling, Tournament
from tournaments.play import capacity, changes
from tournaments.status import Status

KIND: Final = "tournaments.news"
# Each batch is one short transaction, so that a large field does not block other writers.
HELPING: Final = 25
# Older news is not sent.
FRESH_FOR: Final = timedelta(hours=36)


class News(StrEnum):
    STARTED = "STARTED"
    RESULT = "RESULT"
    CANCELLED = "CANCELLED"


EVENT_STARTED: Final = NoticeKind(
    name="event_started",
    reader=Reader.ENTRANT,
    when=_("The event begins."),
    text=_("%(event)s has begun."),
)
EVENT_FINISHED: Final = NoticeKind(
    name="event_finished",
    reader=Reader.ENTRANT,
    when=_("The event is over, or a correction changes your place afterwards."),
    text={
        "": _("%(event)s is over: the results are in."),
        "won": _("You won %(event)s. Congratulations!"),
        "placed": ngettext_lazy(
            "%(event)s is over: your place is %(place)s of %(placed)s.",
            "%(event)s is over: your place is %(place)s of %(placed)s.",
            "placed",
        ),
    },
)
EVENT_CANCELLED: Final = NoticeKind(
    name="event_cancelled",
    reader=Reader.ENTRANT,
    when=_("The event is cancelled."),
    text=_("%(event)s is cancelled: %(reason)s"),
)
# The notice of each occasion, and the status in which it is still news.
KINDS: Final = {
    News.STARTED: (EVENT_STARTED, Status.RUNNING),
    News.RESULT: (EVENT_FINISHED, Status.FINISHED),
    News.CANCELLED: (EVENT_CANCELLED, Status.CANCELLED),
}


def queue_notice(event: Tournament, news: News, *, ruling_id: int, by: User | None, now: datetime) -> None:
    """Queue a notice to the entrants, except *by*. Call it in the transaction of the act."""
    if event.club.rehearses_id is not None:
        return
    _queue_batch(news, ruling_id=ruling_id, after=0, at=now, by_id=None if by is None else by.pk, now=now)


def notify_entrants(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Notify the next batch of entrants, and queue the following one (outbox handler)."""
    happened_at = datetime.fromisoformat(payload["at"])
    ruling = Ruling.objects.select_related("tournament").filter(pk=payload["ruling"]).first()
    if ruling is None or now - happened_at > FRESH_FOR:
        return
    news, event = News(payload["news"]), ruling.tournament
    kind, status = KINDS[news]
    if event.status != status:
        return
    entries = list(
        Entry.objects.filter(
            tournament=event, withdrawn_at__isnull=True, player__user__isnull=False, pk__gt=payload["after"]
        )
        .exclude(player__user=payload["by"])
        .select_related("player__user")
        .order_by("pk")[:HELPING]
    )
    for entry in entries:
        once = f"event.{event.key}.{news.lower()}.{ruling.pk}"
        values: dict[str, Any] = {"reason": ruling.reason}
        if news == News.RESULT:
            once = _build_result_key(event, entry, ruling.pk)
            values |= _build_result_text(event, entry)
        changes.notify_player(kind, entry.player, event, once=once, now=now, **values)
    if len(entries) == HELPING:
        _queue_batch(
            news, ruling_id=ruling.pk, after=entries[-1].pk, at=happened_at, by_id=payload["by"], now=now
        )


def _queue_batch(
    news: News, *, ruling_id: int, after: int, at: datetime, by_id: int | None, now: datetime
) -> None:
    outbox.put(
        KIND,
        {"news": news.value, "ruling": ruling_id, "after": after, "at": at.isoformat(), "by": by_id},
        dedupe_key=f"{KIND}:{ruling_id}:{after}",
        now=now,
    )


def _build_result_key(event: Tournament, entry: Entry, ruling_id: int) -> str:
    """Return the key of the entrant's latest notice if it has the same place, so that only a new place is sent."""
    stem, place = f"event.{event.key}.result.", str(entry.place or 0)
    sent = Notice.objects.filter(user__player=entry.player_id, dedupe_key__startswith=stem).order_by("-pk")
    last = sent.values_list("dedupe_key", flat=True).first() or ""
    is_same = last.removeprefix(stem).partition(".")[0] == place
    return last if is_same else f"{stem}{place}.{ruling_id}"


def _build_result_text(event: Tournament, entry: Entry) -> dict[str, object]:
    """Return the variant of the text for the entry's place, and its values."""
    if entry.place is None or entry.place == 1:
        return {"variant": "won" if entry.place else ""}
    placed = capacity.count_entered(event)
    places = format_places(entry.place, Entry.objects.filter(tournament=event, place=entry.place).count())
    return {"variant": "placed", "place": places, "placed": placed}
