"""Answers and requests of the API: score sheets, and matches by code."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework import serializers

from engine.clock import DelayMethod
from records.sheets import table_clock
from records.sheets.clock_words import to_milliseconds
from records.sheets.coded_matches import CONFIRM, DISPUTE
from records.sheets.sheet import ADJOURN, GAME, SIDES, TAKE_UP, UNDO, Tap
from records.sheets.sheet_pages import SheetPage
from records.sheets.table_clock import CLOCK_TAPS, LATEST, SIDED
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields, refuse_unread
from tournaments.base.act_fields_api import GameShape, ScoreField
from tournaments.base.scores import ENDS, LARGEST_CUBE
from tournaments.pages.shapes import ResultReportAnswer

WHO: Final = "who"
REPORT: Final = "report"
# The fields that taps read: all of them, and some only one.
READ_BY_ALL: Final = ("do", "key", "number", "at", "seats")
READ: Final[dict[str, tuple[str, ...]]] = {
    GAME: ("winner", "end", "cube"),
    ADJOURN: ("position",),
    **dict.fromkeys(SIDED, ("side",)),
}


class TapRequest(StrictFields):
    """One act at the table."""

    do = serializers.ChoiceField(
        [GAME, UNDO, ADJOURN, TAKE_UP, *CLOCK_TAPS],
        help_text="Write a game down, or take the last one back; adjourn the match, or take it up again; or touch the clock: `start` the turn of a side, `press` to "
        "end it, `pause`, `resume`, `take-back` the last tap of the clock, and `renew` where time ran out and the event's "
        "rules give some back.",
    )
    key = serializers.RegexField(
        r"^[0-9a-zA-Z-]{8,40}$",
        help_text="8 to 40 letters, digits and hyphens, fresh for each tap: sent again it counts once.",
    )
    number = serializers.IntegerField(
        min_value=1,
        help_text="The game that is meant: `game` of the sheet, for `undo` the last one written; of the clock, one more "
        "than its `taps`.",
    )
    winner = serializers.ChoiceField([*SIDES], required=False, help_text="Needed for a game.")
    end = serializers.ChoiceField([*ENDS], required=False, default="single")
    cube = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_CUBE,
        required=False,
        default=1,
        help_text="Its value at the end of the game; after a drop, its value before the double.",
    )

    side = serializers.ChoiceField(
        [*SIDES], required=False, help_text="Whose turn: needed for `start`, `press` and `renew`."
    )
    at = serializers.IntegerField(
        min_value=0,
        max_value=LATEST,
        required=False,
        default=0,
        help_text="When it was tapped, in milliseconds since 1970: a phone without network says so afterwards. Never "
        "later than now, nor earlier than the tap before.",
    )

    position = serializers.CharField(
        max_length=100,
        required=False,
        default="",
        allow_blank=True,
        help_text="For `adjourn`: what stands on the board, as an XGID at the score of the sheet; its upper player is a.",
    )
    seats = serializers.CharField(
        max_length=40,
        required=False,
        default="",
        allow_blank=True,
        help_text="The `seats` of the sheet that was read: where others play by now, nothing is written.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require a winner for a game, a side for a turn, and no fields that the tap does not read."""
        if attrs["do"] in SIDED and "side" not in attrs:
            raise serializers.ValidationError({"side": [_("Choose whose turn it is.")]})
        if attrs["do"] == GAME and "winner" not in attrs:
            raise serializers.ValidationError({"winner": [_("Choose who won this game.")]})
        refuse_unread(self, (*READ_BY_ALL, *READ.get(attrs["do"], ())))
        return attrs

    @classmethod
    def from_form(cls, data: Mapping[str, str]) -> TapRequest:
        """Read the form of a page, which can have further fields and blank ones."""
        read = (*READ_BY_ALL, *READ.get(data.get("do", ""), ()))
        return cls(data={name: data[name] for name in read if data.get(name)})


def read_tap(data: Mapping[str, Any]) -> Tap:
    return Tap(**{name: value for name, value in data.items() if name not in {"key", "seats"}})


class GameEndAnswer(Answer):
    """One way in which the next game can end."""

    winner: str = about(words=SIDES)
    end: str = about(words=tuple(ENDS))
    cubes: list[int]


