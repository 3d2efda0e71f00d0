"""Notices to the two players of a match about its appointment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from players.notices.kinds import NoticeKind, Reader
from tournaments.base import local_times
from tournaments.play import changes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from tournaments.models import Appointment, Entry, Tournament

PROPOSED: Final = NoticeKind(
    name="appointment_proposed",
    reader=Reader.ENTRANT,
    when=_("Your opponent proposes times for your match."),
    text=_("%(opponent)s proposes times for your match in %(event)s: %(what)s"),
)
ACCEPTED: Final = NoticeKind(
    name="appointment_accepted",
    reader=Reader.ENTRANT,
    when=_("Your opponent accepts one of the times you proposed."),
    text=_("%(opponent)s accepts: you play your match in %(event)s on %(what)s."),
)
DECLINED: Final = NoticeKind(
    name="appointment_declined",
    reader=Reader.ENTRANT,
    when=_("Your opponent declines the times you proposed."),
    text=_("%(opponent)s cannot play your match in %(event)s at the times you proposed. %(what)s"),
)
CANCELLED: Final = NoticeKind(
    name="appointment_cancelled",
    reader=Reader.ENTRANT,
    when=_("Your opponent calls off the agreed time."),
    text=_("%(opponent)s has called off the time for your match in %(event)s. %(what)s"),
)
NEAR: Final = NoticeKind(
    name="appointment_near",
    reader=Reader.ENTRANT,
    when=_("Your appointment for a match is a day or two hours away."),
    text=_("You play against %(opponent)s in %(event)s on %(what)s."),
)


def send_notice(
    kind: NoticeKind,
    one: Appointment,
    reader: Entry,
    other: Entry,
    what: str | list[datetime],
    *,
    now: datetime,
    once: str = "",
) -> None:
    """Notify one player about an appointment; *what* is the opponent's text, or times.

    Sent once for each status of the appointment, or once for each value of *once*.
    """
    event, opponent = one.pairing.tournament, other.player.public_name
    said = what if isinstance(what, str) else lazy(_format_times, str)(event, what)
    once = f"appointment.{one.pk}.{once or one.status}"
    changes.notify_player(kind, reader.player, event, opponent=opponent, what=said, once=once, now=now)


def _format_times(event: Tournament, moments: Sequence[datetime]) -> str:
    return "; ".join(local_times.format_zoned_moment(each, event.club.time_zone) for each in moments)
