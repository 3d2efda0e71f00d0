"""The caller's account over HTTP and JSON."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from players.access.callers import get_account
from players.accounts import accounts
from players.models import ShownAs, Theme, User
from players.people.players_api import ApiNameField, ApiTimeZoneField
from runtime.http.strict_fields import StrictFields
from runtime.rows import ABOUT_UID


class MeSerializer(StrictFields):
    """One's own account: read whole, changed in part."""

    uid = serializers.UUIDField(source="player.uid", read_only=True, help_text=ABOUT_UID)
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
        """Refuse read-only fields, too: a caller who sends one believes that it changes."""
        fixed = {name for name, field in self.fields.items() if field.read_only}
        if isinstance(data, dict) and (named := fixed & set(data)):
            sentence = _("This cannot be changed here.")
            raise serializers.ValidationError(dict.fromkeys(sorted(named), sentence), code="read_only")
        return super().to_internal_value(data)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Require an alias if it is to be shown."""
        user = self.instance
        player_data = attrs.get("player", {})
        if isinstance(user, User):
            shown_as = player_data.get("shown_as", user.player.shown_as)
            if shown_as == ShownAs.ALIAS and not player_data.get("alias", user.player.alias):
                raise serializers.ValidationError({"alias": _("Choose an alias, or be shown by your name.")})
        return attrs


@extend_schema(responses=MeSerializer)
class AccountViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @action(detail=False)
    def me(self, request: Request) -> Response:
        """Return the caller's account."""
        return Response(MeSerializer(get_account(request)).data)

    @extend_schema(request=MeSerializer(partial=True))
    @me.mapping.patch
    def change_me(self, request: Request) -> Response:
        """Change some settings of the caller's account."""
        user = get_account(request)
        form = MeSerializer(user, data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        changes = {**form.validated_data.pop("player", {}), **form.validated_data}
        accounts.change(user=user, now=timezone.now(), **changes)
        return Response(MeSerializer(user).data)


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [("", AccountViewSet, "account")]
