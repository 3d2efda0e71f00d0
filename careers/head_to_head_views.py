"""A player's record, and two players against each other: to look at for everyone who may look them up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from careers import head_to_head as pairs
from careers import record as records
from players.requests import page_of
from players.selectors import people
from tournaments.models import Pairing

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament


@require_safe
def head_to_head(request: HttpRequest, key: str, other: str) -> HttpResponse:
    """Show every match of two players against each other."""
    one, two = people.get_player(key=key), people.get_player(key=other)
    if (one.key, two.key) != (key, other):
        return redirect("careers:head_to_head", key=one.key, other=two.key)
    shown = pairs.of(one, two, request.user, number=page_of(request))
    if shown is None:
        raise Http404
    is_hidden = one.hidden_from_search or two.hidden_from_search
    values = {"shown": shown, "page": shown.page, "is_hidden": is_hidden}
    return render(request, "careers/head_to_head.html", values)


@require_safe
def record(request: HttpRequest, key: str) -> HttpResponse:
    """Show all that a player has played, counted in all the ways one asks."""
    player = people.get_player(key=key)
    if player.key != key:
        return redirect("careers:record", key=player.key)
    shown = records.of(player, request.user)
    if shown is None:
        raise Http404
    values = {"record": shown, "is_hidden": player.hidden_from_search}
    return render(request, "careers/record.html", values)


def part_of_match(request: HttpRequest, event: Tournament, key: str) -> pairs.Link | None:
    """Return how it went so far between the two of a match, on its page."""
    return _link(request, Pairing.objects.filter(tournament=event, key=key))


def part_of_board(request: HttpRequest, key: str) -> pairs.Link | None:
    """Return the same on the page of a match that is played here, if it is one of an event."""
    return _link(request, Pairing.objects.filter(match__key=key))


def _link(request: HttpRequest, rows: QuerySet[Pairing]) -> pairs.Link | None:
    row = rows.select_related("a__player", "b__player").first()
    if row is None or row.a is None or row.b is None:
        return None
    return pairs.link(row.a.player, row.b.player, request.user)
