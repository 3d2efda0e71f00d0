"""Players of a record: identified by the club's aliases, then by the names of the match's players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from players.models import Player
from players.names import fold
from records.match_parts import ELSE, OTHER, UNKNOWN, A, B
from records.models import RecordAlias, RecordMatch
from tournaments.base import event_lines
from tournaments.models import Pairing

MOST_NAMESAKES: Final = 20


def name_sides(
    row: Pairing, white: str, black: str, *, known: Mapping[str, int] | None = None
) -> tuple[str, str]:
    """Return the players ("a" or "b") who are White and Black, "" if the names do not identify them.

    If one is identified, so is the other. ("?", "?") is a match of other people. *known* are the club's
    aliases, preloaded for batches.
    """
    found = (_find_side(row, white, known), _find_side(row, black, known))
    match found:
        case (first, second) if ELSE in found or (first == second != UNKNOWN):
            return ELSE, ELSE
        case (first, second) if first:
            return first, OTHER[first]
        case (_, second) if second:
            return OTHER[second], second
        case _:
            return UNKNOWN, UNKNOWN


def has_names(match: RecordMatch) -> bool:
    """True if a record names at least one of its players; the answer who is who is stored by name."""
    return bool(fold(match.white) or fold(match.black))


def export_aliases(player: Player) -> list[dict[str, object]]:
    rows = RecordAlias.objects.filter(player=player).order_by("club", "folded")
    return [{"club": club, "name": name} for club, name in rows.values_list("club__slug", "folded")]


def _find_side(row: Pairing, name: str, known: Mapping[str, int] | None) -> str:
    folded = fold(name)
    players = {side: entry.player for side, entry in ((A, row.a), (B, row.b)) if entry is not None}
    if known_as := _find_alias(row, folded) if known is None else known.get(folded):
        return next((side for side, player in players.items() if player.pk == known_as), ELSE)
    for is_named in (_has_name, _has_words):
        found = [side for side, player in players.items() if is_named(player, folded)]
        if len(found) == 1:
            return found[0]
    # Batches only contain records that passed this check before.
    return ELSE if known is None and _is_another_member(row, players.values(), folded) else UNKNOWN


def _is_another_member(row: Pairing, players: Iterable[Player], folded: str) -> bool:
    """True if this is the full name of a club member who does not play in this match."""
    if not folded:
        return False
    members = Player.objects.filter(memberships__club=row.tournament.club_id, folded_name__contains=folded)
    others = members.exclude(pk__in=[player.pk for player in players])
    return any(_has_name(player, folded) for player in others[:MOST_NAMESAKES])


def _find_alias(row: Pairing, folded: str) -> int | None:
    aliases = RecordAlias.objects.filter(club=row.tournament.club_id, folded=folded)
    return aliases.values_list("player", flat=True).first()


def _list_names(player: Player) -> set[str]:
    return {
        fold(name) for name in (player.name, player.alias, event_lines.format_player_name(player)) if name
    }


def _has_name(player: Player, folded: str) -> bool:
    return folded in _list_names(player)


def _has_words(player: Player, folded: str) -> bool:
    """True if each word is a word of the player's name: "Otis", or "Fenn Otis"."""
    words = set(folded.replace(",", " ").split())
    return bool(words) and any(words <= set(name.split()) for name in _list_names(player))
