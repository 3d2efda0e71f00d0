"""Whose match a record tells of: it was handed in for a match of an event, and ends as that match's result, which stands.

Any other record speaks of names, and whose those are nobody knows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from engine.side import Side
from matches.selectors.recorded import PlayedRecord
from players.models import User
from records.models import Outcome, RecordAlias, RecordMatch, Submission
from records.selectors import naming, replays, submitted
from tournaments.models import Stand

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from matches.selectors.recorded import Viewer
    from tournaments.models import Pairing

# What a record has done to a match that ended as it says.
AGREES: Final = (Outcome.CONFIRMED, Outcome.REPORTED, Outcome.ENTERED, Outcome.FITS)
OF_PAIRING: Final = ("pairing__tournament", "pairing__a__player", "pairing__b__player")


def of_players(players: Collection[int], viewer: Viewer | None = None) -> list[PlayedRecord]:
    """Return the records of these players' matches, one a match, with the side that was theirs.

    With a viewer, those that this person may see. A match that was played on a board of ours has its own facts.
    """
    theirs = Q(pairing__a__player__in=players) | Q(pairing__b__player__in=players)
    handed = Submission.objects.filter(
        theirs,
        outcome__in=AGREES,
        pairing__state=Stand.DECIDED,
        pairing__is_cancelled=False,
        pairing__match__isnull=True,
    )
    if viewer is not None:
        if not isinstance(viewer, User):
            return []
        handed = handed.filter(pk__in=submitted.visible(viewer).order_by().values("pk"))
    rows = list(handed.select_related(*OF_PAIRING).order_by("pk"))
    matches = _by_file({row.file_id for row in rows})
    names = _names({row.club_id for row in rows}) if rows else {}
    found: dict[int, PlayedRecord] = {}
    for row in rows:
        pairing = row.pairing
        if pairing is None or pairing.pk in found:
            continue
        for match in matches.get(row.file_id, ()):
            side = _side(pairing, match, players, names.get(row.club_id, {}))
            if side is not None:
                found[pairing.pk] = PlayedRecord(
                    match.key, match.file.sha256, side, pairing.decided_at, match.judged_at
                )
                break
    return list(found.values())


def _by_file(files: set[int | None]) -> dict[int | None, list[RecordMatch]]:
    rows = RecordMatch.objects.filter(file__in=files, word__in=replays.STANDS, winner__isnull=False)
    found: dict[int | None, list[RecordMatch]] = {}
    for row in rows.select_related("file").defer("file__content", "verdict").order_by("file", "number"):
        found.setdefault(row.file_id, []).append(row)
    return found


def _names(clubs: set[int]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for club, folded, player in RecordAlias.objects.filter(club__in=clubs).values_list(
        "club", "folded", "player"
    ):
        found.setdefault(club, {})[folded] = player
    return found


def _side(
    pairing: Pairing, match: RecordMatch, players: Collection[int], known: Mapping[str, Any]
) -> Side | None:
    """Return on which side one of these players was; None where it is not this match, or not as its result says."""
    white, _black = naming.sides(pairing, match.white, match.black, known=known)
    if white not in naming.OTHER or match.length != pairing.length or pairing.a is None or pairing.b is None:
        return None
    seated = (pairing.a, pairing.b) if white == naming.A else (pairing.b, pairing.a)
    if match.winner is None or seated[match.winner].pk != pairing.winner_id:
        return None
    return next((side for side in Side if seated[side].player_id in players), None)
