"""A player's statistics over all their matches: a card on their page, and a separate page."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from opinion.analyses.analyses import OFF
from opinion.analyses.analysis_views import FAULTS, LABELS
from opinion.figures import player_statistics
from opinion.figures.player_statistics import Pool, PooledView
from opinion.judging.figures import LEAST_COUNTED


@dataclass(frozen=True, slots=True)
class ShownKind:
    title: Promise | str
    number: int
    error: float


@dataclass(frozen=True, slots=True)
class ShownPool:
    pool: Pool
    label: Promise | str
    kinds: tuple[ShownKind, ...]


@dataclass(frozen=True, slots=True)
class PooledPart:
    found: PooledView
    pools: tuple[ShownPool, ...]
    least: int = LEAST_COUNTED

    @property
    def first(self) -> ShownPool | None:
        return self.pools[0] if self.pools else None


def build_player_part(request: HttpRequest, key: str) -> PooledPart | None:
    """Return the statistics on a player's page; None if analyses are off or no match is visible."""
    # Cached per request: the card and the PR next to the rating are on one page.
    parts: dict[str, PooledPart | None] = vars(request).setdefault("pooled_parts", {})
    if key not in parts:
        parts[key] = _load_part(request, key)
    return parts[key]


def _load_part(request: HttpRequest, key: str) -> PooledPart | None:
    found = player_statistics.load_statistics(request.user, key)
    if found is None or found.why_none == OFF:
        return None
    if not found.pools and not player_statistics.has_visible_match(request.user, found.key):
        return None
    return _build_part(found)


def part_beside_rating(request: HttpRequest, key: str) -> ShownPool | None:
    """Return the pool whose PR is shown next to a player's rating; None if there is none."""
    found = build_player_part(request, key)
    return next((each for each in found.pools if each.pool.pr is not None), None) if found else None


@require_safe
def player(request: HttpRequest, key: str) -> HttpResponse:
    """Show a player's statistics by month and by kind of error."""
    found = player_statistics.load_statistics(request.user, key)
    if found is None:
        raise Http404
    return render(request, "opinion/player.html", {"shown": _build_part(found)})


def _build_part(found: PooledView) -> PooledPart:
    return PooledPart(found, tuple(_build_shown_pool(each) for each in found.pools))


def _build_shown_pool(each: Pool) -> ShownPool:
    kinds = tuple(
        ShownKind(title, each.by_fault[name].number, each.by_fault[name].error)
        for name, title in FAULTS.items()
        if name in each.by_fault
    )
    return ShownPool(each, LABELS.get(each.label, ""), kinds)
