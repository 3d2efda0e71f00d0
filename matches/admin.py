"""The back office's view of matches: looking is free, only play and directors change them.

Secrets are not shown even here: what dice grow from, and shares whose roll is not due.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin

from matches.models import JournalEntry, Match

if TYPE_CHECKING:
    from django.http import HttpRequest

    MatchPages = admin.ModelAdmin[Match]
    JournalPages = admin.ModelAdmin[JournalEntry]
else:
    MatchPages = JournalPages = admin.ModelAdmin


class _ReadOnly:
    """Rows that only services write."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(_ReadOnly, MatchPages):
    """Matches and how they stand."""

    list_display = (
        "key",
        "white",
        "black",
        "length",
        "white_score",
        "black_score",
        "status",
        "due",
        "deadline_at",
        "moved_at",
    )
    list_filter = ("status", "is_timed", "is_rated", "club")
    list_select_related = ("white", "black")
    search_fields = ("key", "white__name", "black__name")
    date_hierarchy = "created_at"
    ordering = ("-moved_at",)
    exclude = ("salts", "deposits", "cache")


@admin.register(JournalEntry)
class JournalEntryAdmin(_ReadOnly, JournalPages):
    """The lines of all journals; search for a match's key."""

    list_display = ("match", "seq", "at", "by", "who", "fact", "hash")
    list_filter = ("by",)
    list_select_related = ("match",)
    search_fields = ("=match__key",)
    ordering = ("-pk",)
    # Counting a table that only grows takes longer than anybody waits.
    show_full_result_count = False
