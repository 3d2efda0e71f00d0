"""One person, two rows: what becomes of divisions when players are merged, and when they are taken apart again."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from rankings.models import ClosingMove, DivisionMember, SeasonDivision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from players.models import Player


def adopt(*, kept: Player, dropped: Player) -> dict[str, Any]:
    """Have the kept player play where the dropped one does; where both are in a season, the kept one stays as they are."""
    theirs = DivisionMember.objects.filter(player=dropped)
    twice = theirs.filter(season__in=DivisionMember.objects.filter(player=kept).values("season"))
    gone = [
        {
            **{name: getattr(row, name) for name in ("season_id", "division_id", "closing_id", "by_id")},
            "at": row.at.isoformat(),
        }
        for row in twice.order_by("season")
    ]
    twice.delete()
    members = list(theirs.values_list("pk", flat=True))
    theirs.update(player=kept)
    past = ClosingMove.objects.filter(player=dropped).exclude(
        closing__in=ClosingMove.objects.filter(player=kept).values("closing")
    )
    moves = list(past.values_list("pk", flat=True))
    ClosingMove.objects.filter(pk__in=moves).update(player=kept)
    return {"members": members, "moves": moves, "gone": gone} if members or moves or gone else {}


def give_back(*, kept: Player, dropped: Player, moved: Mapping[str, Any]) -> None:
    """Undo what `adopt` did; somebody who was placed elsewhere meanwhile plays there."""
    DivisionMember.objects.filter(pk__in=moved.get("members", ()), player=kept).update(player=dropped)
    ClosingMove.objects.filter(pk__in=moved.get("moves", ()), player=kept).update(player=dropped)
    for row in moved.get("gone", ()):
        taken = DivisionMember.objects.filter(season=row["season_id"], player=dropped).exists()
        if not taken and SeasonDivision.objects.filter(pk=row["division_id"]).exists():
            at = datetime.fromisoformat(row["at"])
            DivisionMember.objects.create(**{**row, "at": at, "player": dropped})
