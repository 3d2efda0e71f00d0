"""Events before they begin: draft, announce, change, repeat, discard; the first event of a club."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from players.keys import new_key
from players.models import Club, User
from runtime.rows import hash_values
from tournaments import hooks
from tournaments.base import local_times
from tournaments.base.errors import (
    AlreadyDone,
    AlreadyDrawn,
    ChangedMeanwhile,
    DraftOnly,
    NotFinished,
    TooFewPlaces,
)
from tournaments.base.pasted_lists import PastedLine
from tournaments.hooks import WantedRoom, event_repeated, event_rescheduled
from tournaments.models import Draw, Entry, RulingKind, Tournament
from tournaments.plan import drawing, planning
from tournaments.plan.templates import Plan
from tournaments.play import capacity, changes, entering, pasting
from tournaments.status import ADMITTING, BEFORE_START, Status

# Within this time, a form with the same name and start means the same event.
MOMENT: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    name: str
    starts_at: datetime
    place: str = ""
    about: str = ""
    # The director's description; "" to show the formats.
    format_label: str = ""
    played_as: list[dict[str, Any]] = field(default_factory=list)
    match_length: int = 5
    capacity: int | None = None


# Everything else can be changed until the event is over.
FIXED_BY_DRAW: Final = {"match_length"}


def build_details(event: Tournament) -> Details:
    return Details(**{field.name: getattr(event, field.name) for field in fields(Details)})


def compute_version_key(details: Details | Plan | None) -> str:
    return hash_values(details and asdict(details))


def _require_unchanged(details: Details | Plan | None, seen: str | None) -> None:
    """Require the version that the caller has *seen*; None does not ask.

    :raises ChangedMeanwhile: it is another by now.
    """
    if seen is not None and compute_version_key(details) != seen:
        raise ChangedMeanwhile(what=_("The event has changed since you looked."))


def find_submitted_event(
    *, club: Club, by: User, key: str, details: Details, now: datetime
) -> Tournament | None:
    """Find the event that the user has made with the same form.

    It has the same key, or was made recently with the same name and start.
    """
    mine = Tournament.objects.filter(club=club, created_by=by)
    twin = Q(name=details.name, starts_at=details.starts_at, created_at__gte=now - MOMENT)
    return mine.filter(Q(key=key) | twin & ~Q(status=Status.CANCELLED)).order_by("-created_at").first()


def is_as_submitted(event: Tournament, *, details: Details, plan: Plan | None) -> bool:
    there = build_details(event)
    if plan is None:
        return planning.load_plan(event) is None and there == details
    # These follow from the plan.
    derived = {name: getattr(there, name) for name in ("match_length", "played_as", "format_label")}
    length = plan.settings.play.length(plan.match_length)
    return there == replace(details, **derived) and planning.load_plan(event) == replace(
        plan, match_length=length
    )


def draft(
    *,
    club: Club,
    by: User,
    key: str,
    details: Details,
    now: datetime,
    plan: Plan | None = None,
    like: Tournament | None = None,
    room: WantedRoom | None = None,
) -> Tournament:
    """Create an event that only directors see; it takes over the room and the money of *like*.

    A given *room* takes precedence over that of the other event. The caller chooses the key
    (`players.keys.new_key`), so that a form that is sent twice creates one event. Without a *plan* it is only
    announced, and its result recorded.

    :raises NotDirector: `by` does not direct at this club.
    :raises AlreadyDone: another event has the key.
    :raises BadPlan, PlanTooLarge: it cannot be played like this.
    """
    with transaction.atomic():
        changes.require_director(club, by)
        event, is_new = _get_or_create_draft(club=club, by=by, key=key, details=details, now=now, plan=plan)
        if not is_new and (event.club_id, event.created_by_id) != (club.pk, by.pk):
            raise AlreadyDone
        if is_new and like is not None:
            event_repeated.send(sender=Tournament, event=event, like=like, now=now)
        if is_new and room is not None and (provider := hooks.ROOMS.get()) is not None:
            provider.assign(event, room, by, now)
            event.refresh_from_db()
        return event


def announce(
    *,
    club: Club,
    by: User,
    key: str,
    details: Details,
    now: datetime,
    plan: Plan | None = None,
    like: Tournament | None = None,
    room: WantedRoom | None = None,
) -> Tournament:
    """Create and publish an event; arguments and errors are those of `draft`."""
    with transaction.atomic():
        event = draft(club=club, by=by, key=key, details=details, now=now, plan=plan, like=like, room=room)
        if event.status == Status.DRAFT:
            event = publish(tournament_id=event.pk, by=by, now=now)
        return event


def begin_first_event(
    *,
    club: Club,
    by: User,
    key: str,
    details: Details,
    plan: Plan,
    lines: Sequence[PastedLine],
    now: datetime,
    like: Tournament | None = None,
    room: WantedRoom | None = None,
) -> Tournament:
    """Announce an event; enter the named players, check them in and preview the draw.

    With fewer than two names nothing is drawn. Once there is a draw, a repeated call with the same *key*
    changes nothing.

    :raises NotDirector, AlreadyDone, BadPlan, EventFull, PlayerGone: nothing happens.
    """
    with transaction.atomic():
        event = announce(club=club, by=by, key=key, details=details, now=now, plan=plan, like=like, room=room)
        if Draw.objects.filter(stage__tournament=event).exists():
            return event
        if lines:
            pasting.enter_list(tournament_id=event.pk, lines=lines, by=by, now=now)
            entries = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False)
            numbers = list(entries.values_list("number", flat=True))
            entering.check_in_entries(tournament_id=event.pk, entries=numbers, by=by, now=now)
            if len(numbers) >= 2:
                drawing.preview(tournament_id=event.pk, by=by, now=now)
        event.refresh_from_db()
        return event


def publish(*, tournament_id: int, by: User, now: datetime) -> Tournament:
    """Publish a draft; members can enter from now on.

    :raises NotDirector: `by` does not direct at this club.
    :raises AlreadyDone: it is published.
    :raises WrongStatus: it has begun or is over.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        publish_draft(event, by=by, now=now)
        return event


