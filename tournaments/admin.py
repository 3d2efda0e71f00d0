"""The back office's view of events: looking is free, changing goes through the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from tournaments.models import Entry, Ruling, Tournament

if TYPE_CHECKING:
    from django.http import HttpRequest

    EntryRows = admin.TabularInline[Entry, Tournament]
    RulingRows = admin.TabularInline[Ruling, Tournament]
    EventPages = admin.ModelAdmin[Tournament]
else:
    EntryRows = RulingRows = admin.TabularInline
    EventPages = admin.ModelAdmin


class _ReadOnly:
    """Rows that only services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class EntryInline(_ReadOnly, EntryRows):
    """Who is in."""

    model = Entry
    fields = ("player", "entered_at", "place", "withdrawn_at")
    extra = 0


class RulingInline(_ReadOnly, RulingRows):
    """What the director did."""

    model = Ruling
    fields = ("at", "act", "by", "reason")
    extra = 0


@admin.register(Tournament)
class TournamentAdmin(_ReadOnly, EventPages):
    """Events with their entries and rulings."""

    list_display = ("name", "club", "starts_at", "status", "match_length", "capacity")
    list_filter = ("status", "club")
    list_select_related = ("club",)
    search_fields = ("name", "key", "club__name")
    date_hierarchy = "starts_at"
    ordering = ("-starts_at",)
    inlines = (EntryInline, RulingInline)
