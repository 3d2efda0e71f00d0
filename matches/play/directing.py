"""Rulings: each is a fact with a reason, and may itself be taken back. And what a player takes back in practice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Final, NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from engine.actions import (
    Action,
    Opened,
    Paused,
    Penalised,
    Played,
    Resumed,
    Rolled,
    RuledGame,
    RuledMatch,
    RuledPosition,
    RuledScore,
    TakenBack,
    TimeCredited,
    VoidedGame,
    VoidedMatch,
)
from engine.clock import DAY
from engine.cube import CENTRED
from engine.game import Phase
from engine.match import Match as Moment
from engine.side import BySide, Side
from matches.journal import journal
from matches.journal.journal import Draft, RequestIdentity, Step
from matches.journal.lifecycle import record
from matches.models import JournalEntry, Match
from matches.play import automatic_facts, clocks
from matches.state import reasons, rulings
from matches.state.errors import MatchError, NotAllowed, NotAPlayer, Refused, Stale
from matches.state.facts import Asked, DiceBegun, Excused, Forwent, Held, Promised, Readied, Unsealed
from matches.state.match_state import MatchState
from matches.state.rulings import Ruling, Start
from players.models import Player, User

LONGEST_REASON: Final = 300
LONGEST_CREDIT: Final = 60 * DAY
MOST_POINTS: Final = 1_000
# Not tied to a board; all others are stale once the board has changed.
WHENEVER: Final = (rulings.Pause, rulings.Resume, rulings.CreditTime)
# Facts that are no acts in the game: dice and clock handling, takebacks.
NO_ACT: Final = (Opened, TakenBack, DiceBegun, Promised, Unsealed, Forwent, Excused, Held)


@dataclass(frozen=True, slots=True)
class RulingResult:
    """The result of a ruling: lines and the state after them. *refusal*: a flag came first."""

    steps: tuple[Step, ...]
    state: MatchState
    refusal: MatchError | None = None


class _Author(NamedTuple):
    """The author of a ruling: a director, or a player with the right to call off."""

    by: str
    who: str
    side: Side | None = None


def rule(
    *,
    match_id: int,
    user: User,
    ruling: Ruling,
    reason: str,
    after: int,
    now: datetime,
    request: RequestIdentity,
) -> RulingResult:
    """Carry out a ruling made on the board after line *after*. Idempotent by request.

    :raises NotAllowed: this user may not rule on this match.
    :raises Stale: the board has changed since.
    :raises Refused: the state does not allow it, or the reason is missing.
    :raises KeyReused: the key belongs to another request.
    """
    with transaction.atomic():
        row = journal.lock(match_id)
        hand = _require_author(user, row, ruling)
        if earlier := journal.find_earlier_command(row, request):
            return _build_result(ruling, earlier)
        # A takeback needs the past, which the cache does not have.
        draft = Draft.load(row, now=now, with_past=isinstance(ruling, rulings.TakeBack))
        clocks.exclude_interruptions(draft)
        if not clocks.flag(draft):
            if after != row.head and not isinstance(ruling, WHENEVER):
                raise Stale(row.head)
            if isinstance(ruling, rulings.Pause):
                clocks.excuse_time_before_start(draft)
            draft.write(_build_fact(draft, ruling, _normalize_reason(reason, hand)), by=hand.by, who=hand.who)
            _extend_waiting_time(row, ruling, now=now)
        automatic_facts.write_automatic_facts(draft)
        record(draft, request=request)
        return _build_result(ruling, draft.steps)


def may_rule(user: User, row: Match) -> bool:
    """True for directors of the match's club who do not play in it."""
    return user.has_perm("matches.adjudicate", row) and user.player.pk not in {row.white_id, row.black_id}


def _require_author(user: User, row: Match, ruling: Ruling) -> _Author:
    player = user.player
    side = journal.find_side(row, player.pk)
    # Either player may void the match alone: without a club, and before it has begun.
    may_call_off = isinstance(ruling, rulings.VoidMatch) and row.club_id is None
    if side is not None and may_call_off and not journal.load(row).begun:
        return _Author(side.word, player.key, side)
    if not user.has_perm("matches.adjudicate", row):
        raise NotAllowed
    if side is not None:
        sentence = _("You play in this match, so another director must rule on it.")
        raise NotAllowed(sentence, code="own-match")
    return _Author("director", player.key)


def _build_result(ruling: Ruling, steps: Sequence[Step]) -> RulingResult:
    state = steps[-1].after
    is_done = any(isinstance(step.line.fact, FACTS[type(ruling)]) and step.line.who for step in steps)
    return RulingResult(tuple(steps), state, None if is_done else Stale(state.head))


