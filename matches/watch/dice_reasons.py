"""Why each roll of a match was made strict, sealed or weaker."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from engine.actions import Rolled
from engine.fair import Party
from engine.fair_log import Mode
from matches.journal import journal
from matches.models import Bot
from matches.state.doubling import alive_for

if TYPE_CHECKING:
    from collections.abc import Collection

    from engine.side import Side
    from matches.journal.journal import Step
    from matches.models import Match


class Reason(StrEnum):
    """Why a roll is strict, sealed or weaker (docs/dice.md)."""

    ASKED = "asked"  # strict: the opponent's share was given on request
    OPENING = "opening"  # opening roll, before any decision
    NO_DOUBLE = "no-double"  # neither side could have used knowledge of it
    CORRESPONDENCE = "correspondence"  # players are not at the board
    BOT = "bot"  # the server knows a bot's share anyway
    AHEAD = "ahead"  # a player was away, or a program deposits its shares
    SILENT = "silent"  # weaker: a player gave no secret share


def reasons(row: Match) -> dict[int, Reason]:
    """Return the reason of every roll by number."""
    found = Bot.objects.filter(player__in=(row.white_id, row.black_id)).values_list("player_id", flat=True)
    bots = {journal.side_of(row, player_id) for player_id in found}
    return {
        step.line.thrown.number: _reason(step, bots)
        for step in journal.steps(row)
        if step.line.thrown is not None
    }


def _reason(step: Step, bots: Collection[Side | None]) -> Reason:
    before, fact, thrown = step.before, step.line.fact, step.line.thrown
    if not all(before.dicing.has_chain(party) for party in (Party.A, Party.B)):
        return Reason.SILENT
    if not isinstance(fact, Rolled):
        return Reason.OPENING
    if thrown is not None and thrown.mode is Mode.STRICT:
        return Reason.ASKED
    if fact.side not in alive_for(before):
        return Reason.NO_DOUBLE
    if before.terms.is_correspondence:
        return Reason.CORRESPONDENCE
    return Reason.BOT if fact.side.other in bots else Reason.AHEAD
