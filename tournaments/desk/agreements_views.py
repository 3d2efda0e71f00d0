"""Agreements of a director with players: players kept apart, and byes taken back."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from players.access.requests import parse_number, parse_numbers, require_post_or_redirect
from tournaments.base import expectations
from tournaments.desk import roster_views
from tournaments.desk.acts.event_acts import PEOPLE
from tournaments.models import Tournament
from tournaments.pages import access
from tournaments.play import constraints, departures


@require_post_or_redirect("tournaments:roster")
@access.require_director
def keep_apart(request: HttpRequest, event: Tournament) -> HttpResponse:
    said = request.POST

    def show_again(status: int) -> HttpResponse:
        before = (expectations.parse_state(said.get("expects", ""), PEOPLE) or {}).get("people", {})
        people = expectations.map_entry_players(event)
        # A number that belongs to another player by now is not ticked.
        same = [number for number, player in people.items() if before.get(number) == player]
        ticked = {*parse_numbers(same)} & {*parse_numbers(said.getlist("entry"))}
        apart = {"members": ticked, "hard": said.get("hard"), "reason": said.get("reason", "")}
        return roster_views.show_roster(request, event, {"apart": apart}, status=status)

    return access.run_service(
        request,
        event,
        constraints.keep_apart,
        done=_("They are kept apart from the next pairing on."),
        to="tournaments:roster",
        show_again=show_again,
        needs=PEOPLE,
        members=parse_numbers(said.getlist("entry")),
        hard=said.get("hard") != "no",
        reason=said.get("reason", ""),
    )


@require_post_or_redirect("tournaments:roster")
@access.require_director
def release(request: HttpRequest, event: Tournament) -> HttpResponse:
    return access.run_service(
        request,
        event,
        constraints.stop_keeping_apart,
        done=_("They may be paired again."),
        to="tournaments:roster",
        needs=PEOPLE,
        members=parse_numbers(request.POST.get("members", "").split(",")),
    )


@require_post_or_redirect("tournaments:roster")
@access.require_director
def unask_bye(request: HttpRequest, event: Tournament) -> HttpResponse:
    entry, number = (parse_number(request.POST.get(name, "")) or 0 for name in ("entry", "round"))
    return access.run_service(
        request,
        event,
        departures.cancel_bye,
        done=_("Taken back: they play this round after all."),
        to="tournaments:roster",
        needs=PEOPLE,
        entry=entry,
        round=number,
    )
