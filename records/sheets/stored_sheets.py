"""Stored score sheets: lookup, taps, and the state computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import F, Q
from django.urls import reverse

from draw.event import Kind
from draw.rules_of_play import RulesOfPlay
from players.models import User
from records.base.errors import NotYourSheet
from records.models import ScoreSheet, SheetAct
from records.sheets import current_positions, sheet
from records.sheets.sheet import SheetState, Tap
from records.sheets.table_clock import TableClock
from tournaments.hooks import ResumePosition
from tournaments.models import Decision, Entry, Pairing, PairingState, Ruling, RulingKind, Tournament
from tournaments.play import boards
from tournaments.play.changes import HelperActor
from tournaments.play.code_holders import CodeHolder

TOPIC: Final = "sheet"


def format_seats(row: Pairing) -> str:
    """Return the keys of both players; "" while one is missing."""
    return "" if row.a is None or row.b is None else f"{row.a.player.key},{row.b.player.key}"


def find_sheet(row: Pairing) -> ScoreSheet | None:
    """Find the sheet of the current two players, if one was begun."""
    return ScoreSheet.objects.filter(pairing=row, a=row.a_id, b=row.b_id).first()


def load_state(row: Pairing, stored: ScoreSheet | None) -> SheetState:
    return build_state(row, [] if stored is None else list_acts(stored))


def list_acts(stored: ScoreSheet) -> list[tuple[str, Any, datetime]]:
    """Return the keys, taps and times of a sheet, oldest first."""
    return list(SheetAct.objects.filter(sheet=stored).order_by("seq").values_list("key", "tap", "at"))


def build_state(row: Pairing, acts: Iterable[tuple[str, Any, datetime]]) -> SheetState:
    """Compute the state of a match from the taps of its sheet, without those of a play that was declared void.

    Penalty points count from now on: they change no game that was written before.
    """
    acts = list(acts)
    spans = _list_void_spans(row) if acts else []
    acts = [act for act in acts if not any(since <= act[2] < until for since, until in spans)]
    start = SheetState(row.length, play=RulesOfPlay.from_match_rules(row.rules), clock=build_clock(row))
    given = _list_penalties(row)
    taps = (Tap.from_json(data | {"begun": _find_begun(given, at)}) for _key, data, at in acts)
    # The event's clock was removed after the match began: ignore its taps.
    state = sheet.replay_taps(start, taps if start.clock else (tap for tap in taps if not tap.is_of_clock))
    return replace(state, begun=(row.b_late, row.a_late))


def is_of_current_play(row: Pairing, at: datetime) -> bool:
    """True if nothing from this time is dropped by a ruling that let the match begin again."""
    return not any(since <= at < until for since, until in _list_void_spans(row))


def _list_void_spans(row: Pairing) -> list[tuple[datetime, datetime]]:
    """List the times whose taps do not count, because a ruling let the match begin again.

    They are those until it began again, and those since then if the ruling was taken back.
    """
    is_void = (
        Q(act=RulingKind.VOIDED)
        | Q(act=RulingKind.RULED, data__decision=Decision.VOID)
        | Q(act=RulingKind.CORRECTED, data__kind__in=[Kind.VOID.value, Kind.DRAWN.value])
    )
    rulings = Ruling.objects.filter(is_void, tournament=row.tournament_id, data__key=row.key)
    spans = []
    for ruling in rulings.select_related("restored_by"):
        if ruling.restored_by is not None:
            spans.append((ruling.at, ruling.restored_by.at))
        elif row.opened_at is not None and ruling.at <= row.opened_at:
            spans.append((datetime.min.replace(tzinfo=UTC), row.opened_at))
    return spans


def _list_penalties(row: Pairing) -> list[tuple[datetime, tuple[int, int]]]:
    """List when penalty points were given, and the points of both from then on; empty if that is unknown."""
    if row.a is None or row.b is None or not (row.a_late or row.b_late):
        return []
    rulings = Ruling.objects.filter(
        tournament=row.tournament_id, act=RulingKind.PENALISED, data__key=row.key, restored_by=None
    )
    late, found = {row.a.number: 0, row.b.number: 0}, []
    for at, data in rulings.order_by("at", "pk").values_list("at", "data"):
        late[data["entry"]] = data["points"]
        found.append((at, (late[row.b.number], late[row.a.number])))
    # Others may have met in this match before, or an act was undone.
    return found if found and found[-1][1] == (row.b_late, row.a_late) else []


def _find_begun(given: Sequence[tuple[datetime, tuple[int, int]]], at: datetime) -> tuple[int, int] | None:
    """Return the penalty points at this time; None if they are unknown."""
    return next((points for since, points in reversed(given) if since <= at), (0, 0)) if given else None


def build_clock(row: Pairing) -> TableClock | None:
    """Build the initial clock of a match; None without one, and for correspondence time controls."""
    terms = boards.build_board_terms(row)
    if terms.control is None or terms.is_correspondence:
        return None
    return TableClock.set(terms.control, terms.flag.credit)


def get_topic(row: Pairing) -> str:
    """Return the stream topic for taps on a match's clock, which the event's topic does not include."""
    return f"{TOPIC}.{row.uid}"


def find_entry(
    event: Tournament, row: Pairing, by: User | CodeHolder | HelperActor, *, now: datetime
) -> Entry | None:
    """Find the entry of the user in this match; None for directors and helpers.

    The caller checks that a helper's link is valid.

    :raises NotYourSheet: the user is none of these.
    :raises CodeExpired, SeatsMoved, NotYourMatch: the code does not allow it.
    """
    if isinstance(by, CodeHolder):
        return by.side(row, now=now)
    if isinstance(by, HelperActor):
        return None
    for entry in (row.a, row.b):
        if entry is not None and entry.player.user_id == by.pk:
            return entry
    if by.has_perm("tournaments.direct", event.club):
        return None
    raise NotYourSheet


def find_open_match(event: Tournament, match: str) -> Pairing | None:
    """Find the match if it can be played at a table now."""
    rows = Pairing.objects.select_related("a__player", "b__player")
    rows = rows.filter(state=PairingState.READY, opened_at__isnull=False, match=None)
    return rows.filter(tournament=event, key=match, a__isnull=False, b__isnull=False).first()


def find_continuation(row: Pairing, position: str) -> ResumePosition:
    """Build the position at which the players continue by a ruling, for `tournaments.hooks.SCORE_SHEETS`.

    :raises BadPosition, OtherScore: no position, or not one of this match.
    """
    return current_positions.build_ruling(position, load_state(row, find_sheet(row)))


def build_sheet_path(row: Pairing) -> str:
    """Return the path of the sheet of a match, for `tournaments.hooks.SCORE_SHEETS`."""
    return reverse("records:sheet", args=[row.tournament.key, row.key])


def list_kept(rows: Sequence[Pairing]) -> set[int]:
    """Return the ids of matches whose current players keep a sheet, not adjourned; for `tournaments.hooks.SCORE_SHEETS`."""
    begun = [row.pk for row in rows if "adjourned" not in row.running]
    kept = ScoreSheet.objects.filter(pairing__in=begun, a=F("pairing__a"), b=F("pairing__b"))
    return set(kept.values_list("pairing", flat=True))


def list_games(row: Pairing) -> list[dict[str, Any]]:
    """Return the games on the sheet of a match, for `tournaments.hooks.SCORE_SHEETS`."""
    return [game.to_json() for game in load_state(row, find_sheet(row)).games]
