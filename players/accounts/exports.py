"""Exports of a person's data, requested on a page and written by a worker."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core.serializers.json import DjangoJSONEncoder
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from players import hooks
from players.models import ApiToken, Export, Follow, Invitation, Membership, Notice, Player, User
from runtime import stream
from runtime.work import outbox

# Long enough to download it; copies of personal data should not be stored for long.
KEPT = timedelta(days=7)


def request_export(*, user: User, now: datetime) -> Export:
    """Request an export; if one is pending, return that one."""
    try:
        with transaction.atomic():
            export = Export.objects.create(user=user, asked_at=now)
            outbox.put(
                "players.fill_export",
                {"export_id": export.pk},
                dedupe_key=f"players.fill_export:{export.pk}",
                now=now,
                queue="slow",
            )
    except IntegrityError:
        return Export.objects.get(user=user, ready_at__isnull=True)
    return export


@transaction.atomic
def write_export(payload: dict[str, Any], *, now: datetime) -> None:
    """Write the export once; do nothing if it was deleted or is ready."""
    export = (
        Export.objects.select_related("user").filter(pk=payload["export_id"], ready_at__isnull=True).first()
    )
    if export is None:
        return
    user = export.user
    text = json.dumps(_collect_data(user, now=now), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    export.content = text.encode()
    export.ready_at = now
    export.save(update_fields=["content", "ready_at"])
    Export.objects.filter(user=user, ready_at__isnull=False).exclude(pk=export.pk).delete()
    stream.publish(f"user.{user.pk}", "export", {}, now=now)


def find_export(*, user: User) -> Export | None:
    return Export.objects.filter(user=user).order_by("-asked_at", "-pk").first()


def query_due(at: Any) -> Iterator[QuerySet[Export]]:
    yield Export.objects.filter(ready_at__lt=at - KEPT)


def delete_expired(now: datetime) -> int:
    return sum(rows.delete()[0] for rows in query_due(now))


def _collect_data(user: User, *, now: datetime) -> dict[str, object]:
    player = user.player
    return {
        "made_at": now,
        "account": {
            "email": user.email,
            "joined_at": user.joined_at,
            "last_login": user.last_login,
            "language": user.language,
            "language_of_last_sign_in": user.sign_in_language,
            "time_zone": user.time_zone,
            "theme": user.theme,
            "high_contrast": user.high_contrast,
            "mails_notices": user.mails_notices,
        },
        # A new one that is not confirmed yet, too.
        "email_addresses": list(
            EmailAddress.objects.filter(user=user).order_by("pk").values("email", "verified")
        ),
        "player": {
            "uid": player.uid,
            "key": player.key,
            "name": player.name,
            "alias": player.alias,
            "shown_as": player.shown_as,
            "hidden_from_search": player.hidden_from_search,
            "earlier_rows": list(
                Player.objects.filter(merged_into=player).values("uid", "key", "name", "alias", "created_at")
            ),
        },
        "clubs": list(
            Membership.objects.filter(player=player).values(
                "club__uid", "club__name", "club__slug", "role", "joined_at"
            )
        ),
        "invitations_made": list(
            Invitation.objects.filter(created_by=user).values(
                "club__name", "role", "note", "created_at", "expires_at", "uses", "revoked_at"
            )
        ),
        "api_tokens": list(
            ApiToken.objects.filter(user=user)
            .order_by("pk")
            .values("name", "scope", "created_at", "last_used_at", "expires_at")
        ),
        # Their data holds secrets too; only the name is read.
        "second_factors": list(
            Authenticator.objects.filter(user=user)
            .order_by("pk")
            .values("type", "data__name", "created_at", "last_used_at")
        ),
        "notices": list(Notice.objects.filter(user=user).values("text", "url", "created_at", "read_at")),
        "follows": [
            {"player__uid": row.player.uid, "player__name": row.player.public_name, "since": row.since}
            for row in Follow.objects.filter(user=user).select_related("player")
        ],
        **{name: collect(player) for name, collect in hooks.EXPORTS.items()},
    }
