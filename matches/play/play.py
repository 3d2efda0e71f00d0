"""A player's command becomes facts, or nothing at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.translation import gettext as _

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
    Took,
)
from engine.errors import EngineError
from engine.fair import Party
from engine.game import Phase
from matches.journal import journal
from matches.journal.lifecycle import Draft, record
from matches.play import absences, clocks, following, reading, rolling
from matches.state import commands, resigning
from matches.state.errors import MatchError, NotAPlayer, Refused, Stale
from matches.state.facts import NAMES, Forwent, Held, PlaysOut, Promised, Readied, Unsealed
from runtime.idempotency import KeyReused

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine.game import Game
    from engine.side import Side
    from engine.step import Step as BoardStep
    from matches.journal.journal import Request, Step
    from matches.models import JournalEntry, Match
    from matches.state.commands import Command
    from matches.state.facts import Fact, Line
    from matches.state.match_state import MatchState
    from players.models import Player

# These mean the same whatever has happened since; all others are for one board alone.
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


@dataclass(frozen=True, slots=True)
class Lag:
    """What a client says of its last turn: how long the player thought; and what we measured ourselves."""

    thought: int | None = None
    trusted: int | None = None


# An answer that comes too late and yet is the one that was given for it.
MEANT: Final[Mapping[type, type]] = {
    commands.AcceptResignation: ResignAccepted,
    commands.DeclineResignation: ResignDeclined,
}

NO_LAG: Final = Lag()
NO_SHARES: Final[Mapping[int, bytes]] = {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command led to: the lines, and the state after them. *refusal*: something else came first."""

    row: Match
    side: Side
    steps: tuple[Step, ...]
    state: MatchState
    refusal: MatchError | None = None


def submit(
    *,
    match_id: int,
    player: Player,
    command: Command,
    after: int,
    now: datetime,
    shares: Mapping[int, bytes] = NO_SHARES,
    lag: Lag = NO_LAG,
    request: Request,
) -> Answer:
    """Carry out a command given on the board after line *after*; given again, answer as before.

    :raises Stale: the board is another one by now.
    :raises Refused: the rules do not allow it.
    """
    with transaction.atomic():
        row = journal.lock(match_id)
        side = journal.side_of(row, player.pk)
        if side is None:
            raise NotAPlayer
        if (earlier := journal.answered(row, actor=request.actor, key=request.key)) is not None:
            if earlier.request != request.digest:
                raise KeyReused
            return _again(row, side, command, earlier)
        draft = Draft.of(row, now=now)
        act = _Act(draft, side, command, lag)
        clocks.excuse(draft, mover=side)
        if clocks.flag(draft, lag=act.lag_given, mover=side):
            following.follow(draft)
            record(draft, request=request)
            return _answer(row, side, command, draft.steps)
        if _is_stale(draft, side, command, after):
            raise Stale(row.head)
        if draft.state.match.is_over:
            raise Refused(_("The match is over."), code="play-after-end")
        has_deposited = _deposit(draft, side, shares)
        act.carry_out()
        following.follow(draft)
        if clocks.has_news(draft, mover=side):
            record(draft, request=request)
        else:
            draft = Draft.of(row, now=now)
            if has_deposited:
                row.save(update_fields=["deposits"])
        return Answer(row, side, tuple(draft.steps), draft.state)


def _again(row: Match, side: Side, command: Command, earlier: JournalEntry) -> Answer:
    steps = list(journal.steps(row, upto=earlier.seq + earlier.lines - 1))
    return _answer(row, side, command, steps[earlier.seq - 1 :])


def _answer(row: Match, side: Side, command: Command, steps: Sequence[Step]) -> Answer:
    return Answer(row, side, tuple(steps), steps[-1].after, _overtaken(command, [s.line for s in steps]))


def _overtaken(command: Command, lines: Sequence[Line]) -> Refused | None:
    """Return why the lines are not what was asked for, if the clock came first."""
    if isinstance(command, commands.ClaimFlag | commands.ClaimAbsence):
        return None
    if any(isinstance(line.fact, Flagged) for line in lines):
        return Refused(_("The time had already run out."), code="time-over")
    lapsed = next((line.fact for line in lines if clocks.has_lapsed(line.fact, line.by)), None)
    if lapsed is None or isinstance(lapsed, MEANT.get(type(command), ())):
        return None
    return Refused(_("The offer to resign had already lapsed."), code="offer-lapsed")


def _is_stale(draft: Draft, side: Side, command: Command, after: int) -> bool:
    head = draft.row.head
    if after == head or isinstance(command, WHENEVER):
        return False
    # Both sit down for the next game at once: neither has to wait for the other's line.
    state = draft.state
    is_opening = state.match.game.phase is Phase.OPENING and isinstance(command, commands.Roll)
    if is_opening and state.opening <= after < head:
        return False
    # That a clock stood meanwhile changes no board.
    return journal.kinds(draft.row, after=after) != {NAMES[Held]}


