"""Models of rating lists: systems and policies, the ledger, current ratings, seasons."""

from __future__ import annotations

from rankings.models.dated import DatedCorrection, DatedList, DatedRating
from rankings.models.divisions import ClosingMove, DivisionMember, SeasonClosing, SeasonDivision, SeasonMove
from rankings.models.eligibility import Admission, Requirement
from rankings.models.ledger import LedgerEntry, PlayerRating, Rebuild
from rankings.models.lists import (
    DatedInterval,
    GroupMember,
    PlayMedium,
    Policy,
    RatingList,
    Reach,
    RulesOfPlay,
    TitleChances,
)
from rankings.models.openings import Opening, OpeningImport
from rankings.models.seasons import Season, SeasonPoints, SeasonStanding

__all__ = [
    "Admission",
    "ClosingMove",
    "DatedCorrection",
    "DatedInterval",
    "DatedList",
    "DatedRating",
    "DivisionMember",
    "GroupMember",
    "LedgerEntry",
    "Opening",
    "OpeningImport",
    "PlayMedium",
    "PlayerRating",
    "Policy",
    "RatingList",
    "Reach",
    "Rebuild",
    "Requirement",
    "RulesOfPlay",
    "Season",
    "SeasonClosing",
    "SeasonDivision",
    "SeasonMove",
    "SeasonPoints",
    "SeasonStanding",
    "TitleChances",
]
