"""Friendlies: proposed, agreed to, declined, withdrawn, called off.

What is agreed is an event of the two with one match (ADR 119): reports, disputes, boards, corrections and ratings are those
of any match. Lock order: the proposal, then its event, then players by id.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.conf import settings as site
from django.db import transaction
from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _

from draw.play import CLOCKS, RulesOfPlay
from players.keys import new_key
from players.models import Membership, Player
from tournaments.errors import (
    BadFriendly,
    CannotPlayFriendly,
    FriendlyAnswered,
    FriendlyBegun,
    FriendlyExpired,
    NotYourFriendly,
    TooManyFriendlies,
)
from tournaments.models import (
    LONGEST_MATCH,
    Friendly,
    FriendlyOffer,
    Pairing,
    Report,
    ReportStatus,
    RulingKind,
    Stand,
)
from tournaments.models.friendlies import FriendlyWhere
from tournaments.services import changes, drawing, entering, friendly_notices, setup
from tournaments.status import Status
from tournaments.templates import ONE_MATCH, Plan, Settings

if TYPE_CHECKING:
    from datetime import datetime

    from players.models import Club
    from tournaments.models import Tournament

STANDS: Final = timedelta(days=7)
MOST_OPEN: Final = 10
# A report that nobody denies stands after a day.
CONFIRMED_AFTER: Final = 24 * 60
LIVES: Final = (ReportStatus.OPEN, ReportStatus.DISPUTED)


def propose(
    *,
    club: Club,
    proposer: Player,
    opponent: Player,
    length: int,
    now: datetime,
    key: str,
    where: str = FriendlyWhere.BOARD.value,
    clock: str = "",
) -> Friendly:
    """Propose a friendly to another member of a club; the same *key* again is the same proposal.

    :raises BadFriendly: nobody plays like that.
    :raises CannotPlayFriendly: the two are not both members with an account.
    :raises TooManyFriendlies: as many proposals are open already.
    """
    if not 1 <= length <= LONGEST_MATCH or where not in FriendlyWhere.values or clock not in {"", *CLOCKS}:
        raise BadFriendly
    with transaction.atomic():
        # Two proposals of one person count one after the other.
        entering.hold([proposer])
        there = Friendly.objects.filter(key=key, proposer=proposer).first()
        if there is not None:
            return there
        _require_able(club, proposer, opponent)
        mine = Friendly.objects.filter(proposer=proposer, status=FriendlyOffer.OPEN, expires_at__gt=now)
        if mine.count() >= MOST_OPEN:
            raise TooManyFriendlies(most=MOST_OPEN)
        row = Friendly.objects.create(
            key=key,
            club=club,
            proposer=proposer,
            opponent=opponent,
            length=length,
            where=where,
            clock=clock if where == FriendlyWhere.LIVE else "",
            created_at=now,
            expires_at=now + STANDS,
        )
        friendly_notices.proposed(row, now=now)
        return row


def agree(*, key: str, player: Player, now: datetime) -> Friendly:
    """Agree to a friendly: from now on it can be played and reported. Once more changes nothing.

    :raises NotYourFriendly: it was proposed to somebody else.
    :raises FriendlyAnswered, FriendlyExpired, CannotPlayFriendly: it cannot be agreed to any more.
    """
    with transaction.atomic():
        row = _held(key)
        if row.opponent_id != player.pk:
            raise NotYourFriendly
        if row.status == FriendlyOffer.AGREED:
            return row
        _require_open(row, now)
        _require_able(row.club, row.proposer, row.opponent)
        row.event = _event_of(row, now=now)
        _answered(row, FriendlyOffer.AGREED, now=now)
        friendly_notices.agreed(row, now=now)
        return row


def decline(*, key: str, player: Player, now: datetime) -> Friendly:
    """Say no to a friendly that one was asked for.

    :raises NotYourFriendly, FriendlyAnswered: nothing changes.
    """
    with transaction.atomic():
        row = _held(key)
        if row.opponent_id != player.pk:
            raise NotYourFriendly
        if row.status != FriendlyOffer.DECLINED:
            _require_unanswered(row)
            _answered(row, FriendlyOffer.DECLINED, now=now)
            friendly_notices.declined(row, now=now)
        return row


def withdraw(*, key: str, player: Player, now: datetime) -> Friendly:
    """Take one's own proposal back before it is answered.

    :raises NotYourFriendly, FriendlyAnswered: nothing changes.
    """
    with transaction.atomic():
        row = _held(key)
        if row.proposer_id != player.pk:
            raise NotYourFriendly
        if row.status != FriendlyOffer.WITHDRAWN:
            _require_unanswered(row)
            _answered(row, FriendlyOffer.WITHDRAWN, now=now)
        return row


def call_off(*, key: str, player: Player, now: datetime) -> Friendly:
    """Call a friendly off that is agreed and of which nothing is played or reported: either of the two may.

    :raises NotYourFriendly: one does not play in it.
    :raises FriendlyBegun: something of it is reported, or a board is laid out.
    :raises FriendlyAnswered: it is not agreed, or over.
    """
    with transaction.atomic():
        row = _held(key)
        if row.event is None:
            raise FriendlyAnswered(status=row.get_status_display())
        event = changes.lock(row.event.pk)
        if not event.entries.filter(player=player, withdrawn_at__isnull=True).exists():
            raise NotYourFriendly
        if event.status == Status.CANCELLED:
            return row
        if event.status != Status.RUNNING:
            raise FriendlyBegun
        untouched = Pairing.objects.filter(tournament=event, state=Stand.READY, match__isnull=True)
        said = Report.objects.filter(pairing__tournament=event, status__in=LIVES)
        if not untouched.exists() or said.exists():
            raise FriendlyBegun
        changes.move(event, Status.RUNNING, Status.CANCELLED, now=now, paused_at=None)
        data = {"was": Status.RUNNING.value}
        reason = _("Called off by one of the two.")
        changes.rule(event, RulingKind.CANCELLED, by=None, now=now, reason=reason, data=data)
        changes.hint(event, now=now)
        friendly_notices.called_off(row, event, player, now=now)
        return row


def forget(player: Player, *, now: datetime) -> None:
    """Close the open proposals of somebody who has left, or who is somebody else now."""
    theirs = Friendly.objects.filter(Q(proposer=player) | Q(opponent=player), status=FriendlyOffer.OPEN)
    theirs.update(status=FriendlyOffer.WITHDRAWN, answered_at=now)


def _event_of(row: Friendly, *, now: datetime) -> Tournament:
    """Make the event of the two, drawn and running."""
    with translation.override(site.LANGUAGE_CODE):
        # Nobody's name is in it: names change, and some are erased.
        name, form = _("Friendly"), _("One match")
    play = RulesOfPlay(clock=row.clock)
    plan = Plan(
        stages=(ONE_MATCH,),
        settings=Settings(entries_close_at=now, confirm_minutes=CONFIRMED_AFTER, play=play),
        match_length=row.length,
        format_label=form,
    )
    details = setup.Details(name=name, starts_at=now, match_length=row.length, capacity=2)
    event = setup.for_two(club=row.club, key=new_key(), details=details, plan=plan, now=now)
    entering.seat(event, [row.proposer, row.opponent], now=now)
    drawing.start_alone(event, now=now)
    return event


def _held(key: str) -> Friendly:
    rows = Friendly.objects.select_for_update(of=("self",), no_key=True)
    row = rows.select_related("club", "proposer__user", "opponent__user", "event").filter(key=key).first()
    if row is None:
        raise NotYourFriendly
    return row


def _answered(row: Friendly, how: FriendlyOffer, *, now: datetime) -> None:
    row.status, row.answered_at = how.value, now
    row.save(update_fields=["status", "answered_at", "event"])


def _require_unanswered(row: Friendly) -> None:
    if row.status != FriendlyOffer.OPEN:
        raise FriendlyAnswered(status=row.get_status_display())


def _require_open(row: Friendly, now: datetime) -> None:
    _require_unanswered(row)
    if row.expires_at <= now:
        raise FriendlyExpired


def _require_able(club: Club, one: Player, other: Player) -> None:
    """Let two members of a club pass who both have an account."""
    if one.pk == other.pk:
        raise CannotPlayFriendly
    both = Membership.objects.filter(club=club, player__in=[one, other], player__user__is_active=True)
    if both.values("player").distinct().count() != len((one, other)):
        raise CannotPlayFriendly
