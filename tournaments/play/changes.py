"""Shared parts of every change to an event: lock, status, rulings, change notices.

Lock order: the event, then players by id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import Any, Final

from django.db.models import F, QuerySet

from players.clubs import webhooks
from players.models import Club, Player, User
from players.notices import notices
from players.notices.kinds import NoticeKind
from runtime import stream
from tournaments.base.act_fields import LONGEST_REASON
from tournaments.base.errors import (
    AlreadyDone,
    HasStages,
    NoStages,
    NotDirector,
    NotHelper,
    Paused,
    ReasonNeeded,
    TournamentError,
    WrongStatus,
)
from tournaments.hooks import event_changed, open_match_changed
from tournaments.models import (
    Helper,
    Pairing,
    PairingState,
    Ruling,
    RulingKind,
    Stage,
    Tournament,
    event_page_rows,
)
from tournaments.status import BEFORE_START, Status, may_move

# Webhook topics besides "event.changed"; webhooks carry no data (ADR 28).
CALLED: Final = "match.called"
ENTERED: Final = "result.entered"
FINISHED: Final = "event.finished"


@dataclass(frozen=True, slots=True)
class HelperActor:
    """A helper without an account, acting by a helper's link; without permissions."""

    helper_id: int

    def has_perm(self, _perm: str, _obj: object = None) -> bool:
        """Always False: a helper has no role in the club."""
        return False


def lock_event(tournament_id: int) -> Tournament:
    """Load the event and lock it until the end of the transaction; the lock covers its entries too."""
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("club").get(pk=tournament_id)


def lock_for_director(tournament_id: int, by: User) -> Tournament:
    event = lock_event(tournament_id)
    require_director(event.club, by)
    return event


def lock_for_helper(tournament_id: int, by: User | HelperActor, *, now: datetime) -> Tournament:
    """Lock the event for a director or a helper; the helper is looked up under the lock.

    :raises NotDirector, NotHelper: `by` is neither.
    """
    if not isinstance(by, HelperActor):
        return lock_for_director(tournament_id, by)
    event = lock_event(tournament_id)
    helpers = Helper.filter_valid(now).filter(tournament=event, taken_up_at__isnull=False)
    if not helpers.filter(pk=by.helper_id).exists():
        raise NotHelper
    return event


def require_director(club: Club, by: User) -> None:
    if not by.has_perm("tournaments.direct", club):
        raise NotDirector


def require_reason(reason: str) -> str:
    """Return the reason, trimmed and cut to 300 characters."""
    if not (trimmed := reason.strip()):
        raise ReasonNeeded
    return trimmed[:LONGEST_REASON]


def build_status_error(event: Tournament) -> TournamentError:
    return WrongStatus(status=event.get_status_display(), current=event.status)


def require_status(event: Tournament, allowed: Collection[str]) -> None:
    if event.status not in allowed:
        raise build_status_error(event)


def change_status(event: Tournament, here: Status, there: Status, *, now: datetime, **columns: Any) -> None:
    """Change the event's status by compare and set; it is not archived any more.

    :raises AlreadyDone: it already has the new status.
    :raises WrongStatus: it has another status, or the change is not allowed.
    """
    if event.status == there:
        raise AlreadyDone
    if event.status != here or not may_move(here, there):
        raise build_status_error(event)
    values: dict[str, Any] = {"status": there.value, "changed_at": now, "over_at": None, "archived_at": None}
    values |= columns
    # Compare and set: safe even if a caller forgets the lock.
    if not Tournament.objects.filter(pk=event.pk, status=here.value).update(**values):
        event.refresh_from_db(fields=["status"])
        raise build_status_error(event)
    for name, value in values.items():
        setattr(event, name, value)


def record_ruling(
    event: Tournament,
    act: RulingKind,
    *,
    by: User | HelperActor | None,
    now: datetime,
    reason: str = "",
    data: dict[str, Any] | None = None,
    is_saved: bool = True,
) -> Ruling:
    """Record an act of a director or a helper, or one of the clock.

    The *reason* is trimmed and cut to 300 characters. In *data* players appear by key, so that names can be
    erased. Unless *is_saved*, the caller adds what is needed to undo the act, and saves the ruling.
    """
    who = {"helper_id": by.helper_id} if isinstance(by, HelperActor) else {"by": by}
    why = reason.strip()[:LONGEST_REASON]
    ruling = Ruling(tournament=event, act=act, **who, reason=why, data=data or {}, at=now)
    if is_saved:
        ruling.save()
    return ruling


def announce_change(event: Tournament, *, now: datetime) -> None:
    """Bump the version, and notify receivers, open pages and webhooks."""
    _bump_version(event)
    _send_event_changed(event, now=now)
    _notify(event, now=now)


