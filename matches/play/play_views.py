"""The pages of a match: for players, directors and spectators; and its chat, to report and remove messages."""

from __future__ import annotations

from collections import Counter

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.journal import journal
from matches.models import ChatLine, Report
from matches.play import chat, match_access, match_page, visitor_sessions
from matches.play.match_access import Role, View
from matches.state.errors import MatchError, NotAllowed
from players.access import context
from players.access.requests import AccountRequest, require_post_or_redirect
from players.people import people
from runtime import stream


def load_view(request: HttpRequest, key: str) -> View:
    """Return the match as the viewer may see it.

    :raises Http404: there is no such match, or the caller may not know of it.
    """
    return match_access.get_or_404(key, visitor_sessions.get_viewer(request))


@require_safe
@never_cache
def match(request: HttpRequest, key: str) -> HttpResponse:
    seen = load_view(request, key)
    if seen.row.club is not None:
        context.set_club(request, seen.row.club)
    now = timezone.now()
    # The positions of the streams are read before the content that they update.
    topics = stream.record_positions(*seen.topics)
    state = journal.load(seen.row)
    page = match_page.build_page(seen, state)
    is_guided = page["is_player"] and seen.row.has_bot and "guide" in request.GET
    values = {
        "page": page,
        "match_data": match_page.build_script_data(seen, state, now=now),
        "is_guided": is_guided,
        "live_topics": [stream.TopicPositions(((seen.frames, state.head),)), topics],
        "snippet": build_snippet(request, "matches:embed", key, page["title"], height=690),
    }
    return render(request, "matches/match.html", values)


def build_snippet(request: HttpRequest, page: str, key: str, title: str, *, height: int) -> str:
    """Return the HTML with which another site embeds this page of a match."""
    address = request.build_absolute_uri(reverse(page, args=[key]))
    frame = '<iframe src="{}" title="{}" width="640" height="{}" style="border:0;max-width:100%" loading="lazy"></iframe>'
    return format_html(frame, address, title, height)


@require_safe
@never_cache
@login_required
def talk(request: AccountRequest, key: str) -> HttpResponse:
    """Show the chat without the lines of muted players, latest lines first.

    Directors see every reported line until it is removed, however old it is and whomever they have muted.
    """
    seen, me = _load_chat(request, key), request.user.player
    if seen.row.club is not None:
        context.set_club(request, seen.row.club)
    latest = chat.list_lines(seen)
    reported = chat.list_reported(seen) if seen.role is Role.DIRECTOR else []
    # Those that are not among the latest are older.
    rows = [*(row for row in reported if row not in latest), *latest][::-1]
    muted = {player.pk: player for player in chat.list_muted(me)}
    shown = [row for row in rows if row.author_id not in muted or row in reported]
    authors = {row.author.pk: row.author for row in rows if row.author != me}
    values = {
        "row": seen.row,
        "is_director": seen.role is Role.DIRECTOR,
        "lines": _build_lines(seen, shown, request),
        "speakers": [
            {"key": player.key, "name": player.public_name, "is_muted": player.pk in muted}
            for player in (authors | muted).values()
        ],
    }
    return render(request, "matches/talk.html", values)


def _build_lines(seen: View, rows: list[ChatLine], request: AccountRequest) -> list[dict[str, object]]:
    me, is_director = request.user.player, seen.role is Role.DIRECTOR
    readable = Report.objects.filter(line__in=rows)
    if not is_director:
        readable = readable.filter(by=me)
    reports = Counter(readable.values_list("line", flat=True))
    found: list[dict[str, object]] = []
    for row in rows:
        shown = chat.serialize_line(row, to=seen.role)
        found.append(
            {
                "key": row.key,
                "name": row.author.public_name,
                "text": shown.text,
                "at": row.at,
                # Not for viewers who read one room only.
                "room": row.get_room_display() if len(seen.reads) > 1 else "",
                "is_hidden": shown.hidden,
                # Directors see all reports, others their own.
                "reports": reports[row.pk],
                "may_report": not (is_director or shown.hidden or row.author == me or reports[row.pk]),
                "may_hide": is_director and not shown.hidden,
            }
        )
    return found


@require_post_or_redirect("matches:talk")
@login_required
def report(request: AccountRequest, key: str, line: str) -> HttpResponse:
    seen, me = _load_chat(request, key), request.user.player
    try:
        chat.report(seen=seen, key=line, by=me, reason="", now=timezone.now())
    except ChatLine.DoesNotExist as error:
        raise Http404 from error
    except MatchError as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    else:
        messages.success(request, _("The message is reported."))
    return redirect("matches:talk", key=key)


@require_post_or_redirect("matches:talk")
@login_required
def hide(request: AccountRequest, key: str, line: str) -> HttpResponse:
    seen, me = _load_chat(request, key), request.user.player
    try:
        chat.hide(seen=seen, key=line, by=me, now=timezone.now())
    except ChatLine.DoesNotExist as error:
        raise Http404 from error
    except NotAllowed as error:
        raise PermissionDenied(str(error)) from error
    messages.success(request, _("The message is removed."))
    return redirect("matches:talk", key=key)


@require_post_or_redirect("matches:talk")
@login_required
def mute(request: AccountRequest, key: str, player: str) -> HttpResponse:
    _load_chat(request, key)
    me, other = request.user.player, people.get_player(key=player)
    try:
        if "undo" in request.POST:
            chat.unmute(player=me, muted=other)
            message = _("You see the messages of %(name)s again.")
        else:
            chat.mute(player=me, muted=other)
            message = _("%(name)s is muted. You no longer see their messages, in any match.")
    except MatchError as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
    else:
        messages.success(request, message % {"name": other.public_name})
    return redirect("matches:talk", key=key)


def _load_chat(request: AccountRequest, key: str) -> View:
    """Return the match as the viewer may see it.

    :raises Http404: there is no such match, or no chat that the viewer may read.
    """
    seen = load_view(request, key)
    if not seen.reads:
        raise Http404
    return seen
