"""The score sheet of a match, and a match by its code, as the API shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

from engine.clock import Timing
from records.sheets.clock_words import milliseconds
from records.sheets.holding import CONFIRM, DISPUTE
from records.sheets.sheet import ADJOURN, GAME, SIDES, TAKE_UP, UNDO, Tap
from records.sheets.table_clock import CLOCK_TAPS, LATEST, SIDED
from runtime.http.strict_fields import StrictFields
from tournaments.base.act_fields_api import GameShape, ScoreField
from tournaments.base.scores import ENDS, LARGEST_CUBE
from tournaments.models import ReportStatus
from tournaments.play import claims

if TYPE_CHECKING:
    from collections.abc import Iterable

    from records.sheets.at_table import AtTablePage
    from records.sheets.sheet_pages import SheetPage
    from records.sheets.table_clock import TableClock
    from tournaments.models import Pairing, Report

TAG: Final = "records"
WHO: Final = "who"
REPORT: Final = "report"


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

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Let a game pass only with its winner, and a turn only with whose it is."""
        if attrs["do"] in SIDED and "side" not in attrs:
            raise serializers.ValidationError({"side": [_("Say whose turn it is.")]})
        if attrs["do"] == GAME and "winner" not in attrs:
            raise serializers.ValidationError({"winner": [_("Say who won this game.")]})
        return attrs

    def tap(self) -> Tap:
        """Return the tap."""
        said = self.validated_data
        return Tap(
            said["do"],
            said["number"],
            said.get("winner", ""),
            said["end"],
            said["cube"],
            said.get("side", ""),
            said["at"],
            said["position"],
        )


class GameEndShape(StrictFields):
    """One way in which the next game can end."""

    winner = serializers.ChoiceField([*SIDES])
    end = serializers.ChoiceField([*ENDS])
    cubes = serializers.ListField(child=serializers.IntegerField())


class TableClockShape(StrictFields):
    """The clock of a match at a table, as of `at`; times are milliseconds, a's and then b's."""

    at = serializers.IntegerField(help_text="The server's time, in milliseconds since 1970.")
    timing = serializers.ChoiceField([each.value for each in Timing], help_text="What a turn's delay does.")
    delay = serializers.IntegerField()
    reserve = serializers.ListField(child=serializers.IntegerField(), help_text="What both have left.")
    free = serializers.IntegerField(help_text="What is left of the turn's free time.")
    turn = serializers.ChoiceField(["", *SIDES], help_text="Whose turn it is; blank between games.")
    is_running = serializers.BooleanField()
    fallen = serializers.ChoiceField(["", *SIDES], help_text="Whose time has run out in this turn.")
    credit = serializers.IntegerField(
        help_text="What `renew` gives; 0: time that has run out loses the match."
    )
    taps = serializers.IntegerField(help_text="How often it was tapped.")
    may_take_back = serializers.BooleanField(help_text="Whether its last tap can be taken back.")
    ends = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="What both had left when each game was over.",
    )


class SheetShape(StrictFields):
    """A match as its score sheet has it; `a` and `b` as the pairing names them."""

    match = serializers.UUIDField(help_text="The `uid` of the match.")
    event = serializers.CharField(help_text="The key of the event.")
    key = serializers.CharField(help_text="The key of the match in the event.")
    players = serializers.ListField(child=serializers.CharField(), min_length=2, max_length=2)
    length = serializers.IntegerField()
    begun = serializers.ListField(
        child=serializers.IntegerField(), help_text="What both began with, by penalty points."
    )
    score = serializers.ListField(child=serializers.IntegerField())
    game = serializers.IntegerField(help_text="The number of the game that is played now.")
    is_crawford = serializers.BooleanField()
    is_over = serializers.BooleanField()
    is_open = serializers.BooleanField(help_text="Whether anything can be written now.")
    games = GameShape(many=True)
    offers = GameEndShape(many=True, help_text="How the game that is played now can end.")
    said = serializers.CharField(allow_blank=True, help_text="What has become of the result, for people.")
    is_adjourned = serializers.BooleanField()
    position = serializers.CharField(
        allow_blank=True,
        help_text="What stands on the board, as an XGID: since the match was adjourned, or by a ruling.",
    )
    clock = TableClockShape(allow_null=True, help_text="Null where the event has no clock for a table.")