def announce_to_pages(event: Tournament, *, now: datetime) -> None:
    """Bump the version, and notify open pages and webhooks, but no receivers.

    For changes that affect neither results nor players.
    """
    _bump_version(event)
    _notify(event, now=now)


def _bump_version(event: Tournament) -> None:
    event.stamp = token_hex(event_page_rows.STAMP_BYTES)
    Tournament.objects.filter(pk=event.pk).update(version=F("version") + 1, stamp=event.stamp)
    event.version += 1


def _send_event_changed(event: Tournament, *, now: datetime) -> None:
    if Status(event.status) not in BEFORE_START:
        event_changed.send(sender=Tournament, event=event, now=now)


def _notify(event: Tournament, *, now: datetime) -> None:
    """Notify open pages and webhooks; drafts and rehearsals only on the event's own topic."""
    data = {"event": event.key, "status": event.status, "version": event.version}
    is_for_club = event.status != Status.DRAFT and event.club.rehearses_id is None
    topics = [f"event.{event.key}", f"club.{event.club.slug}"]
    stream.publish_to(topics if is_for_club else topics[:1], "changed", data, now=now)
    if is_for_club:
        webhooks.queue_all_calls(club_id=event.club_id, news=_list_news(event, data, now), now=now)


def _list_news(event: Tournament, data: dict[str, Any], now: datetime) -> Iterator[webhooks.News]:
    """Yield webhook news: the change, matches called or decided by it, and the end of the event.

    Matches and the end are found by their time, *now*.
    """
    yield "event.changed", data, f"event:{event.key}:{event.version}"
    rows = Pairing.objects.filter(tournament=event).order_by("pk")
    for key in rows.filter(called_at=now, state=PairingState.READY).values_list("key", flat=True):
        yield _build_news(event, CALLED, key, now=now)
    for key in rows.filter(decided_at=now, state=PairingState.DECIDED).values_list("key", flat=True):
        yield _build_news(event, ENTERED, key, now=now)
    if event.status == Status.FINISHED and event.finished_at == now:
        yield _build_news(event, FINISHED, "", now=now)


def notify_corrected(event: Tournament, match: str, *, now: datetime, what: str = ENTERED) -> None:
    """Notify webhooks of a corrected result, or of an event that is `FINISHED` again: their time does not change."""
    news = [_build_news(event, what, match, now=now)]
    webhooks.queue_all_calls(club_id=event.club_id, news=news, now=now)


def _build_news(event: Tournament, what: str, match: str, *, now: datetime) -> webhooks.News:
    about = {"event": event.key, **({"match": match} if match else {}), "version": event.version}
    return what, about, f"{what}:{event.key}:{match}:{now.isoformat()}"


def notify_player(
    kind: NoticeKind,
    player: Player,
    event: Tournament,
    *,
    once: str,
    now: datetime,
    variant: str = "",
    url: str = "",
    **values: object,
) -> None:
    """Send a player with an account a notice about an event, once for each value of *once*."""
    if player.user is not None:
        notices.send(
            kind,
            user=player.user,
            variant=variant,
            values={"event": event.name, **values},
            url=url or event.get_absolute_url(),
            dedupe_key=once,
            now=now,
        )


def announce_report(event: Tournament, *, now: datetime) -> None:
    """Bump the version, and notify webhooks and the pages that show a report which decides nothing."""
    _bump_version(event)
    open_match_changed.send(sender=Tournament, event=event, now=now)
    _notify(event, now=now)


def announce_running_score(event: Tournament, *, now: datetime) -> None:
    """Bump the version, and notify only the pages that show the score of a match that is being played.

    For changes that affect neither results, players nor tables.
    """
    _bump_version(event)
    open_match_changed.send(sender=Tournament, event=event, now=now)
    event_page_rows.notify_event_pages(event, now=now)


def invalidate_pages(events: QuerySet[Tournament], *, now: datetime) -> None:
    """Bump the versions of events, and notify receivers and open pages, but no webhooks."""
    for event in events.only("pk", "key", "status", "club", "version").order_by("pk"):
        _bump_version(event)
        _send_event_changed(event, now=now)
        event_page_rows.notify_event_pages(event, now=now)


def require_stages(event: Tournament, *, there: bool) -> None:
    """Require that the event has stages, or if *there* is False that it has none."""
    if Stage.objects.filter(tournament=event).exists() != there:
        raise NoStages if there else HasStages


def require_running(event: Tournament) -> Tournament:
    """Return the event, if it is running and not paused."""
    require_status(event, {Status.RUNNING})
    if event.paused_at is not None:
        raise Paused
    return event
