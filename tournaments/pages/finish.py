"""How a finished event was won: the winner's matches, the final position, the winners of side brackets."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from draw.brackets.structure import FINAL, MAIN
from matches.models.matches import State
from matches.play import match_lists
from matches.play.boards import Tile
from tournaments.base import labels
from tournaments.base.event_view import EntryView, EventView, MatchView, StageView
from tournaments.models import PairingState
from tournaments.models.pairings import ResultKind
from tournaments.pages import live_boards


@dataclass(frozen=True, slots=True)
class PathStep:
    title: str
    opponent: str
    # Own points first; "" if unknown.
    score: str
    is_won: bool
    # `is_won` and `is_lost` are both false if the match has no winner.
    is_lost: bool


@dataclass(frozen=True, slots=True)
class SideWinner:
    bracket: str
    name: str
    url: str
    loser: str
    score: str


def list_player_path(view: EventView, number: int) -> tuple[PathStep, ...]:
    """List the decided matches of an entry in the order of their results."""
    who = view.by_number.get(number)
    if who is None:
        return ()
    own = [
        play
        for play in view.plays
        if play.state == PairingState.DECIDED and who.pk in (play.a_id, play.b_id) and not play.is_cancelled
    ]
    own.sort(key=lambda play: play.decided_at.timestamp() if play.decided_at else inf)
    return tuple(_build_path_step(view, play, who) for play in own)


def find_last_position(view: EventView) -> Tile | None:
    """Return the board of the final, if it was played here and is public."""
    play = view.by_key.get(view.title_key) if view.parts else None
    if play is None or play.state != PairingState.DECIDED or not play.board:
        return None
    row = match_lists.list_public().filter(key=play.board, status=State.FINISHED).first()
    return None if row is None else live_boards.draw_tile(view, play, row)


def list_side_winners(view: EventView) -> tuple[SideWinner, ...]:
    """List the winners of decided side brackets, such as the consolation.

    The losers' bracket of a double elimination is not one: it leads to the title match.
    """
    return tuple(
        made
        for part in view.parts
        if part.is_sheet
        for bracket, last in part.last.items()
        if bracket not in {"", MAIN, FINAL, labels.LOSERS, labels.THIRD_PLACE}
        if (made := _find_side_winner(view, part, bracket, last)) is not None
    )


def _find_side_winner(view: EventView, part: StageView, bracket: str, last: int) -> SideWinner | None:
    finals = [
        play
        for play in part.rounds[bracket, last]
        if play.state not in {PairingState.BYE, PairingState.VACANT}
    ]
    if len(finals) != 1 or finals[0].state != PairingState.DECIDED or finals[0].winner_id is None:
        return None
    play = finals[0]
    winner = view.who(play.winner_id)
    loser = view.who(play.b_id if play.winner_id == play.a_id else play.a_id)
    if winner is None:
        return None
    return SideWinner(
        bracket=labels.format_bracket(bracket),
        name=winner.name,
        url=winner.href,
        loser=loser.name if loser else "",
        score=_format_score(play, winner),
    )


def _build_path_step(view: EventView, play: MatchView, who: EntryView) -> PathStep:
    opponent = view.who(play.b_id if play.a_id == who.pk else play.a_id)
    return PathStep(
        title=view.label(play),
        opponent=opponent.name if opponent else "",
        score=_format_score(play, who),
        is_won=play.winner_id == who.pk,
        is_lost=play.winner_id not in {who.pk, None},
    )


def _format_score(play: MatchView, who: EntryView) -> str:
    if play.score_a is None or play.score_b is None or play.kind not in {"played", "drawn"}:
        return str(ResultKind(play.kind).label) if play.kind in labels.SHORT_KINDS else ""
    pair = (play.score_a, play.score_b) if play.a_id == who.pk else (play.score_b, play.score_a)
    return f"{pair[0]}\u2013{pair[1]}"
