"""Why each roll of a match was made the way it was: asked for at the board, or with a share left beforehand."""

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

    ASKED = "asked"  # strict: the other share came when it was asked for
    OPENING = "opening"  # both throw, and nobody has anything to decide before
    NO_DOUBLE = "no-double"  # nobody could have made use of knowing it
    CORRESPONDENCE = "correspondence"  # nobody is expected at the board
    BOT = "bot"  # the share of a bot of ours lies with us anyway
    AHEAD = "ahead"  # one of the two was away, or a program leaves its shares
    SILENT = "silent"  # weaker: somebody gave no secret share


def reasons(row: Match) -> dict[int, Reason]:
    """Return the reason of every roll, by its number."""
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
