"""Matches game by game: winner, kind of win and score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext, pgettext_lazy

from draw.drawing.rows import GameRow
from draw.rules_of_play import USUAL, RulesOfPlay
from matches.state.rule_words import cap_score
from tournaments.base import scores
from tournaments.base.event_view import EntryView, MatchView
from tournaments.base.scores import GameStep
from tournaments.models import OPEN_REPORTS, Entry, PairingState, Report, Tournament

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

ENDS: Final[Mapping[str, StrPromise]] = {
    "single": pgettext_lazy("how a game ended", "single"),
    "gammon": pgettext_lazy("how a game ended", "gammon"),
    "backgammon": pgettext_lazy("how a game ended", "backgammon"),
    "drop": pgettext_lazy("how a game ended", "drop"),
}


def build_play_rows(play: MatchView, a: EntryView | None, b: EntryView | None) -> tuple[GameRow, ...]:
    if play.state != PairingState.DECIDED or not play.games or a is None or b is None:
        return ()
    return build_rows(
        play.games, (a.name, b.name), play.begun, play.length, RulesOfPlay.from_match_rules(play.rules)
    )


def build_rows(
    games: Sequence[Mapping[str, Any]],
    players: tuple[str, str],
    begun: tuple[int, int],
    length: int,
    rules: RulesOfPlay = USUAL,
) -> tuple[GameRow, ...]:
    found = [scores.Game.from_json(game) for game in games]
    return tuple(
        _build_row(step, players, length) for step in scores.list_game_steps(found, begun, length, rules)
    )


def list_recorded_games(event: Tournament, play: MatchView, own: Entry | None) -> Sequence[Mapping[str, Any]]:
    """Return the games of a match so far: reported by *own*, or by either player if *own* is None."""
    if play.state == PairingState.DECIDED:
        return play.games
    rows = Report.objects.filter(pairing__tournament=event, pairing__key=play.key, status__in=OPEN_REPORTS)
    rows = rows.order_by("-at", "-pk")
    if own is not None:
        rows = rows.filter(by=own)
    return next((row.games for row in rows if row.games), [])


def _build_row(step: GameStep, players: tuple[str, str], length: int) -> GameRow:
    a, b = cap_score(step.after, length)
    return GameRow(
        number=step.number,
        winner=players[step.game.winner == "b"],
        how=", ".join(_list_ending_words(step)),
        points=step.game.points,
        score=f"{a}\u2013{b}",
    )


def _list_ending_words(step: GameStep) -> Iterator[str]:
    yield str(ENDS[step.game.end])
    if step.game.cube > 1:
        yield gettext("cube %(cube)s") % {"cube": step.game.cube}
    if step.is_crawford:
        yield gettext("Crawford")
