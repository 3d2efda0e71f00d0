"""Leaving an event that has begun, permanently or for a while; agreed byes."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from fractions import Fraction
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from draw.event import Kind
from players.models import Player, User
from tournaments.base import formats
from tournaments.base.errors import (
    HasLeft,
    NoByeAgreed,
    NoByesHere,
    NotEntered,
    RoundPaired,
    UnknownEntrant,
)
from tournaments.models import (
    Entry,
    Leaving,
    Pairing,
    PairingState,
    Round,
    RoundStatus,
    Ruling,
    RulingKind,
    Stage,
    Tournament,
)
from tournaments.play import changes, progress, running_event
from tournaments.status import ADMITTING, Status


def withdraw_entry(
    *, tournament_id: int, entry: int, by: User, now: datetime, after: bool = False, reason: str = ""
) -> Ruling:
    """Withdraw an entry from an event that has begun: at once, or *after* the current match.

    :raises NotDirector, WrongStatus, UnknownEntrant, HasLeft: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        return _withdraw(
            event, running_event.get_entry(event, entry), after=after, by=by, now=now, reason=reason
        )


def leave_event(*, tournament_id: int, user: User, now: datetime, after: bool = False) -> Ruling:
    """Withdraw the user from an event that has begun.

    :raises WrongStatus, Paused, NoStages, NotEntered, HasLeft: nothing changes.
    """
    with transaction.atomic():
        event = changes.require_running(changes.lock_event(tournament_id))
        changes.require_stages(event, there=True)
        player = Player.objects.get(user=user)
        row = Entry.objects.filter(tournament=event, player=player, withdrawn_at__isnull=True).first()
        if row is None:
            raise NotEntered(name=player.public_name)
        return _withdraw(event, row, after=after, by=user, now=now, reason="")


def disqualify_entry(*, tournament_id: int, entry: int, reason: str, by: User, now: datetime) -> Ruling:
    """Disqualify an entry: the current match is forfeited, all others are lost.

    :raises NotDirector, WrongStatus, UnknownEntrant, HasLeft, ReasonNeeded: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        why = changes.require_reason(reason)
        row = running_event.get_entry(event, entry)
        if row.is_disqualified:
            raise HasLeft(name=row.player.public_name)
        with running_event.perform_act(
            event, RulingKind.DISQUALIFIED, by=by, now=now, reason=why, data={"entry": entry}
        ) as ruling:
            for match in Pairing.objects.filter(
                Q(a=row) | Q(b=row), tournament=event, state=PairingState.READY, opened_at__isnull=False
            ):
                winner_id = match.b_id if match.a_id == row.pk else match.a_id
                progress.store_result(match, Kind.FORFEIT, winner_id=winner_id, now=now)
            running_event.mark_left(row, Leaving.NOW, now=now, is_disqualified=True)
        return ruling


def _mark_entries(
    *, tournament_id: int, entries: Collection[int], by: User, now: datetime, is_away: bool
) -> Ruling:
    """Mark entries as away, so that they are not paired, or as back.

    :raises NotDirector, WrongStatus, UnknownEntrant: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_running_event(tournament_id, by)
        rows = Entry.objects.filter(tournament=event, number__in=set(entries), withdrawn_at__isnull=True)
        if rows.count() < len(set(entries)):
            raise UnknownEntrant
        data = {"entries": sorted(set(entries)), "away": is_away}
        with running_event.perform_act(event, RulingKind.MARKED_AWAY, by=by, now=now, data=data) as ruling:
            rows.update(is_absent=is_away)
        return ruling


mark_away = partial(_mark_entries, is_away=True)
mark_back = partial(_mark_entries, is_away=False)


def give_bye(
    *,
    tournament_id: int,
    entry: int,
    round: int,
    points: str | None,
    by: User,
    now: datetime,
    reason: str = "",
) -> Ruling:
    """Give an entry a bye in a round, worth *points*; None cancels the bye that was agreed.

    :raises NotDirector, WrongStatus, NoStages, NoByesHere, UnknownEntrant: nothing changes.
    :raises RoundPaired: the entry has a match or a bye in that round.
    :raises NoByeAgreed: there is no bye to cancel.
    """
    with transaction.atomic():
        event = running_event.lock_staged_event(tournament_id, by, ADMITTING)
        paired = event.stages.filter(format__in=formats.list_round_formats())
        if points is not None and not paired.exists():
            raise NoByesHere
        row = running_event.get_entry(event, entry)
        other_byes: list[list[Any]] = [one for one in row.asked if one[0] != round]
        if points is None and other_byes == row.asked:
            raise NoByeAgreed
        if _is_paired(paired, row, round):
            raise RoundPaired(name=row.player.public_name, round=round)
        data: dict[str, Any] = {"entry": entry, "round": round}
        act = RulingKind.TOOK_BYE_BACK if points is None else RulingKind.GAVE_BYE
        if points is not None:
            data["points"] = str(Fraction(points))
            other_byes = sorted([*other_byes, [round, data["points"]]])
        row.asked = other_byes
        if event.status == Status.RUNNING:
            with running_event.perform_act(event, act, by=by, now=now, reason=reason, data=data) as ruling:
                row.save(update_fields=["asked"])
            return ruling
        row.save(update_fields=["asked"])
        ruling = changes.record_ruling(event, act, by=by, now=now, reason=reason, data=data)
        changes.announce_change(event, now=now)
        return ruling


def _is_paired(stages: QuerySet[Stage], entry: Entry, number: int) -> bool:
    """True if no stage will pair this round any more, and the entry was paired in it or had a bye.

    A bye that is agreed later counts for a player who was not there.
    """
    rounds = Round.objects.filter(stage__in=stages, number=number, status=RoundStatus.PUBLISHED)
    took_part = Q(pairings__a=entry) | Q(pairings__b=entry) | Q(byes__entry=entry)
    return rounds.count() == stages.count() and rounds.filter(took_part).exists()


cancel_bye = partial(give_bye, points=None)


def withdraw_deleted(event: Tournament, player: Player, *, now: datetime) -> None:
    """Withdraw a player whose account is deleted, in an event that the caller has locked."""
    row = Entry.objects.filter(tournament=event, player=player, withdrawn_at__isnull=True).first()
    if row is None or row.left == Leaving.NOW:
        return
    running_event.take_out(row, Leaving.NOW, now=now)
    if Status(event.status) in progress.PLAYED:
        progress.advance(event, now=now)
    changes.announce_change(event, now=now)


def _withdraw(
    event: Tournament, row: Entry, *, after: bool, by: User | None, now: datetime, reason: str
) -> Ruling:
    how = Leaving.AFTER if after else Leaving.NOW
    if not row.waits and row.left in {how, Leaving.NOW}:
        raise HasLeft(name=row.player.public_name)
    data = {"entry": row.number, "after": after and not row.waits}
    with running_event.perform_act(
        event, RulingKind.WITHDREW, by=by, now=now, reason=reason, data=data
    ) as ruling:
        running_event.take_out(row, how, now=now)
    return ruling
