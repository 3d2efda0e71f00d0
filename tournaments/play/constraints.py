"""Who is not to be paired with whom, as the director says: never, or only if it is unavoidable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from tournaments.base.errors import AlreadyDone, NotApart, TooFewApart, TooManyApart
from tournaments.models import RulingKind, Tournament
from tournaments.play import changes, progress, running_event
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from players.models import User
    from tournaments.models import Ruling

FEW: Final = 2
MOST_APART: Final = 100
OPEN: Final = (Status.DRAFT, Status.PUBLISHED, Status.RUNNING)


def keep_apart(
    *,
    tournament_id: int,
    members: Collection[int],
    by: User,
    now: datetime,
    hard: bool = True,
    reason: str = "",
) -> Ruling:
    """Keep entries from meeting each other, before the event or in the middle of it; rounds that are made stand.

    To say it again of the same ones changes how strictly, and why.

    :raises NotDirector, WrongStatus, NoStages, UnknownEntrant: nothing changes.
    :raises TooFewApart, TooManyApart: it takes two, and there is an end.
    :raises AlreadyDone: they are kept apart just so.
    """
    with transaction.atomic():
        event = _open(tournament_id, by)
        numbers = sorted(set(members))
        if len(numbers) < FEW:
            raise TooFewApart
        for number in numbers:
            running_event.entry_of(event, number)
        why = reason.strip()[:300]
        said = {"members": numbers, "hard": hard, "why": why}
        if said in event.apart:
            raise AlreadyDone
        kept = [one for one in event.apart if one["members"] != numbers]
        if len(kept) >= MOST_APART:
            raise TooManyApart(most=MOST_APART)
        return _write(event, [*kept, said], RulingKind.KEPT_APART, said, by=by, now=now, reason=why)


def release(
    *, tournament_id: int, members: Collection[int], by: User, now: datetime, reason: str = ""
) -> Ruling:
    """Let entries meet again that were kept apart.

    :raises NotDirector, WrongStatus, NoStages: nothing changes.
    :raises NotApart: these are not kept apart.
    """
    with transaction.atomic():
        event = _open(tournament_id, by)
        numbers = sorted(set(members))
        kept = [one for one in event.apart if sorted(one["members"]) != numbers]
        if len(kept) == len(event.apart):
            raise NotApart
        return _write(
            event,
            kept,
            RulingKind.RELEASED,
            {"members": numbers},
            by=by,
            now=now,
            reason=reason.strip()[:300],
        )


def _open(tournament_id: int, by: User) -> Tournament:
    event = changes.direct(tournament_id, by)
    if event.status not in OPEN:
        raise changes.refuse(event)
    changes.require_stages(event, there=True)
    return event


def _write(
    event: Tournament,
    apart: list[dict[str, Any]],
    act: RulingKind,
    said: dict[str, Any],
    *,
    by: User,
    now: datetime,
    reason: str,
) -> Ruling:
    """Note it and pair anew what is only drafted.

    The ruling keeps no rows to go back to: what takes it back is the other of the two acts.
    """
    event.apart = apart
    event.save(update_fields=["apart"])
    if event.status == Status.RUNNING:
        progress.advance(event, now=now)
    ruling = changes.rule(event, act, by=by, now=now, reason=reason, data=said)
    changes.hint(event, now=now)
    return ruling
