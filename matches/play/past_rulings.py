"""Past rulings on a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.side import BySide
from matches.models import JournalEntry
from matches.state import reasons
from players.models import Player

if TYPE_CHECKING:
    from matches.models import Match

DIRECTOR = "director"


@dataclass(frozen=True, slots=True)
class PastRuling:
    """A ruling: its journal line, its author, and the decision."""

    seq: int
    at: int
    who: str
    name: str
    fact: dict[str, Any]
    reason: str


def list_rulings(row: Match, *, until: int | None = None) -> list[PastRuling]:
    """Return the rulings on a match in order; with *until* only those up to that time."""
    entries = JournalEntry.objects.filter(match=row, by=DIRECTOR).order_by("seq")
    if until is not None:
        entries = entries.filter(at__lte=until)
    found = list(entries)
    people = {each.key: each.public_name for each in Player.objects.filter(key__in={e.who for e in found})}
    seats = BySide(row.white.public_name, row.black.public_name)
    return [
        PastRuling(
            seq=entry.seq,
            at=entry.at,
            who=entry.who,
            name=people.get(entry.who, ""),
            fact={name: value for name, value in entry.fact.items() if name != "v"},
            reason=reasons.translate_reason(entry.fact.get("reason", ""), seats),
        )
        for entry in found
    ]
