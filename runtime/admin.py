"""The machinery in the back office: looked at, not edited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from runtime.models import Failure, Node, Outage, Outbox, Presence, SweepRun
from runtime.work import outbox

if TYPE_CHECKING:
    from datetime import datetime

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


class Retried(Looked):
    """Rows of work that can be started again after a failure."""

    actions = ("try_again",)

    @admin.action(description=_("Try again now"), permissions=["view"])
    def try_again(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Make rows due now that have failed."""
        count = self.retry(queryset, now=timezone.now())
        sentence = ngettext("%d entry will be tried again.", "%d entries will be tried again.", count) % count
        self.message_user(request, sentence, messages.SUCCESS)

    def retry(self, queryset: QuerySet[Any], *, now: datetime) -> int:
        """End the pauses of those rows that have failed; return how many."""
        return queryset.filter(retry_at__gt=now).update(retry_at=now)


@admin.register(Outbox)
class OutboxAdmin(Retried, OutboxAdminBase):
    """What waits, what was done, what was given up and why."""

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
    # E-mails hold links that let in whoever has them.
    exclude = ("payload",)

    def retry(self, queryset: QuerySet[Outbox], *, now: datetime) -> int:
        """Have the outbox do it."""
        return outbox.retry(queryset, now=now)


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
class SweepRunAdmin(Retried):
    """When each sweep last ran."""

    list_display = ("name", "finished_at", "took_ms", "found", "failures", "retry_at", "last_error")


@admin.register(Failure)
class FailureAdmin(Retried):
    """What sweeps could not deal with, and when it is tried again."""

    list_display = ("sweep", "subject", "attempts", "retry_at", "last_error")
    ordering = ("sweep", "subject")
