"""Highlights of an event: comebacks, high cubes, the longest match, last points, eliminations.

They are computed from recorded results.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from draw.rules_of_play import RulesOfPlay
from engine.clock import MINUTE
from matches.state import clock_words
from tournaments.base import scores
from tournaments.models import PairingState

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tournaments.base.event_view import EntryView, EventView, MatchView

MOST: Final = 5
# The least deficit, in points, of a comeback.
BEHIND: Final = 3
HIGH_CUBE: Final = 4
GAMMONS: Final = frozenset({"gammon", "backgammon"})
# The longest match is named if at least this many were timed, and if it was longer by this margin.
ENOUGH: Final = 3
LONGER: Final = timedelta(minutes=1)
# Limits of the longest match: shorter is not remarkable, longer was not played in one session.
LONG: Final = timedelta(minutes=20)
TOO_LONG: Final = timedelta(hours=12)


class Weight(IntEnum):
    """Priority of a highlight."""

    OUT, LAST_POINT, LONGEST, GAMMON, COMEBACK = range(5)


@dataclass(frozen=True, slots=True)
class Highlight:
    at: datetime
    sentence: str
    weight: Weight


def list_highlights(view: EventView) -> tuple[Highlight, ...]:
    """List the highlights of an event, the latest first, at most one a match."""
    longest = _find_longest_key(view)
    found = [told for play in view.plays if (told := _find_highlight(view, play, longest)) is not None]
    chosen = sorted(found, key=lambda each: (each.weight, each.at), reverse=True)[:MOST]
    return tuple(sorted(chosen, key=lambda each: each.at, reverse=True))


def measure_duration(play: MatchView) -> timedelta | None:
    """Return the duration of a match from its call, or else from its opening, to the result.

    None if it is unknown, or if the match was played over days.
    """
    called = play.called_at or play.opened_at
    if play.decided_at is None or called is None or play.deadline_at:
        return None
    return play.decided_at - called


def _find_longest_key(view: EventView) -> str:
    """Return the key of the longest match, "" if none is clearly the longest."""
    timed = sorted(
        (time, play.key)
        for play in view.plays
        if play.state == PairingState.DECIDED
        and play.kind == "played"
        and not play.is_cancelled
        and (time := measure_duration(play)) is not None
    )
    if len(timed) < ENOUGH or timed[-1][0] - timed[-2][0] < LONGER:
        return ""
    return timed[-1][1] if LONG <= timed[-1][0] <= TOO_LONG else ""


def _find_highlight(view: EventView, play: MatchView, longest: str) -> Highlight | None:
    """Return the most important highlight of a match, None if it was not played to an end."""
    a, b = view.who(play.a_id), view.who(play.b_id)
    is_told = play.state == PairingState.DECIDED and play.kind == "played" and play.score_a is not None
    if not is_told or play.is_cancelled or a is None or b is None or play.decided_at is None:
        return None
    winner, loser = (a, b) if play.winner_id == a.pk else (b, a)
    high, low = max(play.score_a or 0, play.score_b or 0), min(play.score_a or 0, play.score_b or 0)
    values = {"winner": winner.name, "loser": loser.name, "score": f"{high}\u2013{low}"}
    said = list(_list_sentences(view, play, winner, loser, values))
    if play.key == longest and (time := measure_duration(play)) is not None:
        lasted = clock_words.format_duration(round(time.total_seconds() / 60) * MINUTE)
        sentence = gettext("The longest match: %(winner)s beat %(loser)s %(score)s after %(time)s.")
        said.append((Weight.LONGEST, sentence % {**values, "time": lasted}))
    weight, sentence = max(said, default=(None, ""))
    return None if weight is None else Highlight(play.decided_at, sentence, weight)


def _list_sentences(
    view: EventView, play: MatchView, winner: EntryView, loser: EntryView, values: dict[str, str]
) -> Iterator[tuple[Weight, str]]:
    own = "a" if winner.pk == play.a_id else "b"
    steps = list(
        scores.list_game_steps(
            [scores.Game.from_json(each) for each in play.games],
            play.begun,
            play.length,
            RulesOfPlay.from_match_rules(play.rules),
        )
    )
    behind = [step.before if own == "a" else step.before[::-1] for step in steps]
    worst = min(behind, key=lambda each: each[0] - each[1], default=(0, 0))
    if worst[1] - worst[0] >= BEHIND:
        yield Weight.COMEBACK, gettext("%(winner)s was %(behind)s down and beat %(loser)s %(score)s.") % {
            **values, "behind": f"{worst[0]}\u2013{worst[1]}",
        }  # fmt: skip
    high = [each.game for each in steps if each.game.winner == own and _is_high_gammon(each.game)]
    if high:
        best = max(high, key=lambda game: (game.points, game.cube))
        told = (
            gettext("%(winner)s won a backgammon with the cube on %(cube)s and beat %(loser)s %(score)s.")
            if best.end == "backgammon"
            else gettext("%(winner)s won a gammon with the cube on %(cube)s and beat %(loser)s %(score)s.")
        )
        yield Weight.GAMMON, told % {**values, "cube": best.cube}
    if play.length > 1 and {play.score_a, play.score_b} == {play.length, play.length - 1}:
        yield (
            Weight.LAST_POINT,
            gettext("%(winner)s needed the last point against %(loser)s: %(score)s.") % values,
        )
    part = view.part_of[play.stage_id]
    if part.is_sheet and loser.pk not in view.ahead and view.part_of[play.stage_id] is view.parts[-1]:
        yield Weight.OUT, gettext("%(loser)s is out: %(winner)s won %(score)s.") % values


def _is_high_gammon(game: scores.Game) -> bool:
    return game.end in GAMMONS and game.cube >= HIGH_CUBE
