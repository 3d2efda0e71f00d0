"""Comparison of a player's play with their rating, for directors of clubs that enable it.

It is evidence, never a verdict, and based on finished matches between people in that club. Each figure comes
with its interval and with the base rate of other players. No player is flagged or ranked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from django.db.models import Case, Count, F, IntegerField, Q, Sum, Value, When
from django.db.models.functions import Coalesce

from engine.side import Side
from matches.models import Match
from matches.state.status import Status
from opinion.analyses import availability
from opinion.analyses.analyses import NONE, OFF
from opinion.figures.player_statistics import Judge
from opinion.judging.evidence import Comparison, PlayRecord, Share, compare
from opinion.judging.figures import LEAST_LEVEL, NAMES, Totals
from opinion.models import SideSum
from players import hooks as player_hooks
from players.models import Club, Membership, Player

NOTE: Final = "Evidence, and no verdict: strong players find most of what an engine plays."
SEATS: Final = {side.word: int(side) for side in Side}


@dataclass(frozen=True, slots=True)
class EvidenceView:
    key: str
    name: str
    # The engine; None without a sufficiently deep analysis.
    judge: Judge | None = None
    comparison: Comparison | None = None
    # The rating list, "" without one, and the player's rating in it.
    list_name: str = ""
    rating: float | None = None
    # Why there is no result: `off`, `absent` without an engine, `none` without an analysis at 2 ply.
    missing: str = ""


def load_evidence(club: Club, key: str) -> EvidenceView | None:
    """Return the evidence on a player; None if the club does not know them, or does not enable this.

    The caller checks that the viewer directs the club.
    """
    if not has_evidence(club, key):
        return None
    player = Player.objects.get(key=key)
    view = EvidenceView(player.key, player.public_name)
    if not availability.is_enabled():
        return replace(view, missing=OFF)
    by_judge = load_records(club)
    judge = max(
        (each for each, found in by_judge.items() if player.pk in found),
        key=lambda each: (by_judge[each][player.pk].share.of, each),
        default=None,
    )
    listed = player_hooks.RATINGS.get()(club)
    if judge is None:
        return replace(view, missing=availability.find_obstacle() or NONE)
    rated = {} if listed is None else listed.ratings
    return replace(
        view,
        judge=judge,
        comparison=compare(player.pk, by_judge[judge], rated),
        list_name="" if listed is None else listed.name,
        rating=rated.get(player.pk),
    )


def has_evidence(club: Club, key: str) -> bool:
    """True if the club enables evidence, and the player is a member or has played there."""
    if not club.shows_evidence:
        return False
    player = Player.objects.filter(key=key, erased_at__isnull=True, merged_into__isnull=True).first()
    if player is None:
        return False
    theirs = Q(white=player) | Q(black=player)
    theirs |= Q(white__merged_into=player) | Q(black__merged_into=player)
    return (
        Membership.objects.filter(club=club, player=player).exists()
        or Match.objects.filter(theirs, club=club, has_bot=False, status=Status.FINISHED.value).exists()
    )


def load_records(club: Club) -> dict[Judge, dict[int, PlayRecord]]:
    """Return the sums per player in a club, separately for each engine, version and level."""
    found: dict[Judge, dict[int, PlayRecord]] = {}
    for seat, side in SEATS.items():
        for row in _load_sums(club, seat, side):
            judge = Judge(row["analysis__engine"], row["analysis__version"], row["analysis__level"])
            of_judge = found.setdefault(judge, {})
            of_judge[row["who"]] = of_judge.get(row["who"], PlayRecord()) + PlayRecord(
                Share(row["best"], row["sum_plays"]),
                Totals(**{name: row[f"sum_{name}"] for name in NAMES}),
                row["matches"],
            )
    return found


def _load_sums(club: Club, seat: str, side: int) -> Iterable[dict[str, Any]]:
    sums = {f"sum_{name}": Sum(name) for name in NAMES}
    # A play without loss has no fault.
    best = Sum(Case(When(fault="", then=F("plays")), default=Value(0), output_field=IntegerField()))
    match = f"analysis__match__{seat}"
    rows = SideSum.objects.filter(
        side=side,
        analysis__match__club=club,
        analysis__match__has_bot=False,
        analysis__match__lesson__isnull=True,
        analysis__match__status=Status.FINISHED.value,
        analysis__head_hash=F("analysis__match__head_hash"),
        analysis__level__gte=LEAST_LEVEL,
    ).annotate(who=Coalesce(f"{match}__merged_into", match))
    grouped = rows.order_by().values("analysis__engine", "analysis__version", "analysis__level", "who")
    sums_by_player: Any = grouped.annotate(matches=Count("analysis", distinct=True), best=best, **sums)
    return cast("Iterable[dict[str, Any]]", sums_by_player)
