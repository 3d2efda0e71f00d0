"""What is worth telling of an evening: comebacks, large cubes, last points, and who is out. From what was recorded, no more."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from tournaments import scores
from tournaments.models import Stand
from tournaments.selectors import event_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from tournaments.selectors.event_view import EntryView, EventView, MatchView

MOST: Final = 5
# From so many points behind it is a comeback, in a match that is long enough for one.
BEHIND: Final = 3
HIGH_CUBE: Final = 4
GAMMONS: Final = frozenset({"gammon", "backgammon"})


class Weight(IntEnum):
    """What is told first where there is too much to tell."""

    OUT, LAST_POINT, GAMMON, COMEBACK = range(4)


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that happened, in a sentence."""

    at: datetime
    sentence: str
    weight: Weight


def of(view: EventView) -> tuple[Moment, ...]:
    """Return the story of an event, the latest first: one sentence a match at most."""
    found = [told for part in view.parts for play in part.plays if (told := _moment(view, play)) is not None]
    chosen = sorted(found, key=lambda each: (each.weight, each.at), reverse=True)[:MOST]
    return tuple(sorted(chosen, key=lambda each: each.at, reverse=True))


def _moment(view: EventView, play: MatchView) -> Moment | None:
    """Return the most that can be said of a match, None of one that was not played to an end."""
    a, b = view.who(play.a_id), view.who(play.b_id)
    is_told = play.state == Stand.DECIDED and play.kind == "played" and play.score_a is not None
    if not is_told or play.is_cancelled or a is None or b is None or play.decided_at is None:
        return None
    winner, loser = (a, b) if play.winner_id == a.pk else (b, a)
    high, low = max(play.score_a or 0, play.score_b or 0), min(play.score_a or 0, play.score_b or 0)
    values = {"winner": winner.name, "loser": loser.name, "score": f"{high}\u2013{low}"}
    weight, sentence = max(_said(view, play, winner, loser, values), default=(None, ""))
    return None if weight is None else Moment(play.decided_at, sentence, weight)


def _said(
    view: EventView, play: MatchView, winner: EntryView, loser: EntryView, values: dict[str, str]
) -> Iterator[tuple[Weight, str]]:
    own = "a" if winner.pk == play.a_id else "b"
    steps = list(
        scores.walk(
            [scores.Game.of(each) for each in play.games],
            play.begun,
            play.length,
            event_rows.played_by(play.rules),
        )
    )
    behind = [step.before if own == "a" else step.before[::-1] for step in steps]
    worst = min(behind, key=lambda each: each[0] - each[1], default=(0, 0))
    if worst[1] - worst[0] >= BEHIND:
        yield Weight.COMEBACK, gettext("%(winner)s was %(behind)s down and beat %(loser)s %(score)s.") % {
            **values, "behind": f"{worst[0]}\u2013{worst[1]}",
        }  # fmt: skip
    large = [each.game for each in steps if each.game.end in GAMMONS and each.game.cube >= HIGH_CUBE]
    if large and any(game.winner == own for game in large):
        cube = max(game.cube for game in large if game.winner == own)
        yield (
            Weight.GAMMON,
            gettext("%(winner)s won a gammon with the cube on %(cube)s and beat %(loser)s %(score)s.")
            % {**values, "cube": cube},
        )
    if play.length > 1 and {play.score_a, play.score_b} == {play.length, play.length - 1}:
        yield (
            Weight.LAST_POINT,
            gettext("%(winner)s needed the last point against %(loser)s: %(score)s.") % values,
        )
    part = view.part_of[play.stage_id]
    if part.is_sheet and loser.pk not in view.ahead and view.part_of[play.stage_id] is view.parts[-1]:
        yield Weight.OUT, gettext("%(loser)s is out: %(winner)s won %(score)s.") % values