def _normalize_reason(reason: str, hand: _Author) -> str:
    """Return the reason with single spaces, or the reason for calling off.

    :raises Refused: the reason is missing, too long or not printable.
    """
    if hand.side is not None:
        return reasons.build_reason(reasons.CALLED_OFF, hand.side)
    text = " ".join(reason.split())
    if not text or not text.isprintable():
        raise Refused(_("Give a reason. It is kept with the ruling."), code="reason-needed")
    if len(text) > LONGEST_REASON:
        sentence = _("A reason has at most %(most)d characters.") % {"most": LONGEST_REASON}
        raise Refused(sentence, code="reason-too-long", most=LONGEST_REASON)
    return text


def _extend_waiting_time(row: Match, ruling: Ruling, *, now: datetime) -> None:
    """Extend the time to join by the length of the pause that ends now."""
    if not isinstance(ruling, rulings.Resume) or row.waits_until is None:
        return
    paused = JournalEntry.objects.filter(match=row, fact__fact="paused").order_by("-seq").first()
    if paused is not None:
        row.waits_until += max(now - journal.to_datetime(paused.at), timedelta())
        Match.objects.filter(pk=row.pk).update(waits_until=row.waits_until)


# -- what each ruling writes ----------------------------------------------------------------------

FACTS: Final[dict[type, type]] = {
    rulings.Pause: Paused,
    rulings.Resume: Resumed,
    rulings.CreditTime: TimeCredited,
    rulings.TakeBack: TakenBack,
    rulings.SetPosition: RuledPosition,
    rulings.SetScore: RuledScore,
    rulings.Penalise: Penalised,
    rulings.RuleGame: RuledGame,
    rulings.RuleMatch: RuledMatch,
    rulings.VoidGame: VoidedGame,
    rulings.VoidMatch: VoidedMatch,
}


def _build_fact(draft: Draft, ruling: Ruling, reason: str) -> Action:
    match ruling:
        case rulings.Pause():
            return Paused(reason)
        case rulings.Resume():
            return Resumed(reason)
        case rulings.CreditTime(side=side, milliseconds=milliseconds):
            _require_credit(draft, milliseconds)
            return TimeCredited(side, milliseconds, reason)
        case rulings.TakeBack():
            return TakenBack(_count_facts_before(draft, ruling), reason)
        case rulings.VoidMatch():
            return VoidedMatch(reason)
        case rulings.RuleMatch(winner=winner, verdict=verdict):
            return RuledMatch(winner, f"{verdict.value}: {reason}")
        case _:
            return _build_game_fact(draft, ruling, reason)


def _build_game_fact(draft: Draft, ruling: Ruling, reason: str) -> Action:
    match ruling:
        case rulings.SetPosition(position=board, turn=turn, cube=cube, dice=dice):
            _require_playable(draft, ruling)
            return RuledPosition(board, turn, cube, dice, reason)
        case rulings.SetScore(white=white, black=black, crawford_played=played):
            _require_points(max(white, black))
            if played is None and max(white, black) < draft.state.terms.rules.length - 1:
                played = False  # at this score no side has been one short: the Crawford game is still to come (R51)
            return RuledScore(BySide(white, black), played, reason)
        case rulings.Penalise(side=side, points=points):
            _require_points(points)
            return Penalised(side, points, reason)
        case rulings.RuleGame(winner=winner, points=points):
            _require_game(draft)
            _require_points(points)
            return RuledGame(winner, points, reason)
        case rulings.VoidGame():
            _require_game(draft)
            return VoidedGame(reason)
        case _:
            raise AssertionError(f"{ruling} is no ruling")


def _require_credit(draft: Draft, milliseconds: int) -> None:
    if draft.state.clock is None:
        raise Refused(_("This match is played without a clock."), code="no-clock")
    if not 0 < milliseconds <= LONGEST_CREDIT:
        raise Refused(_("You can give between one millisecond and sixty days."), code="bad-credit")


def _require_points(points: int) -> None:
    if points > MOST_POINTS:
        raise Refused(_("That is too many points."), code="bad-points")


def _require_game(draft: Draft) -> None:
    match = draft.state.match
    if match.game.phase is Phase.OPENING and not match.is_over:
        raise Refused(_("No game is being played."), code="no-game")


def _require_playable(draft: Draft, ruling: rulings.SetPosition) -> None:
    rules, board = draft.state.terms.rules, ruling.position
    if board.checkers != rules.start.checkers:
        sentence = _("In this match each side plays with %(count)d checkers.")
        raise Refused(sentence % {"count": rules.start.checkers}, code="bad-position")
    if board.winner is not None:
        raise Refused(_("In this position the game is over. Rule on the game instead."), code="bad-position")
    if not rules.has_cube and ruling.cube != CENTRED:
        raise Refused(_("This match is played without a cube."), code="no-cube")


# -- takebacks: a journal line as a number of engine facts ------------------------------------------


