"""A drafted round, reviewed and changed before it is published.

The exchanges are stored only on publication: until then the form contains them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.requests import parse_numbers
from players.errors import PlayersError
from tournaments.base import seating
from tournaments.base.errors import AlreadyDone, ChangedMeanwhile, TournamentError
from tournaments.base.seating import Exchange
from tournaments.desk import drafted_rounds
from tournaments.models import Round, RoundStatus, Tournament
from tournaments.pages import access, event_page
from tournaments.play import event_control, optimistic_locking
from tournaments.status import Status

PAIR: Final = re.compile(r"(\d{1,5})-(\d{1,5})", re.ASCII)
TWO: Final = 2
# The limit on exchanges in a request, enough for any change by hand.
MOST: Final = 200


@access.require_director("GET", "POST")
def drafted_round(request: HttpRequest, event: Tournament, stage: int, number: int) -> HttpResponse:
    """Show a drafted round; exchange two entries, undo an exchange, or publish it."""
    rounds = Round.objects.filter(stage__tournament=event).select_related("stage")
    found = get_object_or_404(rounds, stage__number=stage, number=number)
    if found.status != RoundStatus.DRAFT or event.status != Status.RUNNING:
        messages.info(request, str(AlreadyDone()))
        return redirect("tournaments:desk", key=event.key)
    if request.method != "POST":
        return _show_round(request, event, found, ())
    if request.POST.get("mark") != seating.hash_seats(seating.load_seats(found)):
        return _show_changed_round(request, event, found)
    if "publish" in request.POST:
        return _publish_round(request, event, found)
    return _change_exchanges(request, event, found)


def _change_exchanges(request: HttpRequest, event: Tournament, batch: Round) -> HttpResponse:
    exchanges = _parse_exchanges(request, batch)
    ticked = parse_numbers(request.POST.getlist("entry"))
    taken_back = request.POST.get("undo", "")
    if taken_back:
        after = [two for at, two in enumerate(exchanges) if str(at) != taken_back]
    elif len(ticked) == TWO:
        after = [*exchanges, (ticked[0], ticked[1])]
    else:
        wrong = {"exchange_error": _("Tick exactly two players."), "ticked": ticked}
        return _show_round(request, event, batch, exchanges, wrong, status=422)
    try:
        return _show_round(request, event, batch, after)
    except TournamentError as refusal:
        sentence = _("Later exchanges depend on this one: take those back first.")
        wrong = {"exchange_error": sentence if taken_back else str(refusal), "ticked": ticked}
        return _show_round(request, event, batch, exchanges, wrong, status=422)


def _publish_round(request: HttpRequest, event: Tournament, batch: Round) -> HttpResponse:
    exchanges = _parse_exchanges(request, batch)
    form = event_page.build_reason_form("round", request.POST)
    if exchanges and not form.is_valid():
        return _show_round(request, event, batch, exchanges, {"reason_form": form}, status=422)
    try:
        by, now = access.require_user(request), timezone.now()
        optimistic_locking.run_if_unchanged(
            lambda: event_control.publish_round(
                tournament_id=event.pk,
                stage=batch.stage.number,
                number=batch.number,
                by=by,
                now=now,
                exchanges=exchanges,
                reason=form.cleaned_data["reason"] if exchanges else "",
            ),
            tournament_id=event.pk,
            about=optimistic_locking.ActTarget(stage=batch.stage.number, round=batch.number),
            expects={"round": request.POST["mark"]},
            by=by,
        )
    except AlreadyDone as refusal:
        messages.info(request, str(refusal), extra_tags=refusal.code)
    except ChangedMeanwhile:
        return _show_changed_round(request, event, batch)
    except (TournamentError, PlayersError) as refusal:
        wrong = {"refusal": str(refusal), "refusal_code": refusal.code, "reason_form": form}
        return _show_round(request, event, batch, exchanges, wrong, status=422)
    else:
        messages.success(request, _("The round is published: players see where to go."))
    return redirect("tournaments:desk", key=event.key)


def _show_changed_round(request: HttpRequest, event: Tournament, batch: Round) -> HttpResponse:
    """Show the changed draft, without the exchanges, which applied to the old one."""
    sentence = _(
        "A player has joined or left, or a result has changed, so the round was paired again. "
        "This is the new pairing, without your exchanges."
    )
    return _show_round(request, event, batch, (), {"refusal": sentence}, status=409)


def _show_round(
    request: HttpRequest,
    event: Tournament,
    batch: Round,
    exchanges: Sequence[Exchange],
    extra: dict[str, Any] | None = None,
    status: int = 200,
) -> HttpResponse:
    values = {
        "event": event,
        "round": drafted_rounds.load_drafted_round(event, batch, exchanges),
        "reason_form": event_page.build_reason_form("round"),
        "tab": "desk",
        **(extra or {}),
    }
    return render(request, "tournaments/drafted_round.html", values, status=status)


def _parse_exchanges(request: HttpRequest, batch: Round) -> list[Exchange]:
    """Return the exchanges sent with the form; empty if they are invalid."""
    matches = (PAIR.fullmatch(pair) for pair in request.POST.getlist("exchange")[:MOST])
    found = [(int(one[1]), int(one[2])) for one in matches if one]
    try:
        seating.exchange_seats(seating.load_seats(batch), found)
    except TournamentError:
        return []
    return found
