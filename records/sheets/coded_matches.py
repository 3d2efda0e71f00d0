"""A match by its code: the players, the side that a visitor has chosen, and the reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse

from draw.event import Kind
from players.models import User
from records.base import errors
from records.models import Holder, Transcription
from records.models.transcriptions import SHOWN
from records.sheets import stored_sheets
from tournaments.base import codes, event_lines, labels, rules_in_words
from tournaments.base.codes import MatchCode, TableCode
from tournaments.base.errors import NotYourMatch, SeatsMoved
from tournaments.hooks import TABLES, CodedMatch
from tournaments.models import Entry, Pairing, PairingState, Report, ReportedBy, Tournament
from tournaments.pages import event_parts, viewer_part
from tournaments.pages.viewer_part import ViewerMatch
from tournaments.play import changes, claims, code_holders, results
from tournaments.play.code_holders import CodeHolder
from tournaments.status import Status

# For so long, codes on the tables still accept the last reports and corrections of a finished event.
AFTER_THE_END: Final = timedelta(hours=12)
# For so long, a card for the room also opens side events and the other days of a weekend.
SAME_OCCASION: Final = timedelta(days=3)
NEVER: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class OpenedMatch:
    code: str
    row: Pairing
    event: Tournament
    seats: tuple[int, int]
    until: datetime

    @property
    def address(self) -> str:
        return reverse("records:at_table", args=[self.code])

    def holder(self, entry_id: int, device: str) -> CodeHolder:
        return CodeHolder(self.seats, self.until, entry_id, device)

    def entry_numbered(self, number: int | str) -> int:
        """Return the primary key of the entry with this number.

        :raises NotYourMatch: neither player has it.
        """
        for entry in (self.row.a, self.row.b):
            if entry is not None and str(entry.number) == str(number):
                return entry.pk
        raise NotYourMatch

    def find_player(self, device: str) -> CodeHolder:
        """Find the player of this device; its last choice applies to the whole event.

        :raises WhoAreYou: there is no choice, or it is neither of the two.
        """
        rows = Holder.objects.filter(device=device, pairing__tournament=self.event)
        report = rows.order_by("-at", "-pk").first()
        if report is None or report.entry_id not in self.seats:
            raise errors.WhoAreYou
        return self.holder(report.entry_id, device)


class Visitor(NamedTuple):
    who: User | CodeHolder | None
    own: Entry | None


@dataclass(frozen=True, slots=True)
class CodedMatchPage:
    """The match for a visitor who has chosen their side, or must choose it."""

    held: OpenedMatch
    label: str
    length: str
    table: str
    # Names and numbers of the two.
    sides: tuple[tuple[str, int], tuple[str, int]]
    # The visitor's entry; None until they choose.
    own: Entry | None
    meeting: ViewerMatch | None
    # The result, "" while open.
    result: str
    is_open: bool
    may_report: bool

    @property
    def own_name(self) -> str:
        return next((name for name, number in self.sides if self.own and self.own.number == number), "")

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The two form fields of a score with the names of the players, the reader's own first."""
        (a, _), (b, number) = self.sides
        found = [("a", a), ("b", b)]
        return found[::-1] if self.own is not None and self.own.number == number else found

    @property
    def answers(self) -> list[tuple[str, int]]:
        """The opponent's report, as form fields to confirm or dispute it."""
        if self.meeting is None or not self.meeting.reported or self.meeting.own is not None:
            return []
        points = [int(each) for each in self.meeting.reported.split(" ")]
        return list(zip(("a", "b"), points, strict=True)) if len(points) > 1 else [("winner", points[0])]


