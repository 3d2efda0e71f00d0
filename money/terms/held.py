"""An event's money under the event's lock, for every change."""

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
    """Lock an event and return its money, for a director.

    :raises NotDirector: `by` is not a director of this club.

    :raises NoMoney: the event is played without money.
    """
    return _of(changes.direct(tournament_id, by))


def taken_in_for(tournament_id: int, by: User | Helping, *, now: datetime) -> EventMoney:
    """Lock an event and return its money, for a director or helper, as helpers record fees.

    :raises NotDirector, NotHelper: `by` is neither.

    :raises NoMoney: the event is played without money.
    """
    return _of(changes.assist(tournament_id, by, now=now))


def _of(event: Tournament) -> EventMoney:
    money = EventMoney.objects.filter(event=event).first()
    if money is None:
        raise NoMoney
    # The locked instance instead of a second copy.
    money.event = event
    return money


def require_before_start(event: Tournament) -> None:
    """Require that the event has not begun (R57).

    :raises TermsFixed: it has.
    """
    if Status(event.status) not in BEFORE_START:
        raise TermsFixed
