"""Overlays for a stream: settings for directors, and the current state of the match at the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from engine.side import Side
from engine.situation import Situation
from matches.journal import journal, live
from matches.models import Match
from matches.play import match_lists
from matches.state.match_state import MatchState
from players.models import User
from players.names import shorten_names
from runtime import stream
from tournaments.models import Pairing
from tournaments.play import changes
from venue.calls import stream_queue
from venue.errors import BadDelay
from venue.models import Assignment, Layout, Overlay, Table, TableTag
from venue.models.screens import LONGEST_DELAY, new_secret


def load_overlay(*, table: Table, by: User) -> Overlay:
    """Return the overlay of a table, created on first use.

    :raises NotDirector: `by` does not direct at the table's club.
    """
    changes.require_director(table.room.club, by)
    return Overlay.objects.get_or_create(table=table)[0]


def change_settings(*, overlay: Overlay, by: User, layout: Layout, delay: int, now: datetime) -> None:
    """Change the settings of an overlay and notify it.

    :raises NotDirector: `by` does not direct at the table's club.
    :raises BadDelay: nothing changes.
    """
    changes.require_director(overlay.table.room.club, by)
    if not 0 <= delay <= LONGEST_DELAY:
        raise BadDelay(most=LONGEST_DELAY)
    with transaction.atomic():
        Overlay.objects.filter(pk=overlay.pk).update(layout=layout.value, delay=delay)
        stream.publish(overlay.topic, "overlay", {}, now=now)
    overlay.layout, overlay.delay = layout, delay


def renew_secret(*, overlay: Overlay, by: User, now: datetime) -> None:
    """Replace the secret address of an overlay; the old one stops working.

    :raises NotDirector: `by` does not direct at the table's club.
    """
    changes.require_director(overlay.table.room.club, by)
    with transaction.atomic():
        overlay.secret = new_secret()
        Overlay.objects.filter(pk=overlay.pk).update(secret=overlay.secret)
        stream.publish(overlay.topic, "overlay", {}, now=now)


@dataclass(frozen=True, slots=True)
class OverlaySeat:
    name: str
    score: int | None
    # Only for matches on an online board.
    pips: int | None = None
    has_cube: bool = False
    # Milliseconds left, and whether the clock is running.
    left: int | None = None
    runs: bool = False


@dataclass(frozen=True, slots=True)
class OverlayView:
    """The match at a table; empty if the table is free."""

    layout: str
    delay: int
    label: str
    length: int
    cube: int
    seats: tuple[OverlaySeat, ...]
    topics: tuple[str, ...]
    token: str
    # Time of this state, in milliseconds since the epoch.
    at: int
    # For a free stream table: the next match.
    next: str = ""


def build_view(overlay: Overlay, *, now: datetime) -> OverlayView:
    at = int(now.timestamp() * 1000)
    club = overlay.table.room.club
    topics: tuple[str, ...] = (overlay.topic, f"club.{club.slug}")
    # Recorded before the data is read, so that no change is missed.
    watched = [stream.record_positions(*topics)]
    rows = Assignment.objects.filter(table=overlay.table, ended_at__isnull=True)
    found = rows.select_related("pairing__tournament", "pairing__a__player", "pairing__b__player").first()
    if found is None:
        coming = _find_next_match(overlay, now=now)
        token = stream.create_token(watched)
        return OverlayView(overlay.layout, overlay.delay, "", 0, 1, (), topics, token, at, coming)
    pairing = found.pairing
    topics = (*topics, f"event.{pairing.tournament.key}")
    watched.append(stream.record_positions(topics[-1]))
    # Read again, to include changes made before the positions were recorded.
    pairing.refresh_from_db(fields=["running", "match", "length", "a_late", "b_late"])
    board = match_lists.list_public().filter(pk=pairing.match_id).first() if pairing.match_id else None
    state = journal.load(board) if board is not None else None
    if board is not None and state is not None:
        topics = (*topics, live.get_topic(board.key))
        watched.append(stream.TopicPositions(((live.get_topic(board.key), state.head),)))
    cube, seats = (
        _build_from_board(pairing, board, state, at) if board and state else _build_from_sheet(pairing)
    )
    return OverlayView(
        layout=overlay.layout,
        delay=overlay.delay,
        label=pairing.tournament.name,
        length=pairing.length,
        cube=cube,
        seats=seats,
        topics=topics,
        token=stream.create_token(watched),
        at=at,
    )


def _find_next_match(overlay: Overlay, *, now: datetime) -> str:
    """Return the next match on stream, if the table is for the stream; else ""."""
    if TableTag.STREAM not in overlay.table.tags:
        return ""
    rows = stream_queue.list_streamed(overlay.table.room)
    return stream_queue.describe_match(rows[0].pairing, now=now)[1] if rows else ""


def _list_names(pairing: Pairing) -> list[str]:
    return shorten_names([each.player.public_name if each else "" for each in (pairing.a, pairing.b)])


def _build_from_board(
    pairing: Pairing, board: Match, state: MatchState, at: int
) -> tuple[int, tuple[OverlaySeat, ...]]:
    situation = Situation.from_match(state.match)
    seats = []
    for name, entry in zip(_list_names(pairing), (pairing.a, pairing.b), strict=True):
        side = Side.WHITE if entry is not None and entry.player_id == board.white_id else Side.BLACK
        clock = state.clock
        left = None
        if clock is not None:
            display = clock.left(side, at=at if clock.since is not None else state.at)
            left = display.reserve + display.delay
        seats.append(
            OverlaySeat(
                name=name,
                score=state.match.score[side],
                pips=situation.board.pips(side),
                has_cube=situation.cube.owner is side,
                left=left,
                runs=clock is not None and clock.turn is side and clock.since is not None,
            )
        )
    return situation.cube.value, tuple(seats)


def _build_from_sheet(pairing: Pairing) -> tuple[int, tuple[OverlaySeat, ...]]:
    """Return the state on a score sheet, or the score at the start if none is kept for these two players."""
    if pairing.match_id:
        # They play on a board that is not public.
        return 1, tuple(OverlaySeat(name, None) for name in _list_names(pairing))
    # Before the first game: penalty points for lateness, which go to the opponent.
    score = pairing.sheet_score or (pairing.b_late, pairing.a_late)
    return 1, tuple(
        OverlaySeat(name, points) for name, points in zip(_list_names(pairing), score, strict=True)
    )
