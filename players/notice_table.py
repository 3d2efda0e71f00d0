from __future__ import annotations

from typing import Final

from players.accounts.tokens import TOKEN_CREATED
from players.receivers import (
    GUEST_CLAIMED,
    GUEST_MERGED,
    GUEST_UNMERGED,
    MEMBER_JOINED,
    MEMBER_REMOVED,
    ROLE_CHANGED,
)

NOTICES: Final = (
    TOKEN_CREATED,
    ROLE_CHANGED,
    MEMBER_REMOVED,
    GUEST_MERGED,
    GUEST_UNMERGED,
    MEMBER_JOINED,
    GUEST_CLAIMED,
)
