"""What a club's own programs are told of an event besides "it has changed": where to look, not what is there (ADR 28).

A change says itself what it did: what it decided, called or ended has its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from players.clubs import webhooks
from tournaments.models import Pairing, Stand
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models import Tournament

CALLED: Final = "match.called"
ENTERED: Final = "result.entered"
FINISHED: Final = "event.finished"


def tell(event: Tournament, *, now: datetime) -> None:
    """Tell what the change of this moment has called, decided and ended, in its transaction."""
    rows = Pairing.objects.filter(tournament=event).order_by("pk")
    for key in rows.filter(called_at=now, state=Stand.READY).values_list("key", flat=True):
        _tell(event, CALLED, key, now=now)
    for key in rows.filter(decided_at=now, state=Stand.DECIDED).values_list("key", flat=True):
        _tell(event, ENTERED, key, now=now)
    if event.status == Status.FINISHED and event.finished_at == now:
        _tell(event, FINISHED, now=now)


def corrected(event: Tournament, match: str, *, now: datetime) -> None:
    """Tell that a result is another: it keeps the time at which the match was decided."""
    _tell(event, ENTERED, match, now=now)


def _tell(event: Tournament, what: str, match: str = "", *, now: datetime) -> None:
    about = {"event": event.key, **({"match": match} if match else {}), "version": event.version}
    once = f"{what}:{event.key}:{match}:{now.isoformat()}"
    webhooks.tell(club_id=event.club_id, what=what, about=about, once=once, now=now)
