"""Read-only admin pages for the rows of this app."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from runtime.models import Failure, Node, Outage, Outbox, Presence, SweepRun
from runtime.work import outbox

if TYPE_CHECKING:
    ModelAdminBase = admin.ModelAdmin[Model]
else:
    ModelAdminBase = admin.ModelAdmin


class ReadOnlyAdmin(ModelAdminBase):
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class RetryAdmin(ReadOnlyAdmin):
    actions = ("try_again",)

    @admin.action(description=_("Try again now"), permissions=["view"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        count = self.retry(queryset, now=timezone.now())
        sentence = ngettext("%d entry will be tried again.", "%d entries will be tried again.", count) % count
        self.message_user(request, sentence, messages.SUCCESS)

    def retry(self, queryset: QuerySet[Any], *, now: datetime) -> int:
        return queryset.filter(retry_at__gt=now).update(retry_at=now)


@admin.register(Outbox)
class OutboxAdmin(RetryAdmin):
    list_display = ("kind", "queue", "due_at", "attempts", "done_at", "failed_at", "last_error")
    list_filter = (
        "kind",
        "queue",
        ("failed_at", admin.EmptyFieldListFilter),
        ("last_error", admin.EmptyFieldListFilter),
        ("done_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("dedupe_key",)
    ordering = ("-due_at",)
    # E-mails contain links that grant access.
    exclude = ("payload",)

    def retry(self, queryset: QuerySet[Any], *, now: datetime) -> int:
        return outbox.retry(queryset, now=now)


@admin.register(Node)
class NodeAdmin(ReadOnlyAdmin):
    list_display = ("name", "role", "started_at", "seen_at")


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ("role", "from_at", "to_at")


@admin.register(Presence)
class PresenceAdmin(ReadOnlyAdmin):
    list_display = ("topic", "node", "readers", "seen_at")
    search_fields = ("topic",)
    ordering = ("topic", "node")


@admin.register(SweepRun)
class SweepRunAdmin(RetryAdmin):
    list_display = ("name", "finished_at", "took_ms", "found", "failures", "retry_at", "last_error")


@admin.register(Failure)
class FailureAdmin(RetryAdmin):
    list_display = ("sweep", "subject", "attempts", "retry_at", "last_error")
    ordering = ("sweep", "subject")
