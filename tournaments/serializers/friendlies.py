"""Friendlies as the API tells and takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from rest_framework import serializers

from draw.play import CLOCKS
from matches.serializers import problems
from runtime.strict_fields import StrictFields
from tournaments.models import LONGEST_MATCH, FriendlyOffer
from tournaments.models.friendlies import FriendlyWhere
from tournaments.selectors.lines import shown_name

if TYPE_CHECKING:
    from tournaments.models import Friendly

Shape = StrictFields
TAG: Final = "friendlies"
PROBLEMS: Final = problems.answers(
    {
        **problems.USUAL,
        403: {"read_only_token": "the token is for reading"},
        409: {"event_refused": "it cannot be done as things are; the code and the sentence say why"},
    }
)


class FriendlyProposal(Shape):
    """A friendly that you propose."""

    club = serializers.CharField(max_length=60, help_text="The club's address; both are its members.")
    opponent = serializers.CharField(max_length=10, help_text="The key of the other member.")
    length = serializers.IntegerField(min_value=1, max_value=LONGEST_MATCH)
    where = serializers.ChoiceField(
        choices=FriendlyWhere.values,
        default=FriendlyWhere.BOARD.value,
        help_text="Where you mean to play: over the board, or live on this site.",
    )
    clock = serializers.ChoiceField(
        choices=CLOCKS, allow_blank=True, default="", help_text="For a match on this site; empty: none."
    )


class FriendlyPlayerShape(Shape):
    """One of the two."""

    key = serializers.CharField()
    name = serializers.CharField()


class FriendlyShape(Shape):
    """A friendly of yours."""

    key = serializers.CharField()
    club = serializers.CharField(help_text="The club's address.")
    proposer = FriendlyPlayerShape()
    opponent = FriendlyPlayerShape()
    length = serializers.IntegerField()
    where = serializers.ChoiceField(choices=FriendlyWhere.values)
    clock = serializers.CharField()
    status = serializers.ChoiceField(choices=FriendlyOffer.values)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="Until then it can be agreed to.")
    event = serializers.CharField(
        allow_null=True,
        help_text="Once it is agreed, the key of its event: its one match is reported like any other.",
    )


def friendly(row: Friendly) -> dict[str, Any]:
    """Tell a friendly."""
    same = ("key", "length", "where", "clock", "status", "created_at", "expires_at")
    people = {
        side: {"key": player.key, "name": shown_name(player)}
        for side, player in (("proposer", row.proposer), ("opponent", row.opponent))
    }
    return {
        **{name: getattr(row, name) for name in same},
        **people,
        "club": row.club.slug,
        "event": row.event.key if row.event else None,
    }
