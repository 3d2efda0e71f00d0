"""Numbers of entries, by which other packages refer to them."""

from __future__ import annotations

from django.db.models import Max

from tournaments.base.errors import EntryInUse
from tournaments.hooks import ENTRIES_IN_USE
from tournaments.models import Entry, Tournament


def list_used_numbers(event: Tournament) -> set[int]:
    """Return the numbers of the entries about which other packages have rows, even if an entry is gone."""
    return {number for list_numbers in ENTRIES_IN_USE for number in list_numbers(event)}


def compute_next_number(event: Tournament) -> int:
    """Return the number of the next entry; a number to which a payment or a lot refers is not given again."""
    last = Entry.objects.filter(tournament=event).aggregate(last=Max("number"))["last"] or 0
    return max({last, *list_used_numbers(event)}) + 1


def require_unused(entry: Entry) -> None:
    """Require that an entry can be deleted: no other package has rows about it."""
    if entry.number in list_used_numbers(entry.tournament):
        raise EntryInUse(name=entry.player.public_name)
