"""The lobby: the player's matches and offers, boards in play, open seats, players online."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from django.db.models import QuerySet

from matches.lobby import offers, opponents
from matches.lobby.opponents import PresentPlayer
from matches.models import Challenge, Match
from matches.models.challenges import Offer
from matches.models.matches import Due
from matches.play import boards, match_lists
from matches.play.boards import Tile
from matches.state import clock_words, rule_words
from players.models import Player
from runtime.stream import TopicPositions

MOST_RECENT: Final = 8
# With the topics of the lobby and the user, this is the maximum of one stream.
MOST_BOARDS: Final = 8
MOST_SEATS: Final = 20
# What a list of matches or offers shows of one.
Row: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Lobby:
    boards: tuple[Tile, ...]
    mine: tuple[Row, ...] = ()
    theirs: tuple[Row, ...] = ()
    recent: tuple[Row, ...] = ()
    received: tuple[Row, ...] = ()
    sent: tuple[Row, ...] = ()
    seats: tuple[Row, ...] = ()
    here: tuple[PresentPlayer, ...] = ()

    @property
    def names(self) -> str:
        """Topics of its boards, separated by spaces."""
        return " ".join(tile.topic for tile in self.boards)

    @property
    def is_large(self) -> bool:
        """True if there is only one board, which is drawn large."""
        return len(self.boards) == 1

    @property
    def watches(self) -> list[TopicPositions]:
        """Stream positions of its boards at the rendered state."""
        return [tile.watch for tile in self.boards]


def draw_boards(me: Player | None) -> tuple[Tile, ...]:
    return boards.draw_tiles(_list_watchable(me))


def compute_version_key(me: Player | None) -> tuple[object, ...]:
    return tuple(match_lists.query_version_facts(_list_watchable(me)))


def _list_watchable(me: Player | None) -> QuerySet[Match]:
    rows = match_lists.list_in_play()
    return (rows if me is None else rows.exclude(white=me).exclude(black=me))[:MOST_BOARDS]


def load_lobby(me: Player | None, *, now: datetime) -> Lobby:
    """Load the lobby of a player; a visitor without one gets only the boards."""
    if me is None:
        return Lobby(draw_boards(None))
    found = match_lists.list_turns(me)
    mine = list(offers.list_own(me).filter(status=Offer.OPEN, expires_at__gt=now))
    sent = [each for each in mine if each.challenger_id == me.pk]
    return Lobby(
        boards=draw_boards(me),
        mine=tuple(_build_match_row(each, me) for each in found.mine),
        theirs=tuple(_build_match_row(each, me) for each in found.theirs),
        recent=tuple(_build_match_row(each, me) for each in match_lists.list_recent(me)[:MOST_RECENT]),
        received=tuple(_build_offer_row(each, me) for each in mine if each.opponent_id == me.pk),
        sent=tuple(_build_offer_row(each, me) for each in sent),
        seats=tuple(_build_offer_row(each, me) for each in offers.list_open_seats(me, now=now)[:MOST_SEATS]),
        here=opponents.list_present(me, chosen={each.opponent_id for each in sent}, now=now),
    )


def _build_match_row(row: Match, me: Player) -> Row:
    side, other = (Due.BLACK, row.white) if row.black_id == me.pk else (Due.WHITE, row.black)
    own, theirs = rule_words.cap_score((row.white_score, row.black_score), row.length)
    if side is Due.BLACK:
        own, theirs = theirs, own
    return {
        "key": row.key,
        "name": other.public_name,
        "meta": _describe_terms(row.terms),
        "score": f"{own}\N{EN DASH}{theirs}",
        "deadline_at": row.deadline_at,
        # Both False without a winner; money play has a score alone.
        "is_won": row.winner == side and bool(row.length),
        "is_lost": row.winner not in {side, ""} and bool(row.length),
    }


def _build_offer_row(row: Challenge, me: Player) -> Row:
    other = row.opponent if row.challenger_id == me.pk else row.challenger
    return {
        "key": row.key,
        "name": other.public_name if other else "",
        "meta": _describe_terms(row.terms),
        "is_seat": row.opponent_id is None,
    }


def _describe_terms(terms: dict[str, object]) -> str:
    return f"{rule_words.describe_terms(terms)} · {clock_words.describe_terms(terms)}"
