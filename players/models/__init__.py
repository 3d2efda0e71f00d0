"""People and clubs as rows: fields, constraints, nothing else."""

from players.models.accounts import FirstDirector, Theme, User
from players.models.clubs import Club, ClubLogo, Felt, Invitation, Joining, Membership, NameStyle, Role
from players.models.follows import Follow
from players.models.merges import Merge, TwoPeople
from players.models.notices import Notice
from players.models.people import Export, Player, ShownAs
from players.models.tokens import ApiToken, Scope
from players.models.webhooks import Webhook

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
