"""Matches of players who are merged, erased, or export their data.

Journals never change. A match keeps the keys of its two players at its start, since its dice
are bound to them; only the foreign keys in its row change.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Max, Q, QuerySet

from engine.actions import RuledMatch, VoidedMatch
from engine.side import Side
from matches.journal import journal
from matches.journal.journal import Draft
from matches.journal.lifecycle import record
from matches.models import Match
from matches.state import reasons
from matches.state.rule_words import cap_score
from matches.state.status import OPEN, Status
from players.hooks import Appearances
from players.models import Player


def lock_matches(leaving: Collection[int]) -> None:
    """Lock the matches of players to be merged or erased, so that no result is written concurrently."""
    theirs = Match.objects.filter(Q(white__in=leaving) | Q(black__in=leaving)).order_by("pk")
    list(theirs.select_for_update(of=("self",)).values_list("pk", flat=True))


def move_matches(*, kept: Player, dropped: Player) -> dict[str, list[int]]:
    """Move the dropped player's matches to the kept one; return their ids by side.

    The caller has locked them (`lock_matches`).
    """
    with transaction.atomic():
        rows = list(_list_matches(dropped).order_by("pk"))
        moved = {
            side: [row.pk for row in rows if getattr(row, f"{side}_id") == dropped.pk]
            for side in ("white", "black")
        }
        Match.objects.filter(white=dropped).update(white=kept)
        Match.objects.filter(black=dropped).update(black=kept)
        return moved


def move_matches_back(*, kept: Player, dropped: Player, moved: Mapping[str, Collection[int]]) -> None:
    """Move these matches back to the dropped player. The caller has locked them (`lock_matches`)."""
    with transaction.atomic():
        for side, keys in moved.items():
            Match.objects.filter(pk__in=keys, **{side: kept}).update(**{side: dropped})


def end_matches(player: Player, *, now: datetime) -> int:
    """End the matches of an erased player: lost, or void if not begun; return their number."""
    with transaction.atomic():
        found = list(
            _list_matches(player).filter(status__in=OPEN).order_by("pk").values_list("pk", flat=True)
        )
        return sum(_end_match(match_id, player, now=now) for match_id in found)


def _end_match(match_id: int, player: Player, *, now: datetime) -> bool:
    draft = Draft.load(journal.lock(match_id), now=now)
    side = journal.find_side(draft.row, player.pk)
    if side is None or draft.state.match.is_over:
        return False
    reason = reasons.build_reason(reasons.LEFT, side)
    fact = RuledMatch(side.other, reason) if draft.state.begun else VoidedMatch(reason)
    draft.write(fact, by="server")
    record(draft)
    return True


def export_matches(player: Player) -> list[dict[str, object]]:
    rows = _list_matches(player).select_related("white", "black", "club").order_by("created_at", "pk")
    return [_export_match(row, Side.WHITE if row.white_id == player.pk else Side.BLACK) for row in rows]


def _export_match(row: Match, side: Side) -> dict[str, object]:
    opponent = row.white if side else row.black
    return {
        "uid": str(row.uid),
        "match": row.key,
        "club": row.club.name if row.club else None,
        "side": side.word,
        "opponent": opponent.public_name,
        "length": row.length,
        "status": row.status,
        "score": list(cap_score((row.white_score, row.black_score), row.length)),
        "winner": row.winner or None,
        "created_at": row.created_at.isoformat(),
        "finished_at": row.finished_at.isoformat() if row.finished_at else None,
    }


def _list_matches(player: Player) -> QuerySet[Match]:
    return Match.objects.filter(Q(white=player) | Q(black=player))


def collect_appearances(players: Collection[int], found: Appearances) -> None:
    """Collect the number of finished matches of these players, and the pairs of them that have met."""
    finished = Match.objects.filter(status=Status.FINISHED)
    for side in ("white", "black"):
        rows = finished.filter(**{f"{side}__in": players}).order_by()
        for player, matches, at in rows.values_list(side).annotate(Count("pk"), Max("finished_at")):
            found.see(player, at, matches=matches)
    # For meetings, unfinished matches count as well.
    both = Match.objects.filter(white__in=players, black__in=players).order_by()
    for one, other in both.values_list("white", "black").distinct():
        found.meet(one, other)
