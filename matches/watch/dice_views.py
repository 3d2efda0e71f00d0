"""The page that verifies the rolls of a match in the browser, and the reason of each roll's mode."""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine.actions import Rolled
from engine.fair import Party
from engine.fair_log import ShareMode
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import Step
from matches.models import Bot, Match
from matches.play.play_views import load_view
from matches.state.status import ENDED


class Reason(StrEnum):
    """The reason why a roll is strict, sealed or weaker (docs/dice.md)."""

    ASKED = "asked"  # strict: the opponent's share was given on request
    OPENING = "opening"  # opening roll, before any decision
    NO_DOUBLE = "no-double"  # neither side could have used knowledge of it
    CORRESPONDENCE = "correspondence"  # players are not at the board
    BOT = "bot"  # the server knows a bot's share anyway
    AHEAD = "ahead"  # a player was away, or a program deposits its shares
    SILENT = "silent"  # weaker: a player gave no secret share


def load_reasons(row: Match) -> dict[int, Reason]:
    found = Bot.objects.filter(player__in=(row.white_id, row.black_id)).values_list("player_id", flat=True)
    bots = {journal.find_side(row, player_id) for player_id in found}
    return {
        step.line.thrown.number: _find_reason(step, bots)
        for step in journal.iterate_steps(row)
        if step.line.thrown is not None
    }


def _find_reason(step: Step, bots: Collection[Side | None]) -> Reason:
    before, fact, thrown = step.before, step.line.fact, step.line.thrown
    if not all(before.dicing.has_chain(party) for party in (Party.A, Party.B)):
        return Reason.SILENT
    if not isinstance(fact, Rolled):
        return Reason.OPENING
    if thrown is not None and thrown.mode is ShareMode.STRICT:
        return Reason.ASKED
    if fact.side not in before.doublers:
        return Reason.NO_DOUBLE
    if before.terms.is_correspondence:
        return Reason.CORRESPONDENCE
    return Reason.BOT if fact.side.other in bots else Reason.AHEAD


@require_safe
@never_cache
def dice(request: HttpRequest, key: str) -> HttpResponse:
    """Show how the dice were made; the browser verifies them."""
    row = load_view(request, key).row
    is_over = row.status in ENDED
    data = {
        "match": row.key,
        "url": reverse("api:match-dice", args=[row.key]) if is_over else None,
        "names": {"A": row.white.public_name, "B": row.black.public_name},
        "reasons": load_reasons(row) if is_over else {},
    }
    values = {"row_key": row.key, "names": data["names"], "is_over": is_over, "dice_data": data}
    return render(request, "matches/dice.html", values)
