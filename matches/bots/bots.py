"""The built-in bots. They commit to dice, roll, play and double by commands, as people do.

A quick mind decides in the transaction that wakes it. A slow one decides in a separate thread without
locks; its command is rejected as stale if the match has changed since.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple

import structlog
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from engine import fair
from engine.fair import Chain, Party
from engine.game import Phase
from engine.side import Side
from matches import hooks
from matches.bots import minds
from matches.bots.minds import CLUB, NoAnswer
from matches.bots.thinker import Thinker
from matches.hooks import DecisionRequest, Mind
from matches.journal import dice, journal
from matches.journal.journal import RequestIdentity
from matches.models import Bot, Match
from matches.models.matches import Due
from matches.play import play
from matches.state import commands
from matches.state.commands import Command
from matches.state.dicing import FURTHEST_AHEAD, Dicing, Stage
from matches.state.errors import MatchError, Stale
from matches.state.match_state import MatchState
from players.models import Player
from runtime.work import failures

log = structlog.get_logger(__name__)

PRACTICE: Final = CLUB.slug
LABEL: Final = b"barpoint/bot-dice/v1|"
# Limit of commands in one call; a turn, the end of a game and the start of the next one need fewer.
MOST_AT_ONCE: Final = 40
MOST_A_SWEEP: Final = 200
# A sweep queues a bot again if it has not moved for this long: the process that woke it may have ended.
PATIENCE: Final = timedelta(seconds=10)
SOMEBODY: Final = (Due.WHITE, Due.BLACK, Due.BOTH)


def get_practice_bot() -> Bot:
    """Return the default practice bot; it is created on first use."""
    return get_bot(CLUB)


def get_bot(mind: Mind) -> Bot:
    """Return the bot that uses a mind; it is created on first use."""
    found = Bot.objects.select_related("player").filter(slug=mind.slug).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            player = Player.objects.create(name=mind.player, hidden_from_search=True)
            return Bot.objects.create(player=player, slug=mind.slug, mind=mind.name)
    except IntegrityError:  # created concurrently
        return Bot.objects.select_related("player").get(slug=mind.slug)


def list_available() -> list[Bot]:
    found = list(Bot.objects.select_related("player"))
    slugs = {bot.slug for bot in found}
    found += [get_bot(mind) for mind in minds.list_minds() if mind.slug not in slugs and not mind.why_not()]
    here = [bot for bot in found if bot.is_active and is_available(bot)]
    return sorted(here, key=lambda bot: (minds.get_mind(bot.mind).rank, bot.slug))


def is_available(bot: Bot) -> bool:
    return not minds.get_mind(bot.mind).why_not()


def explain_missing_levels() -> str:
    return next((str(why) for mind in minds.list_minds() if (why := mind.why_not())), "")


# -- acting ---------------------------------------------------------------------------------------


class PendingAction(NamedTuple):
    side: Side
    mind: Mind
    # None if the mind has to decide.
    command: Command | None


def act(*, match_id: int, now: datetime, is_sweep: bool = False) -> int:
    """Submit the pending commands of a match's bots in one transaction; queue slow minds for the thinker.

    Return the number of commands.
    """
    with transaction.atomic():
        row = journal.lock(match_id)
        seats = _map_seats(row)
        state = journal.load(row)
        for done in range(MOST_AT_ONCE):
            turn = _find_pending_action(row, state, seats)
            if turn is None:
                return done
            if turn.command is None and (not turn.mind.is_quick or _must_wait(row)):
                # Otherwise the thinker is still working on it.
                if not is_sweep or row.moved_at <= now - PATIENCE:
                    transaction.on_commit(partial(THINKER.enqueue, match_id))
                return done
            answer = submit_owed_command(row, state, turn.side, mind=turn.mind, now=now)
            if answer is None:
                return done
            row, state = answer.row, answer.state
    return MOST_AT_ONCE


def think(*, match_id: int, now: Callable[[], datetime]) -> int:
    """Submit the pending commands of a match's bots, one transaction each, without locks while they think.

    Reviewers run first. Return the number of commands, stale ones included.
    """
    for reviewer in hooks.REVIEWERS:
        reviewer.review(match_id)
    done = 0
    while done < MOST_AT_ONCE:
        row = Match.objects.select_related("white", "black").get(pk=match_id)
        state = journal.load(row)
        turn = _find_pending_action(row, state, _map_seats(row))
        if turn is None or (turn.command is None and _must_wait(row)):
            break
        try:
            answer = submit_owed_command(row, state, turn.side, mind=turn.mind, now=now())
        except Stale:
            # The match has changed; the next round loads it again.
            done += 1
            continue
        if answer is None:
            break
        done += 1
    return done


def _find_pending_action(row: Match, state: MatchState, seats: dict[Side, Bot]) -> PendingAction | None:
    side = next((side for side in state.owing if side in seats), None)
    if side is None:
        return None
    return PendingAction(side, minds.get_mind(seats[side].mind), _find_due_command(row, state, side))


def _must_wait(row: Match) -> bool:
    return any(reviewer.holds(row) for reviewer in hooks.REVIEWERS)


def _map_seats(row: Match) -> dict[Side, Bot]:
    bots = Bot.objects.filter(player_id__in=(row.white_id, row.black_id))
    seats = ((journal.find_side(row, bot.player_id), bot) for bot in bots)
    return {side: bot for side, bot in seats if side is not None}


def is_single_bot_due(row: Match) -> bool:
    seats = _map_seats(row)
    return len(seats) == 1 and any(row.due in {side.word, Due.BOTH} for side in seats)


def submit_owed_command(
    row: Match, state: MatchState, side: Side, *, mind: Mind = CLUB, now: datetime
) -> play.CommandResult | None:
    """Submit the command that *side* owes, as *mind* decides; None if there is nothing to do."""
    player = row.black if side else row.white
    command = _find_due_command(row, state, side) or choose_command(row, state, side, mind)
    if command is None:
        return None
    return play.submit(
        match_id=row.pk,
        player=player,
        command=command,
        after=row.head,
        now=now,
        shares=_build_shares(row, state.dicing, side),
        request=RequestIdentity(),
    )


def choose_command(row: Match, state: MatchState, side: Side, mind: Mind) -> Command | None:
    """Return the mind's command, or that of the default mind if it has no answer."""
    thought = DecisionRequest(row.key, row.head, state.match, side)
    try:
        return mind.decide(thought)
    except NoAnswer as problem:
        log.warning("bot.no_answer", match=row.key, mind=mind.name, why=str(problem))
        return CLUB.decide(thought)


