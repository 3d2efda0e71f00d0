"""Takebacks by a player, only in unrated practice against a bot."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from engine.actions import Played, TakenBack
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Match
from matches.play import automatic_facts
from matches.state import reasons
from matches.state.errors import NotAPlayer, Refused
from players.models import Player


@transaction.atomic
def take_back(*, match_id: int, player: Player, line: int, now: datetime) -> Match:
    """Take back the play in this journal line and everything after it; the roll stays the same.

    :raises NotAPlayer: it is not this player's match.
    :raises Refused: the match is not practice or is over, or the line is not a play of this player.
    """
    row = journal.lock(match_id)
    side = journal.find_side(row, player.pk)
    if side is None:
        raise NotAPlayer
    if not row.is_practice:
        raise Refused(_("You can take back a play only in practice against a bot."), code="no-practice")
    draft = Draft.load(row, now=now, with_past=True)
    if draft.state.match.is_over:
        raise Refused(_("The match is over."), code="play-after-end")
    steps = [step for step in journal.iterate_steps(row, upto=line) if step.line.seq == line]
    played = steps[0].line.fact if steps else None
    if not isinstance(played, Played) or played.side is not side:
        raise Refused(_("You can take back only your own plays."), code="nothing-to-take-back")
    fact = TakenBack(steps[0].before.match.facts, reasons.build_reason(reasons.OWN_PLAY, side))
    draft.write(fact, by=side)
    automatic_facts.write_automatic_facts(draft)
    record(draft)
    return row
