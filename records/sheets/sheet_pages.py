"""The score sheet of a match for display."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from players import names
from players.models import User
from records.sheets import clock_words, current_positions, stored_sheets
from records.sheets.clock_words import ClockFace
from records.sheets.current_positions import CurrentPosition
from records.sheets.sheet import SIDES, SheetState
from records.sheets.table_clock import PAUSE, RESUME
from runtime import stream
from runtime.stream.events import TopicPositions
from tournaments.base import event_lines, rules_in_words, scores
from tournaments.base.scores import Game
from tournaments.models import (
    OPEN_REPORTS,
    Entry,
    Pairing,
    PairingState,
    Report,
    ReportedBy,
    ReportStatus,
    Tournament,
)
from tournaments.pages import event_parts, games
from tournaments.play.changes import HelperActor
from tournaments.play.code_holders import CodeHolder
from tournaments.status import Status


@dataclass(frozen=True, slots=True)
class SheetPage:
    event: Tournament
    row: Pairing
    state: SheetState
    players: tuple[str, str]
    short: tuple[str, str]
    is_open: bool
    # The state of the result in words; "" while the match is played.
    said: str
    # Stream positions of the event and the clock.
    topics: tuple[TopicPositions, ...]
    # Target of the back link.
    back: str
    now: datetime
    # The current position, if known.
    position: CurrentPosition | None

    @property
    def match(self) -> str:
        return self.row.key

    @property
    def seats(self) -> str:
        """The two players, so that a tap that was meant for others is recognised."""
        return stored_sheets.format_seats(self.row)

    @property
    def label(self) -> str:
        view = event_parts.load_view_with(self.event, self.row, now=self.now)
        return view.label(view.by_key[self.row.key])

    @property
    def length(self) -> str:
        return rules_in_words.describe_match(self.row.length, self.row.rules)

    @property
    def game_rows(self) -> tuple[Any, ...]:
        games_data = [game.to_json() for game in self.state.games]
        state = self.state
        return games.build_rows(games_data, self.short, state.begun, state.length, state.play)

    @property
    def ends(self) -> list[tuple[str, str, bool]]:
        """The ends of a game: value, label, and whether it is possible at this score."""
        possible = scores.list_game_ends(self.state.play)
        return [
            (end, label, any(self.state.cubes(side, end) for side in SIDES))
            for end, label in (
                ("single", _("Single")),
                ("gammon", _("Gammon")),
                ("backgammon", _("Backgammon")),
                ("drop", pgettext("how a game ended", "Double dropped")),
            )
            if end in possible
        ]

    @property
    def cubes(self) -> list[int]:
        """All possible cube values of this game."""
        found = {cube for side in SIDES for end in scores.ENDS for cube in self.state.cubes(side, end)}
        return sorted(found or {1})

    @property
    def data(self) -> dict[str, Any]:
        state, play = self.state, self.state.play
        return {
            "match": str(self.row.uid),
            "seats": self.seats,
            "length": state.length,
            "begun": list(state.begun),
            "cube": play.cube,
            "crawford": scores.has_crawford(play),
            "jacoby": play.jacoby,
            "ends": list(scores.list_game_ends(play)),
            "games": [game.to_json() | ({"begun": game.begun} if game.begun else {}) for game in state.games],
            "isOpen": self.is_open,
            "mayStop": self.may_stop,
            "said": self.said,
            "isAdjourned": state.is_adjourned,
            "position": self.position.xgid if self.position else "",
            "clock": None if state.clock is None else state.clock.to_json(),
            # Server time, for correcting the phone's clock.
            "now": clock_words.to_milliseconds(self.now),
        }

    @property
    def may_adjourn(self) -> bool:
        return self.is_open and not self.state.is_over

    @property
    def faces(self) -> list[ClockFace]:
        """The two sides of the clock; empty without a clock."""
        clock = self.state.clock
        if clock is None:
            return []
        at = clock_words.to_milliseconds(self.now)
        return [ClockFace.build(clock, side, name, at) for side, name in zip(SIDES, self.short, strict=True)]

    @property
    def flag(self) -> str:
        """The message about a fallen flag; "" if none has fallen."""
        clock = self.state.clock
        fallen = clock.fallen(clock_words.to_milliseconds(self.now)) if clock else ""
        return self.words["flag"] % {"name": self.short[SIDES.index(fallen)]} if fallen else ""

    @property
    def clock_number(self) -> int:
        """The number of the next clock tap."""
        return self.state.clock.taps + 1 if self.state.clock else 0

    @property
    def stop(self) -> str:
        """The action of the pause button: PAUSE or RESUME; "" between games and after a flag."""
        clock = self.state.clock
        if clock is None or not clock.turn or self.flag:
            return ""
        return PAUSE if clock.is_running else RESUME

    @property
    def may_stop(self) -> bool:
        """True if the pause button works. In a paused event a running clock can still be paused."""
        row, event = self.row, self.event
        is_at_table = row.state == PairingState.READY and row.match_id is None and not self.state.is_adjourned
        is_paused = event.status == Status.RUNNING and event.paused_at is not None
        return self.is_open or (is_at_table and is_paused and self.stop == PAUSE)

    @property
    def games_with_times(self) -> list[tuple[Game, str]]:
        games, clock = self.state.games, self.state.clock
        ends = clock.left if clock else ((),) * len(games)
        times = (" \N{EN DASH} ".join(map(clock_words.format_reserve, left)) for left in ends)
        return list(zip(games, times, strict=True))

    @property
    def words(self) -> dict[str, Any]:
        return {
            "players": list(self.short),
            "single": _("%(name)s wins a single game"),
            "gammon": _("%(name)s wins a gammon"),
            "backgammon": _("%(name)s wins a backgammon"),
            "drop": _("%(name)s wins by a double that was dropped"),
            "becomes": _("%(before)s becomes %(after)s"),
            "writeIt": _("Write it down"),
            "write": _("Write %(score)s"),
            "writeLast": _("Write %(score)s, match over"),
            "who": _("Who won this game?"),
            "game": _("Game %(number)s"),
            "crawfordGame": _("Game %(number)s, Crawford"),
            "over": _("Match over"),
            "waiting": _("%(count)s not sent yet"),
            "away": _("You have been signed out. Sign in again: what is not sent is kept on this phone."),
            "cube": _("Cube at the end"),
            "cubeBefore": _("Cube before the double"),
            **clock_words.build_script_texts(self.state.play),
        }


def load_page(
    event: Tournament, match: str, user: User | CodeHolder | HelperActor, *, now: datetime, back: str = ""
) -> SheetPage | None:
    """Load the sheet of a match; None while a player is missing.

    :raises NotYourSheet: the user is neither player nor director.
    :raises CodeExpired, SeatsMoved, NotYourMatch: the code does not allow it.
    """
    # Recorded before the data is read, so that no change is missed.
    topics = [stream.record_positions(f"event.{event.key}")]
    rows = Pairing.objects.select_related("a__player", "b__player")
    row = rows.filter(tournament=event, key=match).first()
    if row is None or row.a is None or row.b is None:
        return None
    topics.append(stream.record_positions(stored_sheets.get_topic(row)))
    own = stored_sheets.find_entry(event, row, user, now=now)
    sheet = stored_sheets.find_sheet(row)
    state = stored_sheets.load_state(row, sheet)
    players = (event_lines.format_player_name(row.a.player), event_lines.format_player_name(row.b.player))
    one, other = names.shorten_names(list(players))
    is_open = row.state == PairingState.READY and row.opened_at is not None and row.match_id is None
    position = current_positions.find_position(row, sheet, state, (one, other)) if is_open else None
    return SheetPage(
        event,
        row,
        state,
        players,
        (one, other),
        is_open and not state.is_adjourned and event.status == Status.RUNNING and event.paused_at is None,
        _("Adjourned. Score and clock are kept; the deadline stays as it is.")
        if is_open and state.is_adjourned
        else _describe_result(event, row, own, players, has_code=isinstance(user, CodeHolder))
        or (_describe_reopening(row, state, position) if is_open else ""),
        tuple(topics),
        back or event.get_absolute_url(),
        now,
        position,
    )


def find_position(row: Pairing) -> CurrentPosition | None:
    if row.a is None or row.b is None or row.state != PairingState.READY:
        return None
    sheet = stored_sheets.find_sheet(row)
    one, other = names.shorten_names([event_lines.format_player_name(each.player) for each in (row.a, row.b)])
    return current_positions.find_position(row, sheet, stored_sheets.load_state(row, sheet), (one, other))


def _describe_reopening(row: Pairing, state: SheetState, position: CurrentPosition | None) -> str:
    """Explain how to continue if reports were dropped, or if the sheet is ahead of the ruled position."""
    if position is not None and position.score != state.score:
        score = "\N{EN DASH}".join(map(str, position.score))
        return _(
            "The director has ruled that you play on from the position below. Undo games until the score is %(score)s."
        ) % {"score": score}
    if not state.is_over or not Report.objects.filter(pairing=row, status=ReportStatus.DROPPED).exists():
        return ""
    return _(
        "The match is open again: what was reported does not count. Undo the games that are to be played again."
    )


def _describe_result(
    event: Tournament, row: Pairing, own: Entry | None, players: tuple[str, str], *, has_code: bool
) -> str:
    """Describe the state of the result; "" while the match is played."""
    if row.state == PairingState.DECIDED:
        return _("The result stands.")
    report = Report.objects.filter(pairing=row, status__in=OPEN_REPORTS).order_by("pk").last()
    if report is not None and report.status == ReportStatus.DISPUTED:
        return _("The two players do not agree on the result. The director decides.")
    if report is not None:
        other = players[report.by_id == row.a_id]
        if own is not None and report.by_id != own.pk:
            if has_code:
                return _("Your opponent has reported the result. Go back to confirm or dispute it.")
            return _("Your opponent has reported the result. Confirm or dispute it on the event's page.")
        return _("Reported. Waiting for %(name)s to confirm it.") % {"name": other}
    if event.reporting == ReportedBy.DIRECTOR:
        return _("In this event the director enters the results.")
    return ""


def build_hand_in_url(event: Tournament, key: str) -> str | None:
    """Return the URL to submit a record of a match; None while a player is missing, and in a rehearsal."""
    row = Pairing.objects.filter(tournament=event, key=key, a__isnull=False, b__isnull=False).first()
    if row is None or event.club.rehearses_id is not None:
        return None
    return f"{reverse('records:hand_in', args=[event.club.slug])}?match={row.uid}"
