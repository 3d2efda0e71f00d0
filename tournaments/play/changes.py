"""What every change to an event goes through: its lock, its status, its rulings, its hints.

Lock order: the event, then players by id.
"""

from __future__ import annotations

from dataclasses import dataclass
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from django.db.models import F

from players.clubs import webhooks
from runtime import stream
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
from tournaments.hooks import event_changed
from tournaments.models import Helper, Pairing, Ruling, Stage, Stand, Tournament, shown_rows
from tournaments.status import BEFORE_START, Status, may_move

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from players.models import Club, User
    from tournaments.models import RulingKind

# What webhooks are told besides "it has changed": where to look, not what is there (ADR 28).
CALLED: Final = "match.called"
ENTERED: Final = "result.entered"
FINISHED: Final = "event.finished"


@dataclass(frozen=True, slots=True)
class Helping:
    """Somebody with a helper's link and no account: what is not for helpers is refused to them like to everybody."""

    helper_id: int

    def has_perm(self, _perm: str, _obj: object = None) -> bool:
        """Say that a helper has no role in the club."""
        return False


def lock(tournament_id: int) -> Tournament:
    """Return the event, held until the transaction ends: nobody else changes it or its entries.

    :raises Tournament.DoesNotExist: there is none.
    """
    return (
        Tournament.objects.select_for_update(of=("self",), no_key=True)
        .select_related("club")
        .get(pk=tournament_id)
    )


def direct(tournament_id: int, by: User) -> Tournament:
    """Return the event, held, for one of its directors.

    :raises NotDirector: `by` does not direct at this club.
    """
    event = lock(tournament_id)
    require_director(event.club, by)
    return event


def assist(tournament_id: int, by: User | Helping, *, now: datetime) -> Tournament:
    """Return the event, held, for one of its directors or of its helpers: they are looked up under its lock.

    :raises NotDirector, NotHelper: `by` is neither.
    """
    if not isinstance(by, Helping):
        return direct(tournament_id, by)
    event = lock(tournament_id)
    good = Helper.objects.filter(
        pk=by.helper_id,
        tournament=event,
        taken_up_at__isnull=False,
        revoked_at__isnull=True,
        expires_at__gt=now,
    )
    if not good.exists():
        raise NotHelper
    return event


def require_director(club: Club, by: User) -> None:
    """Let directors of this club pass.

    :raises NotDirector: `by` is not one.
    """
    if not by.has_perm("tournaments.direct", club):
        raise NotDirector


def require_reason(reason: str) -> str:
    """Return the reason, trimmed.

    :raises ReasonNeeded: there is none.
    """
    if not (trimmed := reason.strip()):
        raise ReasonNeeded
    return trimmed[:300]


def refuse(event: Tournament) -> TournamentError:
    """Return the refusal that says where the event stands."""
    return WrongStatus(status=event.get_status_display(), current=event.status)


def move(event: Tournament, here: Status, there: Status, *, now: datetime, **columns: Any) -> None:
    """Take the event from one status to another, if it is still where we think.

    :raises AlreadyDone: it is there.
    :raises WrongStatus: it is elsewhere, or the table has no such move.
    """
    if event.status == there:
        raise AlreadyDone
    if event.status != here or not may_move(here, there):
        raise refuse(event)
    values: dict[str, Any] = {"status": there.value, "changed_at": now, "over_at": None, **columns}
    # Compare and set: right even where somebody forgot the lock.
    if not Tournament.objects.filter(pk=event.pk, status=here.value).update(**values):
        event.refresh_from_db(fields=["status"])
        raise refuse(event)
    for name, value in values.items():
        setattr(event, name, value)


def rule(
    event: Tournament,
    act: RulingKind,
    *,
    by: User | Helping | None,
    now: datetime,
    reason: str = "",
    data: dict[str, Any] | None = None,
    before: dict[str, Any] | None = None,
) -> Ruling:
    """Write down what a director did, or the clock for them. People appear by key, so that a name can be erased.

    With the rows as they were *before* it can be taken back.
    """
    who = {"helper_id": by.helper_id} if isinstance(by, Helping) else {"by": by}
    return Ruling.objects.create(
        tournament=event, act=act, **who, reason=reason, data=data or {}, before=before, at=now
    )


