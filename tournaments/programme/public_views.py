"""Public pages, the calendar feeds, and entering an event."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from players.access import context, public_pages
from players.access.requests import parse_number, require_post_or_redirect
from players.clubs import clubs
from players.clubs.club_pages import ClubRights
from players.models import Club
from runtime import stream
from tournaments.base import event_lines, ical
from tournaments.pages import access, etags, event_page, page_versions
from tournaments.play import entering
from tournaments.programme import calendar as calendars
from tournaments.status import Status

MOST_PAGES = 500


def build_lists_state(request: HttpRequest, *, now: datetime, slug: str = "") -> public_pages.PageVersion:
    club = slug or request.GET.get("club", "")
    return public_pages.PageVersion(
        page_versions.compute_lists_key(club=club),
        until=lambda: page_versions.find_next_change(now=now, club=club),
    )


@require_safe
@public_pages.cache_page(build_lists_state, knows={"club", "when", "page"})
def calendar(request: HttpRequest) -> HttpResponse:
    slug = request.GET.get("club", "")
    club = get_object_or_404(Club, slug=slug) if slug else None
    is_past, page = request.GET.get("when") == "past", parse_number(request.GET.get("page", "1"), 3)
    if not (page and page <= MOST_PAGES):
        raise Http404
    shown = calendars.load_calendar_page(
        request.user, club=club, is_past=is_past, number=page, now=timezone.now()
    )
    topics = [f"club.{club.slug}"] if club else []
    return render(request, "tournaments/calendar.html", {"calendar": shown, "live_topics": topics})


@require_safe
@etags.check_etag
def event(request: HttpRequest, key: str) -> HttpResponse:
    """Show one event, with the actions that the viewer may take."""
    found = access.load_event(key, request.user)
    return event_page.show_event(request, found)


def _build_evening_state(_request: HttpRequest, *, now: datetime, slug: str) -> public_pages.PageVersion:
    return public_pages.PageVersion(
        page_versions.compute_evenings_key(club=slug),
        until=lambda: page_versions.find_next_change(now=now, club=slug),
    )


@require_safe
@public_pages.cache_page(_build_evening_state, knows={"past"})
def club_events(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's diary, as a page or as a part of the club's page."""
    club = get_object_or_404(Club, slug=slug)
    context.set_club(request, club)
    live = stream.record_positions(f"club.{club.slug}")
    # Each page reloads its part: the club's page the short list, the page of all events the long one.
    is_long = not etags.is_part(request) or request.GET.get("past") == "all"
    diary = calendars.load_club_events(request.user, club, past=30 if is_long else 5, now=timezone.now())
    directs = request.user.is_authenticated and request.user.has_perm("tournaments.direct", club)
    values = {
        "diary": diary,
        "night": diary.night,
        "club": club,
        "rights": ClubRights.load(request.user, club),
        "directs": directs,
        "is_part": not is_long,
        "live_topics": [live, *(diary.night.watches if diary.night else ())],
    }
    template = "tournaments/_club_events.html" if etags.is_part(request) else "tournaments/club_events.html"
    return render(request, template, values)


@require_safe
@cache_control(max_age=300, public=True)
def calendar_feed(request: HttpRequest, slug: str) -> HttpResponse:
    club = get_object_or_404(Club, slug=slug)
    absolute, host = request.build_absolute_uri, settings.PUBLIC_HOST
    entries = calendars.list_club_entries(club, host=host, absolute=absolute, now=timezone.now())
    response = HttpResponse(ical.build_feed(club.name, entries), content_type=ical.CONTENT_TYPE)
    response["Content-Disposition"] = f'inline; filename="{club.slug}.ics"'
    return response


@require_safe
def event_calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Serve an event and the deadlines of its rounds as iCalendar."""
    event = get_object_or_404(
        event_lines.query_visible(request.user).exclude(status=Status.DRAFT).select_related("club"), key=key
    )
    absolute, host = request.build_absolute_uri, settings.PUBLIC_HOST
    found = calendars.list_event_entries(event, host=host, absolute=absolute)
    response = HttpResponse(ical.build_feed(event.name, found), content_type=ical.CONTENT_TYPE)
    response["Content-Disposition"] = f'inline; filename="{event.key}.ics"'
    return response


@require_post_or_redirect("tournaments:event")
@login_required
def enter(request: HttpRequest, key: str) -> HttpResponse:
    """Enter the viewer; at an open club they also become a member if they chose to."""
    found = access.load_event(key, request.user)
    user = access.require_user(request)
    now = timezone.now()

    def act() -> None:
        joins = request.POST.get("join") == "yes"
        if joins and not found.club.memberships.filter(player__user=user).exists():
            clubs.join(club=found.club, player=user.player, now=now)
        entering.enter_own_player(tournament_id=found.pk, user=user, now=now)

    return access.run_and_redirect(request, found, act, done=event_page.ENTERED)


@require_post_or_redirect("tournaments:event")
@login_required
def cancel_entry(request: HttpRequest, key: str) -> HttpResponse:
    found = access.load_event(key, request.user)
    user = access.require_user(request)
    act = partial(entering.cancel_entry, tournament_id=found.pk, user=user, now=timezone.now())
    return access.run_and_redirect(request, found, act, done=event_page.WITHDRAWN)
