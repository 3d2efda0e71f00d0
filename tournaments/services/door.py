"""At the door: somebody asks to be let in, and a director lets them in or does not."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import transaction

from players import names
from players.models import Membership, Player, Role
from players.services import clubs
from tournaments.errors import AlreadyDone, DoorFull, DoorRequestGone, EntriesClosed, PlayerGone
from tournaments.models import DoorAnswer, DoorRequest, Entry
from tournaments.services import changes, directing, entering, known
from tournaments.status import Status

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import User
    from tournaments.models import Tournament

# More than that do not stand at a door; a script might.
MOST_OPEN: Final = 60
KEPT: Final = timedelta(days=2)
MOST_FORGOTTEN: Final = 500


def ask(*, tournament_id: int, name: str, account: Player | None, before: str, now: datetime) -> DoorRequest:
    """Note that somebody is at the door; whoever asks again (*before* is the key of that) mends their name.

    :raises EntriesClosed: the event is not on.
    :raises InvalidText: that is no name.
    :raises DoorFull: too many wait already.
    """
    said = names.clean_name(account.name if account else name, limit=80)
    with transaction.atomic():
        event = changes.lock(tournament_id)
        if event.status not in (Status.PUBLISHED, Status.RUNNING):
            raise EntriesClosed
        waiting = DoorRequest.objects.filter(tournament=event, answer=DoorAnswer.OPEN)
        who = {"account_key": account.key} if account else {"key": before, "account_key": ""}
        row = waiting.filter(**who).first()
        if row is None and waiting.count() >= MOST_OPEN:
            raise DoorFull
        if row is not None and row.name == said:
            return row
        if row is not None:
            # The mended name gets a key of its own: a director who still sees the old one lets nobody in by it.
            row.delete()
        row = DoorRequest.objects.create(
            tournament=event,
            account_key=account.key if account else "",
            name=said,
            asked_at=row.asked_at if row else now,
        )
        changes.hint(event, now=now)
        return row


def let_in(*, tournament_id: int, request_key: str, player_key: str, by: User, now: datetime) -> Player:
    """Let somebody in, as the member that was chosen, as their account, or as a guest; note that they are there.

    Once the draw is made they become one of the club, and the director decides on their place as a late entry.

    :raises NotDirector, WrongStatus, NotAMember, EventFull, DoorRequestGone, PlayerGone: nobody is let in.
    :raises AlreadyDone: that has been answered.
    """
    with transaction.atomic():
        event = changes.direct(tournament_id, by)
        row = _open(event, request_key)
        player = _who(event, row, player_key, by=by, now=now)
        if not entering.is_drawn(event):
            directing.admit(tournament_id=event.pk, player_keys=[player.key], by=by, now=now)
            entry = Entry.objects.get(tournament=event, player=player)
            if not entry.waits and event.status == Status.PUBLISHED:
                entering.check_in_for(tournament_id=event.pk, entries=[entry.number], by=by, now=now)
        _answer(event, row, DoorAnswer.IN, now=now)
        return player


def turn_away(*, tournament_id: int, request_key: str, by: User, now: datetime) -> None:
    """Do not let somebody in.

    :raises NotDirector, DoorRequestGone, AlreadyDone: nothing changes.
    """
    with transaction.atomic():
        event = changes.direct(tournament_id, by)
        _answer(event, _open(event, request_key), DoorAnswer.AWAY, now=now)


def prune(*, now: datetime) -> int:
    """Forget who stood at a door two days ago; return how many."""
    old = DoorRequest.objects.filter(asked_at__lt=now - KEPT).order_by("asked_at")
    return DoorRequest.objects.filter(
        pk__in=list(old.values_list("pk", flat=True)[:MOST_FORGOTTEN])
    ).delete()[0]


def _who(event: Tournament, row: DoorRequest, player_key: str, *, by: User, now: datetime) -> Player:
    """Return whom a request is from; who has an account and is no member becomes one."""
    if row.account_key:
        player = Player.objects.filter(key=row.account_key, erased_at__isnull=True).first()
        if player is None:
            raise PlayerGone
        if not Membership.objects.filter(club=event.club, player=player).exists():
            clubs.admit(club=event.club, player=player, role=Role.MEMBER, now=now)
        return player
    if not player_key:
        return known.guest(event.club, row.name, by=by, now=now)
    found = Player.objects.filter(
        key=player_key, memberships__club=event.club, merged_into__isnull=True
    ).first()
    if found is None:
        raise PlayerGone
    return found


def _open(event: Tournament, request_key: str) -> DoorRequest:
    row = DoorRequest.objects.filter(tournament=event, key=request_key).first()
    if row is None:
        raise DoorRequestGone
    if row.answer != DoorAnswer.OPEN:
        raise AlreadyDone
    return row


def _answer(event: Tournament, row: DoorRequest, answer: DoorAnswer, *, now: datetime) -> None:
    row.answer, row.answered_at = answer, now
    row.save(update_fields=["answer", "answered_at"])
    changes.hint(event, now=now)
