"""Corrections: a wrong result after later matches, two exchanged players, an act undone, a slip taken back."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction

from draw import facts, fixpoint
from draw.event import WON, Key, Kind, Result
from matches.state.status import ENDED
from players.models import User
from tournaments.base import event_rows
from tournaments.base.errors import (
    AlreadyDone,
    NothingToStand,
    NotJustEntered,
    NotOpen,
    NotRestorable,
    UnknownEntrant,
)
from tournaments.models import (
    OPEN_REPORTS,
    UNDONE_AT_ONCE,
    Entry,
    Pairing,
    PairingState,
    Report,
    Ruling,
    RulingKind,
    Tournament,
)
from tournaments.play import (
    appointing,
    boards,
    changes,
    claims,
    incidents,
    progress,
    results,
    ruling_notices,
    running_event,
    snapshots,
    timing,
)
from tournaments.status import Status

# Results after which one player advances, or neither; all others mean that the match is played again.
MOVING: Final = {kind.value for kind in (*WON, Kind.DOUBLE_FORFEIT)}

# Acts of which both players of the match are notified.
TOLD: Final = {
    RulingKind.CORRECTED.value,
    RulingKind.RULED.value,
    *(act.value for act in incidents.ACTS.values()),
}

# The columns of a match that make its result.
RESULT: Final = ("state", "kind", "winner_id", "score_a", "score_b", "games")

# A slip is noticed at once; later it takes a correction, with a reason.
WITHIN: Final = boards.UNDONE_WITHIN


def correct_result(
    *,
    tournament_id: int,
    key: str,
    reason: str,
    by: User,
    now: datetime,
    score: tuple[int, int] | None = None,
    kind: str = Kind.PLAYED.value,
    winner: int | None = None,
    games: claims.Games = (),
    stand: bool = False,
) -> Ruling:
    """Correct a recorded result and propagate the change; *kind* "" reopens the match.

    *games* are those of the new score; the old ones are deleted. The change is applied at once;
    `preview.preview_act` shows it in advance, and `undo_act` undoes it. With *stand* later matches are kept
    (P39): the result changes, but the players who advanced stay.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ReasonNeeded, BadScore: nothing changes.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: a score is required, or the winner is impossible.
    :raises NothingToStand: no results would be lost, or the match is reopened.
    :raises BadGame, BadGames: the games do not add up to the score.
    :raises AlreadyDone: this result is already recorded.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        why = changes.require_reason(reason)
        row = results.get_match(event, key)
        if row.opened_at is None or (row.state == PairingState.READY and not row.kind):
            raise NotOpen
        values = _build_result_columns(event, row, kind, score, winner, games, now=now)
        # Games are compared only if they are given.
        same = ("kind", "winner_id", "score_a", "score_b", *(("games",) if games else ()))
        if not row.is_derived and all(getattr(row, name) == values[name] for name in same):
            raise AlreadyDone
        data: dict[str, Any] = claims.identify_match(row)
        data |= {"kind": kind, "winner": winner, "score": score and list(score)}
        values["stands"] = _get_standing_result(event, row, values) if stand else {}
        if stand:
            data["stands"] = values["stands"]
        was_won_by = row.winner and row.winner.number
        data["was"] = {"kind": row.kind, "score": [row.score_a, row.score_b], "winner": was_won_by}
        with running_event.perform_correction(
            event, RulingKind.CORRECTED, by=by, now=now, reason=why, data=data, told_of=key
        ) as ruling:
            Pairing.objects.filter(pk=row.pk).update(**values)
            if not kind:
                results.drop_confirmed_reports(Pairing.objects.filter(pk=row.pk))
        row.refresh_from_db()
        ruling_notices.notify_both(event, row, ruling, now=now)
        if kind:
            changes.notify_corrected(event, key, now=now)
        return ruling


