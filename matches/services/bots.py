"""Our own bots: they promise dice, roll, play and turn the cube as everybody does, by commands."""

from __future__ import annotations

import hmac
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q

from engine import fair
from engine.fair import Chain, Party
from engine.game import Phase
from matches import brain, commands, journal
from matches.dicing import FURTHEST_AHEAD, Stage
from matches.errors import LostSecret, MatchError
from matches.journal import Request
from matches.models import Bot, Match
from matches.models.matches import Due
from matches.services import play
from players.models import Player

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime

    from django.db.models import QuerySet

    from engine.match import Match as Game
    from engine.side import Side
    from matches.commands import Command
    from matches.dicing import Dicing
    from matches.match_state import MatchState

    Mind = Callable[[Game, Side], Command | None]

log = structlog.get_logger(__name__)

PRACTICE: Final = "practice"
PRACTICE_NAME: Final = "Pip (bot)"
LABEL: Final = b"barpoint/bot-dice/v1|"
# More than a turn, the end of a game and the beginning of the next one take together.
MOST_AT_ONCE: Final = 40
MOST_A_SWEEP: Final = 200
SOMEBODY: Final = (Due.WHITE, Due.BLACK, Due.BOTH)

MINDS: Final[Mapping[str, Mind]] = {"club": brain.decide}


def practice() -> Bot:
    """Return the bot that anyone may practise with; it comes into being when first asked for."""
    found = Bot.objects.select_related("player").filter(slug=PRACTICE).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            player = Player.objects.create(name=PRACTICE_NAME, hidden_from_search=True)
            return Bot.objects.create(player=player, slug=PRACTICE)
    except IntegrityError:  # somebody else asked first
        return Bot.objects.select_related("player").get(slug=PRACTICE)


def available() -> QuerySet[Bot]:
    """Return the bots that may be challenged."""
    practice()
    return Bot.objects.filter(is_active=True).select_related("player").order_by("slug")


def act(*, match_id: int, now: datetime) -> int:
    """Do what the bots of a match owe, in one transaction; return how many commands that took."""
    with transaction.atomic():
        row = journal.lock(match_id)
        seats = _seats(row)
        state = journal.load(row)
        for done in range(MOST_AT_ONCE):
            side = next((side for side in state.owing if side in seats), None)
            if side is None:
                return done
            answer = answer_for(row, state, side, mind=MINDS[seats[side].mind], now=now)
            if answer is None:
                return done
            row, state = answer.row, answer.state
    return MOST_AT_ONCE


def _seats(row: Match) -> dict[Side, Bot]:
    bots = Bot.objects.filter(player_id__in=(row.white_id, row.black_id))
    seats = ((journal.side_of(row, bot.player_id), bot) for bot in bots)
    return {side: bot for side, bot in seats if side is not None}


def is_turn_of_one(row: Match) -> bool:
    """Does the match wait for its bot, and is the other one a person?"""
    seats = _seats(row)
    return len(seats) == 1 and any(row.due in {side.word, Due.BOTH} for side in seats)


def answer_for(
    row: Match, state: MatchState, side: Side, *, mind: Mind = brain.decide, now: datetime
) -> play.Answer | None:
    """Give the one command that *side* owes, as *mind* decides; None where it wants to do nothing."""
    player = row.black if side else row.white
    command = _owed(row, state, side) or mind(state.match, side)
    if command is None:
        return None
    return play.submit(
        match_id=row.pk,
        player=player,
        command=command,
        after=row.head,
        now=now,
        shares=_shares(row, state.dicing, side),
        request=Request(),
    )


def _owed(row: Match, state: MatchState, side: Side) -> Command | None:
    """Return what has to be done before there is anything to decide."""
    dicing, party = state.dicing, Party.of(side)
    if dicing.owes(party):
        head = _chain_of(row, dicing, side).head
        if dicing.stage is Stage.UNSEALING:
            return commands.Open(head)
        return commands.Promise(fair.commitment(dicing.match, party, dicing.users[party], head))
    if state.asked is not None:
        return commands.Share()
    return commands.Roll() if state.match.game.phase is Phase.OPENING else None


def _shares(row: Match, dicing: Dicing, side: Side) -> dict[int, bytes]:
    """Return the shares of the next rolls, so that nobody has to wait for ours."""
    if dicing.stage is not Stage.READY or not dicing.has_chain(Party.of(side)):
        return {}
    chain = _chain_of(row, dicing, side)
    end = min(dicing.next + FURTHEST_AHEAD, dicing.first + dicing.length)
    return {number: chain.share(dicing.step(number)) for number in range(dicing.next, end)}


def _chain_of(row: Match, dicing: Dicing, side: Side) -> Chain:
    """Return the bot's chain, grown with whichever key of this installation it was promised with."""
    party, salt = Party.of(side), str(row.salts[-1])
    user, promised = dicing.users[party], dicing.commitments[party]
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        chain = _chain(key, dicing.match, user, salt, dicing.length)
        if promised in {None, fair.commitment(dicing.match, party, user, chain.head)}:
            return chain
    raise LostSecret


@lru_cache(maxsize=512)
def _chain(key: str, match: str, user: str, salt: str, length: int) -> Chain:
    told = LABEL + f"{match}|{user}|".encode() + bytes.fromhex(salt)
    return Chain.grow(hmac.digest(key.encode(), told, "sha256"), length)


def waiting() -> QuerySet[Match]:
    """Return the matches that wait for a bot."""
    is_whites = Q(white__bot__isnull=False, due__in=(Due.WHITE, Due.BOTH))
    is_blacks = Q(black__bot__isnull=False, due__in=(Due.BLACK, Due.BOTH))
    return Match.objects.filter(is_whites | is_blacks, has_bot=True, due__in=SOMEBODY).order_by("pk")


def kept_waiting(at: Any) -> Iterator[QuerySet[Match]]:
    """Ask whether any match has been waiting for a bot since then."""
    yield waiting().filter(moved_at__lte=at)


def sweep(*, now: datetime) -> int:
    """Let the bots do whatever they owe anywhere; return in how many matches they did something."""
    acted = 0
    for match_id in waiting().values_list("pk", flat=True)[:MOST_A_SWEEP]:
        acted += bool(act_or_log(match_id=match_id, now=now))
    return acted


def act_or_log(*, match_id: int, now: datetime) -> int:
    """Let the bots act; what goes wrong in one match holds up nobody else."""
    try:
        return act(match_id=match_id, now=now)
    except MatchError as error:
        log.warning("bot.refused", match_id=match_id, code=error.code)
    except Exception:
        log.exception("bot.failed", match_id=match_id)
    return 0
