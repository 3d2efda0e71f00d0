"""Notices to the players of a friendly, and to the club's directors if the players disagree."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from players.access.permissions import DIRECTORS
from players.models import Membership, Player
from players.notices import notices
from players.notices.kinds import NoticeKind, Reader
from tournaments.models import Friendly, Pairing, Report, Tournament

PROPOSED: Final = NoticeKind(
    name="friendly_proposed",
    reader=Reader.PLAYER,
    when=_("A player proposes a friendly to you."),
    text=ngettext_lazy(
        "%(player)s proposes a friendly to %(length)s point.",
        "%(player)s proposes a friendly to %(length)s points.",
        "length",
    ),
)
AGREED: Final = NoticeKind(
    name="friendly_agreed",
    reader=Reader.PLAYER,
    when=_("A player agrees to your friendly."),
    text=_("{player} agreed to your friendly: play it, then report the score."),
)
DECLINED: Final = NoticeKind(
    name="friendly_declined",
    reader=Reader.PLAYER,
    when=_("A player declines your friendly."),
    text=_("{player} does not want to play this friendly."),
)
CALLED_OFF: Final = NoticeKind(
    name="friendly_called_off",
    reader=Reader.PLAYER,
    when=_("Your opponent calls a friendly off."),
    text=_("{player} called your friendly off."),
)
REPORTED: Final = NoticeKind(
    name="friendly_reported",
    reader=Reader.PLAYER,
    when=_("Your opponent reports the result of a friendly."),
    text=_("{player} reported the result of your friendly. It counts after a day unless you dispute it."),
)
DISPUTED: Final = NoticeKind(
    name="friendly_disputed",
    reader=Reader.DIRECTOR,
    when=_("Two players disagree on the result of their friendly."),
    text=_("{one} and {other} disagree on the result of their friendly: please decide."),
)


def notify_proposed(row: Friendly, *, now: datetime) -> None:
    _send(PROPOSED, row.opponent, row.proposer, f"friendly:{row.key}", now=now, length=row.length)


def notify_agreed(row: Friendly, *, now: datetime) -> None:
    _send(AGREED, row.proposer, row.opponent, f"friendly.agreed:{row.key}", event=row.event, now=now)


def notify_declined(row: Friendly, *, now: datetime) -> None:
    _send(DECLINED, row.proposer, row.opponent, f"friendly.declined:{row.key}", now=now)


def notify_called_off(row: Friendly, event: Tournament, by: Player, *, now: datetime) -> None:
    for entry in event.entries.exclude(player=by).select_related("player__user"):
        _send(CALLED_OFF, entry.player, by, f"friendly.off:{row.key}", now=now)


def notify_reported(event: Tournament, row: Pairing, report: Report, *, now: datetime) -> None:
    if not event.is_friendly or row.a is None or row.b is None:
        return
    mine, theirs = (row.a, row.b) if report.by_id == row.a_id else (row.b, row.a)
    _send(REPORTED, theirs.player, mine.player, f"friendly.report:{report.uid}", event=event, now=now)


def notify_disputed(event: Tournament, row: Pairing, *, now: datetime) -> None:
    if not event.is_friendly or row.a is None or row.b is None:
        return
    people = Membership.objects.filter(club=event.club_id, role__in=DIRECTORS, player__user__is_active=True)
    values = {"one": row.a.player.public_name, "other": row.b.player.public_name}
    for each in people.select_related("player__user"):
        if each.player.user is not None:
            url = reverse("tournaments:desk", args=[event.key])
            once = f"friendly.dispute:{event.key}:{now.isoformat()}"
            notices.send(DISPUTED, user=each.player.user, values=values, url=url, dedupe_key=once, now=now)


def _send(
    kind: NoticeKind,
    who: Player,
    about: Player,
    once: str,
    *,
    now: datetime,
    event: Tournament | None = None,
    **more: object,
) -> None:
    """Notify a player about another; the notice leads to the event, or to the list of friendlies."""
    if who.user is not None:
        url = event.get_absolute_url() if event else reverse("fixtures:friendlies")
        values = {"player": about.public_name, **more}
        notices.send(kind, user=who.user, values=values, url=url, dedupe_key=once, now=now)
