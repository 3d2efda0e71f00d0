"""What the API says and takes, one serializer an audience; nothing is sent that is not named here."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers

from players import names
from players.errors import PlayersError
from players.likeness import Why
from players.models import Club, Joining, Membership, Player, Role, ShownAs, Theme, User
from players.selectors import clubs
from runtime import uids
from runtime.http.strict_fields import StrictFields


class ApiNameField(serializers.CharField):
    """A name in its one spelling; see `players.names`."""

    def to_internal_value(self, data: Any) -> str:
        """Return the name as it will be kept."""
        text = super().to_internal_value(data)
        try:
            return names.clean_optional(text, limit=self.max_length or 80)
        except PlayersError as error:
            raise serializers.ValidationError(str(error), code=error.code) from None


class ApiTimeZoneField(serializers.CharField):
    """A place whose time one lives by."""

    def to_internal_value(self, data: Any) -> str:
        """Return the name of the zone, or "" for the club's."""
        text = super().to_internal_value(data)
        try:
            return names.clean_time_zone(text) if text else ""
        except PlayersError as error:
            raise serializers.ValidationError(str(error), code=error.code) from None


# What is said


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club, to anyone."""

    uid = serializers.UUIDField(read_only=True, help_text=uids.ABOUT)
    joining = serializers.ChoiceField(choices=Joining.choices)
    members = serializers.SerializerMethodField()
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

    def get_members(self, club: Club) -> int:
        """How many belong to it."""
        return clubs.members_of(club)


class PlayerSerializer(serializers.ModelSerializer[Player]):
    """A player, to anyone: the public name and nothing behind it."""

    uid = serializers.UUIDField(read_only=True, help_text=uids.ABOUT)
    name = serializers.CharField(source="public_name")
    is_guest = serializers.SerializerMethodField()
    is_former = serializers.SerializerMethodField()

    class Meta:
        model = Player
        fields = ("uid", "key", "name", "is_guest", "is_former")
        read_only_fields = fields

    def get_is_guest(self, player: Player) -> bool:
        """Whether there is no account behind the name."""
        return player.user_id is None and player.erased_at is None

    def get_is_former(self, player: Player) -> bool:
        """Whether the person has gone."""
        return player.erased_at is not None


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """A member, to other members."""

    player = PlayerSerializer()
    role = serializers.ChoiceField(choices=Role.choices)

    class Meta:
        model = Membership
        fields: tuple[str, ...] = ("player", "role", "joined_at")
        read_only_fields = fields


class MemberForDirectorsSerializer(MemberSerializer):
    """A member, to those who look after them."""

    real_name = serializers.CharField(source="player.name")
    email = serializers.SerializerMethodField()

    class Meta(MemberSerializer.Meta):
        fields = (*MemberSerializer.Meta.fields, "real_name", "email")
        read_only_fields = fields

    def get_email(self, membership: Membership) -> str | None:
        """The account's address; a guest has none."""
        user = membership.player.user
        return user.email if user else None


class MemberShape(StrictFields):
    """A member, described for both: what only directors are told is not always there."""

    player = PlayerSerializer()
    role = serializers.ChoiceField(choices=Role.choices)
    joined_at = serializers.DateTimeField()
    real_name = serializers.CharField(required=False, help_text="For directors.")
    email = serializers.EmailField(
        required=False, allow_null=True, help_text="For directors; null for a guest."
    )


class DuplicatePersonShape(StrictFields):
    """One of two who may be the same, to directors."""

    key = serializers.CharField()
    name = serializers.CharField()
    is_guest = serializers.BooleanField()
    matches = serializers.IntegerField()
    events = serializers.IntegerField()
    last_seen = serializers.DateTimeField(allow_null=True)


class DuplicateShape(StrictFields):
    """Two members who may be one person, with what speaks for it."""

    kept = DuplicatePersonShape(help_text="Who would stay.")
    dropped = DuplicatePersonShape(help_text="The guest who would be merged into them.")
    percent = serializers.IntegerField(help_text="How sure it is.")
    whys = serializers.ListField(
        child=serializers.ChoiceField(choices=[why.value for why in Why]),
        help_text="In what the names differ.",
    )
    together = serializers.IntegerField(help_text="In how many events both were entered.")
    never_together = serializers.BooleanField(help_text="Both have played events, and never the same one.")


class DuplicatesShape(StrictFields):
    """A page of possible duplicates."""

    count = serializers.IntegerField()
    page = serializers.IntegerField()
    pages = serializers.IntegerField()
    results = DuplicateShape(many=True)


# What is taken


class GuestSerializer(StrictFields):
    """A new guest."""

    name = ApiNameField(max_length=80)


class TwoMembersSerializer(StrictFields):
    """Two members who may be one person."""

    kept = serializers.CharField(max_length=10, help_text="The key of the one who stays.")
    dropped = serializers.CharField(max_length=10, help_text="The key of the guest.")


class MeSerializer(StrictFields):
    """One's own account: read whole, changed in part."""

    uid = serializers.UUIDField(source="player.uid", read_only=True, help_text=uids.ABOUT)
    key = serializers.CharField(source="player.key", read_only=True)
    email = serializers.EmailField(read_only=True)
    name = ApiNameField(source="player.name", max_length=80)
    alias = ApiNameField(source="player.alias", max_length=40, allow_blank=True)
    shown_as = serializers.ChoiceField(source="player.shown_as", choices=ShownAs.choices)
    hidden_from_search = serializers.BooleanField(source="player.hidden_from_search")
    language = serializers.ChoiceField(choices=settings.LANGUAGES, allow_blank=True)
    time_zone = ApiTimeZoneField(allow_blank=True, max_length=64)
    theme = serializers.ChoiceField(choices=Theme.choices)
    high_contrast = serializers.BooleanField()
    mails_notices = serializers.BooleanField()

    def to_internal_value(self, data: Any) -> Any:
        """Refuse what is only read, too: who sends it believes that it changes."""
        fixed = {name for name, field in self.fields.items() if field.read_only}
        if isinstance(data, dict) and (named := fixed & set(data)):
            sentence = _("This cannot be changed here.")
            raise serializers.ValidationError(dict.fromkeys(sorted(named), sentence), code="read_only")
        return super().to_internal_value(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """An alias can only be shown if there is one."""
        user = self.instance
        asked = attrs.get("player", {})
        if isinstance(user, User):
            shown_as = asked.get("shown_as", user.player.shown_as)
            if shown_as == ShownAs.ALIAS and not asked.get("alias", user.player.alias):
                raise serializers.ValidationError({"alias": _("Choose an alias, or be shown by your name.")})
        return attrs
