"""Challenges: offer, accept, decline, withdraw, rematch."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from engine.side import Side
from matches.bots import bots, minds
from matches.journal import journal, lifecycle, live
from matches.lobby import offers, opponents
from matches.models import Bot, Challenge, Match
from matches.models.challenges import Offer, WantedSide
from matches.play import notices
from matches.play.terms_validation import build_refusal
from matches.state.errors import NotAPlayer, Refused
from matches.state.status import ENDED, OPEN
from matches.state.terms import Terms
from players.models import Club, Membership, Player
from players.people import people

MOST_OPEN: Final = 3
MOST_LIVE: Final = 10
MOST_SLOW: Final = 30
# Lifetime of offers, and then the time for both players to join.
SEAT_STANDS: Final = timedelta(minutes=30)
LIVE_STANDS: Final = timedelta(days=1)
SLOW_STANDS: Final = timedelta(days=7)
LIVE_WAITS: Final = timedelta(minutes=10)
SLOW_WAITS: Final = timedelta(days=7)


def is_live(terms: Terms) -> bool:
    """True for real-time matches: clocked and not by correspondence."""
    return terms.control is not None and not terms.is_correspondence


@transaction.atomic
def offer(
    *,
    challenger: Player,
    terms: Terms,
    now: datetime,
    opponent: Player | None = None,
    club: Club | None = None,
    is_private: bool = False,
    side: str = WantedSide.RANDOM,
) -> Challenge:
    """Challenge *opponent*, or open a seat; a bot accepts at once, without a chat.

    :raises BadTerms: the opponent cannot be challenged, or not with these terms.
    :raises Refused: a player is no member of the club, or has too many offers or matches.
    """
    bot = Bot.objects.filter(player=opponent).first() if opponent else None
    _require_players(challenger, opponent, bot, club)
    # Players hidden from search can only be challenged by members of their clubs, and for rematches.
    if opponent is not None and bot is None:
        known = opponents.list_challengeable(challenger)
        if not known.filter(pk=opponent.pk).exists():
            raise build_refusal({"opponent": _("This player cannot be challenged.")})
    if bot is not None:
        if why := minds.get_mind(bot.mind).why_no_rules(terms.rules):
            raise build_refusal({"opponent": str(why)})
        terms = replace(terms, has_chat=False)
    people.lock_players([challenger.pk])
    mine = Challenge.objects.filter(challenger=challenger, status=Offer.OPEN, rematch_of__isnull=True)
    if mine.filter(expires_at__gt=now).count() >= MOST_OPEN:
        raise Refused(
            _("You have {most} open offers already. Withdraw one first.").format(most=MOST_OPEN),
            code="too-many-offers",
        )
    return _create(
        bot,
        terms,
        challenger=challenger,
        opponent=opponent,
        club=club,
        terms=terms.to_json(),
        is_private=is_private,
        side=WantedSide(side),
        created_at=now,
    )


def _create(bot: Bot | None, agreed: Terms, **values: Any) -> Challenge:
    """Create a challenge; a bot accepts it, others are notified."""
    challenger, now = values["challenger"], values["created_at"]
    _require_capacity(challenger, agreed, asker=challenger)
    lifetime = LIVE_STANDS if values["opponent"] else SEAT_STANDS
    expires_at = now + (lifetime if is_live(agreed) else SLOW_STANDS)
    row = Challenge.objects.create(**values, expires_at=expires_at)
    if bot is not None:
        return accept(challenge_id=row.pk, player=bot.player, now=now)
    live.notify_lobby(now=now)
    notices.notify_challenged(row, now=now)
    live.notify_rematch(row, now=now)
    return row


def _require_players(challenger: Player, opponent: Player | None, bot: Bot | None, club: Club | None) -> None:
    if opponent is not None:
        if opponent.pk == challenger.pk:
            raise build_refusal({"opponent": _("You cannot play against yourself.")})
        user = opponent.user
        is_available = bots.is_available(bot) and bot.is_active if bot else user and user.is_active
        if not is_available:
            raise build_refusal({"opponent": _("This player cannot be challenged.")})
    if club is not None:
        people = [challenger] if opponent is None or bot is not None else [challenger, opponent]
        for player in people:
            _require_member(player, club)


def _require_member(player: Player, club: Club) -> None:
    if not Membership.objects.filter(player=player, club=club).exists():
        sentence = _("{player} is not a member of {club}.")
        raise Refused(sentence.format(player=player.public_name, club=club.name), code="not-a-member")


@transaction.atomic
def accept(*, challenge_id: int, player: Player, now: datetime) -> Challenge:
    """Accept a challenge and create the match. Idempotent.

    :raises Refused: it is not open, not for this player, or one of the two has too many matches.
    """
    # Lock the players before reading the challenge, so that two who accept one seat are serialized.
    challenger_id = Challenge.objects.values_list("challenger_id", flat=True).get(pk=challenge_id)
    people.lock_players([challenger_id, player.pk])
    row = _load_challenge(challenge_id)
    if row.status == Offer.ACCEPTED and row.opponent_id == player.pk:
        return row
    _require_open(row, now)
    if row.challenger_id == player.pk:
        raise Refused(_("This is your own offer."), code="own-offer")
    if row.opponent_id not in {None, player.pk}:
        raise Refused(_("This offer is for another player."), code="not-for-you")
    if row.opponent_id is None and row.club is not None:
        _require_member(player, row.club)
    terms = Terms.from_json(row.terms)
    for each in (player, row.challenger):
        _require_capacity(each, terms, asker=player)
    white, black = _assign_sides(row, player)
    waits = LIVE_WAITS if is_live(terms) else SLOW_WAITS
    match = lifecycle.create(
        white=white,
        black=black,
        terms=terms,
        now=now,
        club=row.club,
        is_private=row.is_private,
        waits_until=now + waits,
    )
    _close(row, Offer.ACCEPTED, match=match, opponent=player, now=now)
    if is_live(terms):
        _withdraw_live_seats(row.challenger, player)
    if match.has_bot:
        bots.act(match_id=match.pk, now=now)
    else:
        notices.notify_accepted(row, now=now)
        live.notify_start(row, now=now)
    return row


def _load_challenge(challenge_id: int) -> Challenge:
    people = ("challenger__user", "opponent__user", "club", "match")
    return Challenge.objects.select_related(*people).get(pk=challenge_id)


def _require_open(row: Challenge, now: datetime) -> None:
    user = row.challenger.user
    is_gone = user is not None and not user.is_active
    if row.status != Offer.OPEN or row.expires_at <= now or is_gone:
        raise Refused(_("This offer is no longer open."), code="not-open")


def _assign_sides(row: Challenge, player: Player) -> tuple[Player, Player]:
    wanted = row.side
    if wanted == WantedSide.RANDOM:
        wanted = secrets.choice((WantedSide.WHITE, WantedSide.BLACK))
    return (row.challenger, player) if wanted == WantedSide.WHITE else (player, row.challenger)


def _close(
    row: Challenge,
    status: Offer,
    *,
    now: datetime,
    match: Match | None = None,
    opponent: Player | None = None,
) -> None:
    """Close an open challenge, by compare-and-set."""
    changes = {"status": status, "match": match} | ({"opponent": opponent} if opponent else {})
    if not Challenge.objects.filter(pk=row.pk, status=Offer.OPEN).update(**changes):
        raise Refused(_("This offer is no longer open."), code="not-open")
    for name, value in changes.items():
        setattr(row, name, value)
    live.notify_lobby(now=now)


def _withdraw_live_seats(*players: Player) -> None:
    """Withdraw the real-time seats of players who begin a match, so that two clocks never run at once."""
    seats = Challenge.objects.filter(challenger__in=players, opponent__isnull=True, status=Offer.OPEN)
    live = [row.pk for row in seats if is_live(Terms.from_json(row.terms))]
    Challenge.objects.filter(pk__in=live, status=Offer.OPEN).update(status=Offer.WITHDRAWN)


@transaction.atomic
def decline(*, challenge_id: int, player: Player, now: datetime) -> Challenge:
    """Decline a challenge. Idempotent."""
    row = _load_challenge(challenge_id)
    if row.opponent_id != player.pk:
        raise Refused(_("This offer is for another player."), code="not-for-you")
    if row.status == Offer.DECLINED:
        return row
    _close(row, Offer.DECLINED, now=now)
    notices.notify_declined(row, now=now)
    live.notify_rematch(row, now=now)
    return row


@transaction.atomic
def withdraw(*, challenge_id: int, player: Player, now: datetime) -> Challenge:
    """Withdraw the player's own offer. Idempotent."""
    row = _load_challenge(challenge_id)
    if row.challenger_id != player.pk:
        raise Refused(_("This is another player's offer."), code="not-yours")
    if row.status != Offer.WITHDRAWN:
        _close(row, Offer.WITHDRAWN, now=now)
        live.notify_rematch(row, now=now)
    return row


