"""The texts of a club: its own Markdown made HTML, or what usually holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from help.selectors.markdown import plainly
from help.selectors.texts import sections

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from players.models import Club


@dataclass(frozen=True, slots=True)
class ClubTexts:
    """What a club's page of texts says; without house rules the first is empty."""

    house_rules: SafeString
    terms: SafeString
    privacy: SafeString


def of(club: Club) -> ClubTexts:
    """Return the texts of a club."""
    usual = {section.anchor: section.html for section in sections("terms")}
    return ClubTexts(
        house_rules=plainly(club.house_rules),
        terms=plainly(club.terms) or usual["terms"],
        privacy=plainly(club.privacy) or usual["privacy"],
    )
