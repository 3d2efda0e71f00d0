"""Read access to the streams of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from players.access import listeners
from players.access.permissions import DIRECTORS
from players.models import Membership, User
from tournaments.models import Tournament
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from runtime.stream.rights import Wish

FAMILY: Final = "event"


def may_read(wishes: Sequence[Wish]) -> Iterator[Wish]:
    """Yield the wishes that are granted: published events to everybody, drafts and rehearsals to their
    directors.
    """
    rows = Tournament.objects.filter(key__in={wish.key for wish in wishes})
    drafts: dict[str, int | None] = {
        key: rehearsed or (club_id if status == Status.DRAFT else None)
        for key, club_id, rehearsed, status in rows.values_list("key", "club_id", "club__rehearses", "status")
    }
    for wish in wishes:
        if wish.key in drafts and ((club := drafts[wish.key]) is None or _directs(wish.person, club)):
            yield wish


def _directs(user: object, club_id: int) -> bool:
    if not isinstance(user, User):
        return False
    ours = Membership.objects.filter(player__user=user, club=club_id, role__in=DIRECTORS)
    return user.is_superuser or ours.exists()


def recheck_readers(event: Tournament) -> None:
    """Check the read access of all open streams of an event again after the commit."""
    listeners.recheck_readers([f"{FAMILY}.{event.key}"])