def query_due(at: Any) -> Iterator[QuerySet[Challenge]]:
    yield Challenge.objects.filter(status=Offer.OPEN, expires_at__lte=at)


def expire(now: datetime) -> int:
    return sum(_close_all(rows, Offer.EXPIRED, now=now) for rows in query_due(now))


def _close_all(rows: QuerySet[Challenge], status: Offer, *, now: datetime) -> int:
    """Close open offers; notify the players of rematches, and the lobby. Return how many."""
    rematches = list(
        rows.filter(rematch_of__isnull=False).select_related("challenger", "opponent", "rematch_of")
    )
    closed = rows.update(status=status)
    for row in rematches:
        live.notify_rematch(row, now=now)
    if closed:
        live.notify_lobby(now=now)
    return closed


@transaction.atomic
def request_rematch(*, match: Match, player: Player, now: datetime) -> Challenge:
    """Offer a rematch with the sides swapped, or accept the opponent's offer of one.

    :raises Refused: the match is not over or did not come from a challenge, or a player has too many matches.
    :raises NotAPlayer: it is not this player's match.
    """
    side = journal.find_side(match, player.pk)
    if side is None:
        raise NotAPlayer
    # Both may request it at once: the second request finds the first one's offer.
    people.lock_players([match.white_id, match.black_id])
    match.refresh_from_db(fields=["status"])
    if match.status not in ENDED or not Challenge.objects.filter(match=match).exists():
        raise Refused(_("This match cannot have a rematch."), code="no-rematch")
    found = Challenge.objects.filter(rematch_of=match, status__in=(Offer.OPEN, Offer.ACCEPTED)).first()
    if found is not None and found.status == Offer.OPEN and found.expires_at <= now:
        _close(found, Offer.EXPIRED, now=now)
        found = None
    if found is None:
        return _offer_rematch(match, player, side, now=now)
    if found.status == Offer.ACCEPTED or found.challenger_id == player.pk:
        return _load_challenge(found.pk)
    return accept(challenge_id=found.pk, player=player, now=now)