class CodeActRequest(StrictFields):
    """What somebody with the code of a match says."""

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
        """Let nobody say who they are without a player."""
        if attrs["act"] == WHO and "player" not in attrs:
            raise serializers.ValidationError({"player": [_("Say first which player you are.")]})
        return attrs


class CodedSeatShape(StrictFields):
    """One of the two."""

    entry = serializers.IntegerField(help_text="Their number in the event.")
    name = serializers.CharField()


class ClaimShape(StrictFields):
    """What one of the two has reported."""

    entry = serializers.IntegerField(help_text="Who reported it.")
    score = serializers.ListField(child=serializers.IntegerField(), allow_null=True)
    winner = serializers.IntegerField(help_text="The entry that won by it.")
    status = serializers.ChoiceField([ReportStatus.OPEN, ReportStatus.DISPUTED])
    confirms_at = serializers.DateTimeField(allow_null=True, help_text="When it stands if nobody denies it.")


class CodedMatchShape(StrictFields):
    """The match that a code leads to."""

    match = serializers.UUIDField(help_text="Its `uid`.")
    event = serializers.CharField(help_text="The key of the event.")
    title = serializers.CharField(help_text="What the match is called in its event.")
    length = serializers.IntegerField()
    table = serializers.CharField(allow_blank=True)
    players = CodedSeatShape(many=True, help_text="First a, then b.")
    you = serializers.IntegerField(
        allow_null=True, help_text="The entry that you are, null until you say so."
    )
    result = serializers.CharField(allow_blank=True, help_text="How it ended, for people.")
    is_open = serializers.BooleanField()
    may_report = serializers.BooleanField(help_text="Whether players report results in this event.")
    reports = ClaimShape(many=True)
    until = serializers.DateTimeField(help_text="Until when the code is good.")


def sheet(page: SheetPage) -> dict[str, Any]:
    """Return a score sheet as plain values."""
    state = page.state
    offers = [(side, end, state.cubes(side, end)) for side in SIDES for end in ENDS]
    return {
        "match": page.row.uid,
        "event": page.event.key,
        "key": page.match,
        "players": list(page.players),
        "length": state.length,
        "begun": list(state.begun),
        "score": list(state.score),
        "game": state.number,
        "is_crawford": state.is_crawford,
        "is_over": state.is_over,
        "is_open": page.is_open,
        "games": [game.said() for game in state.games],
        "offers": [
            {"winner": side, "end": end, "cubes": list(cubes)} for side, end, cubes in offers if cubes
        ],
        "said": page.said,
        "is_adjourned": state.is_adjourned,
        "position": page.position.xgid if page.position else "",
        "clock": None if state.clock is None else _clock(state.clock, milliseconds(page.now)),
    }


def _clock(clock: TableClock, at: int) -> dict[str, Any]:
    both = [clock.shown(side, at) for side in SIDES]
    return {
        "at": at,
        "timing": clock.clock.control.timing,
        "delay": clock.clock.control.delay,
        "reserve": [reserve for reserve, _free in both],
        "free": both[SIDES.index(clock.turn)][1] if clock.turn else 0,
        "turn": clock.turn,
        "is_running": clock.is_running,
        "fallen": clock.fallen(at),
        "credit": clock.credit,
        "taps": clock.taps,
        "may_take_back": clock.prior is not None,
        "ends": [list(left) for left in clock.left],
    }


def coded(page: AtTablePage, reports: Iterable[Report]) -> dict[str, Any]:
    """Return the match of a code as plain values."""
    held = page.held
    return {
        "match": held.row.uid,
        "event": held.event.key,
        "title": page.label,
        "length": held.row.length,
        "table": held.row.table,
        "players": [{"entry": number, "name": name} for name, number in page.sides],
        "you": page.own.number if page.own else None,
        "result": page.result,
        "is_open": page.is_open,
        "may_report": page.may_report,
        "reports": [_claim(held.row, each) for each in reports],
        "until": held.until,
    }


def _claim(row: Pairing, said: Report) -> dict[str, Any]:
    told = claims.of_report(row, said)
    (number,) = (one.number for one in (row.a, row.b) if one is not None and one.pk == told.winner_id)
    return {
        "entry": said.by.number,
        "score": None if told.score is None else list(told.score),
        "winner": number,
        "status": said.status,
        "confirms_at": said.confirms_at,
    }
