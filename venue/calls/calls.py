"""The current calls of a room: match, table, whether the call was seen, arrivals and start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from venue.models import Assignment, Room

# After this the desk lists the call as unseen.
TO_BE_SEEN: Final = timedelta(minutes=3)


@dataclass(frozen=True, slots=True)
class CalledPlayer:
    key: str
    name: str
    # Entry number.
    number: int
    seen_at: datetime | None
    here_at: datetime | None
    # Points on the score sheet; None without one.
    points: int | None
    # Only players with an account see a call on their pages and can answer it.
    has_account: bool

    @property
    def has_answered(self) -> bool:
        return self.seen_at is not None or self.here_at is not None


@dataclass(frozen=True, slots=True)
class CallNow:
    pk: int
    uid: str
    table_key: str
    table: str
    event: str
    event_name: str
    match: str
    players: tuple[CalledPlayer, ...]
    length: int
    called_at: datetime
    started_at: datetime | None
    unseen_at: datetime | None
    # When a code was first opened at the table.
    heard_at: datetime | None
    why: Mapping[str, object]
    # True if it needs the director for another reason: a dispute, a no-show, a fallen flag.
    is_at_desk: bool

    @property
    def unanswered(self) -> tuple[CalledPlayer, ...]:
        """The players with an account who have not answered.

        Empty once a code was opened or a score entered at the table.
        """
        if self.heard_at is not None or self.most_points is not None:
            return ()
        return tuple(one for one in self.players if one.has_account and not one.has_answered)

    @property
    def state(self) -> str:
        """The state of the call, one of "called", "seen", "here" and "playing"."""
        if self.started_at is not None:
            return "playing"
        if all(one.here_at is not None for one in self.players):
            return "here"
        is_seen = self.heard_at is not None or all(one.has_answered for one in self.players)
        return "seen" if is_seen else "called"

    @property
    def most_points(self) -> int | None:
        """The leader's points, None without a score."""
        return max((one.points for one in self.players if one.points is not None), default=None)

    @property
    def names(self) -> str:
        return " – ".join(one.name for one in self.players)  # noqa: RUF001


def list_calls(room: Room) -> tuple[CallNow, ...]:
    """Return the open calls of a room by table position."""
    return load_calls(
        Assignment.objects.filter(table__room=room, ended_at__isnull=True).order_by("table__position", "pk")
    )


def load_calls(assignments: Iterable[Assignment]) -> tuple[CallNow, ...]:
    rows = assignments.select_related(  # type: ignore[attr-defined]
        "table", "pairing__tournament", "pairing__a__player", "pairing__b__player"
    ).prefetch_related("chairs")
    return tuple(_build_call(row) for row in rows)


def describe_reason(why: Mapping[str, object], names: Mapping[str, str]) -> str:
    """Describe why the queue called a match, with *names* by player key; "" if a director chose it."""
    if not why:
        return ""
    parts = [_("next on stream")] if why.get("stream") else []
    if why["fixed"]:
        parts.append(_("fixed to the table by a director"))
    name = names.get(str(why["longest"]))
    minutes, blocks = int(str(why["minutes"])), int(str(why["blocks"]))
    if name and minutes:
        parts.append(
            ngettext(
                "%(name)s has waited %(minutes)s minute", "%(name)s has waited %(minutes)s minutes", minutes
            )
            % {"name": name, "minutes": minutes}
        )
    if blocks:
        parts.append(
            ngettext(
                "%(matches)s later match waits for this one",
                "%(matches)s later matches wait for this one",
                blocks,
            )
            % {"matches": blocks}
        )
    return "; ".join(parts)


def _build_call(row: Assignment) -> CallNow:
    chairs = {chair.player_id: chair for chair in row.chairs.all()}
    score = row.pairing.sheet_score or (None, None)
    seated = []
    for entry, points in zip((row.pairing.a, row.pairing.b), score, strict=True):
        if entry is not None and (chair := chairs.get(entry.player_id)) is not None:
            player = entry.player
            seated.append(
                CalledPlayer(
                    player.key,
                    player.public_name,
                    entry.number,
                    chair.seen_at,
                    chair.here_at,
                    points,
                    player.user_id is not None,
                )
            )
    event = row.pairing.tournament
    return CallNow(
        pk=row.pk,
        uid=str(row.uid),
        table_key=row.table.key if row.table else "",
        table=row.table.label if row.table else "",
        event=event.key,
        event_name=event.name,
        match=row.pairing.key,
        players=tuple(seated),
        length=row.pairing.length,
        called_at=row.called_at,
        started_at=row.started_at,
        unseen_at=row.unseen_at,
        heard_at=row.heard_at,
        why=row.why,
        is_at_desk=bool(row.pairing.needs_director or row.pairing.running.get("flag")),
    )
