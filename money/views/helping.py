"""What helpers do about an event's money: they take the fees in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from money.services import ledger
from tournaments.pages import access
from tournaments.play.changes import Helping

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament
    from tournaments.pages.helpers import HelperLine


@require_POST
@access.for_helpers
def mark_as_paid(request: HttpRequest, event: Tournament, helper: HelperLine, now: datetime) -> HttpResponse:
    """Write down that somebody has paid their fees."""
    said = request.POST.get("entrant", "")
    entrant = int(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0
    return access.attempt(
        request,
        event,
        lambda: ledger.pay(tournament_id=event.pk, entrant=entrant, by=Helping(helper.pk), now=now),
        done=_("Paid."),
        to="tournaments:helping",
    )
