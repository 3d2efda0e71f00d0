"""The machinery in the back office: looked at, not edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from runtime import outbox
from runtime.models import Node, Outage, Outbox, Presence, SweepRun

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest

    OutboxAdminBase = admin.ModelAdmin[Outbox]
    ModelAdminBase = admin.ModelAdmin[Model]
else:
    OutboxAdminBase = ModelAdminBase = admin.ModelAdmin


class Looked(ModelAdminBase):
    """Rows that only the machinery writes."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody adds these by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody edits these by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes these by hand."""
        return False


@admin.register(Outbox)
class OutboxAdmin(Looked, OutboxAdminBase):
    """What waits, what was done, what was given up and why."""

    list_display = ("kind", "queue", "due_at", "attempts", "done_at", "failed_at", "last_error")
    list_filter = (
        "kind",
        "queue",
        ("failed_at", admin.EmptyFieldListFilter),
        ("done_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("dedupe_key",)
    ordering = ("-due_at",)
    actions = ("try_again",)
    # E-mails hold links that let in whoever has them.
    exclude = ("payload",)

    @admin.action(description=_("Retry what was given up"), permissions=["view"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Outbox]) -> None:
        """Make given-up rows due now."""
        count = outbox.retry(queryset, now=timezone.now())
        sentence = ngettext("%d entry will be tried again.", "%d entries will be tried again.", count) % count
        self.message_user(request, sentence, messages.SUCCESS)


@admin.register(Node)
class NodeAdmin(Looked):
    """Which processes are alive."""

    list_display = ("name", "role", "started_at", "seen_at")


@admin.register(Outage)
class OutageAdmin(Looked):
    """When nobody could reach us."""

    list_display = ("role", "from_at", "to_at")


@admin.register(Presence)
class PresenceAdmin(Looked):
    """Who reads what, by process."""

    list_display = ("topic", "node", "readers", "seen_at")
    search_fields = ("topic",)
    ordering = ("topic", "node")


@admin.register(SweepRun)
class SweepRunAdmin(Looked):
    """When each sweep last ran."""

    list_display = ("name", "finished_at", "took_ms", "found", "last_error")
