"""Agreements of a director with players: players kept apart, and byes taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from django.utils.translation import gettext as _

from players.access.requests import by_post
from tournaments.desk.acts.during import PEOPLE
from tournaments.pages import access
from tournaments.play import constraints, departures, expecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament


@by_post("tournaments:roster")
@access.directs
def keep_apart(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Keep the ticked players from meeting each other."""
    user, now, said = access.signed_in(request), timezone.now(), request.POST
    return access.attempt(
        request,
        event,
        lambda: _answering(
            request,
            event,
            lambda: constraints.keep_apart(
                tournament_id=event.pk,
                members=_numbers(said.getlist("entry")),
                hard=said.get("hard") != "no",
                reason=said.get("reason", ""),
                by=user,
                now=now,
            ),
        ),
        done=_("They are kept apart from the next pairing on."),
        to="tournaments:roster",
    )


@by_post("tournaments:roster")
@access.directs
def release(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Remove a rule that keeps players apart."""
    user, now = access.signed_in(request), timezone.now()
    members = _numbers(request.POST.get("members", "").split(","))
    return access.attempt(
        request,
        event,
        lambda: _answering(
            request,
            event,
            lambda: constraints.release(tournament_id=event.pk, members=members, by=user, now=now),
        ),
        done=_("They may be paired again."),
        to="tournaments:roster",
    )


@by_post("tournaments:roster")
@access.directs
def unask_bye(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Cancel an agreed bye."""
    user, now = access.signed_in(request), timezone.now()
    entry, number = (next(iter(_numbers([request.POST.get(name, "")])), 0) for name in ("entry", "round"))
    return access.attempt(
        request,
        event,
        lambda: _answering(
            request,
            event,
            lambda: departures.unask_bye(tournament_id=event.pk, entry=entry, round=number, by=user, now=now),
        ),
        done=_("Taken back: they play this round after all."),
        to="tournaments:roster",
    )


def _answering(request: HttpRequest, event: Tournament, act: Callable[[], object]) -> object:
    """Run an act on players, if each number still belongs to the player shown."""
    return access.answering(request, event, act, needs=PEOPLE, about=expecting.About())


def _numbers(said: Iterable[str]) -> list[int]:
    return [int(one) for one in said if one.isascii() and one.isdigit() and len(one) < 6]