def _deposit(draft: Draft, side: Side, shares: Mapping[int, bytes]) -> bool:
    """Keep the shares that came along, each checked; those of rolls that are made are not needed again."""
    dicing, party = draft.state.dicing, Party.of(side)
    kept = {
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
        kept[str(number)] = link.hex()
    has_changed = bool(kept != draft.row.deposits.get(party, {}))
    draft.row.deposits = {**draft.row.deposits, party.value: kept}
    return has_changed


class _Act:
    """One command of one side, under the match's lock."""

    def __init__(self, draft: Draft, side: Side, command: Command, claim: Lag) -> None:
        self.draft = draft
        self.side = side
        self.command = command
        self.lag_given = clocks.forgiven(draft, side, thought=claim.thought, trusted=claim.trusted)

    def carry_out(self) -> None:
        """Write the command's own facts."""
        command, side = self.command, self.side
        match command:
            case commands.Promise(commitment=commitment, words=words):
                self._write(Promised(Party.of(side), commitment, words))
            case commands.Open(head=head):
                self._write(Unsealed(Party.of(side), head))
            case commands.Forgo(reason=reason):
                self._write(Forwent(side, reason))
            case commands.Share():
                pass
            case commands.Roll():
                self._roll()
            case commands.ClaimFlag() | commands.ClaimAbsence():
                self._claim()
            case commands.Concede():
                self._write(Conceded(side))
            case commands.PlayOut(stops=stops):
                self._play_out(stops=stops)
            case commands.Move() | commands.WrittenMove():
                self._require_turn()
                self._write(Played(side, _steps(command, self.draft.state.match.game, side)))
            case _:
                self._require_turn()
                self._require_fair_resignation()
                self._require_nothing_agreed()
                self._write(_fact(command, side))

    def _claim(self) -> None:
        if isinstance(self.command, commands.ClaimFlag):
            raise Refused(_("There is time left."), code="time-left")
        absences.claim(self.draft, self.side)

    def _write(self, fact: Fact) -> None:
        side = self.side
        self.draft.write(fact, by=side.word, who=self.draft.who(side), lag=self.lag_given)

    def _require_turn(self) -> None:
        state = self.draft.state
        if not state.begun:
            raise Refused(_("The match has not begun."), code="not-begun")
        if state.asked is not None:
            raise Refused(_("The dice are being rolled."), code="roll-pending", **self._cited)
        if state.match.paused:
            raise Refused(_("The match is paused."), code="paused")
        if not state.match.is_over and state.owing != (self.side,):
            raise Refused(_("It is not your turn."), code="not-your-turn", **self._cited)

    @property
    def _cited(self) -> dict[str, str]:
        return {"rule": "R45"} if isinstance(self.command, commands.Double) else {}

    def _require_fair_resignation(self) -> None:
        state, refusal = self.draft.state, None
        match self.command:
            case commands.OfferResignation() if state.refused is self.side:
                sentence = _("Your resignation was refused. Play on before you offer another.")
                refusal = Refused(sentence, code="resignation-refused")
            case commands.OfferResignation(level=level):
                refusal = resigning.why_no_offer(state, self.side, level)
            case commands.DeclineResignation():
                refusal = resigning.why_no_refusal(state)
            case _:
                pass
        if refusal is not None:
            raise refusal

    def _require_nothing_agreed(self) -> None:
        if isinstance(self.command, commands.Double) and self.draft.state.plays_itself:
            raise Refused(
                _("This race is being played out automatically: stop that first."), code="playing-out"
            )

    def _play_out(self, *, stops: bool) -> None:
        draft, side = self.draft, self.side
        if not stops and side in draft.state.playing_out:
            return
        self._write(PlaysOut(side, stops))
        # A bot has nothing against it.
        if draft.row.has_bot and not stops:
            draft.write(PlaysOut(side.other), by="server", who=draft.who(side.other))

    def _roll(self) -> None:
        draft, side, state = self.draft, self.side, self.draft.state
        if not state.begun or any(state.dicing.owes(party) for party in Party):
            raise Refused(_("The dice have not been sealed yet."), code="dice-not-ready")
        if state.match.paused:
            raise Refused(_("The match is paused."), code="paused")
        if state.match.game.phase is Phase.OPENING and not state.match.is_over:
            if side in state.ready:
                raise Refused(_("You are ready already."), code="already-ready")
            rolling.require_share(draft, side)
            self._write(Readied(side))
            return
        self._require_turn()
        rolling.ask_or_throw(draft, side, lag=self.lag_given)


def _steps(command: commands.Move | commands.WrittenMove, game: Game, side: Side) -> tuple[BoardStep, ...]:
    if isinstance(command, commands.WrittenMove):
        return reading.steps(game, side, command.text)
    return reading.checked(game, side, command.steps)


def _fact(command: Command, side: Side) -> Fact:
    match command:
        case commands.Double():
            return Doubled(side)
        case commands.Beaver():
            return Beavered(side)
        case commands.Take():
            return Took(side)
        case commands.Drop():
            return Dropped(side)
        case commands.OfferResignation(level=level):
            return ResignOffered(side, level)
        case commands.AcceptResignation():
            return ResignAccepted(side)
        case commands.DeclineResignation():
            return ResignDeclined(side)
        case _:
            raise AssertionError(f"{command} has no single fact")
