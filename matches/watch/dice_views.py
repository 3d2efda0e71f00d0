"""The page on which a browser makes every roll of a match again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from matches.play.play_views import find
from matches.state.status import ENDED
from matches.watch import dice_reasons

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@never_cache
def dice(request: HttpRequest, key: str) -> HttpResponse:
    """Explain how the dice were made, and have them checked where the reader sits."""
    row = find(request, key).row
    is_over = row.status in ENDED
    data = {
        "match": row.key,
        "url": reverse("api:match-dice", args=[row.key]) if is_over else None,
        "names": {"A": row.white.public_name, "B": row.black.public_name},
        "reasons": dice_reasons.reasons(row) if is_over else {},
    }
    values = {"row_key": row.key, "names": data["names"], "is_over": is_over, "dice_data": data}
    return render(request, "matches/dice.html", values)
