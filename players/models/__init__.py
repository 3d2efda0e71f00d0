"""Models of people and clubs: fields and constraints only."""

from players.models.accounts import ApiToken, FirstDirector, Follow, Notice, Scope, Theme, User
from players.models.clubs import (
    Club,
    ClubLogo,
    Felt,
    Invitation,
    Joining,
    Membership,
    NameStyle,
    Role,
    Webhook,
)
from players.models.merges import Merge, TwoPeople
from players.models.people import Export, Player, ShownAs

__all__ = [
    "ApiToken",
    "Club",
    "ClubLogo",
    "Export",
    "Felt",
    "FirstDirector",
    "Follow",
    "Invitation",
    "Joining",
    "Membership",
    "Merge",
    "NameStyle",
    "Notice",
    "Player",
    "Role",
    "Scope",
    "ShownAs",
    "Theme",
    "TwoPeople",
    "User",
    "Webhook",
]
