"""Possible duplicates among a club's members, with the evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from players import hooks
from players.access.requests import Page
from players.hooks import Appearances
from players.models import Club, Player, TwoPeople
from players.people.likeness import (
    Likeness,
    NameDifference,
    NamedPerson,
    Pair,
    find_pairs,
    list_nearest_people,
)
from players.people.namesakes import MOST_NEAR, list_current_members

PAGE_SIZE: Final = 20
# Only this many pairs, the likeliest, are compared beyond their names.
MOST_PAIRS: Final = 1_000
# The percent subtracted if both entered the same event, and added if both played events but never the same.
SAME_EVENT: Final = 30
NEVER_TOGETHER: Final = 5
LEAST: Final = 60

WORDS: Final = {
    NameDifference.SAME: _("the same name"),
    NameDifference.ORDER: _("the words in another order"),
    NameDifference.SPELLING: _("spelt a little differently"),
    NameDifference.NICKNAME: _("a short form of the name"),
    NameDifference.MIDDLE: _("one word more"),
    NameDifference.INITIAL: _("an initial"),
    NameDifference.SHORT: _("only the first name"),
}


def format_hint(name: str) -> str:
    """Format the hint about a member whose name is similar to a new one."""
    return gettext(
        "%(name)s is a member with nearly the same name. If they are one person, merge them under Members."
    ) % {"name": name}


@dataclass(frozen=True, slots=True)
class Person:
    key: str
    name: str
    is_guest: bool
    matches: int
    events: int
    last_seen: datetime | None


@dataclass(frozen=True, slots=True)
class PossibleDuplicate:
    """A pair of members who may be one person: the guest, and the player who would be kept."""

    dropped: Person
    kept: Person
    # The confidence in percent, from names and events.
    percent: int
    whys: tuple[str, ...]
    # The number of events that both entered.
    together: int

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(str(WORDS[NameDifference(why)]) for why in self.whys)

    @property
    def never_together(self) -> bool:
        return not self.together and bool(self.dropped.events and self.kept.events)


def list_duplicates(*, club: Club, page: int = 1) -> Page[PossibleDuplicate]:
    found = find_duplicates(club=club)
    pages = max(1, -(-len(found) // PAGE_SIZE))
    number = min(max(page, 1), pages)
    return Page(tuple(found[(number - 1) * PAGE_SIZE : number * PAGE_SIZE]), len(found), number, pages)


def find_duplicates(*, club: Club) -> list[PossibleDuplicate]:
    """Find possible duplicates, the most likely first.

    Pairs who have played each other, and pairs marked as two people, are left out. So are pairs of accounts:
    only guests can be merged into another player.
    """
    members = {row.pk: row for row in list_current_members(club)}
    alike = find_pairs(NamedPerson(pk, row.name) for pk, row in members.items())
    apart = _load_pairs_told_apart(club) if alike else frozenset()
    open_pairs = [
        (pair, likeness)
        for pair, likeness in sorted(alike.items(), key=lambda each: (-each[1].percent, each[0]))
        if pair not in apart and any(members[who].user_id is None for who in pair)
    ][:MOST_PAIRS]
    seen = hooks.load_appearances({who for pair, _likeness in open_pairs for who in pair})
    found = [
        each
        for pair, likeness in open_pairs
        if (each := _find_duplicate(pair, likeness, members, seen)) is not None
    ]
    found.sort(key=lambda each: (-each.percent, each.dropped.name, each.dropped.key, each.kept.key))
    return found


@dataclass(frozen=True, slots=True)
class MatchingMember:
    key: str
    name: str
    is_guest: bool
    percent: int
    words: tuple[str, ...]


def find_matching_members(*, club: Club, names: Iterable[str]) -> dict[str, tuple[MatchingMember, ...]]:
    """Find the members that each name may mean, at most three, the likeliest first."""
    members = {row.pk: row for row in list_current_members(club)}
    people = [NamedPerson(pk, row.name) for pk, row in members.items()]
    return {
        name: tuple(
            MatchingMember(
                members[who].key,
                members[who].name,
                members[who].user_id is None,
                likeness.percent,
                tuple(str(WORDS[NameDifference(why)]) for why in likeness.whys),
            )
            for who, likeness in list_nearest_people(name, people)[:MOST_NEAR]
        )
        for name in set(names)
    }


def list_similar_members(*, club: Club, player: Player) -> list[Player]:
    """List the members who may be this player, at most three, the likeliest first."""
    members = {row.pk: row for row in list_current_members(club) if row.pk != player.pk}
    apart = _load_pairs_told_apart(club)
    found = list_nearest_people(player.name, (NamedPerson(pk, row.name) for pk, row in members.items()))
    return [
        members[who] for who, _likeness in found if (min(who, player.pk), max(who, player.pk)) not in apart
    ][:MOST_NEAR]


def _load_pairs_told_apart(club: Club) -> frozenset[Pair]:
    """Load the pairs marked as two people, with merged players replaced by the kept ones."""
    rows = TwoPeople.objects.filter(
        Q(one__memberships__club=club) | Q(one__merged_into__memberships__club=club)
    ).values_list("one", "one__merged_into", "other", "other__merged_into")
    pairs_now = ((one_into or one, other_into or other) for one, one_into, other, other_into in rows)
    return frozenset((min(pair), max(pair)) for pair in pairs_now)


def _find_duplicate(
    pair: Pair, likeness: Likeness, members: dict[int, Player], seen: Appearances
) -> PossibleDuplicate | None:
    if pair in seen.met:
        return None
    together = len(seen.events[pair[0]] & seen.events[pair[1]])
    percent = likeness.percent
    if together:
        percent -= SAME_EVENT
    elif all(seen.events[who] for who in pair):
        percent += NEVER_TOGETHER
    if percent < LEAST:
        return None
    # An account is kept; of two guests the one with more matches, then the older one.
    kept, dropped = sorted(pair, key=lambda who: (members[who].user_id is None, -seen.matches[who], who))
    return PossibleDuplicate(
        dropped=_build_person(members[dropped], seen),
        kept=_build_person(members[kept], seen),
        percent=min(percent, 100),
        whys=likeness.whys,
        together=together,
    )


def _build_person(row: Player, seen: Appearances) -> Person:
    return Person(
        key=row.key,
        name=row.name,
        is_guest=row.user_id is None,
        matches=seen.matches[row.pk],
        events=len(seen.events[row.pk]),
        last_seen=seen.last_seen.get(row.pk),
    )
