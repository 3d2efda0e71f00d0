"""Deadlines: flags, and abandoned matches.

One indexed query each second finds candidates. Each match is then recomputed by the server's clock with
outages excluded. The result is recorded only if the match, once locked, still has the same head: a move that
came first wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet

from engine.actions import VoidedMatch
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Absence, Match
from matches.play import automatic_facts, clocks
from matches.play.clocks import Silences
from matches.state import reasons
from matches.state.match_state import BOTH
from matches.state.status import Status
from matches.state.terms import CORRESPONDENCE
from runtime import nodes
from runtime.models import Pulse
from runtime.work import failures

# Limit of a sweep; the next one is a second away.
MOST: Final = 2_000
# Longer limits are correspondence play.
SAME_DAY: Final = timedelta(milliseconds=CORRESPONDENCE)
BATCH: Final = 100


def list_due(*, now: Any) -> QuerySet[Match]:
    return Match.objects.filter(deadline_at__lte=now).order_by("deadline_at")


def query_upcoming(at: Any) -> Iterator[QuerySet[Match]]:
    """Query the matches with a deadline within `SAME_DAY`: real-time clocks have none further away."""
    yield list_due(now=at + SAME_DAY)


def sweep(now: datetime) -> int:
    """Settle matches past their deadline; return the number of matches changed."""
    found = list(list_due(now=now).values_list("pk", "deadline_at")[:MOST])
    if not found:
        return 0
    pulse = Pulse.objects.filter(role="web").first()
    if pulse is not None and now > pulse.until:
        return 0  # The server is unreachable now; its outage will be excluded first.
    # Require a heartbeat after the deadline, as evidence that the server was reachable then.
    ripe = [pk for pk, deadline in found if pulse is None or (deadline and deadline <= pulse.seen_at)]
    batches = (ripe[first : first + BATCH] for first in range(0, len(ripe), BATCH))
    return sum(_settle_batch(batch, now=now) for batch in batches)


def _settle_batch(batch: Sequence[int], *, now: datetime) -> int:
    rows = list(list_due(now=now).filter(pk__in=batch))
    if not rows:
        return 0
    silences = nodes.list_outages(min(row.created_at for row in rows), now)
    gone = set(Absence.objects.filter(match__in=rows).values_list("match_id", flat=True))
    return failures.process_each(
        "matches.deadlines",
        rows,
        lambda row: _settle_match(row, silences, row.pk in gone, now=now),
        key=lambda row: row.key,
        now=now,
    )


def _settle_match(row: Match, silences: Silences, is_away: bool, *, now: datetime) -> bool:
    # Without the lock first: most candidates are not flagged yet, as a move may still be on its way.
    draft = Draft.load(row, now=now)
    if not _write_due_facts(draft, silences, is_away):
        return False
    with transaction.atomic():
        if not _lock_unchanged(row):
            return False
        automatic_facts.write_automatic_facts(draft)
        record(draft)
        return True


def _lock_unchanged(row: Match) -> bool:
    """Lock the match; False if it has changed or another transaction holds it.

    Every change moves the head, except deposited shares, which are reloaded.
    """
    locked = Match.objects.select_for_update(skip_locked=True).filter(pk=row.pk, head_hash=row.head_hash)
    for deposits in locked.values_list("deposits", flat=True):
        row.deposits = deposits
        return True
    return False


def _write_due_facts(draft: Draft, silences: Silences, is_away: bool) -> bool:
    """Write due facts into the draft; True if there are any."""
    state = draft.state
    if state.status is Status.WAITING:
        _void_unbegun(draft, silences)
    elif state.status is Status.LIVE and state.clock is None:
        clocks.end_expired_match(draft, silences)
    elif state.status is Status.LIVE and state.clock is not None:
        if state.clock.since is None:
            _void_abandoned(draft, silences)
        elif clocks.may_be_flagged(draft):
            clocks.exclude_interruptions(draft, silences, may_be_away=is_away)
            clocks.flag(draft)
    return clocks.has_facts_to_record(draft)


def _void_unbegun(draft: Draft, silences: Silences) -> None:
    row, owing = draft.row, draft.state.owing
    if row.waits_until is None:
        return
    created, until = journal.to_milliseconds(row.created_at), journal.to_milliseconds(row.waits_until)
    if draft.at < until + clocks.compute_outage(silences, created, draft.at):
        return
    is_one = len(owing) == 1
    reason = reasons.build_reason(reasons.DID_NOT_COME, owing[0]) if is_one else reasons.NOBODY_CAME
    draft.write(VoidedMatch(reason), by="server")


def _void_abandoned(draft: Draft, silences: Silences) -> None:
    """Void the match if no player came back within its `patience`."""
    state = draft.state
    idle = state.idle
    if draft.at < idle + state.terms.patience + clocks.compute_outage(silences, idle, draft.at):
        return
    # If no player has to act, the server's roll is missing.
    reason = reasons.BOTH_AWAY if len(state.owing) == len(BOTH) else reasons.DICE_LOST
    draft.write(VoidedMatch(reason), by="server")
