"""Corrections: a wrong result after it has moved on, two players mixed up, an act taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db import transaction

from draw import facts, fixpoint
from draw.event import WON, Key, Kind, Result
from tournaments.base import event_rows
from tournaments.base.errors import AlreadyDone, NothingToStand, NotOpen, NotRestorable, UnknownEntrant
from tournaments.models import Entry, Pairing, Ruling, RulingKind, Stand
from tournaments.play import (
    boards,
    changes,
    claims,
    lateness,
    news,
    results,
    ruling_notices,
    running_event,
    undo,
)
from tournaments.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from draw import event as pure
    from players.models import User
    from tournaments.models import Tournament

# What lets one go on and the other fall, or nobody: the rest is to be played again.
MOVING: Final = {kind.value for kind in (*WON, Kind.DOUBLE_FORFEIT)}

# Of these the two of the match are told at once.
TOLD: Final = {RulingKind.CORRECTED.value, RulingKind.RULED.value}


def correct(
    *,
    tournament_id: int,
    key: str,
    reason: str,
    by: User,
    now: datetime,
    score: tuple[int, int] | None = None,
    kind: str = Kind.PLAYED.value,
    winner: int | None = None,
    games: results.Games = (),
    stand: bool = False,
) -> Ruling:
    """Change how a match ended, whatever has come of it since; a *kind* of "" opens it again.

    *games* are those of the new score; those of the old one go, for they do not lead to it. What follows is done at once: `preview.of` shows it before. It can be taken back (`restore`).

    With *stand* what was played since stands (P39): the result is another, and those go on who went on.

    :raises NotDirector, WrongStatus, UnknownPairing, NotOpen, ReasonNeeded, BadScore: nothing changes.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: who has won is not enough, or cannot be.
    :raises NothingToStand: nothing would be lost, or it is to be played again.
    :raises BadGame, BadGames: the games do not lead to the score.
    :raises AlreadyDone: this very result stands.
    """
    with transaction.atomic():
        event = running_event.begun(tournament_id, by)
        why = changes.require_reason(reason)
        row = results.find(event, key)
        if row.opened_at is None or (row.state == Stand.READY and not row.kind):
            raise NotOpen
        values = _ending(event, row, kind, score, winner, games, now=now)
        # Who says nothing of the games means those that are there.
        same = ("kind", "winner_id", "score_a", "score_b", *(("games",) if games else ()))
        if not row.is_derived and all(getattr(row, name) == values[name] for name in same):
            raise AlreadyDone
        data: dict[str, Any] = {
            "key": key,
            "kind": kind,
            "winner": winner,
            "score": None if score is None else list(score),
        }
        values["stands"] = _left_standing(event, row, values) if stand else {}
        if stand:
            data["stands"] = values["stands"]
        data["was"] = {
            "kind": row.kind,
            "score": [row.score_a, row.score_b],
            "winner": row.winner and row.winner.number,
        }
        ruling = mended(
            event,
            RulingKind.CORRECTED,
            lambda: Pairing.objects.filter(pk=row.pk).update(**values),
            by=by,
            now=now,
            reason=why,
            data=data,
            told_of=key,
        )
        row.refresh_from_db()
        ruling_notices.tell_two(event, row, ruling, now=now)
        if kind:
            changes.tell_corrected(event, key, now=now)
        return ruling


def exchange(*, tournament_id: int, entry: int, other: int, reason: str, by: User, now: datetime) -> Ruling:
    """Put right that two were entered as each other: each takes over what is the other's.

    :raises NotDirector, WrongStatus, UnknownEntrant, ReasonNeeded: nothing changes.
    """
    with transaction.atomic():
        event = running_event.begun(tournament_id, by)
        why = changes.require_reason(reason)
        if entry == other:
            raise UnknownEntrant
        one, two = running_event.entry_of(event, entry), running_event.entry_of(event, other)

        def change() -> None:
            boards.leave(one, two)
            undo.seat_players({one.pk: two.player_id, two.pk: one.player_id})
            # What belongs to the person goes with them.
            for row, source in ((one, two), (two, one)):
                Entry.objects.filter(pk=row.pk).update(
                    rating=source.rating, club=source.club, family=source.family
                )

        data = {"entries": [entry, other], "players": [one.player.key, two.player.key]}
        return mended(event, RulingKind.EXCHANGED, change, by=by, now=now, reason=why, data=data)


def restore(*, tournament_id: int, ruling_id: int, reason: str, by: User, now: datetime) -> Ruling:
    """Take an act back: the rows it has changed become again exactly what they were.

    :raises NotDirector, WrongStatus, ReasonNeeded: nothing changes.
    :raises AlreadyDone: it has been taken back.
    :raises NotRestorable: it cannot be, or not any more.
    """
    with transaction.atomic():
        event = running_event.begun(tournament_id, by)
        why = changes.require_reason(reason)
        ruling = Ruling.objects.filter(pk=ruling_id, tournament=event).first()
        if ruling is None or ruling.before is None:
            raise NotRestorable
        if ruling.restored_by_id is not None:
            raise AlreadyDone
        before = ruling.before
        # Who was told of it is told that it counts no more.
        key = str(ruling.data.get("key", "")) if ruling.act in TOLD else ""
        made = mended(
            event,
            RulingKind.RESTORED,
            lambda: _restore(event, before, now=now),
            by=by,
            now=now,
            reason=why,
            data={"ruling": ruling.pk, "act": ruling.act},
            told_of=key,
        )
        Ruling.objects.filter(pk=ruling.pk).update(restored_by=made)
        if (row := Pairing.objects.filter(tournament=event, key=key).first()) is not None:
            ruling_notices.tell_two(event, row, made, now=now)
        return made


def _restore(event: Tournament, before: Mapping[str, Any], *, now: datetime) -> None:
    undo.restore(event, before)
    lateness.square(before, now=now)


def opened_again() -> dict[str, Any]:
    """Return the columns of a match that has no result any more."""
    return {
        # It waits until those who went on from it, or out of it, have left their next seats.
        "state": Stand.WAITING,
        "kind": "",
        "winner_id": None,
        "score_a": None,
        "score_b": None,
        "games": [],
        "is_derived": False,
        "is_cancelled": False,
        "decided_at": None,
        "due_at": None,
        "needs_director": "",
    }


def mended(
    event: Tournament,
    act: RulingKind,
    change: Callable[[], object],
    *,
    by: User,
    now: datetime,
    reason: str,
    data: dict[str, Any],
    told_of: str = "",
) -> Ruling:
    """Carry out a change; tell those whose match went, and where it is over those whose places are others now.

    The two of the match *told_of* hear of it otherwise, or have nothing to hear.
    """
    was_over = event.status == Status.FINISHED
    ruling = running_event.perform(event, act, change, by=by, now=now, reason=reason, data=data)
    ruling_notices.tell_dropped(event, ruling, now=now, but=told_of)
    if was_over and event.status == Status.FINISHED:
        news.spread(event, news.News.RESULT, ruling_id=ruling.pk, by=by, now=now)
    return ruling


def _left_standing(event: Tournament, row: Pairing, values: dict[str, Any]) -> dict[str, Any]:
    """Return by what the players of a match have moved so far, so that they need not move again.

    :raises NothingToStand: they do not move on by this match, or nobody has played since.
    """
    rows = event_rows.load(event)
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
    before = event_rows.event_of(rows)
    after = fixpoint.settle_event(facts.record_result(before, Key(row.key), result)).event
    if _played(before) <= _played(after):
        raise NothingToStand
    return moved


def _played(event: pure.Event) -> set[tuple[str, frozenset[str]]]:
    """Return the matches that have a result, each with its two."""
    pairings = (one for batch in event.rounds for one in batch.pairings if one.result is not None)
    return {(one.key, frozenset((one.a, one.b))) for one in pairings}


def _ending(
    event: Tournament,
    row: Pairing,
    kind: str,
    score: tuple[int, int] | None,
    winner: int | None,
    games: results.Games,
    *,
    now: datetime,
) -> dict[str, Any]:
    """Return the columns of a result.

    :raises BadScore, BadGame, BadGames: no match of this length ends like that.
    :raises ScoreNeeded, OtherHasWon, UnknownEntrant: who has won is not enough, or cannot be.
    """
    values = opened_again()
    if kind:
        # When it was played, whoever finds out later how.
        values |= {"state": Stand.DECIDED, "kind": kind, "decided_at": row.decided_at or now}
    if kind == Kind.PLAYED:
        claim = claims.of(row, score, winner)
        claims.check(event, row, claim, games)
        values["winner_id"] = claim.winner_id
        values |= {**claim.scores, "games": list(games)}
    elif kind and Kind(kind) in WON:
        sides = {one.number: one.pk for one in (row.a, row.b) if one is not None}
        if winner not in sides:
            raise UnknownEntrant
        values["winner_id"] = sides[winner]
    return values
