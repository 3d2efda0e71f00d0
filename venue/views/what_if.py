"""When a running event is likely to end, and what if something were otherwise: asked at its desk, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from runtime import stream
from tournaments.pages import access
from tournaments.pages.etags import is_part
from tournaments.status import Status
from venue.forms import WhatIfForm
from venue.selectors import ending

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from tournaments.models import Tournament


@require_safe
@access.directs
def what_if(request: HttpRequest, event: Tournament) -> HttpResponse:
    """Show when an event is likely to end, and answer what was asked about it."""
    outlook = ending.of(event, now=timezone.now())
    form = None if outlook is None else WhatIfForm(request.GET.dict(), outlook=outlook)
    is_asked = form is not None and any(name in request.GET for name in form.fields)
    answer = None
    if outlook is not None and form is not None and form.is_valid() and is_asked:
        answer = outlook.what_if(form.question())
    values = {
        "event": event,
        "club": event.club,
        "outlook": outlook,
        "form": form,
        "is_asked": is_asked,
        "answer": answer,
        # An open desk hides this part when the event is over, and shows it again if the event goes on.
        "is_gone": is_part(request) and part_of_desk(request, event.key) is None,
        "tab": "desk",
        "live_topics": [stream.watch(f"event.{event.key}")],
    }
    template = "venue/_what_if.html" if is_part(request) else "venue/what_if.html"
    is_wrong = form is not None and not form.is_valid()
    return render(request, template, values, status=422 if is_wrong else 200)


def part_of_desk(_request: HttpRequest, key: str) -> str | None:
    """Return the event whose desk shows when it ends: one that is played, and neither paused nor played out."""
    event = access.find_any(key)
    stands_still = event.paused_at is not None or event.over_at is not None
    return key if event.status == Status.RUNNING and not stands_still else None
