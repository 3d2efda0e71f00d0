"""Common parts of an event's tabs: heading, tab bar, and the parts that are refreshed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from players.access import context
from players.models import User
from runtime.stream import TopicPositions
from tournaments import hooks
from tournaments.base import event_view
from tournaments.base.event_view import EventView
from tournaments.models import Tournament
from tournaments.pages import access, door_requests, etags, event_page_data, event_parts, finish, viewer_part
from tournaments.pages.event_parts import EventParts

# Tabs with the full list of players.
FULL = frozenset({"overview", "players"})


@dataclass(frozen=True, slots=True)
class Tab:
    name: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class OpenedEvent:
    """An event with its public parts, and the position of its stream before they were read."""

    event: Tournament
    live: TopicPositions
    parts: EventParts

    @property
    def view(self) -> EventView:
        return self.parts.view


def open_event(event: Tournament) -> OpenedEvent:
    return OpenedEvent(
        event, access.get_position(event), event_parts.load_parts(event.key, now=timezone.now())
    )


def show_tab(
    request: HttpRequest, shown: OpenedEvent, name: str, values: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render a tab: the whole page, or for htmx the parts that change."""
    event, parts, view = shown.event, shown.parts, shown.view
    context.set_club(request, event.club)
    user = request.user
    own = event_view.find_entry(event, user) if isinstance(user, User) else None
    head = values.get("event") or event_page_data.load_page(
        event,
        user,
        now=timezone.now(),
        has_players=name in FULL,
        stages=view.stages,
        entered=len(view.people),
    )
    part = etags.is_part(request)
    all_tabs = list_tabs(event, view)
    all_values = {
        "arrange_numbers": ("", "", ""),
        "event": head,
        "mine": viewer_part.load_viewer_part(view, own, now=timezone.now()) if own is not None else None,
        "late": door_requests.find_latecomer(event, user) if own is None and isinstance(user, User) else None,
        "progress": parts.progress if head.line.is_running else None,
        "path": finish.list_player_path(view, head.winners[0].number) if len(head.winners) == 1 else (),
        "has_card": name in {"overview", "schedule"},
        "tab": name,
        "tabs": all_tabs,
        "tab_title": next((each.title for each in all_tabs if each.name == name), event.name),
        "body": f"tournaments/_tab_{name}.html",
        "live_topics": [shown.live, *values.get("board_topics", ())],
        "live_url": build_live_url(request),
        "is_part": part,
        **values,
    }
    template = "tournaments/_tab.html" if part else "tournaments/tab.html"
    return render(request, template, all_values, status=status)


def list_tabs(event: Tournament, view: EventView) -> tuple[Tab, ...]:
    """List the tabs of an event. An event without a bracket has rounds; a friendly has only the overview."""
    titles = {"event": _("Overview")}
    if not event.is_friendly:
        has_sheet = any(part.is_sheet for part in view.parts)
        titles |= {
            "bracket": _("Bracket") if has_sheet else _("Rounds"),
            "standings": _("Standings"),
            "players": pgettext("event", "Players"),
            "schedule": _("Schedule"),
        }
    own = [
        Tab("overview" if name == "event" else name, title, reverse(f"tournaments:{name}", args=[event.key]))
        for name, title in titles.items()
    ]
    added = [
        Tab(name, str(tab.title), reverse(tab.address, args=[event.key]))
        for name, tab in hooks.TABS.items()
        if not event.is_friendly and tab.is_there(event)
    ]
    return (*own, *added)


def build_live_url(request: HttpRequest) -> str:
    """Return the address from which the page refreshes itself, without the `ask` parameter of dialogs."""
    query = request.GET.copy()
    query.pop("ask", None)
    return f"{request.path}?{query.urlencode()}" if query else request.path
