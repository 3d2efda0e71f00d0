"""The first event of a new club: announce it, enter the players and preview its draw in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from tournaments.models import Draw, Entry
from tournaments.plan import drawing, setup
from tournaments.play import entering, pasting

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from players.models import Club, User
    from tournaments.base.pasted_lists import PastedLine
    from tournaments.hooks import WantedRoom
    from tournaments.models import Tournament
    from tournaments.plan.templates import Plan

FEWEST = 2


def begin_first_event(
    *,
    club: Club,
    by: User,
    key: str,
    details: setup.Details,
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
        event = setup.announce(
            club=club, by=by, key=key, details=details, now=now, plan=plan, like=like, room=room
        )
        if Draw.objects.filter(stage__tournament=event).exists():
            return event
        if lines:
            pasting.enter_list(tournament_id=event.pk, lines=lines, by=by, now=now)
            entries = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True, waits=False)
            numbers = list(entries.values_list("number", flat=True))
            entering.check_in_entries(tournament_id=event.pk, entries=numbers, by=by, now=now)
            if len(numbers) >= FEWEST:
                drawing.preview(tournament_id=event.pk, by=by, now=now)
        event.refresh_from_db()
        return event
