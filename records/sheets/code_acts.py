"""Acts with the code of a match: choose a player, then report, confirm or dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from records.models import Holder
from tournaments.play import changes, claims, results

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from players.models import User
    from records.sheets.coded_matches import OpenedMatch
    from tournaments.models import Report, Tournament
    from tournaments.play.code_holders import CodeHolder

CONFIRM: Final = "confirm"
DISPUTE: Final = "dispute"


def choose_player(*, event: Tournament, match: str, who: CodeHolder, now: datetime) -> Holder:
    """Store the player of this device; the last choice counts.

    :raises CodeExpired, SeatsMoved, NotYourMatch: the code does not allow this.
    :raises ResultStands, NotOpen, WrongStatus, Paused: the match is not being played.
    """
    with transaction.atomic():
        event = changes.lock_event(event.pk)
        row = results.get_match(event, match)
        entry = who.side(row, now=now)
        changes.require_running(event)
        claims.require_open(row)
        said, _is_new = Holder.objects.update_or_create(
            pairing=row, device=who.device, defaults={"entry": entry, "at": now}
        )
        return said


def answer_report(
    *,
    held: OpenedMatch,
    do: str,
    who: User | CodeHolder,
    claim: Mapping[str, Any],
    device: str,
    now: datetime,
) -> Report | None:
    """Confirm or dispute the opponent's report, or report a score or winner from this device.

    Return the current report; None after a confirmation.

    :raises TournamentError: see `tournaments.play.results`.
    """
    about: dict[str, Any] = {"tournament_id": held.event.pk, "key": held.row.key, "user": who, "now": now}
    if do == CONFIRM:
        results.confirm_report(**about, **claim)
        return None
    if do == DISPUTE:
        return results.dispute_report(**about, **claim)
    return results.report_result(**about, **claim, device=device)
