"""Settings of a club, for tests that change some of them."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from players.clubs import clubs
from players.models import Club, User

SETTINGS: Final = (
    *("name", "city", "country", "about", "time_zone", "joining", "felt", "language"),
    *("approves_orders", "name_style", "shows_evidence"),
)


def change_club(club: Club, *, by: User, now: datetime, **changes: Any) -> None:
    """Change some settings. The others are sent unchanged, which is what the page does."""
    as_they_are: dict[str, Any] = {name: getattr(club, name) for name in SETTINGS}
    clubs.update(club=club, by=by, now=now, **{**as_they_are, **changes})
