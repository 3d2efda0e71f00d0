"""The members whom a name in a list may mean: with the same or a similar name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from players.models import Club, Player
from players.names import fold
from players.people.likeness import NamedPerson, find_pairs

NEW, LEAVE = "new", "leave"
MOST_NEAR: Final = 3


@dataclass(frozen=True, slots=True)
class NamesakeChoice:
    value: str
    label: str


def list_current_members(club: Club) -> list[Player]:
    rows = Player.objects.filter(memberships__club=club, merged_into__isnull=True, erased_at__isnull=True)
    return list(rows.only("pk", "key", "name", "user_id", "folded_name").order_by("pk"))


class KnownMembers:
    """The members whose names are the same as those of the rows, or similar."""

    def __init__(self, club: Club, names: Mapping[int, str]) -> None:
        members = list_current_members(club)
        self.by_fold: dict[str, list[Player]] = {}
        for member in members:
            self.by_fold.setdefault(fold(member.name), []).append(member)
        by_pk = {member.pk: member for member in members}
        unknown = [
            NamedPerson(-number, name) for number, name in names.items() if fold(name) not in self.by_fold
        ]
        self.near: dict[int, list[tuple[int, Player]]] = {}
        # Rows have negative numbers here, so they are the lower of a pair.
        for (low, high), alike in find_pairs(
            [*unknown, *(NamedPerson(member.pk, member.name) for member in members)]
        ).items():
            if low < 0 < high:
                self.near.setdefault(-low, []).append((alike.percent, by_pk[high]))

    def offered(self, number: int, name: str, *, strangers: str) -> tuple[tuple[NamesakeChoice, ...], bool]:
        """Return the choices for a row, the likeliest first, and True if the first is certain."""
        others = (NamesakeChoice(NEW, _("New guest")), NamesakeChoice(LEAVE, _("Leave out")))
        same = self.by_fold.get(fold(name), [])
        if len(same) == 1:
            return (NamesakeChoice(same[0].key, same[0].name), others[1]), True
        if same:
            return (*(NamesakeChoice(each.key, f"{each.name} ({each.key})") for each in same), *others), False
        near = sorted(self.near.get(number, ()), key=lambda each: (-each[0], each[1].pk))[:MOST_NEAR]
        if near:
            return (
                *(NamesakeChoice(row.key, f"{row.name} ({percent}%)") for percent, row in near),
                *others,
            ), False
        return (others if strangers == NEW else others[::-1]), False
