"""Practice in one click: a match against our own bot, with an account or without one.

Who has no account becomes a player known by the session alone. Such a player sits at boards that nobody
else may look at, and can do nothing but play there.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from engine.actions import VoidedMatch
from matches import hooks
from matches.bots import bots
from matches.journal import journal
from matches.journal.lifecycle import Draft, record
from matches.lobby import challenges
from matches.models import Bot, Match, Visitor
from matches.play import agreed, visiting
from matches.play.visiting import SESSION
from matches.state import reasons
from matches.state.errors import Refused
from matches.state.status import OPEN
from players.models import Player
from runtime import addresses
from runtime.http.counters import LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping
    from datetime import datetime

    from django.db.models import QuerySet

LENGTHS: Final = (1, 3, 5, 7)
LENGTH: Final = 3
# So many may begin from one address in an hour: a club with its guests shares one.
MOST_BEGUN: Final = 120
HOUR: Final = 3600
KEPT_FOR: Final = timedelta(days=3)
MOST_A_SWEEP: Final = 200


@transaction.atomic
def welcome(session: MutableMapping[str, Any], *, address: str, now: datetime) -> Player:
    """Return the session's visitor, a new one where there is none.

    :raises Refused: very many have come from this address within an hour.
    """
    known = visiting.of(session)
    if known is not None:
        return known.player
    _count(address, now=now)
    player = Player.objects.create(name=_("Guest"), hidden_from_search=True, created_at=now)
    Visitor.objects.create(player=player, created_at=now)
    session[SESSION] = player.key
    return player


def _count(address: str, *, now: datetime) -> None:
    for network, factor in zip(addresses.list_networks(address), addresses.FACTORS, strict=False):
        _count_in(network, MOST_BEGUN * factor, now=now)


def _count_in(network: str, most: int, *, now: datetime) -> None:
    key = f"visitors.{int(now.timestamp()) // HOUR}.{network}"
    LIMITS.add(key, 0, timeout=HOUR)
    try:
        begun = LIMITS.incr(key)
    except ValueError:  # forgotten between the two
        return
    if begun > most:
        sentence = _("Too many games have been started from here this hour. Come back later, or sign in.")
        raise Refused(sentence, code="too-many-visitors")


def practise(
    *, player: Player, now: datetime, length: int = LENGTH, level: str = "", is_new: bool = False
) -> Match:
    """Return a match of *player* against the bot of a level: the one that is not finished, or a new one.

    :raises Refused: the level cannot be played here, or the player has enough unfinished matches.
    """
    bot = _bot(level).player
    is_visitor = Visitor.objects.filter(player=player).exists()
    unfinished = Match.objects.filter(
        Q(white=player, black=bot) | Q(black=player, white=bot), status__in=OPEN, is_timed=False
    )
    for look in hooks.LOOKS:
        unfinished = unfinished.exclude(look.matches())
    if not is_new and (found := unfinished.order_by("-moved_at").first()) is not None:
        return found
    # Nobody talks to a bot; a visitor's board is nobody else's to look at.
    terms = agreed.terms_from(length=length, has_chat=not is_visitor)
    row = challenges.offer(challenger=player, opponent=bot, terms=terms, is_private=is_visitor, now=now)
    if row.match is None:
        raise Refused(_("The practice bot is not available at the moment."), code="no-bot")
    return row.match


def _bot(level: str) -> Bot:
    if not level:
        return bots.practice()
    found = next((bot for bot in bots.available() if bot.slug == level), None)
    if found is None:
        raise Refused(_("There is no bot of this level here."), code="no-bot")
    return found


def left_lying(at: Any) -> Iterator[QuerySet[Match]]:
    """Ask for what visitors have left lying."""
    yield Match.objects.filter(
        Q(white__visitor__isnull=False) | Q(black__visitor__isnull=False),
        status__in=OPEN,
        moved_at__lte=at - KEPT_FOR,
    )


def sweep(*, now: datetime) -> int:
    """Close what visitors have left lying; return how many matches that were."""
    return sum(
        _close(match_id, now=now)
        for left in left_lying(now)
        for match_id in left.order_by("pk").values_list("pk", flat=True)[:MOST_A_SWEEP]
    )


def _close(match_id: int, *, now: datetime) -> bool:
    with transaction.atomic():
        draft = Draft.of(journal.lock(match_id), now=now)
        if draft.state.match.is_over or draft.row.moved_at > now - KEPT_FOR:
            return False
        draft.write(VoidedMatch(reasons.LEFT_LYING), by="server")
        record(draft)
        return True