def load_opened_match(code: str, *, now: datetime, match: str = "") -> OpenedMatch:
    """Find the match of a code; *match* is the `uid` that the caller expects.

    :raises CodeUnreadable, CodeExpired, NobodyAtTable, SeatsMoved: the code opens no match.
    :raises MatchDecided, OtherMatch: the table's code does not open the expected match any more.
    :raises OtherEvent: the table's code was printed for an event other than the current one.
    """
    code_read = codes.parse_code(code)
    if code_read is None:
        raise errors.CodeUnreadable
    printed_for = None if isinstance(code_read, MatchCode) else _find_event(code_read)
    until = (
        code_read.until
        if isinstance(code_read, MatchCode)
        else min(code_read.until, _compute_expiry(printed_for))
    )
    code_holders.require_unexpired(until, now=now)
    pk = code_read.pairing_id if isinstance(code_read, MatchCode) else TABLES.get().match_at(code_read.table)
    rows = Pairing.objects.select_related("tournament__club", "a__player", "b__player")
    row = None if pk is None else rows.filter(pk=pk).first()
    if match and not isinstance(code_read, MatchCode) and (row is None or str(row.uid) != match):
        raise _build_moved_error(rows, match)
    if row is None or row.a_id is None or row.b_id is None or row.tournament.club.rehearses_id is not None:
        raise SeatsMoved if isinstance(code_read, MatchCode) else errors.NobodyAtTable
    if isinstance(code_read, MatchCode):
        code_holders.require_seats(code_read.seats, row)
    elif printed_for is not None and not _is_code_valid(code_read, printed_for, row.tournament):
        raise errors.OtherEvent(event=printed_for.name)
    return OpenedMatch(code, row, row.tournament, (row.a_id, row.b_id), until)


def _find_event(code: TableCode) -> Tournament | None:
    fields = ("name", "status", "started_at", "finished_at")
    return Tournament.objects.filter(pk=code.event_id).only(*fields).first()


def _is_code_valid(code: TableCode, printed_for: Tournament, played: Tournament) -> bool:
    """True if a table's code opens the matches of the event that is played there.

    A card for an event opens only that event. One for the room also opens events that began up to three days
    after it was printed, or after its event began if that is later: cards are printed before a weekend.
    """
    if played.pk == printed_for.pk:
        return True
    if code.is_for_event:
        return False
    latest = max(code.printed, printed_for.started_at or code.printed) + SAME_OCCASION
    return (played.started_at or played.starts_at) <= latest


def _compute_expiry(event: Tournament | None) -> datetime:
    """Return the time at which an event's table codes expire; they are valid again if the event is reopened."""
    if event is None or event.status == Status.CANCELLED:
        return codes.EPOCH
    if event.status != Status.FINISHED or event.finished_at is None:
        return NEVER
    return event.finished_at + AFTER_THE_END


def _build_moved_error(rows: QuerySet[Pairing], match: str) -> errors.RecordError:
    """Build the error for a table's code that does not open the expected match any more."""
    try:
        row = rows.filter(uid=UUID(match), a__isnull=False, b__isnull=False).first()
    except ValueError:
        row = None
    result = "" if row is None else describe_result(row)
    return errors.MatchDecided(result=result) if result else errors.OtherMatch()


def identify_visitor(held: OpenedMatch, user: object, device: str) -> Visitor:
    """Identify the visitor by account, or by the choice in this browser; otherwise both fields are None."""
    if isinstance(user, User):
        for own in (held.row.a, held.row.b):
            if own is not None and own.player.user_id == user.pk:
                return Visitor(user, own)
    try:
        who = held.find_player(device)
    except errors.WhoAreYou:
        return Visitor(None, None)
    return Visitor(who, held.row.a if held.row.a_id == who.entry_id else held.row.b)


def require_match(held: OpenedMatch, uid: str) -> None:
    """Require that a request is about the match of its code, and that the match is open.

    :raises OtherMatch: it is about another match.
    :raises MatchDecided: it is over.
    """
    if uid != str(held.row.uid):
        raise errors.OtherMatch
    if result := describe_result(held.row):
        raise errors.MatchDecided(result=result)


def load_page(held: OpenedMatch, own: Entry | None, *, now: datetime) -> CodedMatchPage:
    """Load the page for a player, or for a visitor who must choose a side.

    :raises MatchDecided: the visitor is unknown and the match is over.
    """
    event, row = held.event, held.row
    view = event_parts.load_view_with(event, row, now=now)
    play = view.by_key[row.key]
    result = describe_result(row, own)
    if own is None and result:
        raise errors.MatchDecided(result=result)
    meetings = (
        viewer_part.load_viewer_part(view, own, now=now).meetings if own is not None and play.is_open else ()
    )
    is_running = event.status == Status.RUNNING and event.paused_at is None
    can_be_played = is_running and is_open(row)
    return CodedMatchPage(
        held=held,
        label=view.label(play),
        length=rules_in_words.describe_match(row.length, row.rules),
        table=labels.format_table(row.table) if row.table else "",
        sides=_list_sides(row),
        own=own,
        meeting=next((one for one in meetings if one.key == row.key), None),
        result=result,
        is_open=can_be_played,
        may_report=can_be_played and event.reporting != ReportedBy.DIRECTOR,
    )


