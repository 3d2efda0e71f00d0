"""The tutor: the page that begins a practice match, and the part on the board's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from matches.lobby import requests, visitors
from matches.models import Match
from matches.play import match_access, visitor_sessions
from matches.state.errors import MatchError
from matches.state.status import OPEN
from opinion.analyses import availability
from opinion.errors import OpinionError
from opinion.judging.formulas import BLUNDER, ERROR
from opinion.practice import tutoring

# Choices for the minimum loss of a play that gets a hint.
LIMITS: Final[tuple[tuple[float, Promise], ...]] = (
    (ERROR, _("Every error, from 0.020 on")),
    (0.04, _("Clear errors, from 0.040 on")),
    (BLUNDER, _("Blunders, from 0.080 on")),
    (0.16, _("Bad blunders, from 0.160 on")),
)


@dataclass(frozen=True, slots=True)
class TutorPage:
    practice: visitors.PracticeOptions
    limits: tuple[tuple[str, Promise, bool], ...]
    # Why there is no tutor: `off` if analyses are disabled, `absent` without an engine.
    missing: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def begin(request: HttpRequest) -> HttpResponse:
    """Show the choice of level, length and limit, or begin the match."""
    if request.method == "POST":
        return _begin_lesson(request)
    limits = tuple((f"{limit:.3f}", words, limit == BLUNDER) for limit, words in LIMITS)
    page = TutorPage(visitors.load_practice_options(), limits, availability.find_obstacle())
    return render(request, "opinion/tutor.html", {"page": page, "practice": page.practice})


def _begin_lesson(request: HttpRequest) -> HttpResponse:
    now, posted = timezone.now(), request.POST
    length, level = requests.read_practice(request)
    limits = {f"{limit:.3f}": limit for limit, _words in LIMITS}
    try:
        # Before a visitor's account is created.
        availability.require_engine()
        row = tutoring.begin(
            player=requests.load_practice_player(request, now=now),
            limit=limits.get(posted.get("limit", ""), BLUNDER),
            level=level,
            length=length or visitors.LENGTH,
            now=now,
        )
    except (MatchError, OpinionError) as refusal:
        messages.error(request, str(refusal), extra_tags=refusal.code)
        return redirect("opinion:tutor")
    return redirect("matches:match", key=row.key)


def build_board_part(request: HttpRequest, key: str) -> str | None:
    """Return the API address of the tutor of an unfinished practice match, for its player."""
    going_on = Match.objects.filter(lesson__isnull=False, status__in=OPEN)
    row = going_on.select_related("white", "black", "club").filter(key=key).first()
    if row is None or not row.is_practice:
        return None
    seen = match_access.load_view(row, visitor_sessions.get_viewer(request))
    if seen is None or seen.side is None:
        return None
    return reverse("api:match-tutor", args=[key])
