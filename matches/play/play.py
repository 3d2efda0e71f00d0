"""Carry out players' commands: each becomes facts in one transaction, or is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from engine.actions import NAMES as ACTION_NAMES
from engine.actions import (
    Beavered,
    Conceded,
    Doubled,
    Dropped,
    Flagged,
    Played,
    ResignAccepted,
    ResignDeclined,
    ResignOffered,
    TimeCredited,
    Took,
)
from engine.errors import EngineError
from engine.fair import Party
from engine.game import Phase
from engine.side import Side
from matches.journal import dice, journal, live
from matches.journal.journal import Draft, RequestIdentity, Step
from matches.journal.lifecycle import record
from matches.models import Match
from matches.play import automatic_facts, clocks, play_parsing
from matches.state import commands
from matches.state.commands import Command
from matches.state.errors import MatchError, NotAPlayer, Refused, Stale
from matches.state.facts import NAMES, Excused, Fact, Forwent, Held, PlaysOut, Promised, Thrown, Unsealed
from matches.state.match_state import MatchState
from players.models import Player
from runtime import transactions

# Not tied to a board; all others are stale once the board has changed.
WHENEVER: Final = (
    commands.Promise,
    commands.Open,
    commands.Forgo,
    commands.Share,
    commands.Concede,
    commands.ClaimFlag,
    commands.ClaimAbsence,
    commands.PlayOut,
)
# Lines of the clock, which do not change the board. With a lapsed turn or offer comes a line of another kind.
SAME_BOARD: Final = {NAMES[Held], NAMES[Excused], ACTION_NAMES[TimeCredited]}

# A late response that equals the one given automatically is no error.
MEANT: Final[Mapping[type, type]] = {
    commands.AcceptResignation: ResignAccepted,
    commands.DeclineResignation: ResignDeclined,
}

# Commands on the board without data, and the facts they become.
FACTS: Final[Mapping[type, Callable[[Side], Fact]]] = {
    commands.Double: Doubled,
    commands.Beaver: Beavered,
    commands.Take: Took,
    commands.Drop: Dropped,
    commands.AcceptResignation: ResignAccepted,
    commands.DeclineResignation: ResignDeclined,
}

NO_SHARES: Final[Mapping[int, bytes]] = {}


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command: lines and the state after them. *refusal*: the clock came first."""

    row: Match
    side: Side
    steps: tuple[Step, ...]
    state: MatchState
    # The frames of the steps, as watchers get them.
    frames: Sequence[dict[str, Any]] = ()
    refusal: MatchError | None = None


def submit(
    *,
    match_id: int,
    player: Player,
    command: Command,
    after: int,
    now: datetime,
    shares: Mapping[int, bytes] = NO_SHARES,
    thought: int | None = None,
    trip: int | None = None,
    request: RequestIdentity,
) -> CommandResult:
    """Carry out a command given on the board after line *after*. Idempotent by request.

    For the clock: *thought* is the client's thinking time, *trip* the trusted round trip, in milliseconds.

    :raises NotAPlayer: it is not this player's match.
    :raises KeyReused: the key belongs to another request.
    :raises Stale: the board has changed since.
    :raises Refused: the rules do not allow it.
    """
    with transactions.hurry(), transaction.atomic():
        row = journal.lock(match_id)
        side = journal.find_side(row, player.pk)
        if side is None:
            raise NotAPlayer
        if earlier := journal.find_earlier_command(row, request):
            return _repeat_result(row, side, command, earlier)
        draft = Draft.load(row, now=now)
        before = draft.state
        lag = clocks.compute_forgiven_lag(draft, side, thought=thought, trusted=trip)
        clocks.exclude_interruptions(draft, mover=side)
        has_deposited = False
        if not (has_fallen := clocks.flag(draft, lag=lag, mover=side)):
            _require_current(draft, command, after)
            has_deposited = _store_shares(draft, side, shares)
            carry_out(draft, side, command, lag=lag)
        automatic_facts.write_automatic_facts(draft)
        if clocks.has_facts_to_record(draft, mover=side):
            frames = record(draft, request=request)
            refusal = _find_overtaking_refusal(command, draft.steps) if has_fallen else None
            return CommandResult(row, side, tuple(draft.steps), draft.state, frames, refusal)
        if has_deposited:
            row.save(update_fields=["deposits"])
        return CommandResult(row, side, (), before)


def _repeat_result(row: Match, side: Side, command: Command, steps: tuple[Step, ...]) -> CommandResult:
    frames = [live.build_frame(step) for step in steps]
    return CommandResult(row, side, steps, steps[-1].after, frames, _find_overtaking_refusal(command, steps))


def _find_overtaking_refusal(command: Command, steps: Sequence[Step]) -> Refused | None:
    """Return a refusal if the clock came first, so that the lines are not those of the command."""
    lines = [step.line for step in steps]
    if isinstance(command, commands.ClaimFlag | commands.ClaimAbsence):
        return None
    if any(isinstance(line.fact, Flagged) for line in lines):
        return Refused(_("The time had already run out."), code="time-over")
    answers = (ResignAccepted, ResignDeclined)
    lapsed = next(
        (line.fact for line in lines if line.by == "server" and isinstance(line.fact, answers)), None
    )
    if lapsed is None or isinstance(lapsed, MEANT.get(type(command), ())):
        return None
    return Refused(_("The offer to resign had already lapsed."), code="offer-lapsed")