def hint(event: Tournament, *, now: datetime) -> None:
    """Count a change, and tell open pages and whoever follows the event to look again."""
    _count(event)
    _have_followed(event, now=now)
    _tell(event, now=now)


def hint_pages(event: Tournament, *, now: datetime) -> None:
    """Count a change of what pages show and nothing follows from: no result, no player is another."""
    _count(event)
    _tell(event, now=now)


def _count(event: Tournament) -> None:
    event.stamp = token_hex(shown_rows.STAMP_BYTES)
    Tournament.objects.filter(pk=event.pk).update(version=F("version") + 1, stamp=event.stamp)
    event.version += 1


def _have_followed(event: Tournament, *, now: datetime) -> None:
    if Status(event.status) not in BEFORE_START:
        event_changed.send(sender=Tournament, event=event, now=now)


def _tell(event: Tournament, *, now: datetime) -> None:
    """Tell open pages and webhooks; the club's pages know nothing of drafts."""
    data = {"event": event.key, "status": event.status, "version": event.version}
    is_for_club = event.status != Status.DRAFT and event.club.rehearses_id is None
    topics = [f"event.{event.key}", f"club.{event.club.slug}"]
    stream.publish_to(topics if is_for_club else topics[:1], "changed", data, now=now)
    if is_for_club:
        once = f"event:{event.key}:{event.version}"
        if webhooks.tell(club_id=event.club_id, what="event.changed", about=data, once=once, now=now):
            _tell_webhooks(event, now=now)


def _tell_webhooks(event: Tournament, *, now: datetime) -> None:
    """Tell what the change of this moment has called, decided and ended: each has its time."""
    rows = Pairing.objects.filter(tournament=event).order_by("pk")
    for key in rows.filter(called_at=now, state=Stand.READY).values_list("key", flat=True):
        _tell_webhook(event, CALLED, key, now=now)
    for key in rows.filter(decided_at=now, state=Stand.DECIDED).values_list("key", flat=True):
        _tell_webhook(event, ENTERED, key, now=now)
    if event.status == Status.FINISHED and event.finished_at == now:
        _tell_webhook(event, FINISHED, now=now)


def tell_corrected(event: Tournament, match: str, *, now: datetime) -> None:
    """Tell webhooks that a result is another: it keeps the time at which the match was decided."""
    _tell_webhook(event, ENTERED, match, now=now)


def _tell_webhook(event: Tournament, what: str, match: str = "", *, now: datetime) -> None:
    about = {"event": event.key, **({"match": match} if match else {}), "version": event.version}
    once = f"{what}:{event.key}:{match}:{now.isoformat()}"
    webhooks.tell(club_id=event.club_id, what=what, about=about, once=once, now=now)


def touch(events: QuerySet[Tournament], *, now: datetime) -> None:
    """Have the pages of events made anew although nothing has happened in them: nobody outside is told."""
    for event in events.only("pk", "key", "status", "club").order_by("pk"):
        event.stamp = token_hex(shown_rows.STAMP_BYTES)
        Tournament.objects.filter(pk=event.pk).update(version=F("version") + 1, stamp=event.stamp)
        _have_followed(event, now=now)
        if event.status in {Status.PUBLISHED, Status.RUNNING}:
            data = {"event": event.key, "status": event.status}
            stream.publish(f"event.{event.key}", "changed", data, now=now)


def require_stages(event: Tournament, *, there: bool) -> None:
    """Let events pass that are played here, or only those that are not.

    :raises HasStages, NoStages: it is the other kind.
    """
    has = Stage.objects.filter(tournament=event).exists()
    if has and not there:
        raise HasStages
    if there and not has:
        raise NoStages


def running(event: Tournament) -> Tournament:
    """Let an event pass that is being played and does not stand still.

    :raises WrongStatus, Paused: it is not.
    """
    if event.status != Status.RUNNING:
        raise refuse(event)
    if event.paused_at is not None:
        raise Paused
    return event
