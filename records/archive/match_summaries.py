"""Summaries of matches for the archive: games, counts of actions, positions. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

from engine.actions import Opened, Played
from engine.board import STANDARD
from engine.dice import Dice
from engine.errors import EngineError
from engine.plays import find_play_between
from engine.record import Chapter, Record
from engine.statistics import Statistics
from engine.verdict import judge
from records.archive import sightings
from records.submissions.judging import make_storable

LONGEST_PLAY: Final = 40
YEARS: Final = range(1900, 2200)
# The largest number that the column can store.
MOST_POINTS: Final = 2**31 - 1


class GameSummary(NamedTuple):
    number: int
    opener: int | None
    roll: int | None
    play: str
    winner: int | None
    points: int
    kind: int
    how: str


@dataclass(slots=True)
class SideSummary:
    doubled: int = 0
    took: int = 0
    dropped: int = 0
    rolls: int = 0
    hits: int = 0
    dances: int = 0


@dataclass(frozen=True, slots=True)
class MatchSummary:
    games: tuple[GameSummary, ...]
    sides: tuple[SideSummary, SideSummary]
    positions: bytes
    played_on: date | None = None
    event: str = ""
    milliseconds: tuple[int, int] | None = field(default=None)


WORDS: Final = {"double": "doubled", "beaver": "doubled", "take": "took", "drop": "dropped"}


def read_file(data: bytes, number: int) -> MatchSummary | None:
    """Read the match with this number in a file, from 1; None if it cannot be read."""
    try:
        verdict = judge(data)[number - 1]
        return read_record(verdict.record, verdict.statistics)
    except (EngineError, IndexError):
        return None


def read_record(record: Record, statistics: Statistics) -> MatchSummary:
    chapters = record.chapters()
    sides = SideSummary(), SideSummary()
    for side, tally in zip(sides, statistics.sides, strict=True):
        side.rolls, side.hits, side.dances = tally.rolls, tally.hits, tally.dances
    for turn in statistics.cube:
        name = WORDS[turn.word]
        setattr(sides[turn.side], name, getattr(sides[turn.side], name) + 1)
    tags = dict(record.tags)
    return MatchSummary(
        games=tuple(_build_game(number, each) for number, each in enumerate(chapters, 1) if each.result),
        sides=sides,
        positions=sightings.pack_positions(chapters),
        played_on=_parse_day(tags.get("EventDate", "")),
        event=make_storable(tags.get("Event", "")).strip(),
    )


def _build_game(number: int, chapter: Chapter) -> GameSummary:
    result = chapter.result
    assert result is not None  # noqa: S101 - asked before
    opener, roll, play = _read_opening(chapter)
    winner = None if result.winner is None else int(result.winner)
    points = min(result.points, MOST_POINTS)
    return GameSummary(number, opener, roll, play, winner, points, result.kind, result.how.value)


def _read_opening(chapter: Chapter) -> tuple[int | None, int | None, str]:
    """Return opener, roll and play; empty for games that began in another position."""
    moments = chapter.game
    for moment, following in pairwise(moments):
        opened, played = moment.action, following.action
        if isinstance(opened, Opened) and isinstance(played, Played) and moment.before.game.board == STANDARD:
            dice = Dice.from_numbers(opened.white, opened.black)
            side = played.side
            # In canonical notation, independent of the order of the steps.
            after = STANDARD.moved(side, played.steps).seen_by(side)
            play = find_play_between(STANDARD.seen_by(side), after, side, dice, len(played.steps))
            return int(side), 10 * dice.high + dice.low, play.notation[:LONGEST_PLAY]
    return None, None, ""


def _parse_day(text: str) -> date | None:
    """Parse a date as written in records: 2026.11.22 or 2026-11-22.

    Other years than those of records are ignored: the last day of 9999 has no local time in some zones.

    >>> _parse_day("2026.11.22").isoformat(), _parse_day("????.??.??"), _parse_day("9999.12.31")
    ('2026-11-22', None, None)
    """
    try:
        year, month, day = map(int, text.replace(".", "-").replace("/", "-").split("-"))
        return date(year, month, day) if year in YEARS else None
    except ValueError:
        return None