class TableClockAnswer(Answer):
    """The clock of a match at a table, as of `at`; times are milliseconds, a's and then b's."""

    at: int = about("The server's time, in milliseconds since 1970.")
    timing: DelayMethod = about("What a turn's delay does.", source="clock.control.timing")
    delay: int = about(source="clock.control.delay")
    reserve: list[int] = about("What both have left.")
    free: int = about("What is left of the turn's free time.")
    turn: str = about("Whose turn it is; blank between games.", words=("", *SIDES))
    is_running: bool
    fallen: str = about("Whose time has run out in this turn.", words=("", *SIDES))
    credit: int = about("What `renew` gives; 0: time that has run out loses the match.")
    taps: int = about("How often it was tapped.")
    may_take_back: bool = about(
        "Whether its last tap can be taken back.", source=lambda clock: clock.prior is not None
    )
    ends: list[list[int]] = about("What both had left when each game was over.", source="left")


class SheetAnswer(Answer):
    """A match as its score sheet has it; `a` and `b` as the pairing names them."""

    match: UUID = about("The `uid` of the match.", source="row.uid")
    event: str = about("The key of the event.", source="event.key")
    key: str = about("The key of the match in the event.", source="match")
    seats: str = about("The keys of both players, for a tap.")
    players: list[str] = about(
        described=serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)
    )
    length: int = about(source="state.length")
    begun: list[int] = about("What both began with, by penalty points.", source="state.begun")
    score: list[int] = about(source="state.score")
    game: int = about("The number of the game that is played now.", source="state.number")
    is_crawford: bool = about(source="state.is_crawford")
    is_over: bool = about(source="state.is_over")
    is_open: bool = about("Whether anything can be written now.")
    games: list[dict[str, Any]] = about(
        source=lambda page: [game.to_json() for game in page.state.games], described=GameShape(many=True)
    )
    offers: list[GameEndAnswer] = about("How the game that is played now can end.")
    said: str = about("What has become of the result, for people.")
    is_adjourned: bool = about(source="state.is_adjourned")
    position: str = about(
        "What stands on the board, as an XGID: since the match was adjourned, or by a ruling.",
        source=lambda page: page.position.xgid if page.position else "",
    )
    clock: TableClockAnswer | None = about("Null where the event has no clock for a table.")


class CodeActRequest(StrictFields):
    """An act with the code of a match: choose a player, report, confirm or dispute."""

    act = serializers.ChoiceField(
        [WHO, REPORT, CONFIRM, DISPUTE],
        help_text="`confirm` and `dispute` name the `score`, or the `winner`, that they answer.",
    )
    match = serializers.UUIDField(
        help_text="The match that is meant: a table's code leads to one after the other."
    )
    player = serializers.IntegerField(
        required=False, min_value=1, help_text="For `who`: the `entry` of one of the `players`."
    )
    score = ScoreField(required=False, help_text="The points of a and of b.")
    winner = serializers.IntegerField(
        required=False, min_value=1, help_text="The entry that won, where the event needs no scores."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require a player for `who`, and no fields that the act does not read."""
        is_choice = attrs["act"] == WHO
        if is_choice and "player" not in attrs:
            raise serializers.ValidationError({"player": [_("First choose which player you are.")]})
        refuse_unread(self, ("act", "match", *(("player",) if is_choice else ("score", "winner"))))
        return attrs


class CodedSeatAnswer(Answer):
    """One of the two players."""

    entry: int = about("Their number in the event.")
    name: str


class CodedMatchAnswer(Answer):
    """The match that a code leads to."""

    match: UUID = about("Its `uid`.", source="held.row.uid")
    event: str = about("The key of the event.", source="held.event.key")
    title: str = about("What the match is called in its event.", source="label")
    length: int = about(source="held.row.length")
    table: str = about(source="held.row.table")
    players: list[CodedSeatAnswer] = about(
        "First a, then b.",
        source=lambda page: [CodedSeatAnswer(entry=number, name=name) for name, number in page.sides],
    )
    you: int | None = about("The entry that you are, null until you say so.", source="own.number")
    result: str = about("How it ended, for people.")
    is_open: bool
    may_report: bool = about("Whether players report results in this event.")
    reports: list[ResultReportAnswer]
    until: datetime = about("Until when the code is good.", source="held.until")


def serialize_sheet(page: SheetPage) -> SheetAnswer:
    state = page.state
    offers = [(side, end, state.cubes(side, end)) for side in SIDES for end in ENDS]
    return SheetAnswer.read(
        page,
        offers=[
            GameEndAnswer(winner=side, end=end, cubes=list(cubes)) for side, end, cubes in offers if cubes
        ],
        clock=None if state.clock is None else _serialize_clock(state.clock, to_milliseconds(page.now)),
    )


def _serialize_clock(clock: table_clock.TableClock, at: int) -> TableClockAnswer:
    both = [clock.shown(side, at) for side in SIDES]
    return TableClockAnswer.read(
        clock,
        at=at,
        reserve=[reserve for reserve, _free in both],
        free=both[SIDES.index(clock.turn)][1] if clock.turn else 0,
        fallen=clock.fallen(at),
    )