def _require_current(draft: Draft, command: Command, after: int) -> None:
    """Require that the command was given on the current board.

    :raises Stale: it was given on an earlier board.
    :raises Refused: the match is over.
    """
    state, head = draft.state, draft.row.head
    # Both players get ready for a game at the same time, regardless of the other's line.
    is_opening = state.match.game.phase is Phase.OPENING and isinstance(command, commands.Roll)
    is_current = after == head or (is_opening and state.opening <= after < head)
    if not is_current and not isinstance(command, WHENEVER):
        kinds = journal.list_kinds(draft.row, after=after)
        if not kinds or not kinds <= SAME_BOARD:
            raise Stale(head)
    if state.match.is_over:
        raise Refused(_("The match is over."), code="play-after-end")


def _store_shares(draft: Draft, side: Side, shares: Mapping[int, bytes]) -> bool:
    """Validate and store deposited shares, and drop those of past rolls; True if anything changed."""
    dicing, party = draft.state.dicing, Party.from_side(side)
    links = {
        number: link
        for number, link in draft.row.deposits.get(party, {}).items()
        if int(number) >= dicing.next
    }
    for number, link in shares.items():
        if number < dicing.next:
            continue
        try:
            dicing.check_share(party, number, link)
        except EngineError as error:
            raise Refused.by_rules(error) from error
        links[str(number)] = link.hex()
    has_changed = bool(links != draft.row.deposits.get(party, {}))
    draft.row.deposits = {**draft.row.deposits, party.value: links}
    return has_changed


def carry_out(draft: Draft, side: Side, command: Command, *, lag: int) -> None:
    """Write the command's own facts.

    :raises Refused: the rules do not allow it.
    """
    by: str | Side = side
    thrown: Thrown | None = None
    match command:
        case commands.Share():
            return
        case commands.ClaimFlag():
            raise Refused(_("There is time left."), code="time-left")
        case commands.PlayOut(stop=False) if side in draft.state.playing_out:
            return
        case commands.ClaimAbsence():
            fact, by = clocks.decide_claim(draft, side), "server"
        case commands.Roll():
            fact, thrown = _decide_roll(draft, side)
        case _:
            fact = _build_fact(draft.state, side, command)
    draft.write(fact, by=by, lag=lag if by is side else 0, thrown=thrown)
    # Bots agree.
    if isinstance(fact, PlaysOut) and draft.row.has_bot and not fact.stops:
        draft.write(PlaysOut(side.other), by="server", who=draft.who(side.other))


def _build_fact(state: MatchState, side: Side, command: Command) -> Fact:
    """Return the fact that a command leads to; commands on the board are refused out of turn."""
    match command:
        case commands.Promise(commitment=commitment, words=words):
            return Promised(Party.from_side(side), commitment, words)
        case commands.Open(head=head):
            return Unsealed(Party.from_side(side), head)
        case commands.Forgo(reason=reason):
            return Forwent(side, reason)
        case commands.Concede():
            return Conceded(side)
        case commands.PlayOut(stop=stop):
            return PlaysOut(side, stop)
    _require_turn(state, side, command)
    if (refusal := find_refusal(state, side, command)) is not None:
        raise refusal
    match command:
        case commands.Move():
            return Played(side, play_parsing.read_steps(state.match.game, side, command))
        case commands.OfferResignation(level=level):
            return ResignOffered(side, level)
        case _:
            return FACTS[type(command)](side)


def find_refusal(state: MatchState, side: Side, command: Command) -> Refused | None:
    """Return the refusal of a command that live play does not allow, though records may contain it (R69).

    *side* is on turn.
    """
    game = state.match.game
    match command:
        case commands.Double() if state.plays_itself:
            sentence = _("This race is being played out automatically: stop that first.")
            return Refused(sentence, code="playing-out")
        case commands.OfferResignation() if game.phase is Phase.OPENING:
            # Neither side is on turn before the opening roll, even if only one of them is awaited.
            return Refused(_("It is not your turn."), code="not-your-turn")
        case commands.OfferResignation() if state.refused is side:
            sentence = _("Your resignation was refused. Play on before you offer another.")
            return Refused(sentence, code="resignation-refused")
        case commands.OfferResignation() if game.offer // 2 > game.cube.value:
            # After a beaver: a drop costs half the offer, but the cube that a resignation counts by has not
            # been turned yet.
            sentence = _("The double has not been answered: take or drop.")
            return Refused(sentence, code="resignation-too-low", rule="R46")
        case commands.OfferResignation(level=level) if level > (most := game.find_highest_level(side)):
            sentence = _("You can no longer lose that much in this game.")
            return Refused(sentence, code="resignation-too-high", rule="R69", most=most)
        case commands.DeclineResignation() if state.clock is not None and game.is_highest_resignation:
            sentence = _("You cannot win more than this. With a clock, you must accept it.")
            return Refused(sentence, code="highest-value", rule="R69")
        case _:
            return None


def _require_turn(state: MatchState, side: Side, command: Command) -> None:
    cited = {"rule": "R45"} if isinstance(command, commands.Double) else {}
    if not state.begun:
        raise Refused(_("The match has not begun."), code="not-begun")
    if state.asked is not None:
        raise Refused(_("The dice are being rolled."), code="roll-pending", **cited)
    if state.match.paused:
        raise Refused(_("The match is paused."), code="paused")
    if not state.match.is_over and state.owing != (side,):
        raise Refused(_("It is not your turn."), code="not-your-turn", **cited)


def _decide_roll(draft: Draft, side: Side) -> tuple[Fact, Thrown | None]:
    state = draft.state
    if not state.begun or state.dicing.owing:
        raise Refused(_("The dice have not been sealed yet."), code="dice-not-ready")
    if state.match.paused:
        raise Refused(_("The match is paused."), code="paused")
    if state.match.game.phase is not Phase.OPENING or state.match.is_over:
        _require_turn(state, side, commands.Roll())
    elif side in state.ready:
        raise Refused(_("You are ready already."), code="already-ready")
    return dice.roll_or_request(draft, side)
