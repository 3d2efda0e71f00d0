"""The page of a match as rendered by the server, and the data for its script."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from engine.layout import Layout
from engine.match import Match as EngineMatch
from engine.render import ascii_board
from engine.side import BySide, Side
from engine.situation import Situation
from matches.journal import journal
from matches.models import Bot, Challenge, JournalEntry, Match
from matches.play import answers, match_access, presence
from matches.play.match_access import View
from matches.state import clock_words, reasons, rule_words
from matches.state.match_state import MatchState
from matches.state.status import ENDED, Status
from runtime.http.answers import ABSENT


@dataclass(frozen=True, slots=True)
class Seat:
    side: str
    name: str
    key: str
    score: int
    pips: int
    # Initial text of the clock; empty without a clock.
    clock: str
    is_me: bool
    has_page: bool


def build_page(seen: View, state: MatchState) -> dict[str, Any]:
    """Return the page before or without JavaScript."""
    row, match = seen.row, state.match
    names = BySide(row.white.public_name, row.black.public_name)
    below = seen.side or Side.WHITE
    seats = {side: _build_seat(seen, state, side) for side in Side}
    is_visitor = seen.side is not None and not seen.has_account
    bots = Bot.objects.filter(player__in=(row.white_id, row.black_id))
    return {
        "key": row.key,
        "title": f"{names[below]} {clock_words.DASH} {names[below.other]}",
        "length": row.length,
        # "to 7", "best of 3"
        "played": rule_words.describe_length(state.terms.rules),
        # "no cube, no backgammons"
        "unusual": rule_words.describe_unusual(state.terms.rules),
        "clock": clock_words.describe_terms(row.terms),
        "is_private": row.is_private,
        "is_over": state.status in ENDED,
        "crawford": match.crawford.value,
        "club": row.club.name if row.club else "",
        "club_url": row.club.get_absolute_url() if row.club else "",
        "above": seats[below.other],
        "below": seats[below],
        "board": ascii_board(Situation.from_match(match, names), Layout(below)),
        "sentence": " ".join(filter(None, (find_void_reason(row, state), describe_state(state, names)))),
        "games": _build_game_lines(match, names),
        "is_player": seen.side is not None,
        "is_director": seen.role is match_access.Role.DIRECTOR,
        "is_visitor": is_visitor,
        "talks": bool(seen.reads),
        # Of the bot that a visitor plays.
        "level": bots.values_list("slug", flat=True).first() or "" if is_visitor else "",
    }


def _build_seat(seen: View, state: MatchState, side: Side) -> Seat:
    row, player = seen.row, seen.row.black if side else seen.row.white
    return Seat(
        side=side.word,
        name=player.public_name,
        key=player.key,
        score=rule_words.cap_score(state.match.score, row.length)[side],
        pips=state.match.game.board.pips(side),
        clock="" if state.clock is None else clock_words.format_clock(state.clock.reserve[side]),
        is_me=seen.side is side,
        has_page=not player.hidden_from_search and not row.is_private,
    )


def _build_game_lines(match: EngineMatch, names: BySide[str]) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    score = (0, 0)
    for number, each in enumerate(match.results, start=1):
        if each.winner is not None:
            reached = each.start.put(each.winner, each.start[each.winner] + each.points)
            score = rule_words.cap_score(reached, match.rules.length)
        name = "" if each.winner is None else names[each.winner]
        so_far = f"{score[0]}{clock_words.DASH}{score[1]}"
        found.append({"number": number, "name": name, "points": each.points, "score": so_far})
    return found


def find_void_reason(row: Match, state: MatchState) -> str:
    if state.status is not Status.VOID:
        return ""
    last = JournalEntry.objects.get(match=row, seq=row.head)
    names = BySide(row.white.public_name, row.black.public_name)
    return reasons.translate_reason(last.fact.get("reason", ""), names)


def describe_state(state: MatchState, names: BySide[str]) -> str:
    match = state.match
    outcome = match.outcome
    if outcome is not None:
        return rule_words.describe_outcome(outcome.winner, match.score, match.rules.length, names)
    if match.paused:
        return _("The match is paused.")
    owing = state.owing
    if len(owing) == 1:
        return _("It is %(name)s's turn.") % {"name": names[owing[0]]}
    return _("Both players are getting ready.")


def build_script_data(seen: View, state: MatchState, *, now: datetime) -> dict[str, Any]:
    row, key = seen.row, seen.row.key
    has_player = seen.side is not None and seen.has_account
    # The board uses the graph of partial turns; the list of whole plays would only add bytes.
    left_out = {"plays": ABSENT, "live": ABSENT}
    whole = answers.serialize_match(
        row, state, seen.side, presence=presence.build_presence(row, now=now), **left_out
    )
    return {
        "key": key,
        "me": None if seen.side is None else seen.side.word,
        "is_visitor": seen.side is not None and not seen.has_account,
        "may_rematch": has_player and Challenge.objects.filter(match=row).exists(),
        "topics": {
            "match": seen.frames,
            "presence": match_access.get_presence_topic(key),
            "chat": [match_access.get_chat_topic(key, room) for room in seen.reads],
        },
        "rooms": {"reads": [*seen.reads], "writes": [*seen.writes]},
        "api": f"{reverse('api:match-list')}{key}/",
        "links": {
            "dice": reverse("matches:dice", args=[key]),
            "replay": reverse("matches:replay", args=[key]),
            "practice": reverse("matches:practice"),
            "challenges": reverse("api:challenge-list"),
            "habits": reverse("api:own-habits") if has_player else None,
        },
        "void_reason": find_void_reason(row, state),
        "server_ms": journal.to_milliseconds(now),
        "whole": whole.plain(),
    }
