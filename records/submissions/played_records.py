"""Records whose players are known: those of matches of events, if they end with the match's result.

Other records only contain names. A match in two files counts with both or not at all: the part after an
interruption alone is not the match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.db.models import F, Q

from engine.side import Side
from matches.hooks import PlayedRecord, Viewer
from players.models import User
from records import match_parts
from records.match_parts import Reading
from records.models import Outcome, RecordAlias, RecordMatch, Submission
from records.models.submissions import STANDS
from records.submissions import naming, replays, visible_submissions
from tournaments.models import Pairing, PairingState

# Outcomes of records that agree with the result; the first of two parts has become JOINED instead.
AGREES: Final = (Outcome.CONFIRMED, Outcome.REPORTED, Outcome.ENTERED, Outcome.FITS)
TELLS: Final = (*AGREES, Outcome.JOINED)
OF_PAIRING: Final = ("pairing__tournament", "pairing__a__player", "pairing__b__player")
# The parts of a verdict that give the score at the beginning.
TOLD: Final = ("start", "score", "games", "findings")


def list_played_records(players: Collection[int], viewer: Viewer | None = None) -> list[PlayedRecord]:
    """Return the records of these players' matches, with the side they played.

    A match counts once, by one record or by its two parts. With *viewer*, only those the viewer may see. Online
    matches are left out, because they have their own facts.
    """
    theirs = Q(pairing__a__player__in=players) | Q(pairing__b__player__in=players)
    handed = Submission.objects.filter(
        theirs,
        outcome__in=TELLS,
        pairing__state=PairingState.DECIDED,
        pairing__is_cancelled=False,
        pairing__match__isnull=True,
    )
    if viewer is not None:
        if not isinstance(viewer, User):
            return []
        handed = handed.filter(pk__in=visible_submissions.list_visible(viewer).order_by().values("pk"))
    rows = list(handed.select_related(*OF_PAIRING).order_by("pk"))
    matches = _load_matches_by_file({row.file_id for row in rows})
    names = _load_aliases({row.club_id for row in rows}) if rows else {}
    pairings: dict[int, Pairing] = {}
    by_match: dict[int, dict[RecordMatch, Reading]] = {}
    for row in rows:
        if row.pairing is None:
            continue
        pairing = pairings.setdefault(row.pairing.pk, row.pairing)
        for match in matches.get(row.file_id, ()):
            reading = _build_reading(pairing, match, names.get(row.club_id, {}))
            if reading is not None:
                by_match.setdefault(pairing.pk, {})[match] = reading
    return [
        record
        for pk, readings in by_match.items()
        for record in _list_parts(pairings[pk], readings, frozenset(players))
    ]


def _load_matches_by_file(files: set[int | None]) -> dict[int | None, list[RecordMatch]]:
    rows = RecordMatch.objects.filter(file__in=files, word__in=STANDS)
    rows = rows.annotate(**{f"{name}_told": F(f"verdict__{name}") for name in TOLD})
    found: dict[int | None, list[RecordMatch]] = {}
    for row in rows.select_related("file").defer("file__content", "verdict").order_by("file", "number"):
        found.setdefault(row.file_id, []).append(row)
    return found


def _load_aliases(clubs: set[int]) -> dict[int, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}
    for club, folded, player in RecordAlias.objects.filter(club__in=clubs).values_list(
        "club", "folded", "player"
    ):
        found.setdefault(club, {})[folded] = player
    return found


def _build_reading(pairing: Pairing, match: Any, known: Mapping[str, Any]) -> Reading | None:
    """Convert the match of a record to a reading between these two players; None if it is another match."""
    sides = naming.name_sides(pairing, match.white, match.black, known=known)
    if sides[0] not in match_parts.OTHER or match.length != pairing.length:
        return None
    begun = match_parts.get_begin_score({name: getattr(match, f"{name}_told") for name in TOLD})
    score = (match.white_score, match.black_score)
    return match_parts.build_reading(sides, begun, score, winner=match.winner, length=pairing.length)


def _list_parts(
    pairing: Pairing, by_match: Mapping[RecordMatch, Reading], players: Collection[int]
) -> Iterable[PlayedRecord]:
    """Yield the records that cover the match from its first game: one record, or else two parts."""
    starts = match_parts.list_start_scores(pairing.a_late, pairing.b_late)
    ends = [
        each for each in by_match.values() if each.score is not None and _has_same_winner(pairing, each.score)
    ]
    found = [parts for each in ends if (parts := match_parts.find_parts(each, by_match.values(), starts))]
    for part in min(found, key=len, default=()):
        match = next(match for match, reading in by_match.items() if reading is part)
        side = _find_side(pairing, part, players)
        if side is not None:
            # Only a part that begins in mid-match depends on another; skip the query for the others.
            is_second = part.begun != match_parts.LOVE
            yield PlayedRecord(
                match.key,
                replays.hash_content(match) if is_second else match.file.sha256,
                side,
                pairing.decided_at,
                match.judged_at,
                pairing.uid.hex,
            )


def _has_same_winner(pairing: Pairing, score: tuple[int, int]) -> bool:
    winner = pairing.a if score[0] > score[1] else pairing.b
    return winner is not None and winner.pk == pairing.winner_id


def _find_side(pairing: Pairing, part: Reading, players: Collection[int]) -> Side | None:
    seated = (pairing.a, pairing.b) if part.sides[0] == match_parts.A else (pairing.b, pairing.a)
    entries = zip(Side, seated, strict=True)
    return next((side for side, entry in entries if entry is not None and entry.player_id in players), None)