def repeat(*, like: Tournament, name: str, starts_at: datetime, now: datetime) -> Tournament:
    """Announce a copy of an event without a director; the caller has opened a transaction.

    :raises BadPlan: it cannot be played like this any more.
    """
    again = replace(build_details(like), name=name, starts_at=starts_at)
    event = _copy_event(like, by=None, key=new_key(), details=again, now=now)
    publish_draft(event, by=None, now=now)
    return event


def publish_draft(event: Tournament, *, by: User | None, now: datetime) -> None:
    """Publish a locked draft; *by* is None for a sweep.

    :raises AlreadyDone, WrongStatus: it is no draft any more.
    """
    changes.change_status(event, Status.DRAFT, Status.PUBLISHED, now=now)
    changes.record_ruling(event, RulingKind.ANNOUNCED, by=by, now=now)
    changes.announce_change(event, now=now)


def edit(
    *, tournament_id: int, by: User, details: Details, now: datetime, seen: str | None = None
) -> Tournament:
    """Change the announcement.

    :raises NotDirector: `by` does not direct at this club.
    :raises WrongStatus: it is over.
    :raises AlreadyDrawn: the published draw fixes the length of the matches.
    :raises TooFewPlaces: more players have entered than the new limit allows.
    :raises ChangedMeanwhile: it is not the announcement that was *seen* (`compute_version_key`).
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        changes.require_status(event, ADMITTING)
        before, starts_at = build_details(event), event.starts_at
        _require_unchanged(before, seen)
        changed = [
            each.name for each in fields(Details) if getattr(before, each.name) != getattr(details, each.name)
        ]
        # With latecomers there may be more than the limit; only a new limit is checked.
        limit = details.capacity if "capacity" in changed else None
        if limit is not None and (entered := capacity.count_entered(event)) > limit:
            raise TooFewPlaces(entered=entered)
        if not changed:
            return event
        if FIXED_BY_DRAW.intersection(changed) and entering.is_drawn(event):
            raise AlreadyDrawn
        event.changed_at = now
        for name in changed:
            setattr(event, name, getattr(details, name))
        event.save(update_fields=[*changed, "changed_at"])
        if not entering.is_drawn(event):
            entering.fill_free_places(event, now=now)
        if "starts_at" in changed and event.status != Status.RUNNING:
            event_rescheduled.send(sender=Tournament, event=event, before=starts_at, now=now)
        changes.record_ruling(event, RulingKind.EDITED, by=by, now=now, data={"changed": changed})
        changes.announce_change(event, now=now)
        return event


def clone(*, tournament_id: int, by: User, key: str, now: datetime) -> Tournament:
    """Draft a copy for the next future week: same weekday, same local time.

    A form that is sent twice returns the same draft.

    :raises NotDirector: `by` does not direct at this club.
    :raises AlreadyDone: another event has the key.
    :raises BadPlan: it cannot be played like this any more.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        again = replace(
            build_details(event),
            starts_at=local_times.compute_next_week(event.starts_at, event.club.time_zone, now=now),
        )
        made = find_submitted_event(club=event.club, by=by, key=key, details=again, now=now)
        if made is not None:
            return made
        return _copy_event(event, by=by, key=key, details=again, now=now)


