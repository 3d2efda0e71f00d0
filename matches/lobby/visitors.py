"""Practice matches against a bot, with or without an account.

A visitor without an account gets a player that only the session knows. Their boards are private, and
they can do nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engine.actions import VoidedMatch
from matches import hooks
from matches.bots import bots, minds
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.lobby import challenges
from matches.models import Bot, Match, Visitor
from matches.play import terms_validation, visitor_sessions
from matches.play.visitor_sessions import SESSION
from matches.state import reasons
from matches.state.errors import Refused
from matches.state.status import OPEN
from players.models import Player
from runtime import addresses
from runtime.http.rate_limits import LIMITS

LENGTHS: Final = (1, 3, 5, 7)
LENGTH: Final = 3
# Visitors per address and hour: a club with its guests may share one address.
MOST_BEGUN: Final = 120
HOUR: Final = 3600
KEPT_FOR: Final = timedelta(days=3)
MOST_A_SWEEP: Final = 200


@dataclass(frozen=True, slots=True)
class BotLevel:
    key: str
    # Value in forms.
    slug: str
    name: str
    title: str
    pr: float
    # The default level.
    is_usual: bool


@dataclass(frozen=True, slots=True)
class PracticeOptions:
    levels: tuple[BotLevel, ...]
    # Why some levels are missing; "" if all are available.
    why_fewer: str
    lengths: tuple[int, ...] = LENGTHS


def load_practice_options() -> PracticeOptions:
    found = []
    for bot in bots.list_available():
        mind = minds.get_mind(bot.mind)
        name = bot.player.public_name
        found.append(
            BotLevel(bot.player.key, bot.slug, name, str(mind.title), mind.pr, bot.slug == bots.PRACTICE)
        )
    return PracticeOptions(tuple(found), bots.explain_missing_levels())


def find_slug(key: str) -> str:
    """Return the slug of the bot with this key.

    :raises Refused: there is no such bot.
    """
    return _find_bot(lambda bot: bot.player.key == key).slug


def _find_bot(is_wanted: Callable[[Bot], bool]) -> Bot:
    found = next(filter(is_wanted, bots.list_available()), None)
    if found is None:
        raise Refused(_("There is no bot of this level here."), code="no-bot")
    return found


@transaction.atomic
def load_visitor(session: MutableMapping[str, Any], *, address: str, now: datetime) -> Player:
    """Return the session's visitor; create one if needed.

    :raises Refused: too many visitors from this address within an hour.
    """
    known = visitor_sessions.find_visitor(session)
    if known is not None:
        return known.player
    _enforce_rate_limit(address, now=now)
    player = Player.objects.create(name=_("Guest"), hidden_from_search=True, created_at=now)
    Visitor.objects.create(player=player, created_at=now)
    session[SESSION] = player.key
    return player


def _enforce_rate_limit(address: str, *, now: datetime) -> None:
    for network, factor in zip(addresses.list_networks(address), addresses.FACTORS, strict=False):
        key = f"visitors.{int(now.timestamp()) // HOUR}.{network}"
        LIMITS.add(key, 0, timeout=HOUR)
        try:
            begun = LIMITS.incr(key)
        except ValueError:  # expired between the two calls
            continue
        if begun > MOST_BEGUN * factor:
            sentence = _("Too many games have been started from here this hour. Come back later, or sign in.")
            raise Refused(sentence, code="too-many-visitors")


def begin_practice(
    *,
    player: Player,
    now: datetime,
    length: int | None = None,
    level: str = "",
    is_new: bool = False,
) -> Match:
    """Return the latest unfinished match of *player* against the bot, of this *length* if given, or a new one.

    *is_new* always begins a new one.

    :raises Refused: the level is unavailable, or the player has too many unfinished matches.
    """
    bot = (_find_bot(lambda each: each.slug == level) if level else bots.get_practice_bot()).player
    is_visitor = Visitor.objects.filter(player=player).exists()
    unfinished = Match.objects.filter(
        Q(white=player, black=bot) | Q(black=player, white=bot), status__in=OPEN, is_timed=False
    )
    if length is not None:
        unfinished = unfinished.filter(length=length)
    for reviewer in hooks.REVIEWERS:
        unfinished = unfinished.exclude(reviewer.matches)
    if not is_new and (found := unfinished.order_by("-moved_at").first()) is not None:
        return found
    terms = terms_validation.read_terms(length=length or LENGTH)
    row = challenges.offer(challenger=player, opponent=bot, terms=terms, is_private=is_visitor, now=now)
    if row.match is None:
        raise Refused(_("The practice bot is not available at the moment."), code="no-bot")
    return row.match


def query_due(at: Any) -> Iterator[QuerySet[Match]]:
    yield Match.objects.filter(
        Q(white__visitor__isnull=False) | Q(black__visitor__isnull=False),
        status__in=OPEN,
        moved_at__lte=at - KEPT_FOR,
    )


def sweep(now: datetime) -> int:
    return sum(
        _void_abandoned(match_id, now=now)
        for left in query_due(now)
        for match_id in left.order_by("pk").values_list("pk", flat=True)[:MOST_A_SWEEP]
    )


def _void_abandoned(match_id: int, *, now: datetime) -> bool:
    with transaction.atomic():
        draft = Draft.load(journal.lock(match_id), now=now)
        if draft.state.match.is_over or draft.row.moved_at > now - KEPT_FOR:
            return False
        draft.write(VoidedMatch(reasons.LEFT_LYING), by="server")
        record(draft)
        return True
