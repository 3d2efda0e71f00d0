"""An event's money under the event's lock: what every change goes through."""

from __future__ import annotations

from typing import TYPE_CHECKING

from money.errors import NoMoney, TermsFixed
from money.models import EventMoney
from tournaments.play import changes
from tournaments.status import BEFORE_START, Status

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament
    from tournaments.play.changes import Helping


def money_of(tournament_id: int, by: User) -> EventMoney:
    """Return an event's money, held, for one of its directors.

    :raises NotDirector: `by` does not direct at this club.
    :raises NoMoney: the event is played without.
    """
    return _of(changes.direct(tournament_id, by))


def taken_in_for(tournament_id: int, by: User | Helping, *, now: datetime) -> EventMoney:
    """Return the same for one of the event's directors or helpers: fees are taken in at the door.

    :raises NotDirector, NotHelper: `by` is neither.
    :raises NoMoney: the event is played without.
    """
    return _of(changes.assist(tournament_id, by, now=now))


def _of(event: Tournament) -> EventMoney:
    money = EventMoney.objects.filter(event=event).first()
    if money is None:
        raise NoMoney
    # The row that is held, not another copy of it.
    money.event = event
    return money


def require_before_start(event: Tournament) -> None:
    """Let events pass that have not begun (R57).

    :raises TermsFixed: it has.
    """
    if Status(event.status) not in BEFORE_START:
        raise TermsFixed