def _find_due_command(row: Match, state: MatchState, side: Side) -> Command | None:
    """Return the command that is due before any decision; None if the bot has to decide."""
    dicing, party = state.dicing, Party.from_side(side)
    if party in dicing.owing:
        head = _load_chain(row, dicing, side).head
        if dicing.stage is Stage.UNSEALING:
            return commands.Open(head)
        return commands.Promise(fair.compute_commitment(dicing.match, party, dicing.users[party], head))
    if state.asked is not None:
        return commands.Share()
    return commands.Roll() if state.match.game.phase is Phase.OPENING else None


def _build_shares(row: Match, dicing: Dicing, side: Side) -> dict[int, bytes]:
    """Return the bot's shares of the next rolls, so that rolls do not wait for it."""
    if dicing.stage is not Stage.READY or not dicing.has_chain(Party.from_side(side)):
        return {}
    chain = _load_chain(row, dicing, side)
    end = min(dicing.next + FURTHEST_AHEAD, dicing.first + dicing.length)
    return {number: chain.share(dicing.step(number)) for number in range(dicing.next, end)}


def _load_chain(row: Match, dicing: Dicing, side: Side) -> Chain:
    party, salt = Party.from_side(side), str(row.salts[-1])
    user = dicing.users[party]
    return dice.find_chain(
        dicing, party, lambda key: _derive_chain(key, dicing.match, user, salt, dicing.length)
    )


@lru_cache(maxsize=512)
def _derive_chain(key: str, match: str, user: str, salt: str, length: int) -> Chain:
    seed = LABEL + f"{match}|{user}|".encode() + bytes.fromhex(salt)
    return Chain.grow(hmac.digest(key.encode(), seed, "sha256"), length)


def list_waiting() -> QuerySet[Match]:
    is_whites = Q(white__bot__isnull=False, due__in=(Due.WHITE, Due.BOTH))
    is_blacks = Q(black__bot__isnull=False, due__in=(Due.BLACK, Due.BOTH))
    rows = Match.objects.filter(is_whites | is_blacks, has_bot=True, due__in=SOMEBODY)
    for reviewer in hooks.REVIEWERS:
        rows = rows.exclude(reviewer.waits)
    return rows.order_by("pk")


def query_due(at: Any) -> Iterator[QuerySet[Match]]:
    yield list_waiting().filter(moved_at__lte=at)


def sweep(now: datetime) -> int:
    """Act in at most `MOST_A_SWEEP` matches that wait for a bot; return the number in which a bot acted."""
    found = list_waiting().values_list("pk", flat=True)[:MOST_A_SWEEP]
    return failures.process_each(
        "matches.bots", found, lambda pk: bool(act(match_id=pk, now=now, is_sweep=True)), now=now
    )


def act_or_log(*, match_id: int, now: datetime) -> int:
    """Like `act`, but log errors, so that one failing match does not stop the others."""
    try:
        return act(match_id=match_id, now=now)
    except MatchError as error:
        log.warning("bot.refused", match_id=match_id, code=error.code)
    except Exception:
        log.exception("bot.failed", match_id=match_id)
    return 0


def _think_or_log(match_id: int) -> None:
    try:
        think(match_id=match_id, now=timezone.now)  # noqa: TID251 - each command has its time
    except MatchError as error:
        log.warning("bot.refused", match_id=match_id, code=error.code)


THINKER: Final = Thinker(_think_or_log)
