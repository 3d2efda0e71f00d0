"""Filing of matches in the archive: players, date and result. The facts are read later (`archiving`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Case, DateTimeField, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from matches.models import Match
from matches.state.rule_words import cap_score
from matches.state.status import Status
from players.models import Player
from players.models.folded_names import fold_name
from records.models import ArchivedMatch, ArchivedSide, ArchiveMark, RecordedName, RecordMatch
from records.models.submissions import STANDS
from tournaments.base import substitutes
from tournaments.models import Pairing, PairingState, ResultKind, Ruling

PORTION: Final = 200
# Long transactions can commit later: look back this far.
OVERLAP: Final = timedelta(minutes=1)
UNPLAYED: Final = (ResultKind.VOID, ResultKind.DOUBLE_FORFEIT)
EVER: Final = datetime(1970, 1, 1, tzinfo=UTC)
BOARDS, RESULTS, RECORDS, RULINGS = "boards", "results", "records", "rulings"
# Mutual exclusion of workers; a lock older than this is abandoned.
TURN: Final = "turn"
LONGEST_TURN: Final = timedelta(minutes=1)
# Long transactions can commit later: look at this many older rulings again.
LATE: Final = 50
# Letters of a name in a record: PostgreSQL cannot index texts of more than 2,704 bytes.
LONGEST_NAME: Final = 500


def list_boards() -> QuerySet[Match]:
    """Return the online matches to archive: those between people."""
    return Match.objects.filter(status=Status.FINISHED, has_bot=False)


def list_results() -> QuerySet[Pairing]:
    rows = Pairing.objects.filter(
        state=PairingState.DECIDED,
        decided_at__isnull=False,
        is_derived=False,
        is_cancelled=False,
        # Rehearsals are not archived.
        tournament__club__rehearses__isnull=True,
    )
    return rows.filter(a__isnull=False, b__isnull=False).exclude(kind__in=UNPLAYED)


def list_unfiled_boards() -> QuerySet[Match]:
    """Return the online matches to archive that finished since the mark."""
    return list_boards().filter(moved_at__gt=_build_since(BOARDS))


def list_unfiled_results() -> QuerySet[Pairing]:
    """Return the results to archive that were decided since the mark."""
    return list_results().filter(decided_at__gt=_build_since(RESULTS))


def list_unfiled_records() -> QuerySet[RecordMatch]:
    """Return the accepted records judged since the mark."""
    seen = Coalesce(_filter_marks(RECORDS).values("row"), 0)
    return RecordMatch.objects.filter(word__in=STANDS, pk__gt=seen)


def list_unseen_rulings() -> QuerySet[Ruling]:
    """Return the rulings since the mark: a correction keeps the time of its result."""
    seen = Coalesce(_filter_marks(RULINGS).values("row"), 0)
    return Ruling.objects.filter(pk__gt=seen, tournament__club__rehearses__isnull=True)


def _filter_marks(source: str) -> QuerySet[ArchiveMark]:
    return ArchiveMark.objects.filter(source=source)


def _build_since(source: str) -> Coalesce:
    return Coalesce(_filter_marks(source).values("at"), Value(EVER, output_field=DateTimeField()))


@contextmanager
def hold_lease(now: datetime) -> Iterator[bool]:
    """Let one worker at a time file and read, by compare-and-set; yield True to that one.

    Constraints prevent duplicates anyway, but a second worker would waste its work and fail.
    """
    marks, ends = _filter_marks(TURN), now + LONGEST_TURN
    if not marks.exists():
        ArchiveMark.objects.bulk_create([ArchiveMark(source=TURN, at=now)], ignore_conflicts=True)
    # A lock in the far future is from a clock that was put back.
    is_ours = bool(marks.filter(Q(at__lte=now) | Q(at__gt=ends)).update(at=ends))
    try:
        yield is_ours
    finally:
        if is_ours:
            marks.filter(at=ends).update(at=now)


def file_new_matches() -> int:
    """File matches finished since the marks, oldest first; return their number."""
    found = _file_batch(BOARDS, list_unfiled_boards(), list_boards(), "moved_at", file_board)
    found += _file_batch(RESULTS, list_unfiled_results(), list_results(), "decided_at", file_result)
    found += _refile_corrected()
    rows = list(list_unfiled_records().select_related("file").defer("file__content").order_by("pk")[:PORTION])
    if rows:
        with transaction.atomic():
            known = set(ArchivedMatch.objects.filter(record__in=rows).values_list("record", flat=True))
            file_records([row for row in rows if row.pk not in known])
            _set_mark(RECORDS, rows[-1].judged_at, rows[-1].pk)
    return found + len(rows)


def _refile_corrected() -> int:
    """File corrected results again, and delete obsolete ones; return 1 if there were rulings, else 0.

    A board that the match of an event was moved away from becomes a separate online match.
    """
    last = list_unseen_rulings().order_by("-pk").first()
    if last is None:
        return 0
    mark = _filter_marks(RULINGS).first()
    since = max(0, mark.row - LATE) if mark else 0
    events = Ruling.objects.filter(pk__gt=since, pk__lte=last.pk).values("tournament")
    filed = ArchivedMatch.objects.filter(event__in=events, pairing__isnull=False)
    left = Q(pairing__match__isnull=True) | ~Q(pairing__match=F("match"))
    results = filed.filter(match__isnull=True)
    with transaction.atomic():
        filed.filter(left, match__isnull=False).update(pairing=None, event=None)
        results.exclude(pairing__in=list_results().filter(tournament__in=events).values("pk")).delete()
        changed = list_results().filter(tournament__in=events, archived__match__isnull=True)
        replaced = substitutes.load_replacements(Q(tournament__in=events))
        changed = substitutes.annotate_players(changed, replaced).annotate(**FILED)
        changed = changed.exclude(archived__isnull=False, match__isnull=True, **AS_FILED)
        for row in changed.select_related(*RELATED[RESULTS]):
            file_result(row)
        _set_mark(RULINGS, last.at, last.pk)
    return 1


def _file_batch(
    source: str,
    unfiled: QuerySet[Any],
    everything: QuerySet[Any],
    moment: str,
    file: Callable[[Any], object],
) -> int:
    fresh = list(unfiled.order_by(moment, "pk").select_related(*RELATED[source])[:PORTION])
    if not fresh:
        return 0
    first = getattr(fresh[0], moment)
    late = everything.filter(
        **{f"{moment}__gte": first - OVERLAP, f"{moment}__lt": first, "archived__isnull": True}
    )
    for row in (*late.select_related(*RELATED[source]), *fresh):
        with transaction.atomic():
            file(row)
    _set_mark(source, getattr(fresh[-1], moment), fresh[-1].pk)
    return len(fresh)


RELATED: Final = {
    BOARDS: ("pairing__tournament",),
    RESULTS: ("tournament", "match", "a", "b"),
}


def delete_marks() -> None:
    """Delete all marks, so that filing starts again from the beginning."""
    ArchiveMark.objects.all().delete()


def _set_mark(source: str, at: datetime, row: int) -> None:
    ArchiveMark.objects.update_or_create(source=source, defaults={"at": at, "row": row})


def file_board(row: Match) -> ArchivedMatch:
    """File an online match; a match filed before is read again."""
    pairing = getattr(row, "pairing", None)
    filed = _find_filed(row.pk, pairing)
    white, black = cap_score((row.white_score, row.black_score), row.length)
    values = {
        "match": row,
        "pairing": pairing,
        "club_id": row.club_id,
        "event": pairing.tournament if pairing else None,
        "length": row.length,
        "played_at": row.finished_at or row.moved_at,
        "white_score": white,
        "black_score": black,
        "winner": {"white": 0, "black": 1}.get(row.winner),
        # The ending of the last game is read again; that of the event's result is kept.
        "ending": filed.ending if filed and pairing and filed.ending == pairing.kind else "",
        "is_read": False,
    }
    return _store_match(filed, values, (row.white_id, row.black_id))


def _select_filed_player(side: int) -> Subquery:
    sides = ArchivedSide.objects.filter(archived=OuterRef("archived"), side=side)
    return Subquery(sides.values("player"))


# What `file_result` stores of a result, to find those that are stored differently. NULL would equal nothing.
NOT_WON: Final = 2
FILED: Final[dict[str, Any]] = {
    "filed_winner": Coalesce("archived__winner", NOT_WON),
    "filed_a": _select_filed_player(0),
    "filed_b": _select_filed_player(1),
}
AS_FILED: Final[dict[str, Any]] = {
    "archived__white_score": Coalesce("score_a", 0),
    "archived__black_score": Coalesce("score_b", 0),
    "archived__ending": Case(When(kind=ResultKind.PLAYED, then=Value("")), default="kind"),
    "filed_winner": Case(When(winner__isnull=True, then=NOT_WON), When(winner=F("a"), then=0), default=1),
    "filed_a": F("player_a"),
    "filed_b": F("player_b"),
}


def file_result(row: Pairing) -> ArchivedMatch:
    """File a match of an event; if it was played online, add the event to the filed match."""
    assert row.a is not None and row.b is not None and row.decided_at is not None  # noqa: S101, PT018 - filtered so
    filed = _find_filed(row.match_id, row)
    if filed is not None and filed.match_id is not None:
        filed.pairing, filed.event = row, row.tournament
        filed.save(update_fields=["pairing", "event"])
        return filed
    values = {
        "pairing": row,
        "club_id": row.tournament.club_id,
        "event": row.tournament,
        "length": row.length,
        "played_at": row.decided_at,
        "white_score": row.score_a or 0,
        "black_score": row.score_b or 0,
        "winner": None if row.winner_id is None else int(row.winner_id != row.a_id),
        "ending": "" if row.kind == ResultKind.PLAYED else row.kind,
        "is_read": row.match_id is None,
        "match_id": row.match_id,
    }
    replaced = substitutes.load_replacements(Q(tournament=row.tournament_id))
    white, black = (
        substitutes.find_player(replaced, each.pk, each.player_id, row.decided_at) for each in (row.a, row.b)
    )
    return _store_match(filed, values, (white, black))


def _find_filed(match_id: int | None, pairing: Pairing | None) -> ArchivedMatch | None:
    """Find the row of an online match, or of a match of an event.

    A board that the match of the event was moved away from becomes a separate online match.
    """
    board = None if match_id is None else ArchivedMatch.objects.filter(match=match_id).first()
    result = None if pairing is None else ArchivedMatch.objects.filter(pairing=pairing).first()
    if result is None or result == board:
        return board
    if result.match_id is not None:
        result.pairing = result.event = None
        result.save(update_fields=["pairing", "event"])
        return board
    if board is not None:
        # Without a board only the result was filed.
        result.delete()
        return board
    return result


def _store_match(
    filed: ArchivedMatch | None, values: dict[str, Any], players: tuple[int, int]
) -> ArchivedMatch:
    row = filed or ArchivedMatch()
    for name, value in values.items():
        setattr(row, name, value)
    row.save()
    for side, player in enumerate(players):
        ArchivedSide.objects.update_or_create(archived=row, side=side, defaults={"player_id": player})
    return row


def move_sides(*, kept: Player, dropped: Player) -> list[int]:
    """File the matches of a merged player under the kept one; return the primary keys of the sides."""
    sides = ArchivedSide.objects.filter(player=dropped)
    moved = list(sides.values_list("pk", flat=True))
    sides.update(player=kept)
    return moved


def move_sides_back(*, kept: Player, dropped: Player, moved: Collection[int]) -> None:
    """Undo `move_sides`, after the matches and entries went back; so do those that were filed since."""
    theirs = Q(pk__in=moved)
    for side, colour, seat in ((0, "white", "a"), (1, "black", "b")):
        theirs |= Q(side=side, **{f"archived__match__{colour}": dropped})
        theirs |= Q(
            side=side, archived__match__isnull=True, **{f"archived__pairing__{seat}__player": dropped}
        )
    ArchivedSide.objects.filter(theirs, player=kept).update(player=dropped)


def file_records(rows: Sequence[RecordMatch]) -> None:
    """File the matches of accepted records, with the names they contain."""
    rows = [row for row in rows if row.word in STANDS]
    if not rows:
        return
    names = _get_or_create_names({(row.file.club_id, name) for row in rows for name in _list_names(row)})
    scores = [cap_score((row.white_score, row.black_score), row.length) for row in rows]
    made = ArchivedMatch.objects.bulk_create(
        ArchivedMatch(
            record=row,
            club_id=row.file.club_id,
            length=min(row.length or 0, 1 << 30),
            played_at=row.judged_at,
            white_score=white,
            black_score=black,
            winner=row.winner,
        )
        for row, (white, black) in zip(rows, scores, strict=True)
    )
    ArchivedSide.objects.bulk_create(
        ArchivedSide(archived=each, side=side, name_id=names[row.file.club_id, name])
        for each, row in zip(made, rows, strict=True)
        for side, name in enumerate(_list_names(row))
    )


def _list_names(row: RecordMatch) -> tuple[str, str]:
    return row.white[:LONGEST_NAME], row.black[:LONGEST_NAME]


def _get_or_create_names(wanted: Iterable[tuple[int, str]]) -> dict[tuple[int, str], int]:
    wanted = set(wanted)
    found = _load_names(wanted)
    if missing := wanted - found.keys():
        RecordedName.objects.bulk_create(
            (RecordedName(club_id=club, name=name) for club, name in sorted(missing)), ignore_conflicts=True
        )
        found |= _load_names(missing)
    return found


def _load_names(wanted: set[tuple[int, str]]) -> dict[tuple[int, str], int]:
    rows = RecordedName.objects.filter(
        club__in={club for club, _ in wanted}, name__in={name for _, name in wanted}
    )
    return {(club, name): pk for pk, club, name in rows.values_list("pk", "club", "name")}


def find_name(club_id: int, name: str) -> int | None:
    """Get or create the row of a name; return its primary key, None for a blank name."""
    name = name[:LONGEST_NAME]
    return _get_or_create_names({(club_id, name)})[club_id, name] if fold_name(name) else None