def exchange_players(
    *, tournament_id: int, entry: int, other: int, reason: str, by: User, now: datetime
) -> Ruling:
    """Exchange the players of two entries that were mixed up.

    :raises NotDirector, WrongStatus, UnknownEntrant, ReasonNeeded: nothing changes.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        why = changes.require_reason(reason)
        if entry == other:
            raise UnknownEntrant
        one, two = running_event.get_entry(event, entry), running_event.get_entry(event, other)
        data = {"entries": [entry, other], "players": [one.player.key, two.player.key]}
        with running_event.perform_correction(
            event, RulingKind.EXCHANGED, by=by, now=now, reason=why, data=data
        ) as ruling:
            boards.detach_boards(one, two)
            snapshots.replace_players({one.pk: two.player_id, two.pk: one.player_id})
            # These belong to the player, not to the entry.
            for row, source in ((one, two), (two, one)):
                Entry.objects.filter(pk=row.pk).update(
                    rating=source.rating, club=source.club, family=source.family
                )
        return ruling


def undo_act(*, tournament_id: int, ruling_id: int, reason: str, by: User, now: datetime) -> Ruling:
    """Undo an act: the changed rows get their former values.

    :raises NotDirector, WrongStatus, ReasonNeeded: nothing changes.
    :raises AlreadyDone: it has been undone already.
    :raises NotRestorable: the act cannot be undone, or no longer.
    :raises EntryInUse: it entered a player who has a payment or a lot by now.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        why = changes.require_reason(reason)
        ruling = Ruling.objects.filter(pk=ruling_id, tournament=event).first()
        if ruling is None or ruling.before is None:
            raise NotRestorable
        if ruling.restored_by_id is not None:
            raise AlreadyDone
        # Players who were notified of the act are notified that it no longer counts.
        key = str(ruling.data.get("key", "")) if ruling.act in TOLD else ""
        data = {"ruling": ruling.pk, "act": ruling.act}
        with running_event.perform_correction(
            event, RulingKind.RESTORED, by=by, now=now, reason=why, data=data, told_of=key
        ) as made:
            _restore_rows(event, ruling, ruling.before, made, now=now)
        Ruling.objects.filter(pk=ruling.pk).update(restored_by=made)
        if (row := Pairing.objects.filter(tournament=event, key=key).first()) is not None:
            ruling_notices.notify_both(event, row, made, now=now)
        _notify_of_restored(event, made.before or {}, now=now)
        return made


def _notify_of_restored(event: Tournament, changed: Mapping[str, Any], *, now: datetime) -> None:
    """Notify webhooks of the results, and of the end of the event, that came back with their former times."""
    part = changed.get("pairings", {})
    both = part.get("changed", {}).items()
    rows = [pk for pk, (old, new) in both if any(old[name] != new[name] for name in RESULT)]
    decided = Pairing.objects.filter(pk__in=[*rows, *part.get("made", ())], state=PairingState.DECIDED)
    for key in decided.order_by("pk").values_list("key", flat=True):
        changes.notify_corrected(event, key, now=now)
    for old, new in changed.get("event", {}).get("changed", {}).values():
        if old["status"] != new["status"] == Status.FINISHED:
            changes.notify_corrected(event, "", now=now, what=changes.FINISHED)


def _restore_rows(
    event: Tournament, ruling: Ruling, before: Mapping[str, Any], made: Ruling, *, now: datetime
) -> None:
    ended_at = event.finished_at
    snapshots.restore_rows(event, before)
    incidents.follow_restored_penalties(before, now=now)
    # A board that has ended since is followed now, or makes room for another.
    row_ids = before.get("pairings", {}).get("changed", {}).keys()
    ended = Pairing.objects.filter(pk__in=row_ids, state=PairingState.READY, match__status__in=list(ENDED))
    ended.update(match_head=0)
    # The reports of matches that are not opened any more go, and those of results that are gone do not count.
    rows = Pairing.objects.filter(tournament=event)
    Report.objects.filter(pairing__in=rows.filter(opened_at__isnull=True)).delete()
    results.drop_confirmed_reports(rows.exclude(state=PairingState.DECIDED))
    # A restored pause goes on, and is counted when it ends.
    if ended_at is not None and event.status == Status.RUNNING and event.paused_at is None:
        timing.give_back(event, since=ended_at, now=now)
        made.data["seconds"] = round((now - ended_at).total_seconds())
    else:
        timing.give_back_after_undo(event, before, since=ruling.at, now=now)
    appointing.reopen_agreed(event, now=now)


def _get_standing_result(event: Tournament, row: Pairing, values: dict[str, Any]) -> dict[str, Any]:
    """Return the result by which the match's players advanced, so that they keep their places.

    :raises NothingToStand: players do not advance by this match, or no later match has been played.
    """
    rows = event_rows.load_rows(event)
    moved = row.stands or {
        "kind": row.kind,
        "winner": None if row.winner is None else row.winner.number,
        "score": None if row.score_a is None else [row.score_a, row.score_b],
    }
    is_decided = values["kind"] in MOVING and moved["kind"] in MOVING and not row.is_derived
    if not is_decided or not event_rows.has_lines(row.stage):
        raise NothingToStand
    score = None if values["score_a"] is None else (values["score_a"], values["score_b"])
    result = Result(Kind(values["kind"]), rows.who(values["winner_id"]), score)
    before = event_rows.build_event(rows)
    after = fixpoint.settle_event(facts.record_result(before, Key(row.key), result)).event
    if {*event_rows.list_played(before)} <= {*event_rows.list_played(after)}:
        raise NothingToStand
    return moved


