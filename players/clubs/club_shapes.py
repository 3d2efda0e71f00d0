"""Shapes and serializers of clubs and members for the API."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils import timezone
from rest_framework import serializers

from players.models import Club, Joining, Role
from players.people.likeness import NameDifference
from players.people.player_shapes import ApiNameField, build_player_field
from runtime import uids
from runtime.http.answers import Answer, about
from runtime.http.strict_fields import StrictFields


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club as everybody may see it."""

    uid = serializers.UUIDField(read_only=True, help_text=uids.ABOUT)
    joining = serializers.ChoiceField(choices=Joining.choices)
    members = serializers.IntegerField(source="how_many", read_only=True, help_text="The number of members.")
    logo = serializers.CharField(
        source="logo_url",
        read_only=True,
        help_text="The path of its picture, a PNG; empty where it has none.",
    )

    class Meta:
        model = Club
        fields = (
            *("uid", "slug", "name", "city", "country", "about", "time_zone", "joining", "logo", "members"),
        )
        read_only_fields = fields


class MemberAnswer(Answer):
    """A member, for directors and members; fields that only directors see may be missing."""

    player: dict[str, Any] = build_player_field()
    role: Role
    joined_at: datetime = about(source=lambda member: timezone.localtime(member.joined_at))
    real_name: str = about("For directors.", source="player.name", optional=True)
    email: str | None = about(
        source=lambda member: member.player.user.email if member.player.user else None,
        optional=True,
        described=serializers.EmailField(
            required=False, allow_null=True, help_text="For directors; null for a guest."
        ),
    )


class DuplicatePersonAnswer(Answer):
    """One of two players who may be the same person, for directors."""

    key: str
    name: str
    is_guest: bool
    matches: int
    events: int
    last_seen: datetime | None = about(source=lambda who: who.last_seen and timezone.localtime(who.last_seen))


class DuplicateAnswer(Answer):
    """Two members who may be one person, with the evidence."""

    kept: DuplicatePersonAnswer = about("Who would stay.")
    dropped: DuplicatePersonAnswer = about("The guest who would be merged into them.")
    percent: int = about("How sure it is.")
    whys: list[NameDifference] = about("In what the names differ.")
    together: int = about("In how many events both were entered.")
    never_together: bool = about("Both have played events, and never the same one.")


class GuestSerializer(StrictFields):
    """A new guest."""

    name = ApiNameField(max_length=80)


class TwoMembersSerializer(StrictFields):
    """Two members who may be one person."""

    kept = serializers.CharField(max_length=10, help_text="The key of the one who stays.")
    dropped = serializers.CharField(max_length=10, help_text="The key of the guest.")