def _offer_rematch(match: Match, player: Player, side: Side, *, now: datetime) -> Challenge:
    opponent = match.white if side else match.black
    bot = Bot.objects.filter(player=opponent).first()
    _require_players(player, opponent, bot, match.club)
    return _create(
        bot,
        Terms.from_json(match.terms),
        challenger=player,
        opponent=opponent,
        club=match.club,
        terms=match.terms,
        is_private=match.is_private,
        side=WantedSide(side.other.word),
        created_at=now,
        rematch_of=match,
    )


def _require_capacity(player: Player, terms: Terms, *, asker: Player) -> None:
    """Raise Refused if the player has too many unfinished matches; bots have no limit."""
    if Bot.objects.filter(player=player).exists():
        return
    mine = Match.objects.filter(Q(white=player) | Q(black=player), challenge__isnull=False, status__in=OPEN)
    kinds = [is_live(Terms.from_json(each)) for each in mine.values_list("terms", flat=True)]
    most = MOST_LIVE if is_live(terms) else MOST_SLOW
    if kinds.count(is_live(terms)) < most:
        return
    if player.pk == asker.pk:
        sentence = _("You have {most} unfinished matches of this kind. Finish one first.")
    else:
        sentence = _("{player} has {most} unfinished matches of this kind and cannot start another.")
    raise Refused(sentence.format(player=player.public_name, most=most), code="too-many-matches", most=most)


def withdraw_all(player: Player, *, now: datetime) -> None:
    theirs = Challenge.objects.filter(Q(challenger=player) | Q(opponent=player), status=Offer.OPEN)
    _close_all(theirs, Offer.WITHDRAWN, now=now)


def join_or_open_seat(*, player: Player, terms: Terms, now: datetime) -> Challenge:
    """Take the open seat that has waited longest; if there is none, open one with these terms.

    If the player's own seat is already open, it is returned. Correspondence seats are never taken here.

    :raises Refused: the player has too many offers or matches.
    """
    for row in _list_live_seats(offers.list_open_seats(player, now=now)):
        # The seat may have been taken, or its owner may have too many matches by now: try the next.
        with suppress(Refused):
            return accept(challenge_id=row.pk, player=player, now=now)
    own = offers.list_own(player).filter(opponent__isnull=True, status=Offer.OPEN, expires_at__gt=now)
    return next(iter(_list_live_seats(own)), None) or offer(challenger=player, terms=terms, now=now)


def _list_live_seats(seats: QuerySet[Challenge]) -> list[Challenge]:
    rows = seats.order_by("created_at", "pk")
    return [row for row in rows if is_live(Terms.from_json(row.terms))]
