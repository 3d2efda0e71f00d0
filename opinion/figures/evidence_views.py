"""How a player's play compares with that of others of about the same rating, for directors of a club that wants it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from opinion.figures import evidence
from opinion.judging.figures import LEAST_COUNTED
from players.access.permissions import clubs_where, needs

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from opinion.figures.evidence import EvidenceView
    from opinion.judging.evidence import PlayRecord
    from players.access.requests import AccountRequest
    from players.models import Club


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """One row of the table, in percents."""

    record: PlayRecord
    rate: float | None
    low: float
    high: float
    pr: float | None
    interval: float | None


@dataclass(frozen=True, slots=True)
class EvidencePage:
    """The page."""

    found: EvidenceView
    own: ShownRecord | None = None
    others: ShownRecord | None = None
    # In points of a hundred: how much more, and from where to where.
    difference: tuple[float, ...] | None = None
    least: int = LEAST_COUNTED


@dataclass(frozen=True, slots=True)
class EvidenceLink:
    """Where a director finds the figures, for each club that has some."""

    club: str
    address: str


@require_safe
@never_cache
@needs("opinion.see_evidence")
def player(request: AccountRequest, club: Club, key: str) -> HttpResponse:
    """Show a player's figures beside those of others."""
    found = evidence.of_player(club, key)
    if found is None:
        raise Http404
    values = {"page": _page(found), "club": club}
    return render(request, "opinion/evidence.html", values)


def part_of_player(request: HttpRequest, key: str) -> tuple[EvidenceLink, ...] | None:
    """Return where the figures are, on a player's page, for directors of clubs that want them."""
    clubs = clubs_where(request.user, "opinion.see_evidence").filter(shows_evidence=True)
    links = tuple(
        EvidenceLink(club.name, reverse("opinion:evidence", args=[club.slug, key]))
        for club in clubs
        if evidence.has(club, key)
    )
    return links or None


def _page(found: EvidenceView) -> EvidencePage:
    seen = found.comparison
    if seen is None or found.judge is None:
        return EvidencePage(found)
    level = found.judge.level
    return EvidencePage(
        found,
        _shown(seen.own, level),
        _shown(seen.others, level),
        None if seen.difference is None else tuple(100 * each for each in seen.difference),
    )


def _shown(each: PlayRecord, level: int) -> ShownRecord:
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
