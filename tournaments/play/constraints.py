"""Players whom the director keeps apart: they are never paired, or only if it is unavoidable."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from players.models import User
from tournaments.base.act_fields import LONGEST_REASON
from tournaments.base.errors import AlreadyDone, NotApart, TooFewApart, TooManyApart
from tournaments.models import Ruling, RulingKind, Tournament
from tournaments.play import changes, progress, running_event
from tournaments.status import ADMITTING, Status

FEW: Final = 2
MOST_APART: Final = 100


def keep_apart(
    *,
    tournament_id: int,
    members: Collection[int],
    by: User,
    now: datetime,
    hard: bool = True,
    reason: str = "",
) -> Ruling:
    """Keep entries from meeting each other; published rounds are not changed.

    A rule for the same entries is replaced.

    :raises NotDirector, WrongStatus, NoStages, UnknownEntrant: nothing changes.
    :raises TooFewApart, TooManyApart: fewer than two entries, or too many rules.
    :raises AlreadyDone: the same rule exists.
    """
    with transaction.atomic():
        event = running_event.lock_staged_event(tournament_id, by, ADMITTING)
        numbers = sorted(set(members))
        if len(numbers) < FEW:
            raise TooFewApart
        for number in numbers:
            running_event.get_entry(event, number)
        why = reason.strip()[:LONGEST_REASON]
        rule = {"members": numbers, "hard": hard, "why": why}
        if rule in event.apart:
            raise AlreadyDone
        others = [one for one in event.apart if one["members"] != numbers]
        if len(others) >= MOST_APART:
            raise TooManyApart(most=MOST_APART)
        return _store_rules(event, [*others, rule], RulingKind.KEPT_APART, rule, by=by, now=now, reason=why)


def stop_keeping_apart(
    *, tournament_id: int, members: Collection[int], by: User, now: datetime, reason: str = ""
) -> Ruling:
    """Remove a rule that keeps entries apart.

    :raises NotDirector, WrongStatus, NoStages: nothing changes.
    :raises NotApart: there is no such rule.
    """
    with transaction.atomic():
        event = running_event.lock_staged_event(tournament_id, by, ADMITTING)
        numbers = sorted(set(members))
        others = [one for one in event.apart if sorted(one["members"]) != numbers]
        if len(others) == len(event.apart):
            raise NotApart
        rule = {"members": numbers}
        return _store_rules(event, others, RulingKind.RELEASED, rule, by=by, now=now, reason=reason)


def _store_rules(
    event: Tournament,
    apart: list[dict[str, Any]],
    act: RulingKind,
    data: dict[str, Any],
    *,
    by: User,
    now: datetime,
    reason: str,
) -> Ruling:
    """Store the rules and pair the drafted rounds again.

    The ruling stores no rows: it is undone by the opposite act.
    """
    event.apart = apart
    event.save(update_fields=["apart"])
    if event.status == Status.RUNNING:
        progress.advance(event, now=now)
    ruling = changes.record_ruling(event, act, by=by, now=now, reason=reason, data=data)
    changes.announce_change(event, now=now)
    return ruling
