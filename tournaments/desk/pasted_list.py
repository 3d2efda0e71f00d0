"""What was understood of a pasted list, in words: only the lines of which something had to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from tournaments.base.lines import shown_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from players.models import Player
    from tournaments.base.pasted import PastedLine

# More than that nobody reads.
MOST = 40


def understood(lines: Sequence[PastedLine], people: Sequence[Player]) -> list[dict[str, str]]:
    """Return for each such line how it was typed, and who that is."""
    found = [_told(line, player) for line, player in zip(lines, people, strict=True)]
    return [one for one in found if one is not None][:MOST]


def _told(line: PastedLine, player: Player) -> dict[str, str] | None:
    name = shown_name(player)
    if line.typed == name and not line.is_unsure:
        return None
    parts = [name]
    if line.rating is not None:
        parts.append(_("rating %(rating)s") % {"rating": f"{line.rating:g}"})
    if line.club:
        parts.append(_("club %(club)s") % {"club": line.club})
    # A name with a comma may be turned round, or name a town: whoever knows can rename the guest.
    unsure = "yes" if line.is_unsure and name == line.name else ""
    return {"typed": line.typed, "read": " · ".join(parts), "unsure": unsure}
