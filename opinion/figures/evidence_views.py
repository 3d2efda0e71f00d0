"""The page comparing a player with others of about the same rating, for directors of clubs that enable it."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from opinion.figures import evidence
from opinion.figures.evidence import EvidenceView
from opinion.judging.evidence import PlayRecord
from opinion.judging.figures import LEAST_COUNTED
from players.access.permissions import list_clubs_where, require_permission
from players.access.requests import AccountRequest
from players.models import Club


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """A row of the table; shares in percent."""

    record: PlayRecord
    rate: float | None
    low: float
    high: float
    pr: float | None
    interval: float | None


@dataclass(frozen=True, slots=True)
class EvidencePage:
    found: EvidenceView
    own: ShownRecord | None = None
    others: ShownRecord | None = None
    # In percentage points: the difference and its interval.
    difference: tuple[float, ...] | None = None
    least: int = LEAST_COUNTED


@require_safe
@never_cache
@require_permission("opinion.see_evidence")
def player(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    found = evidence.load_evidence(club, key)
    if found is None:
        raise Http404
    values = {"page": _build_page(found), "club": club}
    return render(request, "opinion/evidence.html", values)


def build_player_part(request: HttpRequest, key: str) -> tuple[tuple[str, str], ...] | None:
    """Return each club that enables evidence and that the viewer directs, with the address of a player's."""
    clubs = list_clubs_where(request.user, "opinion.see_evidence").filter(shows_evidence=True)
    links = tuple(
        (club.name, reverse("opinion:evidence", args=[club.slug, key]))
        for club in clubs
        if evidence.has_evidence(club, key)
    )
    return links or None


def _build_page(found: EvidenceView) -> EvidencePage:
    seen = found.comparison
    if seen is None or found.judge is None:
        return EvidencePage(found)
    level = found.judge.level
    return EvidencePage(
        found,
        _build_shown_record(seen.own, level),
        _build_shown_record(seen.others, level),
        None if seen.difference is None else tuple(100 * each for each in seen.difference),
    )


def _build_shown_record(each: PlayRecord, level: int) -> ShownRecord:
    low, high = each.share.interval
    rate, pr = each.share.rate, each.totals.published(level)
    return ShownRecord(
        each,
        None if rate is None else 100 * rate,
        100 * low,
        100 * high,
        pr,
        None if pr is None else each.totals.interval,
    )
