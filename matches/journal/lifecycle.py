"""The write path of a match: every change is drafted line by line and recorded in one transaction."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import Signal

from matches.hooks import match_begun, match_due, match_finished, match_reopened
from matches.journal import dice, journal, live
from matches.journal.journal import Draft, RequestIdentity
from matches.models import Bot, Match
from matches.state.errors import BadTerms, Stale
from matches.state.status import ENDED, Status, may_follow
from matches.state.terms import Terms
from players.models import Club, Player

NOBODY = RequestIdentity()


def record(draft: Draft, *, request: RequestIdentity = NOBODY) -> list[dict[str, Any]]:
    """Write the draft: entries, cache, deadline. Return the frames, which watchers get after the commit.

    :raises Stale: another request wrote first.
    """
    before, after = Status(draft.row.status), draft.state.status
    if not may_follow(before, after):
        raise AssertionError(f"a match that is {before} cannot be {after}")
    due, result = draft.row.due, _find_result(draft.row)
    if not journal.append_steps(draft.row, draft.steps, request=request):
        raise Stale(Match.objects.values_list("head", flat=True).get(pk=draft.row.pk))
    frames = [live.build_frame(step) for step in draft.steps]
    live.announce(draft.row.key, frames)
    if draft.row.due != due:
        _send_on_commit(match_due, draft.row, due=draft.row.due)
    if before is Status.WAITING and after is Status.LIVE:
        _send_on_commit(match_begun, draft.row)
    if result != _find_result(draft.row):
        # A director may award a finished match to the other side.
        if before in ENDED:
            _send_on_commit(match_reopened, draft.row)
        if after in ENDED:
            _send_on_commit(match_finished, draft.row)
    if (before is Status.LIVE) != (after is Status.LIVE) and not (draft.row.is_private or draft.row.has_bot):
        live.notify_lobby(now=journal.to_datetime(draft.at))
    return frames


def _find_result(row: Match) -> tuple[object, ...] | None:
    return (row.status, row.winner, row.white_score, row.black_score) if row.status in ENDED else None


def _send_on_commit(signal: Signal, row: Match, **more: object) -> None:
    transaction.on_commit(lambda: signal.send(Match, match_id=row.pk, row=row, **more))


@transaction.atomic
def create(
    *,
    white: Player,
    black: Player,
    terms: Terms,
    now: datetime,
    club: Club | None = None,
    is_private: bool = False,
    waits_until: datetime | None = None,
) -> Match:
    """Create a match; its journal begins with the server's commitment to the dice.

    :raises BadTerms: both players are the same.
    """
    if white.pk == black.pk:
        raise BadTerms(code="same-player")
    has_bot = Bot.objects.filter(player__in=(white, black)).exists()
    terms = terms.practice() if has_bot else terms
    row = Match(
        white=white,
        black=black,
        white_key=white.key,
        black_key=black.key,
        club=club,
        terms=terms.to_json(),
        length=terms.rules.length,
        is_timed=terms.control is not None,
        is_limited=terms.is_limited,
        is_private=is_private,
        has_bot=has_bot,
        created_at=now,
        waits_until=waits_until,
        moved_at=now,
        cache={},
    )
    row.head_hash = journal.compute_genesis(row)
    found = journal.build_start_state(row)
    draft = Draft(row, found, journal.to_milliseconds(now))
    for name, value in journal.build_columns(row, found).items():
        setattr(row, name, value)
    row.moved_at = now
    row.save(force_insert=True)
    dice.begin_dice(draft)
    record(draft)
    return row
