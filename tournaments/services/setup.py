"""Events before they begin: drafted, announced, changed, repeated, thrown away."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q

from tournaments import hours
from tournaments.errors import AlreadyDone, DraftOnly, TooFewPlaces
from tournaments.models import Act, Tournament
from tournaments.services import changes, progress
from tournaments.status import ADMITTING, Status

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Club, User

# So long after an event was made, the same form again means that very event.
MOMENT: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What an announcement says."""

    name: str
    starts_at: datetime
    place: str = ""
    about: str = ""
    format_label: str = ""
    match_length: int = 5
    capacity: int | None = None


def details(event: Tournament) -> Details:
    """Return what an event's announcement says now."""
    return Details(**{field.name: getattr(event, field.name) for field in fields(Details)})


def find_made(*, club: Club, by: User, key: str, details: Details, now: datetime) -> Tournament | None:
    """Return what this person has made of the same form before: by its key, or a moment ago by name and start."""
    mine = Tournament.objects.filter(club=club, created_by=by)
    twin = Q(name=details.name, starts_at=details.starts_at, created_at__gte=now - MOMENT)
    return mine.filter(Q(key=key) | twin & ~Q(status=Status.CANCELLED)).order_by("-created_at").first()


def draft(*, club: Club, by: User, key: str, details: Details, now: datetime) -> Tournament:
    """Make an event that only directors see.

    The caller chooses the key (`players.keys.new_key`), so that a form sent twice makes one event.

    :raises NotDirector: `by` does not direct at this club.
    :raises AlreadyDone: the key is somebody else's event.
    """
    with transaction.atomic():
        changes.require_director(club, by)
        values = {field.name: getattr(details, field.name) for field in fields(Details)}
        event, is_new = Tournament.objects.get_or_create(
            key=key,
            defaults={**values, "club": club, "created_by": by, "created_at": now, "changed_at": now},
        )
        if not is_new and (event.club_id, event.created_by_id) != (club.pk, by.pk):
            raise AlreadyDone
        return event


def announce(*, club: Club, by: User, key: str, details: Details, now: datetime) -> Tournament:
    """Make an event and let everyone see it.

    :raises NotDirector: `by` does not direct at this club.
    """
    with transaction.atomic():
        event = draft(club=club, by=by, key=key, details=details, now=now)
        if event.status == Status.DRAFT:
            event = publish(tournament_id=event.pk, by=by, now=now)
        return event


def publish(*, tournament_id: int, by: User, now: datetime) -> Tournament:
    """Let everyone see a draft; members may enter from now on.

    :raises NotDirector: `by` does not direct at this club.
    :raises AlreadyDone: it is announced.
    :raises WrongStatus: it is further on.
    """
    with transaction.atomic():
        event = changes.direct(tournament_id, by)
        changes.move(event, Status.DRAFT, Status.PUBLISHED, now=now)
        changes.rule(event, Act.ANNOUNCED, by=by, now=now)
        changes.hint(event, now=now)
        return event


def edit(*, tournament_id: int, by: User, details: Details, now: datetime) -> Tournament:
    """Change what the announcement says.

    :raises NotDirector: `by` does not direct at this club.
    :raises WrongStatus: it is over.
    :raises TooFewPlaces: more have entered than the new limit allows.
    """
    with transaction.atomic():
        event = changes.direct(tournament_id, by)
        if Status(event.status) not in ADMITTING:
            raise changes.refuse(event)
        if details.capacity is not None and (entered := progress.entered(event)) > details.capacity:
            raise TooFewPlaces(entered=entered)
        changed = _differences(event, details)
        if not changed:
            return event
        event.changed_at = now
        for name in changed:
            setattr(event, name, getattr(details, name))
        event.save(update_fields=[*changed, "changed_at"])
        changes.rule(event, Act.EDITED, by=by, now=now, data={"changed": changed})
        changes.hint(event, now=now)
        return event


def clone(*, tournament_id: int, by: User, key: str, now: datetime) -> Tournament:
    """Draft the same again: same weekday, same hour on the club's wall, the next week still ahead.

    :raises NotDirector: `by` does not direct at this club.
    """
    with transaction.atomic():
        event = changes.direct(tournament_id, by)
        again = replace(
            details(event), starts_at=hours.next_week(event.starts_at, event.club.time_zone, now=now)
        )
        made = find_made(club=event.club, by=by, key=key, details=again, now=now)
        return made or draft(club=event.club, by=by, key=key, details=again, now=now)


def discard(*, tournament_id: int, by: User) -> None:
    """Throw a draft away.

    :raises NotDirector: `by` does not direct at this club.
    :raises DraftOnly: people have been told of it.
    """
    with transaction.atomic():
        event = changes.direct(tournament_id, by)
        if event.status != Status.DRAFT:
            raise DraftOnly
        event.delete()


def _differences(event: Tournament, wanted: Details) -> list[str]:
    return [
        field.name for field in fields(Details) if getattr(event, field.name) != getattr(wanted, field.name)
    ]
