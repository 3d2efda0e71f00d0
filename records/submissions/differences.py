"""Comparison of two records of a match, up to the first difference. Pure.

The players' colours may be swapped in the second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from engine.actions import Action, Doubled, Dropped, Opened, Played, ResignAccepted, Rolled, Took
from engine.dice import Dice
from engine.match import Match
from engine.plays import find_play_between
from engine.record import Record

WORDS: Final = {
    Doubled: "doubles",
    Took: "takes",
    Dropped: "drops",
    ResignAccepted: "resignation",
}
OTHER: Final = "other"


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """A roll with its play, or a cube action in `word`."""

    game: int
    number: int
    # 0 or 1, by the sides of the first record; -1 if unknown.
    side: int
    dice: str
    play: str
    # The position after the play, from the mover's side; 0 for a cube action.
    after: int
    word: str
    before: Match

    @property
    def compared(self) -> tuple[int, int, str, int, str]:
        """The part that is compared: of a play, the position it leads to."""
        return self.game, self.side, self.dice, self.after, self.word


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference between two records; None for a record that has ended there."""

    one: RecordedTurn | None
    other: RecordedTurn | None

    @property
    def at(self) -> RecordedTurn:
        return self.one or self.other  # type: ignore[return-value]


def find_difference(one: Record, other: Record, *, is_swapped: bool) -> Difference | None:
    for mine, theirs in zip_longest(list_turns(one), list_turns(other, is_swapped=is_swapped)):
        if mine is None or theirs is None or mine.compared != theirs.compared:
            return Difference(mine, theirs)
    return None


def pair_turns(
    one: Record, other: Record, *, game: int, is_swapped: bool
) -> list[tuple[RecordedTurn | None, RecordedTurn | None]]:
    """Return the turns of a game in both records, side by side; None after the end of one."""
    turns_of_both = (
        [each for each in list_turns(one) if each.game == game],
        [each for each in list_turns(other, is_swapped=is_swapped) if each.game == game],
    )
    return list(zip_longest(*turns_of_both))


def list_turns(record: Record, *, is_swapped: bool = False) -> Iterator[RecordedTurn]:
    """Yield the turns; a roll and its play are one."""
    rolled: tuple[str, Match] | None = None
    for game, chapter in enumerate(record.chapters(), 1):
        number = 0
        for moment in chapter.moments:
            action = moment.action
            if (dice := _format_dice(action)) is not None:
                rolled = (dice, moment.before)
                continue
            number += 1
            shown, before = rolled or ("", moment.before)
            side = getattr(action, "side", None)
            index = -1 if side is None else int(side) ^ is_swapped
            word = "" if isinstance(action, Played) else WORDS.get(type(action), OTHER)
            play, after = _describe_play(action, moment.before) if isinstance(action, Played) else ("", 0)
            yield RecordedTurn(game, number, index, shown, play, after, word, before)
            rolled = None


def _describe_play(action: Played, before: Match) -> tuple[str, int]:
    """Return a play as players write it, and the position it leads to."""
    board, dice, side = before.game.board, before.game.dice, action.side
    after = board.moved(side, action.steps).seen_by(side)
    if dice is None:
        return "", after
    play = find_play_between(board.seen_by(side), after, side, dice, len(action.steps))
    return play.notation, after


def _format_dice(action: Action) -> str | None:
    if isinstance(action, Rolled):
        return f"{action.dice.high}-{action.dice.low}"
    if isinstance(action, Opened):
        dice = Dice.from_numbers(action.white, action.black)
        return f"{dice.high}-{dice.low}"
    return None