def describe_result(row: Pairing, own: Entry | None = None) -> str:
    """Describe the result of a match, the reader's own side first; "" while it is open."""
    if row.state != PairingState.DECIDED:
        return ""
    (a, _), (b, _) = _list_sides(row)
    one, other = (a, row.score_a), (b, row.score_b)
    if own is not None and own.pk == row.b_id:
        one, other = other, one
    if row.score_a is None and row.winner is not None:
        won = labels.format_winner(event_lines.format_player_name(row.winner.player))
        return won if row.kind == Kind.PLAYED else f"{won}: {row.get_kind_display()}"
    if row.score_a is None:
        return f"{one[0]} \N{EN DASH} {other[0]}: {row.get_kind_display()}"
    return labels.format_named_score(*one, other[1], other[0])


def is_open(row: Pairing) -> bool:
    """True if a match can be played at a table now."""
    return row.state == PairingState.READY and row.opened_at is not None and row.match_id is None


def build_match_path(match: CodedMatch, now: datetime) -> str:
    return reverse("records:at_table", args=[codes.build_match_code(match, now)])


def build_table_path(key: str, now: datetime, event_id: int | None) -> str:
    """Return the path of a table's code, for one event or for the room; "" if no event is open."""
    is_for_event = event_id is not None
    event_id = TABLES.get().event_at(key) if event_id is None else event_id
    if event_id is None:
        return ""
    return reverse(
        "records:at_table", args=[codes.build_table_code(key, event_id, now, is_for_event=is_for_event)]
    )


def _list_sides(row: Pairing) -> tuple[tuple[str, int], tuple[str, int]]:
    one, other = (
        (event_lines.format_player_name(each.player), each.number)
        for each in (row.a, row.b)
        if each is not None
    )
    return one, other


def find_transcription(held: OpenedMatch, own: Entry | None) -> Transcription | None:
    """Find the transcription of this side that was begun with the match's code, none of a void play."""
    if own is None:
        return None
    others = [pk for pk in held.seats if pk != own.pk]
    rows = Transcription.objects.select_related(*SHOWN)
    found = rows.filter(pairing=held.row, entry=own, opponent__in=others).first()
    is_current = found is not None and stored_sheets.is_of_current_play(held.row, found.begun_at)
    return found if is_current else None


CONFIRM: Final = "confirm"
DISPUTE: Final = "dispute"


def choose_player(*, event: Tournament, match: str, who: CodeHolder, now: datetime) -> None:
    """Store the player of this device; the last choice counts.

    :raises CodeExpired, SeatsMoved, NotYourMatch: the code does not allow this.
    :raises ResultStands, NotOpen, WrongStatus, Paused: the match is not being played.
    """
    with transaction.atomic():
        event = changes.lock_event(event.pk)
        row = results.get_match(event, match)
        entry = who.side(row, now=now)
        changes.require_running(event)
        claims.require_open(row)
        chosen = {"entry": entry, "at": now}
        Holder.objects.update_or_create(pairing=row, device=who.device, defaults=chosen)


def answer_report(
    *,
    held: OpenedMatch,
    do: str,
    who: User | CodeHolder,
    claim: Mapping[str, Any],
    device: str,
    now: datetime,
) -> Report | None:
    """Confirm or dispute the opponent's report, or report a score or winner from this device.

    Return the current report; None after a confirmation.

    :raises TournamentError: see `tournaments.play.results`.
    """
    about: dict[str, Any] = {"tournament_id": held.event.pk, "key": held.row.key, "user": who, "now": now}
    if do == CONFIRM:
        results.confirm_report(**about, **claim)
        return None
    if do == DISPUTE:
        return results.dispute_report(**about, **claim)
    return results.report_result(**about, **claim, device=device)
