"""Public tabs of an event: overview, bracket or rounds, standings, players, schedule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from draw.drawing import svg
from players.access.requests import parse_number
from tournaments.base import event_rows, event_view, labels
from tournaments.base.event_view import EventView, StageView
from tournaments.pages import (
    access,
    agenda,
    bracket_display,
    crosstable,
    etags,
    event_parts,
    reasons,
    tabs,
    timetable,
)
from tournaments.pages.bracket_display import MatchLine
from tournaments.pages.timetable import Timetable
from tournaments.status import Status

MOST_SHOWN = 6
MOST_COMING = 4
# With more players in first place, no leaders are shown.
MOST_SHARED = 3


@require_safe
@etags.check_etag
def bracket(request: HttpRequest, key: str) -> HttpResponse:
    shown = tabs.open_event(access.load_event(key, request.user))
    view = shown.view
    if not view.parts:
        return redirect(shown.event)
    number = parse_number(request.GET.get("follow", ""))
    follow = None if number is None else view.by_number.get(number)
    times = shown.parts.times
    parts = [build_stage_display(request, view, part, follow, times) for part in view.parts if part.plays]
    values = {
        "parts": parts,
        "follow": follow,
        "has_sheet": any(part.is_sheet for part in parts),
        "shown_as": get_selected_view(request),
        "and_as": f"&as={get_selected_view(request)}" if get_selected_view(request) else "",
        "sheet_links": build_view_links(request),
        "has_picture": get_rendered_view(request) != LISTS,
        "has_lists": get_rendered_view(request) != PICTURE,
        "choices": _render_player_options(view, follow),
        "short_kinds": labels.list_abbreviations(play.kind for play in view.plays),
        "has_live": bool(view.player_of) and any(play.is_live for play in view.plays),
    }
    return tabs.show_tab(request, shown, "bracket", values)


@require_safe
@etags.check_etag
def standings(request: HttpRequest, key: str) -> HttpResponse:
    shown = tabs.open_event(access.load_event(key, request.user))
    if not shown.view.parts:
        return redirect(shown.event)
    return tabs.show_tab(request, shown, "standings", {"tables": shown.parts.tables})


@require_safe
@etags.check_etag
def players(request: HttpRequest, key: str) -> HttpResponse:
    shown = tabs.open_event(access.load_event(key, request.user))
    if not shown.view.parts:
        return redirect(shown.event)
    return tabs.show_tab(request, shown, "players", {})


@require_safe
@etags.check_etag
def schedule(request: HttpRequest, key: str) -> HttpResponse:
    shown = tabs.open_event(access.load_event(key, request.user))
    if not shown.view.parts:
        return redirect(shown.event)
    plan = shown.parts.plan
    return tabs.show_tab(
        request, shown, "schedule", {"agenda": plan, "short_kinds": _list_short_kinds(plan.done)}
    )


def _list_short_kinds(lines: Sequence[MatchLine]) -> tuple[tuple[str, str], ...]:
    return labels.list_abbreviations(line.play.kind for line in lines)


@require_safe
@etags.check_etag
def boards(request: HttpRequest, key: str) -> HttpResponse:
    """Show only the boards of an event, for its overview to refresh."""
    tiles = tabs.open_event(access.load_event(key, request.user)).parts.boards
    is_few = "few" in request.GET
    values = {"tiles": tiles[: event_parts.MOST_BOARDS] if is_few else tiles, "large": not is_few}
    return render(request, "matches/_tiles.html", values)


def _render_player_options(view: EventView, follow: event_view.EntryView | None) -> str:
    """Render the options of the player filter.

    This is done in Python, because a template takes longer than the rest of the page.
    """
    people = sorted(view.people.values(), key=lambda who: who.name.casefold())
    options = "".join(f'<option value="{who.number}">{escape(who.name)}</option>' for who in people)
    if follow is not None:
        options = options.replace(f'value="{follow.number}">', f'value="{follow.number}" selected>', 1)
    return mark_safe(options)  # noqa: S308 - names are escaped


def show_overview(
    request: HttpRequest, shown: tabs.OpenedEvent, extra: dict[str, Any], status: int = 200
) -> HttpResponse:
    event, parts = shown.event, shown.parts
    is_running, is_finished = event.status == Status.RUNNING, event.status == Status.FINISHED
    tables = parts.tables if is_running or is_finished else ()
    # An event that consists only of groups has no overall leader.
    has_order = bool(tables) and not tables[0].title
    tiles = parts.boards if is_running else ()
    on_tiles = {tile.key for tile in tiles}
    done = [line for line in parts.plan.done if not line.play.is_void][:MOST_SHOWN]
    values = {
        "agenda": parts.plan,
        "counts": parts.progress,
        "times": parts.times,
        "coming": agenda.list_coming_matches(parts.plan, parts.times)[:MOST_COMING],
        "boards": tiles,
        "board_names": " ".join(tile.topic for tile in tiles),
        "board_topics": [tile.watch for tile in tiles],
        "story": parts.story if is_running else (),
        "side_winners": parts.side_winners if is_finished else (),
        "figures": parts.figures if is_finished else None,
        "last_position": parts.last_position if is_finished else None,
        "open": [line for line in parts.plan.open if line.play.board not in on_tiles][:MOST_SHOWN],
        "done": done,
        "short_kinds": _list_short_kinds(done),
        "tables": tables[:1] if has_order else tables,
        "front": tables[0].front if has_order and tables[0].rows[0].shared <= MOST_SHARED else (),
        **extra,
    }
    return tabs.show_tab(request, shown, "overview", values, status=status)


# Views of a bracket: the picture on wide screens, lists on narrow ones.
PICTURE, LISTS = "picture", "lists"


def get_rendered_view(request: HttpRequest) -> str:
    """Return the view to render, "" for both.

    It is the selected one; for a refresh without a selection it is the one that fits the screen.
    """
    return get_selected_view(request) or (request.GET.get("shows", "") if etags.is_part(request) else "")


def get_selected_view(request: HttpRequest) -> str:
    """Return the selected view of a bracket, "" if the screen decides."""
    wanted = request.GET.get("as", "")
    return wanted if wanted in {PICTURE, LISTS} else ""


def build_view_links(request: HttpRequest) -> dict[str, str]:
    """Return the query strings of the same brackets in either view."""
    parameters = {name: request.GET[name] for name in ("show", "follow") if name in request.GET}
    return {name: f"?{urlencode({**parameters, 'as': name})}" for name in (PICTURE, LISTS)}


@dataclass(frozen=True, slots=True)
class StageDisplay:
    name: str
    is_sheet: bool
    svg: str
    branches: tuple[bracket_display.BracketChoice, ...]
    rounds: tuple[bracket_display.RoundList, ...]
    cross: tuple[crosstable.CrossTable, ...]
    # How it was drawn.
    why: tuple[str, ...] = ()

    @property
    def shows_all(self) -> bool:
        return not any(branch.is_shown for branch in self.branches)


def build_stage_display(
    request: HttpRequest,
    view: EventView,
    part: StageView,
    follow: event_view.EntryView | None,
    times: Timetable = timetable.UNKNOWN,
) -> StageDisplay:
    name = part.stage.name if len(view.parts) > 1 else ""
    if not part.is_sheet:
        rounds = _highlight_rounds(_merge_groups(view, part), follow)
        return StageDisplay(name, False, "", (), rounds, crosstable.build_tables(view, part))
    branches = bracket_display.list_bracket_choices(part, request.GET.get("show", ""), follow)
    chosen = next((each.name for each in branches if each.is_shown), "")
    shown = chosen or next(each.name for each in branches)
    wanted = get_rendered_view(request)
    sheet = bracket_display.draw_brackets(view, part, chosen, times) if wanted != LISTS else ""
    return StageDisplay(
        name,
        True,
        mark_safe(svg.highlight_player(sheet, follow.number) if follow else sheet),  # noqa: S308 - the drawing escapes names
        branches,
        _highlight_rounds(bracket_display.build_round_lists(view, part, shown), follow)
        if wanted != PICTURE
        else (),
        (),
        reasons.explain_draw(view, part),
    )


def _highlight_rounds(
    rounds: Iterable[bracket_display.RoundList], follow: event_view.EntryView | None
) -> tuple[bracket_display.RoundList, ...]:
    return tuple(one.lit(follow.number) if follow else one for one in rounds)


def _merge_groups(view: EventView, part: StageView) -> list[bracket_display.RoundList]:
    """List the rounds of all groups together, with explanations of unusual pairings.

    The latest round comes first, unless the schedule is fixed.
    """
    why = reasons.explain_rounds(view, part)
    titled: dict[str, list[bracket_display.RoundList]] = {}
    for group in sorted(part.last):
        for one in bracket_display.build_round_lists(view, part, group):
            titled.setdefault(one.title, []).append(one)
    rounds = []
    for alike in titled.values():
        lines = tuple(line for one in alike for line in one.lines)
        rounds.append(
            replace(
                alike[-1],
                lines=lines,
                is_current=any(one.is_current for one in alike),
                why=tuple(reason for line in lines for reason in why.get(line.play.key, ())),
            )
        )
    return rounds if event_rows.is_fixed(part.stage) else rounds[::-1]
