"""The clock of a match: what the network and we ourselves took, and flags that fall."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.actions import Flagged, TimeCredited
from matches import journal, lag
from matches.facts import Excused
from runtime import nodes

if TYPE_CHECKING:
    from engine.side import Side
    from matches.services.lifecycle import Draft

LONGEST_SILENCE_MS = round(nodes.LONGEST_SILENCE.total_seconds() * 1000)


def excuse(draft: Draft) -> None:
    """Take what nobody could use, since we were out of reach, out of the running turn."""
    clock = draft.sitting.clock
    if clock is None or clock.since is None:
        return
    # So short a turn has seen no outage; where a flag is about to fall, we look all the same.
    if draft.at - clock.since <= LONGEST_SILENCE_MS and not draft.sitting.is_flagged(draft.at):
        return
    start = max(clock.since, draft.sitting.excused)
    lost = nodes.outage_overlap(start=journal.moment(start), end=journal.moment(draft.at))
    if milliseconds := round(lost.total_seconds() * 1000):
        draft.write(Excused(milliseconds), by="server")


def forgiven(draft: Draft, side: Side, *, thought: int | None, trusted: int | None) -> int:
    """Return what the network took of the turn that *side* ends now, as far as we believe it."""
    clock = draft.sitting.clock
    if clock is None or clock.since is None or clock.turn is not side or thought is None:
        return 0
    claimed = draft.at - clock.since - thought
    return lag.allowed(draft.sitting.quota[side], claimed=claimed, trusted=trusted)


def flag(draft: Draft, *, lag: int = 0, mover: Side | None = None) -> bool:
    """Let the flag fall if the time is over; say whether it did.

    Whoever's clock runs is judged by the moment their own command came in; everybody else waits a little
    longer for it.
    """
    clock = draft.sitting.clock
    if clock is None or clock.turn is None:
        return False
    runner = clock.turn
    given = lag if mover is runner else _grace(draft, runner)
    if not draft.sitting.is_flagged(draft.at, given):
        return False
    rule = draft.sitting.terms.flag
    draft.write(Flagged(runner, rule.points), by="server")
    if rule.points is not None and not draft.sitting.match.is_over:
        draft.write(TimeCredited(runner, rule.credit, "flag"), by="server")
    return True


def _grace(draft: Draft, runner: Side) -> int:
    return lag.grace(draft.sitting.quota[runner])
