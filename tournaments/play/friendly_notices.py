"""What the two of a friendly are told, and the directors where the two disagree: nobody sits at a desk for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from players.models import Membership
from players.permissions import DIRECTORS
from players.services.notices import tell

if TYPE_CHECKING:
    from datetime import datetime

    from django_stubs_ext import StrPromise

    from players.models import Player
    from tournaments.models import Friendly, Pairing, Report, Tournament


def proposed(row: Friendly, *, now: datetime) -> None:
    """Tell somebody that they are asked for a friendly."""
    sentence = _("{player} proposes a friendly to {length} points.")
    _tell(row.opponent, sentence, row.proposer, f"friendly:{row.key}", _own(), now=now, length=row.length)


def agreed(row: Friendly, *, now: datetime) -> None:
    """Tell the proposer that it can be played."""
    sentence = _("{player} agreed to your friendly: play it, then report the score.")
    _tell(row.proposer, sentence, row.opponent, f"friendly.agreed:{row.key}", _page(row.event), now=now)


def declined(row: Friendly, *, now: datetime) -> None:
    """Tell the proposer that there will be no match."""
    sentence = _("{player} does not want to play this friendly.")
    _tell(row.proposer, sentence, row.opponent, f"friendly.declined:{row.key}", _own(), now=now)


def called_off(row: Friendly, event: Tournament, by: Player, *, now: datetime) -> None:
    """Tell the other one that it will not be played."""
    for entry in event.entries.exclude(player=by).select_related("player__user"):
        sentence = _("{player} called your friendly off.")
        _tell(entry.player, sentence, by, f"friendly.off:{row.key}", _own(), now=now)


def reported(event: Tournament, row: Pairing, said: Report, *, now: datetime) -> None:
    """Tell the opponent that a result waits for their word."""
    if not event.is_friendly or row.a is None or row.b is None:
        return
    mine, theirs = (row.a, row.b) if said.by_id == row.a_id else (row.b, row.a)
    sentence = _("{player} reported the result of your friendly. It stands after a day unless you deny it.")
    _tell(theirs.player, sentence, mine.player, f"friendly.report:{said.uid}", _page(event), now=now)


def disputed(event: Tournament, row: Pairing, *, now: datetime) -> None:
    """Tell the club's directors that the two do not agree on the result."""
    if not event.is_friendly or row.a is None or row.b is None:
        return
    people = Membership.objects.filter(club=event.club_id, role__in=DIRECTORS, player__user__is_active=True)
    text = format_lazy(
        _("{one} and {other} disagree on the result of their friendly: please decide."),
        one=row.a.player.public_name,
        other=row.b.player.public_name,
    )
    for each in people.select_related("player__user"):
        if each.player.user is not None:
            url = reverse("tournaments:desk", args=[event.key])
            once = f"friendly.dispute:{event.key}:{now.isoformat()}"
            tell(user=each.player.user, text=text, url=url, dedupe_key=once, now=now)


def _tell(
    who: Player, sentence: StrPromise, about: Player, once: str, url: str, *, now: datetime, **more: object
) -> None:
    if who.user is not None:
        text = format_lazy(sentence, player=about.public_name, **more)
        tell(user=who.user, text=text, url=url, dedupe_key=once, now=now)


def _own() -> str:
    return reverse("fixtures:friendlies")


def _page(event: Tournament | None) -> str:
    return reverse("tournaments:event", args=[event.key]) if event else _own()
