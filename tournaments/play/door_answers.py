"""What becomes of who waits at the door: they are let in, wherever a director does that, or turned away. Both are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.models import Player
from players.names import fold
from players.notices import notices
from players.notices.kinds import NoticeKind, Reader
from tournaments.models import DoorAnswer, DoorRequest
from tournaments.play import changes

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament


DOOR_ANSWERED: Final = NoticeKind(
    name="door_answered",
    reader=Reader.ENTRANT,
    when=_("The desk answers your request to play in an event that has begun."),
    text={
        "in": _("You are in: %(event)s."),
        "refused": _("%(event)s: the desk could not let you in. %(said)s"),
    },
)


def give(event: Tournament, row: DoorRequest, answer: DoorAnswer, *, now: datetime, said: str = "") -> None:
    """Answer somebody who waits at a locked event."""
    row.answer, row.answered_at, row.said = answer, now, said
    row.save(update_fields=["answer", "answered_at", "said"])
    changes.hint(event, now=now)
    player = Player.objects.select_related("user").filter(key=row.player_key).exclude(key="").first()
    if player is not None and player.user is not None:
        _tell(event, row, player.user, now=now)


def came_in(event: Tournament, player: Player, *, name: str, now: datetime) -> None:
    """Answer who has been let in late without a look at the door: the player, or the first guest of that *name*."""
    waiting = DoorRequest.objects.filter(tournament=event, answer=DoorAnswer.OPEN)
    row = waiting.filter(player_key=player.key).first()
    if row is None and name:
        guests = waiting.filter(player_key="").order_by("asked_at", "pk")
        row = next((each for each in guests if fold(each.name) == fold(name)), None)
    if row is not None:
        give(event, row, DoorAnswer.IN, now=now)


def _tell(event: Tournament, row: DoorRequest, user: User, *, now: datetime) -> None:
    notices.send(
        DOOR_ANSWERED,
        user=user,
        variant="in" if row.answer == DoorAnswer.IN else "refused",
        values={"event": event.name, "said": row.said},
        url=reverse("tournaments:event", args=[event.key]),
        dedupe_key=f"event.{event.key}.door.{row.key}",
        now=now,
    )
