"""Read-only admin of events; changes are made on the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from tournaments.models import Entry, Pairing, Ruling, Stage, Tournament

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

    EntryRows = admin.TabularInline[Entry, Tournament]
    RulingRows = admin.TabularInline[Ruling, Tournament]
    StageRows = admin.TabularInline[Stage, Tournament]
    PairingRows = admin.TabularInline[Pairing, Tournament]
    EventPages = admin.ModelAdmin[Tournament]
else:
    EntryRows = RulingRows = StageRows = PairingRows = admin.TabularInline
    EventPages = admin.ModelAdmin


class _ReadOnlyAdmin:
    """Mixin for the admin pages of rows that only services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class EntryInline(_ReadOnlyAdmin, EntryRows):
    model = Entry
    fields = ("number", "player", "entered_at", "waits", "left", "place", "withdrawn_at")
    extra = 0


class StageInline(_ReadOnlyAdmin, StageRows):
    model = Stage
    fields = ("number", "name", "format", "options", "pairs")
    extra = 0


class PairingInline(_ReadOnlyAdmin, PairingRows):
    model = Pairing
    fields = ("key", "a", "b", "state", "kind", "winner", "score_a", "score_b", "opened_at", "decided_at")
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[Pairing]:
        people = ("a__player", "a__tournament", "b__player", "b__tournament")
        return super().get_queryset(request).select_related(*people, "winner__player", "winner__tournament")


class RulingInline(_ReadOnlyAdmin, RulingRows):
    model = Ruling
    fields = ("at", "act", "by", "reason")
    extra = 0


@admin.register(Tournament)
class TournamentAdmin(_ReadOnlyAdmin, EventPages):
    list_display = ("name", "club", "starts_at", "status", "match_length", "capacity")
    list_filter = ("status", "club")
    list_select_related = ("club",)
    search_fields = ("name", "key", "club__name")
    date_hierarchy = "starts_at"
    ordering = ("-starts_at",)
    inlines = (StageInline, EntryInline, PairingInline, RulingInline)
