"""Telling those whose match went: a correction has taken its pairing or its result away, and they were not asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from players.notices import notices
from players.notices.kinds import NoticeKind, Reader
from tournaments.models import Entry, Pairing, Stand

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from tournaments.models import Ruling, Tournament

    Row = Mapping[str, Any]


MATCH_DROPPED: Final = NoticeKind(
    name="match_dropped",
    reader=Reader.ENTRANT,
    when=_("A correction takes away your match or your result."),
    text={
        "decided": _(
            "Your result against %(opponent)s in %(event)s no longer counts, "
            "because the director has corrected a result. %(reason)s"
        ),
        "open": _(
            "Your match against %(opponent)s in %(event)s is not to be played now, "
            "because the director has corrected a result. %(reason)s"
        ),
    },
)


def tell(event: Tournament, ruling: Ruling, *, now: datetime, but: str = "") -> None:
    """Tell both of each match that a correction has taken away, in its transaction; *but* one, whose two are told otherwise."""
    if event.club.rehearses_id is not None:
        return
    went = [row for row in _went(event, ruling) if row["key"] != but]
    entries = Entry.objects.select_related("player__user").in_bulk(
        {pk for row in went for pk in (row["a_id"], row["b_id"])}
    )
    for row in went:
        for one, other in ((row["a_id"], row["b_id"]), (row["b_id"], row["a_id"])):
            if one in entries and other in entries:
                _tell(event, ruling, row, entries[one], entries[other], now=now)


def _went(event: Tournament, ruling: Ruling) -> Iterator[Row]:
    """Yield the matches as they were whose two do not meet any more, or whose result counts no more."""
    part = (ruling.before or {}).get("pairings", {})
    before = [*(old for old, _new in part.get("changed", {}).values()), *part.get("gone", {}).values()]
    known = [old for old in before if _was_known(old)]
    rows = Pairing.objects.filter(tournament=event, key__in=[old["key"] for old in known])
    now = {row.key: row for row in rows}
    for old in known:
        row = now.get(old["key"])
        is_same = row is not None and {row.a_id, row.b_id} == {old["a_id"], old["b_id"]}
        is_lost = old["state"] == Stand.DECIDED and row is not None and row.state != Stand.DECIDED
        if not is_same or is_lost:
            yield old


def _was_known(old: Row) -> bool:
    """Say whether two were to play a match, or had ended it."""
    is_theirs = bool(old["kind"]) and not old["is_derived"]
    stood = old["state"] == Stand.READY or (old["state"] == Stand.DECIDED and is_theirs)
    return stood and old["opened_at"] is not None and None not in {old["a_id"], old["b_id"]}


def _tell(event: Tournament, ruling: Ruling, row: Row, one: Entry, other: Entry, *, now: datetime) -> None:
    if (user := one.player.user) is None:
        return
    notices.send(
        MATCH_DROPPED,
        user=user,
        variant="decided" if row["state"] == Stand.DECIDED else "open",
        values={"opponent": other.player.public_name, "event": event.name, "reason": ruling.reason},
        url=reverse("tournaments:event", args=[event.key]),
        dedupe_key=f"event.{event.key}.went.{ruling.pk}.{row['key']}",
        now=now,
    )
