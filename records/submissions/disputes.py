"""Reports, records and photos of a match for the desk, with the first difference between two records."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.errors import EngineError
from engine.record import Record
from engine.situation import Situation
from matches.play.boards import draw_mini_board
from records import match_parts
from records.base.errors import CannotBeParsed
from records.models import RecordMatch, Submission, VerdictWord
from records.sheets import photos
from records.sheets.photos import PhotoView
from records.submissions import differences, naming, replays
from records.submissions.differences import Difference, RecordedTurn
from runtime.work.child_processes import FileInProgress
from tournaments.base import event_lines, labels
from tournaments.models import Pairing, Report, ReportStatus, Tournament

MISSING = "\N{EM DASH}"


class ComparedLine(NamedTuple):
    number: int
    # The player of the line, by the first record that has it.
    name: str
    texts: tuple[str, str]
    # The first difference, or a changed line.
    is_marked: bool


class _MatchReading(NamedTuple):
    submission: Submission
    record: Record
    # True if a is Black in it.
    is_black: bool
    # The score at which it begins, a's points first; 0-0 also for one that begins with penalty points.
    begun: tuple[int, int]


class RecordHead(NamedTuple):
    """Column head of a record: submitter, time and file name."""

    by: str
    at: datetime
    name: str
    # Its role in the comparison.
    label: str = ""


def describe_head(row: Submission, label: str = "") -> RecordHead:
    return RecordHead(describe_author(row), row.at, row.name, label)


def describe_author(row: Submission) -> str:
    """Return the submitter's name, by account or by the match's code; "" for a deleted account."""
    if row.by is not None:
        return event_lines.format_player_name(row.by.player)
    return "" if row.entry is None else event_lines.format_player_name(row.entry.player)


MOST_BYTES: Final = 200_000
MOST_RECORDS: Final = 10
DEVICE_LETTERS: Final = 4


@dataclass(frozen=True, slots=True)
class ClaimView:
    name: str
    result: str
    at: datetime
    status: str
    # The players in the order of the score; empty if only the winner is named.
    sides: tuple[str, ...]
    # Letters that show which reports of this match came from the same browser.
    device: str


class RecordView(NamedTuple):
    row: Submission
    # The submitter's name.
    by: str


@dataclass(frozen=True, slots=True)
class DifferenceView:
    heads: tuple[RecordHead, RecordHead]
    place: str
    texts: tuple[str, str]
    board: SafeString
    # The game with the difference, side by side.
    lines: tuple[ComparedLine, ...]


@dataclass(frozen=True, slots=True)
class MatchReports:
    claims: tuple[ClaimView, ...]
    # Withdrawn, corrected or overruled reports.
    dropped: tuple[ClaimView, ...]
    records: tuple[RecordView, ...]
    difference: DifferenceView | None
    photos: tuple[PhotoView, ...]
    # Where the desk adds a photo; "" if none are accepted.
    photos_address: str


def load_dispute(event: Tournament, key: str) -> MatchReports | None:
    """Load the reports, records and photos of a match; None if there are none and no photo is accepted."""
    rows = Pairing.objects.select_related("tournament", "a__player", "b__player", "winner")
    row = rows.filter(tournament=event, key=key, a__isnull=False, b__isnull=False).first()
    if row is None:
        return None
    reports = Report.objects.filter(pairing=row).select_related("by__player", "winner__player", "pairing")
    ordered = sorted(reports, key=lambda one: (one.by_id == row.b_id, one.pk))
    claims = tuple(_build_claim(row, each) for each in ordered if each.status != ReportStatus.DROPPED)
    dropped = tuple(_build_claim(row, each) for each in ordered if each.status == ReportStatus.DROPPED)
    sent = Submission.objects.filter(pairing=row, file__judged_at__isnull=False).select_related(
        "file", "by__player", "entry__player", "club"
    )
    records = list(sent.order_by("-pk")[:MOST_RECORDS])
    shown = photos.list_photos(row, event, None, is_desk=True)
    address = reverse("records:photos", args=[event.key, row.key]) if photos.may_add_photos(row) else ""
    if not ordered and not records and not shown and not address:
        return None
    heard = tuple(RecordView(each, describe_author(each)) for each in records)
    return MatchReports(claims, dropped, heard, _build_difference(row, records), shown, address)


def _build_claim(row: Pairing, report: Report) -> ClaimView:
    name = event_lines.format_player_name(report.by.player)
    sides: tuple[str, ...] = ()
    if report.score_a is None:
        result = labels.format_winner(
            event_lines.format_player_name(report.winner.player) if report.winner else ""
        )
    else:
        result = labels.format_score(report.score_a, report.score_b)
        sides = tuple(
            event_lines.format_player_name(each.player) for each in (row.a, row.b) if each is not None
        )
    return ClaimView(name, result, report.at, report.get_status_display(), sides, _format_device(report))


def _format_device(report: Report) -> str:
    """Return four letters for a browser, different in each match, so that it cannot be tracked."""
    if not report.device:
        return ""
    return hashlib.sha256(f"{report.pairing.uid} {report.device}".encode()).hexdigest()[:DEVICE_LETTERS]


def _is_of_b(row: Pairing, submission: Submission) -> bool:
    """True if the second player submitted the record."""
    if row.b is None:
        return False
    by = submission.by
    return submission.entry_id == row.b_id or (by is not None and row.b.player.user_id == by.pk)


def _build_difference(row: Pairing, records: list[Submission]) -> DifferenceView | None:
    """Compare the two newest records with different content; the columns are in the order of the players.

    Only records that begin at the same score are compared: two parts of a match do not contradict each other.
    """
    readings: dict[tuple[int, int], list[_MatchReading]] = {}
    files = set[int | None]()
    for each in records:
        if each.file_id not in files and (read := _read_match(row, each)):
            files.add(each.file_id)
            readings.setdefault(read.begun, []).append(read)
    found = (_compare(row, *same[:2]) for same in readings.values() if len(same) > 1)
    return next(filter(None, found), None)


def _compare(row: Pairing, newer: _MatchReading, older: _MatchReading) -> DifferenceView | None:
    """Find the first difference between two records of the same part; None if they agree."""
    left, right = sorted((newer, older), key=lambda each: _is_of_b(row, each.submission))
    one, other, is_swapped = left.record, right.record, left.is_black != right.is_black
    found = differences.find_difference(one, other, is_swapped=is_swapped)
    if found is None:
        return None
    place = _("Game %(game)s, turn %(number)s") % {"game": found.at.game, "number": found.at.number}
    texts = (_format_turn(found.one), _format_turn(found.other))
    sides = (row.b, row.a) if left.is_black else (row.a, row.b)
    players = [event_lines.format_player_name(each.player) if each else "" for each in sides]
    pairs = differences.pair_turns(one, other, game=found.at.game, is_swapped=is_swapped)
    return DifferenceView(
        (describe_head(left.submission), describe_head(right.submission)),
        place,
        texts,
        _draw_position(found),
        tuple(_list_compared_lines(pairs, found, players)),
    )


def _list_compared_lines(
    pairs: Sequence[tuple[RecordedTurn | None, RecordedTurn | None]],
    found: Difference,
    players: Sequence[str],
) -> Iterator[ComparedLine]:
    """Yield the turns of a game in two records; the first difference is marked."""
    for mine, theirs in pairs:
        at = mine or theirs
        if at is not None:
            texts = tuple(MISSING if each is None else _format_turn(each) for each in (mine, theirs))
            name = players[at.side] if at.side >= 0 else ""
            yield ComparedLine(
                at.number, name, (texts[0], texts[1]), (mine, theirs) == (found.one, found.other)
            )


def _read_match(row: Pairing, submission: Submission) -> _MatchReading | None:
    """Load the match between the two players in a record; None if there is none, or it cannot be read."""
    file = submission.file
    if file is None or file.word == VerdictWord.UNREADABLE or file.size > MOST_BYTES:
        return None
    for match in RecordMatch.objects.filter(file=file):
        side, _other = naming.name_sides(row, match.white, match.black)
        if side in match_parts.OTHER:
            is_black = side == match_parts.B
            white, black = match_parts.get_begin_score(match.verdict)
            begun = (black, white) if is_black else (white, black)
            is_whole = begun in match_parts.list_start_scores(row.a_late, row.b_late)
            try:
                record = replays.load_facts(match)
            except (CannotBeParsed, FileInProgress):
                return None
            return _MatchReading(submission, record, is_black, match_parts.LOVE if is_whole else begun)
    return None


def _format_turn(turn: RecordedTurn | None) -> str:
    if turn is None:
        return _("The record has ended by then.")
    words = {
        "doubles": _("Doubles"),
        "takes": _("Takes"),
        "drops": _("Drops"),
        "resignation": _("A resignation is accepted"),
        "other": _("Something else"),
    }
    return " ".join(filter(None, (f"{turn.dice}:" if turn.dice else "", turn.play, words.get(turn.word, ""))))


def _draw_position(found: Difference) -> SafeString:
    game = found.at.before.game
    if game.turn is None:
        return SafeString()
    try:
        return draw_mini_board(Situation(board=game.board, turn=game.turn))
    except EngineError:
        return SafeString()
