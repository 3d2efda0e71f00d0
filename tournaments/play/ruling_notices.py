"""Notices to players about a director's ruling on their match, and about matches lost by a correction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from draw.event import Kind
from players.notices.kinds import NoticeKind, Reader
from runtime.work import outbox
from tournaments import hooks
from tournaments.models import Decision, Entry, Pairing, PairingState, Ruling, RulingKind, Tournament
from tournaments.play import changes, snapshots

Row = Mapping[str, Any]

KIND: Final = "tournaments.ruled"
# Rulings in one job.
HELPING: Final = 50

MATCH_RULED: Final = NoticeKind(
    name="match_ruled",
    reader=Reader.ENTRANT,
    when=gettext_lazy("A director decides about your match, or its time is over."),
    text={
        "": gettext_lazy(
            "The director has decided about your match against %(opponent)s in %(event)s. %(what)s %(reason)s"
        ),
        "clock": gettext_lazy("The time of your match against %(opponent)s in %(event)s is over. %(what)s"),
    },
)


def notify_both(event: Tournament, row: Pairing, ruling: Ruling, *, now: datetime) -> None:
    """Notify both players of the outcome and the reason, in the transaction of the ruling of a director or the clock."""
    # A match that is played on goes on at its score sheet.
    is_played_on = ruling.data.get("decision") == Decision.PLAY_ON and row.match_id is None
    for one, other in list_both_sides(row):
        changes.notify_player(
            MATCH_RULED,
            one.player,
            event,
            variant="" if ruling.by_id or ruling.helper_id else "clock",
            opponent=other.player.public_name,
            what=lazy(describe_ruling, str)(row, ruling, one),
            reason=lazy(_format_reason, str)(ruling),
            url=hooks.SCORE_SHEETS.get().address(row) if is_played_on else "",
            once=f"event.{event.key}.ruled.{ruling.pk}",
            now=now,
        )


def queue_notices(rulings: Sequence[Ruling], *, now: datetime) -> None:
    """Leave the notices of the clock's rulings to a worker: in a large event they take seconds."""
    for first in range(0, len(rulings), HELPING):
        keys = [ruling.pk for ruling in rulings[first : first + HELPING]]
        outbox.put(KIND, {"rulings": keys}, dedupe_key=f"{KIND}:{keys[0]}", now=now)


def notify_players(payload: Mapping[str, Any], *, now: datetime) -> None:
    """Notify the players of matches that the clock has decided (outbox handler)."""
    rulings = Ruling.objects.filter(pk__in=payload["rulings"], restored_by=None).order_by("pk")
    for ruling in rulings.select_related("tournament"):
        rows = Pairing.objects.filter(tournament=ruling.tournament, key=ruling.data["key"])
        for row in rows.select_related("a__player__user", "b__player__user"):
            notify_both(ruling.tournament, row, ruling, now=now)


def _format_reason(ruling: Ruling) -> str:
    return _("Reason: %(reason)s") % {"reason": ruling.reason_text} if ruling.reason else ""


def list_both_sides(row: Pairing) -> Iterator[tuple[Entry, Entry]]:
    """Yield each of the two players with the opponent."""
    if row.a is not None and row.b is not None:
        yield row.a, row.b
        yield row.b, row.a


def describe_ruling(row: Pairing, ruling: Ruling, one: Entry) -> str:
    data = ruling.data
    if data.get("decision") == Decision.PLAY_ON:
        if "at" in data:
            return _("You play on at %(score)s from the position on your score sheet.") % {
                "score": _format_own_score(row, one, *data["at"])
            }
        return _("You play on from another position.") if data["position"] else _("You play on.")
    if ruling.act == RulingKind.VOIDED or Kind.VOID.value in {data.get("decision"), data.get("kind")}:
        # In a knock-out one player has to advance.
        is_open = row.state != PairingState.DECIDED
        return _("It does not count, and is to be played again.") if is_open else _("It does not count.")
    if row.state != PairingState.DECIDED:
        return _("It is to be played again.")
    if row.winner_id is None:
        return _("You both lose.")
    if row.kind == Kind.FORFEIT.value:
        return _("You win by forfeit.") if row.winner_id == one.pk else _("You lose by forfeit.")
    if row.score_a is None or row.score_b is None:
        return _("You win.") if row.winner_id == one.pk else _("You lose.")
    score = {"score": _format_own_score(row, one, row.score_a, row.score_b)}
    return (_("You win %(score)s.") if row.winner_id == one.pk else _("You lose %(score)s.")) % score


def _format_own_score(row: Pairing, one: Entry, a: int, b: int) -> str:
    """Format a score from one player's view: their own points first."""
    own, theirs = (a, b) if row.a_id == one.pk else (b, a)
    return f"{own}\N{EN DASH}{theirs}"


MATCH_DROPPED: Final = NoticeKind(
    name="match_dropped",
    reader=Reader.ENTRANT,
    when=gettext_lazy("A correction takes away your match or your result."),
    text={
        "decided": gettext_lazy(
            "Your result against %(opponent)s in %(event)s no longer counts, "
            "because the director has corrected a result. %(reason)s"
        ),
        "open": gettext_lazy(
            "Your match against %(opponent)s in %(event)s is not to be played now, "
            "because the director has corrected a result. %(reason)s"
        ),
    },
)


def notify_dropped(event: Tournament, ruling: Ruling, *, now: datetime, but: str = "") -> None:
    """Notify the players of each match lost by a correction, except those of match *but*.

    Call it in the transaction of the correction.
    """
    if event.club.rehearses_id is not None:
        return
    went = [row for row in _list_lost_rows(event, ruling) if row["key"] != but]
    entries = Entry.objects.select_related("player__user").in_bulk(
        {pk for row in went for pk in (row["a_id"], row["b_id"])}
    )
    for row in went:
        for one, other in ((row["a_id"], row["b_id"]), (row["b_id"], row["a_id"])):
            if one in entries and other in entries:
                changes.notify_player(
                    MATCH_DROPPED,
                    entries[one].player,
                    event,
                    variant="decided" if row["state"] == PairingState.DECIDED else "open",
                    opponent=entries[other].player.public_name,
                    # Without a director the reason is in no reader's language.
                    reason=lazy(_format_reason, str)(ruling) if ruling.by_id else "",
                    once=f"event.{event.key}.went.{ruling.pk}.{row['key']}",
                    now=now,
                )


def _list_lost_rows(event: Tournament, ruling: Ruling) -> Iterator[Row]:
    """Yield the former rows of matches whose players no longer meet, or whose result no longer counts."""
    before = snapshots.map_former_rows("pairings", ruling.before or {})
    known = [old for old in before.values() if _was_opened(old)]
    rows = Pairing.objects.filter(tournament=event, key__in=[old["key"] for old in known])
    now = {row.key: row for row in rows}
    for old in known:
        row = now.get(old["key"])
        is_same = row is not None and {row.a_id, row.b_id} == {old["a_id"], old["b_id"]}
        is_lost = (
            old["state"] == PairingState.DECIDED and row is not None and row.state != PairingState.DECIDED
        )
        if not is_same or is_lost:
            yield old


def _was_opened(old: Row) -> bool:
    """True if the match was open, or had an entered result."""
    is_theirs = bool(old["kind"]) and not old["is_derived"]
    stood = old["state"] == PairingState.READY or (old["state"] == PairingState.DECIDED and is_theirs)
    return stood and old["opened_at"] is not None and None not in {old["a_id"], old["b_id"]}