def _count_facts_before(draft: Draft, ruling: rulings.TakeBack) -> int:
    steps = [*journal.iterate_steps(draft.row), *draft.steps]
    # The match after each line, starting before the first one.
    moments = [steps[0].before.match, *(step.after.match for step in steps)]
    line = _find_start(steps, moments, ruling.to_start_of) if ruling.to_line is None else ruling.to_line
    if not 0 <= line < len(moments):
        raise Refused(_("The journal has no such line."), code="no-such-line", head=len(moments) - 1)
    past, present = moments[line], moments[-1]
    if _get_restorable_parts(past) == _get_restorable_parts(present):
        raise Refused(
            _("Nothing has happened since then, so there is nothing to take back."),
            code="nothing-to-take-back",
        )
    return past.facts


def _get_restorable_parts(match: Moment) -> Moment:
    """Return the parts that a takeback restores, for comparison."""
    return replace(match, facts=0, before=None, paused=False)


def _find_start(steps: Sequence[Step], moments: Sequence[Moment], what: Start) -> int:
    """Return the line before the start of the last turn or game with an act."""
    lines = _list_standing_lines(steps, moments)
    acts = [place for place, line in enumerate(lines) if line and _is_act(steps[line - 1])]
    marks = _list_turn_keys(steps, moments, lines, what)
    return lines[_find_last_start([moments[line] for line in lines], marks, acts)]


def _is_act(step: Step) -> bool:
    """True for acts of a person, not automatic facts. Sealing dice does not count: browsers do it."""
    match step.line.fact:
        case Asked() | Rolled():
            # If the side cannot double, its roll is automatic once both shares are there.
            return step.before.match.game.why_no_double is None
        case Played() | Readied():
            return step.line.by != "server"
        case fact:
            return not isinstance(fact, NO_ACT)


def _list_standing_lines(steps: Sequence[Step], moments: Sequence[Moment]) -> list[int]:
    """Return the lines not undone by a takeback."""
    lines = [0]
    for number, step in enumerate(steps, start=1):
        fact = step.line.fact
        if isinstance(fact, TakenBack):
            while moments[lines[-1]].facts > fact.to:
                lines.pop()
        lines.append(number)
    return lines


def _list_turn_keys(
    steps: Sequence[Step], moments: Sequence[Moment], lines: Sequence[int], what: Start
) -> list[tuple[object, ...]]:
    """Return a key of the turn or game of each line; a ruled position starts a new turn."""
    if what is Start.GAME:
        return [(moments[line].number,) for line in lines]
    positions = accumulate(
        line > 0 and isinstance(steps[line - 1].line.fact, RuledPosition) for line in lines
    )
    return [
        (moments[line].number, moments[line].game.turn, count)
        for line, count in zip(lines, positions, strict=True)
    ]


def _find_last_start(
    moments: Sequence[Moment], marks: Sequence[tuple[object, ...]], acts: Sequence[int]
) -> int:
    """Return the start of the last turn or game with an act; of a finished match, its last.

    Right after a play, the current turn is the opponent's: empty, or with an automatic roll.
    """
    end = next((place for place in reversed(range(len(moments))) if not moments[place].is_over), 0)
    present = _get_restorable_parts(moments[-1])
    while True:
        start = end
        while start and not moments[start - 1].is_over and marks[start - 1] == marks[end]:
            start -= 1
        has_changed = _get_restorable_parts(moments[start]) != present and any(
            place > start for place in acts
        )
        if has_changed or not start or moments[start - 1].is_over:
            return start
        end = start - 1


@transaction.atomic
def take_back(*, match_id: int, player: Player, line: int, now: datetime) -> Match:
    """Take back the play in this journal line and everything after it; the roll stays the same.

    :raises NotAPlayer: it is not this player's match.
    :raises Refused: the match is not practice or is over, or the line is not a play of this player.
    """
    row = journal.lock(match_id)
    side = journal.find_side(row, player.pk)
    if side is None:
        raise NotAPlayer
    if not row.is_practice:
        raise Refused(_("You can take back a play only in practice against a bot."), code="no-practice")
    draft = Draft.load(row, now=now, with_past=True)
    if draft.state.match.is_over:
        raise Refused(_("The match is over."), code="play-after-end")
    steps = [step for step in journal.iterate_steps(row, upto=line) if step.line.seq == line]
    played = steps[0].line.fact if steps else None
    if not isinstance(played, Played) or played.side is not side:
        raise Refused(_("You can take back only your own plays."), code="nothing-to-take-back")
    fact = TakenBack(steps[0].before.match.facts, reasons.build_reason(reasons.OWN_PLAY, side))
    draft.write(fact, by=side)
    automatic_facts.write_automatic_facts(draft)
    record(draft)
    return row
