"""The replay page of a match, or of a record of a package above."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from engine.actions import Played
from engine.formats import position_id, xgid
from engine.layout import Layout
from engine.side import BySide, Side
from engine.svg import svg_board
from matches.journal.replays import Replay, ReplayEntry, ReplaySubject
from matches.play.match_page import Seat
from matches.state import clock_words, rule_words
from matches.watch import score_sheet


def build_page(
    request: HttpRequest,
    found: Replay,
    *,
    subject: ReplaySubject,
    seats: BySide[tuple[str, str]],
    has_pages: BySide[bool],
    below: Side,
    me: Side | None,
    day: str,
    back: tuple[str, str],
    files: tuple[tuple[str, str], ...],
    snippet: str = "",
    note: str = "",
) -> dict[str, Any]:
    """Return the page before or without JavaScript, at the entry in the URL, or the first.

    *back* is the title and the URL of the link back, *files* are the names and URLs of the downloads, and *snippet*
    is HTML for embedding, if the match is public.

    :raises Http404: the match has no entries.
    """
    entries = found.entries
    if not entries:
        raise Http404
    place = found.place(request.GET.get("at", ""))
    entry, names = entries[place], seats.map(lambda seat: seat[0])
    both = BySide(*(_build_seat(entry, side, seats[side], has_pages[side], me) for side in Side))
    title = f"{names.white} {clock_words.DASH} {names.black}"
    drawn = svg_board(entry.situation, Layout(below), title=title)
    return {
        "title": f"{names[below]} {clock_words.DASH} {names[below.other]}",
        "white": names.white,
        "black": names.black,
        "played": rule_words.describe_rules(found.rules),
        "day": day,
        "back": back,
        "above": both[below.other],
        "below": both[below],
        "games": score_sheet.build_score_sheet(found, names, current=entry.key),
        # The script replaces the drawing.
        "board": mark_safe(drawn),  # noqa: S308 - drawn by us; the names in it are escaped
        # The act after the position shown.
        "entry": _describe_entry(entry, names),
        "xgid": xgid.encode(entry.situation),
        "position_id": position_id.encode(entry.situation.board, entry.situation.turn),
        "chance": _describe_chance(entry.chance, names)
        if entry.chance is not None and entry.tells_chance
        else "",
        "files": files,
        "subject": subject,
        "data": _build_script_data(found, names, place, below),
        "snippet": snippet,
        "note": note,
    }


def _build_seat(
    entry: ReplayEntry, side: Side, seat: tuple[str, str], has_page: bool, me: Side | None
) -> Seat:
    name, key = seat
    return Seat(
        side=side.word,
        name=name,
        key=key,
        score=entry.situation.score[side],
        pips=entry.situation.board.pips(side),
        clock="" if entry.clocks is None else clock_words.format_clock(entry.clocks[side]),
        is_me=me is side,
        has_page=has_page,
    )


def _describe_entry(entry: ReplayEntry, names: BySide[str]) -> str:
    text = score_sheet.describe_act(entry, names)
    if entry.side is None:
        return text
    dice = f"{entry.situation.dice} " if isinstance(entry.action, Played) else ""
    return f"{names[entry.side]}: {dice}{text}"


def _describe_chance(white: float, names: BySide[str]) -> str:
    shares = {"a": names.white, "x": round(white * 100), "b": names.black, "y": 100 - round(white * 100)}
    return _("Chance to win the match at this score: {a} {x}%, {b} {y}%.").format(**shares)


def _build_script_data(found: Replay, names: BySide[str], place: int, below: Side) -> dict[str, Any]:
    return {
        "names": {side.word: names[side] for side in Side},
        "below": below.word,
        "place": place,
        "film": found.to_json(),
        # The script formats plays itself.
        "said": {
            entry.key: score_sheet.describe_act(entry, names)
            for entry in found.entries
            if not isinstance(entry.action, Played)
        },
    }
