"""Progress of an event: matches that are decided, open and to come, in total and by round."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from draw.brackets.structure import FINAL, MAIN
from tournaments.base import event_rows, labels
from tournaments.models import PairingState
from tournaments.pages import timetable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from tournaments.base.event_view import EventView, MatchView, StageView
    from tournaments.pages.timetable import Timetable

# Places without a match.
EMPTY: Final = frozenset({PairingState.BYE, PairingState.VACANT})
# The brackets that lead to the title.
TO_THE_TITLE: Final = frozenset({MAIN, FINAL})
# At most this number of rounds is shown.
MOST_ROUNDS: Final = 5


@dataclass(frozen=True, slots=True)
class ProgressRound:
    """A round of the main bracket, or of all matches if there is no bracket."""

    title: str
    done: int
    live: int
    count: int
    began_at: datetime | None
    # The expected start of a round that has not begun.
    begins_at: datetime | None = None

    @property
    def is_over(self) -> bool:
        return 0 < self.count == self.done


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    live: int
    left: int
    # All matches are known; otherwise further rounds will be paired.
    is_whole: bool
    legs: tuple[ProgressRound, ...]
    # The expected end of the last match.
    ends_at: datetime | None = None

    @property
    def total(self) -> int:
        """Number of known matches."""
        return self.done + self.live + self.left


def count_progress(view: EventView, times: Timetable = timetable.UNKNOWN) -> Progress:
    made = [play for play in view.plays if play.state not in EMPTY]
    done, live = _count_matches(made)
    return Progress(
        done=done,
        live=live,
        left=len(made) - done - live,
        is_whole=all(event_rows.is_fixed(part.stage) and part.plays for part in view.parts),
        legs=_build_rounds(view, times),
        ends_at=times.ends_at,
    )


def _count_matches(made: Iterable[MatchView]) -> tuple[int, int]:
    """Return the numbers of decided and of open matches."""
    done = live = 0
    for play in made:
        if play.state == PairingState.DECIDED:
            done += 1
        elif play.is_open:
            live += 1
    return done, live


def _build_rounds(view: EventView, times: Timetable) -> tuple[ProgressRound, ...]:
    drawn = [part for part in view.parts if part.plays]
    if not drawn:
        return ()
    legs = list(_list_stage_rounds(drawn[-1], times))
    legs += (
        ProgressRound(labels.format_round(each.number), 0, 0, 0, None, each.begins_at)
        for each in times.to_come
    )
    current = next((at for at, leg in enumerate(legs) if not leg.is_over), len(legs))
    first = max(0, min(current - 2, len(legs) - MOST_ROUNDS))
    return tuple(legs[first : first + MOST_ROUNDS])


def _list_stage_rounds(part: StageView, times: Timetable) -> Iterable[ProgressRound]:
    """Yield the rounds of a stage in order, those of all groups together."""
    found: dict[str, list[MatchView]] = {}
    is_sheet = part.is_sheet
    rounds = [one for one in part.rounds.items() if not is_sheet or one[0][0] in TO_THE_TITLE]
    for (name, number), plays in sorted(rounds, key=lambda one: (one[0][0] == FINAL, one[0][1])):
        if made := [play for play in plays if play.state not in EMPTY]:
            found.setdefault(part.round_title(name, number), []).extend(made)
    for title, made in found.items():
        done, live = _count_matches(made)
        began = [play.opened_at for play in made if play.opened_at is not None]
        begins = [times.begins[play.key] for play in made if play.key in times.begins]
        yield ProgressRound(title, done, live, len(made), min(began, default=None), min(begins, default=None))
