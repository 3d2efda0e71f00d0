"""A drafted round with other people on its seats: rows only, before they are facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from draw.newround import BYE_POINTS
from tournaments.base import formats, stored_reasons
from tournaments.models import Bye, Entry, Pairing, Stand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tournaments.base.seating import Seats
    from tournaments.models import Round, Stage, Tournament

SEATS: Final = ("a", "b", "state", "why")


def reseat(
    event: Tournament, stage: Stage, batch: Round, drafted: Sequence[Seats], changed: Sequence[Seats]
) -> None:
    """Let those sit in a drafted round of a locked event who are to sit there now."""
    moved = {new.key: new for old, new in zip(drafted, changed, strict=True) if new != old}
    if not moved:
        return
    entries = {entry.number: entry for entry in Entry.objects.filter(tournament=event)}
    rows = list(Pairing.objects.filter(round=batch, key__in=moved))
    # Nobody may sit twice even for a moment.
    Pairing.objects.filter(pk__in=[row.pk for row in rows], state=Stand.READY).update(state=Stand.WAITING)
    for row in rows:
        seats = moved[row.key]
        row.a, row.b = entries[seats.a], None if seats.b is None else entries[seats.b]
        # What the pairing had in mind is not why these sit here.
        row.why = stored_reasons.by_director()
    Pairing.objects.bulk_update(rows, SEATS)
    if any(seats.b is None for seats in moved.values()):
        usual = BYE_POINTS.of(formats.options(stage))
        _pass(batch, [entries[seats.a] for seats in changed if seats.b is None], str(usual))


def _pass(batch: Round, passing: Sequence[Entry], usual: str) -> None:
    """Give the byes of a round to these, in this order: the order is where they stand in the list."""
    given = {bye.entry_id: bye for bye in Bye.objects.filter(round=batch)}
    Bye.objects.filter(round=batch).delete()
    Bye.objects.bulk_create(
        # Who did not ask to sit out gets what a bye is worth, not what somebody else had agreed to.
        Bye(round=batch, entry=entry, points=known.points, asked=known.asked)
        if (known := given.get(entry.pk))
        else Bye(round=batch, entry=entry, points=usual)
        for entry in passing
    )
