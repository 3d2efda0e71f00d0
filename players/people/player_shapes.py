"""Shapes and fields of players for the API."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from players import names
from players.errors import PlayersError
from players.models import Player
from runtime import uids
from runtime.http.answers import about


class ApiNameField(serializers.CharField):
    """A normalised name; see `players.names`."""

    def clean(self, text: str) -> str:
        return names.clean_optional(text, limit=self.max_length or 80)

    def to_internal_value(self, data: Any) -> str:
        """Return the normalised text."""
        text = super().to_internal_value(data)
        try:
            return self.clean(text)
        except PlayersError as error:
            raise serializers.ValidationError(str(error), code=error.code) from None


class ApiProseField(ApiNameField):
    """A normalised text of several lines; see `players.names`."""

    def clean(self, text: str) -> str:
        return names.clean_prose(text, limit=self.max_length or 2000)


class ApiTimeZoneField(ApiNameField):
    """The name of a time zone; "" for the club's."""

    def clean(self, text: str) -> str:
        return names.clean_time_zone(text) if text else ""


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """A player as everybody may see them: the public name alone."""

    uid = serializers.UUIDField(read_only=True, help_text=uids.ABOUT)
    name = serializers.CharField(source="public_name")
    is_guest = serializers.SerializerMethodField()
    is_former = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ("uid", "key", "name", "is_guest", "is_former")
        read_only_fields = fields

    def get_is_guest(self, player: Player) -> bool:
        """True for a player without an account."""
        return player.user_id is None and player.erased_at is None

    def get_is_former(self, player: Player) -> bool:
        """True if the player was erased."""
        return player.erased_at is not None


def build_player_field() -> Any:
    """Declare the field of an answer for its player."""
    return about(source=lambda row: PlayerSerializer(row.player).data, described=PlayerSerializer())