def arrange(
    *, tournament_id: int, plan: Plan, by: User, now: datetime, seen: str | None = None
) -> Tournament:
    """Change format and settings; see `planning.apply_plan` for previewed draws.

    :raises NotDirector, WrongStatus, BadPlan, PlanTooLarge, TooManyPlayers: nothing changes.
    :raises AlreadyDrawn: the draw is published, and fixes something that differs.
    :raises ChangedMeanwhile: it is not the plan that was *seen* (`compute_version_key`).
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        _require_unchanged(planning.load_plan(event), seen)
        is_drawn = entering.is_drawn(event)
        if is_drawn:
            planning.change_open_settings(event, plan)
        changes.require_status(event, ADMITTING if is_drawn else BEFORE_START)
        event.changed_at = now
        event.save(update_fields=["changed_at"])
        if not is_drawn:
            planning.apply_plan(event, plan)
            entering.fill_free_places(event, now=now)
        changes.record_ruling(event, RulingKind.EDITED, by=by, now=now, data={"changed": ["plan"]})
        changes.announce_change(event, now=now)
        return event


def archive(*, tournament_id: int, by: User, now: datetime) -> Tournament:
    """Archive an event that is over: it leaves the lists of the latest results. When it runs again, it comes back.

    :raises NotDirector, NotFinished, AlreadyDone: nothing changes.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        if Status(event.status) not in (Status.FINISHED, Status.CANCELLED):
            raise NotFinished
        if event.archived_at is not None:
            raise AlreadyDone
        event.archived_at = now
        event.save(update_fields=["archived_at"])
        changes.record_ruling(event, RulingKind.ARCHIVED, by=by, now=now)
        changes.announce_change(event, now=now)
        return event


def discard(*, tournament_id: int, by: User) -> None:
    """Delete a draft.

    :raises NotDirector: `by` does not direct at this club.
    :raises DraftOnly: it is not a draft any more.
    """
    with transaction.atomic():
        event = changes.lock_for_director(tournament_id, by)
        if event.status != Status.DRAFT:
            raise DraftOnly
        event.delete()


def publish_friendly(*, club: Club, key: str, details: Details, plan: Plan, now: datetime) -> Tournament:
    """Publish the event of an agreed friendly, without a director; the caller has opened a transaction.

    :raises BadPlan: it cannot be played like this.
    """
    event, _is_new = _get_or_create_draft(club=club, by=None, key=key, details=details, now=now, plan=plan)
    event.is_friendly = True
    event.save(update_fields=["is_friendly"])
    changes.change_status(event, Status.DRAFT, Status.PUBLISHED, now=now)
    changes.record_ruling(event, RulingKind.ANNOUNCED, by=None, now=now)
    return event


def _get_or_create_draft(
    *, club: Club, by: User | None, key: str, details: Details, now: datetime, plan: Plan | None
) -> tuple[Tournament, bool]:
    """Return the event with that key, and True if it is new and thus a draft."""
    event, is_new = Tournament.objects.get_or_create(
        key=key,
        defaults={**asdict(details), "club": club, "created_by": by, "created_at": now, "changed_at": now},
    )
    if is_new and plan is not None:
        planning.apply_plan(event, replace(plan, format_label=plan.format_label or details.format_label))
    return event, is_new


def _copy_event(
    event: Tournament, *, by: User | None, key: str, details: Details, now: datetime
) -> Tournament:
    """Create a draft with the plan, room and money of an event.

    :raises AlreadyDone: another event has the key.
    """
    plan = planning.load_plan(event, as_drawn=True)
    if plan is not None:
        plan = planning.postpone_dates(plan, event.starts_at, details.starts_at, event.club.time_zone)
    made, is_new = _get_or_create_draft(club=event.club, by=by, key=key, details=details, now=now, plan=plan)
    if not is_new:
        raise AlreadyDone
    event_repeated.send(sender=Tournament, event=made, like=event, now=now)
    return made
