"""The texts of a club: its own Markdown made HTML, or what usually holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from help.selectors.texts import sections
from runtime import markdown

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
        house_rules=markdown.to_html(club.house_rules),
        terms=markdown.to_html(club.terms) or usual["terms"],
        privacy=markdown.to_html(club.privacy) or usual["privacy"],
    )
