"""Read-only admin of events; changes are made on the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from runtime.admin import ReadOnlyAdmin
from tournaments.models import Entry, Pairing, Ruling, Stage, Tournament

if TYPE_CHECKING:
    InlineRows = admin.TabularInline[Any, Tournament]
else:
    InlineRows = admin.TabularInline


class _ReadOnlyInline(InlineRows):
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


class EntryInline(_ReadOnlyInline):
    model = Entry
    fields = ("number", "player", "entered_at", "waits", "left", "place", "withdrawn_at")


class StageInline(_ReadOnlyInline):
    model = Stage
    fields = ("number", "name", "format", "options", "pairs")


class PairingInline(_ReadOnlyInline):
    model = Pairing
    fields = ("key", "a", "b", "state", "kind", "winner", "score_a", "score_b", "opened_at", "decided_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Pairing]:
        people = ("a__player", "a__tournament", "b__player", "b__tournament")
        return super().get_queryset(request).select_related(*people, "winner__player", "winner__tournament")


class RulingInline(_ReadOnlyInline):
    model = Ruling
    fields = ("at", "act", "by", "reason")


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "starts_at", "status", "match_length", "capacity")
    list_filter = ("status", "club")
    list_select_related = ("club",)
    search_fields = ("name", "key", "club__name")
    date_hierarchy = "starts_at"
    ordering = ("-starts_at",)
    inlines = (StageInline, EntryInline, PairingInline, RulingInline)
