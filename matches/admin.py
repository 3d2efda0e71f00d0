"""Read-only admin of matches: only play and directors' rulings change them.

Secrets are hidden here as well: salts, and deposited shares whose roll is not due.
"""

from __future__ import annotations

from django.contrib import admin

from matches.models import Bot, Challenge, ChatLine, JournalEntry, Match, Report, Visitor
from runtime.admin import ReadOnlyAdmin


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
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
class JournalEntryAdmin(ReadOnlyAdmin):
    list_display = ("match", "seq", "at", "by", "who", "fact", "hash")
    list_filter = ("by",)
    list_select_related = ("match",)
    search_fields = ("=match__key",)
    ordering = ("-pk",)
    # COUNT(*) on this append-only table is too slow.
    show_full_result_count = False


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin):
    """Challenges and open seats; players and their expiry close them, not the admin."""

    list_display = ("key", "challenger", "opponent", "club", "is_rated", "status", "created_at", "expires_at")
    list_filter = ("status", "is_rated", "club")
    list_select_related = ("challenger", "opponent", "club")
    search_fields = ("key", "challenger__name", "opponent__name")
    ordering = ("-created_at",)


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin):
    list_display = ("player", "slug", "mind", "is_active")
    list_select_related = ("player",)


@admin.register(Visitor)
class VisitorAdmin(ReadOnlyAdmin):
    """Players without an account."""

    list_display = ("player", "created_at")
    list_select_related = ("player",)
    ordering = ("-created_at",)


@admin.register(ChatLine)
class ChatLineAdmin(ReadOnlyAdmin):
    """Chat lines. Directors hide a line on the page of the match's chat, not here."""

    list_display = ("match", "room", "author", "text", "at", "hidden_at")
    list_filter = ("room", ("hidden_at", admin.EmptyFieldListFilter))
    list_select_related = ("match", "author")
    search_fields = ("=match__key", "author__name", "text")
    ordering = ("-pk",)
    show_full_result_count = False


@admin.register(Report)
class ReportAdmin(ReadOnlyAdmin):
    list_display = ("line", "by", "reason", "at")
    list_select_related = ("line", "by")
    search_fields = ("=line__match__key", "by__name", "reason")
    ordering = ("-at",)
