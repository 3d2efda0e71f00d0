"""Databases from before each app's migrations were squashed into one (docs/adr/0044).

The squashed `0001_initial` makes what these made together, and bears the name of the first of them. So a database
that has had them all needs nothing; one that has had a part would pass for complete. It must be recognised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

SQUASHED = frozenset(
    {
        ("runtime", "0002_presence"),
        ("runtime", "0003_promised_pulses"),
        ("players", "0002_api_token"),
        ("players", "0003_webhook"),
        ("matches", "0002_challenges"),
        ("matches", "0003_journal_stands"),
        ("matches", "0004_talk"),
        ("matches", "0005_dice_tally"),
        ("matches", "0006_visitor"),
        ("matches", "0007_limits"),
        ("tournaments", "0002_rounds_and_pairings"),
        ("tournaments", "0003_joins"),
        ("tournaments", "0004_rules_of_play"),
        ("tournaments", "0005_stands"),
        ("tournaments", "0006_break_ties"),
        ("tournaments", "0007_scores_needed"),
    }
)
# The last version that still has them one by one.
BEFORE = "0467a9d"


def complaint(applied: Iterable[tuple[str, str]]) -> str:
    """Say what is wrong with a database to which these migrations were applied; nothing if it is whole."""
    found = SQUASHED & set(applied)
    if found in (frozenset(), SQUASHED):
        return ""
    missing = ", ".join(".".join(name) for name in sorted(SQUASHED - found))
    return (
        f"The database is from an early version of Barpoint and lacks {missing}. "
        f"Run `git checkout {BEFORE} && make migrate` once, then return to this version."
    )
