"""A player's play against their rating, for the directors of a club that wants it: evidence, and never a verdict.

Of matches between people that were played here, in that club, and are over. Who else finds as much of what the engine
plays, and how far each figure may be off, stands beside each. Nobody is marked, sorted or told of.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, cast

from django.db.models import Case, Count, F, IntegerField, Q, Sum, Value, When
from django.db.models.functions import Coalesce

from engine.side import Side
from matches.models import Match
from matches.state.status import Status
from opinion.analyses import here
from opinion.analyses.analyses import ABSENT, NONE
from opinion.figures.pooled import OFF, Judge
from opinion.judging.evidence import PlayRecord, Share, compare, nearest
from opinion.judging.figures import LEAST_LEVEL, NAMES, Totals
from opinion.models import SideSum
from players import hooks as player_hooks
from players.models import Membership, Player

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from opinion.judging.evidence import Comparison
    from players.models import Club

NOTE: Final = "Evidence, and no verdict: strong players find most of what an engine plays."
SEATS: Final = {side.word: int(side) for side in Side}


@dataclass(frozen=True, slots=True)
class EvidenceView:
    """What a director is told of a player."""

    key: str
    name: str
    # Who says so; None where nothing of theirs is analysed deeply enough.
    judge: Judge | None = None
    comparison: Comparison | None = None
    # The list that ratings are taken from, "" where there is none; the player's rating in it, and those of the others.
    list_name: str = ""
    rating: float | None = None
    around: tuple[float, float] | None = None
    # Why there is nothing: `off`, `absent` where there is no engine, `none` where nothing is analysed at 2 ply.
    missing: str = ""


def of_player(club: Club, key: str) -> EvidenceView | None:
    """Return what is known of a player; None where the club does not know them, or does not want such figures.

    Whether somebody directs the club is asked by whoever calls.
    """
    if not has(club, key):
        return None
    player = Player.objects.get(key=key)
    told = EvidenceView(player.key, player.public_name)
    if not here.is_wanted():
        return replace(told, missing=OFF)
    by_judge = records(club)
    judge = max(
        (each for each, found in by_judge.items() if player.pk in found),
        key=lambda each: (by_judge[each][player.pk].share.of, each),
        default=None,
    )
    listed = player_hooks.RATINGS.get()(club)
    if judge is None:
        return replace(told, missing=ABSENT if here.why_not() else NONE)
    rated = {} if listed is None else listed.ratings
    mine = rated.get(player.pk)
    return replace(
        told,
        judge=judge,
        comparison=compare(player.pk, by_judge[judge], rated),
        list_name="" if listed is None else listed.name,
        rating=mine,
        around=_around(player.pk, by_judge[judge], rated),
    )


def has(club: Club, key: str) -> bool:
    """Does the club want such figures, and is this a member of it or somebody who has played there?"""
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


def records(club: Club) -> dict[Judge, dict[int, PlayRecord]]:
    """Return what each player's decisions in a club come to, for each engine, version and level by itself."""
    found: dict[Judge, dict[int, PlayRecord]] = {}
    for seat, side in SEATS.items():
        for row in _added(club, seat, side):
            judge = Judge(row["analysis__engine"], row["analysis__version"], row["analysis__level"])
            of_judge = found.setdefault(judge, {})
            of_judge[row["who"]] = of_judge.get(row["who"], PlayRecord()) + PlayRecord(
                Share(row["best"], row["sum_plays"]),
                Totals(**{name: row[f"sum_{name}"] for name in NAMES}),
                row["matches"],
            )
    return found


def _added(club: Club, seat: str, side: int) -> Iterable[dict[str, Any]]:
    sums = {f"sum_{name}": Sum(name) for name in NAMES}
    # A play that gave nothing away is of no kind of error.
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
    told: Any = grouped.annotate(matches=Count("analysis", distinct=True), best=best, **sums)
    return cast("Iterable[dict[str, Any]]", told)


def _around(
    player: int, records: Mapping[int, PlayRecord], rated: Mapping[int, float]
) -> tuple[float, float] | None:
    """Return the lowest and the highest rating of those who are compared."""
    if player not in rated:
        return None
    others = [one for one in records if one != player and records[one].share.rate is not None]
    found = [rated[one] for one in nearest(player, others, rated)]
    return (min(found), max(found)) if found else None