def _build_result_columns(
    event: Tournament,
    row: Pairing,
    kind: str,
    score: tuple[int, int] | None,
    winner: int | None,
    games: claims.Games,
    *,
    now: datetime,
) -> dict[str, Any]:
    """Return the columns of a result.

    :raises BadScore, BadGame, BadGames: the score or the games are impossible at this length.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: a score is required, or the winner is impossible.
    """
    values = dict(progress.NO_RESULT)
    if kind:
        # The time of play is kept when the result is corrected.
        values |= {"state": PairingState.DECIDED, "kind": kind, "decided_at": row.decided_at or now}
    if kind == Kind.PLAYED:
        claim = claims.build_claim(row, score, winner)
        claims.check_claim(event, row, claim, games)
        values["winner_id"] = claim.winner_id
        values |= {**claim.scores, "games": list(games)}
    elif kind and Kind(kind) in WON:
        sides = {one.number: one.pk for one in (row.a, row.b) if one is not None}
        if winner not in sides:
            raise UnknownEntrant
        values["winner_id"] = sides[winner]
    if not kind or (kind == Kind.VOID and event_rows.has_lines(row.stage)):
        values |= timing.build_new_times(event, row, now=now)
        if incidents.has_ended(row):
            values |= boards.NO_BOARD
    return values


def undo_result(*, tournament_id: int, ruling_id: int, by: User, now: datetime) -> Ruling:
    """Undo a result that this director entered within the last 30 seconds; the match is open again.

    :raises NotDirector, WrongStatus: nothing changes.
    :raises AlreadyDone: it has been undone already.
    :raises NotJustEntered: it is too late, another user entered it, or a following match has begun.
    :raises NotRestorable: the result has changed since.
    """
    with transaction.atomic():
        event = running_event.lock_begun_event(tournament_id, by)
        own = Ruling.objects.filter(tournament=event, act=RulingKind.ENTERED_RESULT, by=by)
        entered = NotJustEntered.raise_if_none(own.filter(pk=ruling_id).first())
        if entered.restored_by_id is not None:
            raise AlreadyDone
        if now - entered.at > WITHIN:
            raise NotJustEntered
        row = results.get_match(event, entered.data["key"])
        if not _is_unchanged(row, entered.data):
            raise NotRestorable
        data, why = {"ruling": entered.pk, "act": entered.act}, UNDONE_AT_ONCE
        with running_event.perform_correction(
            event, RulingKind.RESTORED, by=by, now=now, reason=why, data=data, told_of=row.key
        ) as made:
            found = Pairing.objects.filter(pk=row.pk)
            # A board that has ended since is followed now.
            found.update(**progress.NO_RESULT, match_head=0)
            # With a later call than the one that has ended, it is at its table again, if that is still free.
            timing.give_back_to(event, found, since=entered.at, now=now)
            appointing.reopen_agreed(event, now=now)
        # The change is already applied; if it affects a begun match, the exception rolls it back.
        _require_nothing_begun(row, made.before or {})
        Ruling.objects.filter(pk=entered.pk).update(restored_by=made)
        return made


def _is_unchanged(row: Pairing, entered: Mapping[str, Any]) -> bool:
    """True if the result of a match is the one that a ruling entered: a correction may have changed it."""
    if row.state != PairingState.DECIDED or row.winner_id is None:
        return False
    return {**claims.identify_match(row), **claims.build_recorded_claim(row).to_json(row)} == entered


def _require_nothing_begun(row: Pairing, changed: Mapping[str, Any]) -> None:
    before = snapshots.map_former_rows("pairings", changed)
    before.pop(row.pk, None)
    reported = Report.objects.filter(pairing__in=before, status__in=OPEN_REPORTS).exists()
    dropped = changed.get("reports", {}).get("gone", {})
    has_begun = any(
        (old["kind"] and not old["is_derived"]) or old["running"] or old["match_id"] is not None
        for old in before.values()
    )
    if reported or dropped or has_begun:
        raise NotJustEntered


class UndoableResult(NamedTuple):
    ruling: int
    # The key of the match.
    match: str
    seconds: float
    score: tuple[int, int] | None
    # The number of the winner, if no score was entered.
    winner: int


def find_undoable_result(event: Tournament, by: User, *, now: datetime) -> UndoableResult | None:
    """Return the last result entered by this user that is unchanged and can still be undone."""
    own = Ruling.objects.filter(tournament=event, by=by, act=RulingKind.ENTERED_RESULT)
    fresh = own.filter(restored_by__isnull=True, at__gte=now - WITHIN).order_by("-at", "-pk")
    found = list(fresh.values_list("pk", "at", "data"))
    keys = [data["key"] for _pk, _at, data in found]
    rows = Pairing.objects.filter(tournament=event, key__in=keys).select_related("a", "b") if keys else ()
    matches = {row.key: row for row in rows}
    for ruling, at, data in found:
        if (row := matches.get(data["key"])) is not None and _is_unchanged(row, data):
            score = None if data["score"] is None else (data["score"][0], data["score"][1])
            seconds = (at + WITHIN - now).total_seconds()
            return UndoableResult(ruling, data["key"], seconds, score, data.get("winner", 0))
    return None
