"""Models of rating lists: systems and policies, the ledger, current ratings, seasons."""

from __future__ import annotations

from rankings.models.dated import DatedCorrection, DatedList, DatedRating
from rankings.models.divisions import ClosingMove, DivisionMember, Goes, SeasonClosing, SeasonDivision
from rankings.models.eligibility import Admission, Requirement
from rankings.models.ledger import LedgerEntry, PlayerRating, Rebuild
from rankings.models.lists import (
    DatedEach,
    GroupMember,
    PlayedBy,
    PlayedWhere,
    Policy,
    RatingList,
    Reach,
    TitleChances,
)
from rankings.models.openings import Opening, OpeningImport
from rankings.models.seasons import Season, SeasonPoints, SeasonStanding

__all__ = [
    "Admission",
    "ClosingMove",
    "DatedCorrection",
    "DatedEach",
    "DatedList",
    "DatedRating",
    "DivisionMember",
    "Goes",
    "GroupMember",
    "LedgerEntry",
    "Opening",
    "OpeningImport",
    "PlayedBy",
    "PlayedWhere",
    "PlayerRating",
    "Policy",
    "RatingList",
    "Reach",
    "Rebuild",
    "Requirement",
    "Season",
    "SeasonClosing",
    "SeasonDivision",
    "SeasonPoints",
    "SeasonStanding",
    "TitleChances",
]
