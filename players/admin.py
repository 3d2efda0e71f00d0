"""The back office (Django admin): all rows are readable, facts cannot be edited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.account.models import EmailAddress
from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm, UserChangeForm
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.accounts import accounts
from players.clubs import clubs
from players.errors import PlayersError
from players.hooks import player_renamed, time_zone_changed
from players.models import (
    ApiToken,
    Club,
    Export,
    FirstDirector,
    Invitation,
    Membership,
    Notice,
    Player,
    Role,
    User,
    Webhook,
)
from runtime.admin import ReadOnlyAdmin
from runtime.refusals import build_form_error

if TYPE_CHECKING:
    # Django's classes are generic for the type checker only.
    MembershipTable = admin.TabularInline[Membership, Club]
    CreationForm = AdminUserCreationForm[User]
    ChangeForm = UserChangeForm[User]
    AccountBase = UserAdmin[User]
    PlayerBase = admin.ModelAdmin[Player]
    ClubBase = admin.ModelAdmin[Club]
else:
    MembershipTable, AccountBase = admin.TabularInline, UserAdmin
    CreationForm, ChangeForm = AdminUserCreationForm, UserChangeForm
    PlayerBase = ClubBase = admin.ModelAdmin


class MembershipInline(MembershipTable):
    """A club's members, on its page: a way to give a club without owner a new one."""

    model = Membership
    extra = 0
    autocomplete_fields = ("player",)
    readonly_fields = ("joined_at",)
    verbose_name_plural = _("members")

    def has_add_permission(self, request: HttpRequest, obj: Club | None = None) -> bool:
        """False: members are added by services only."""
        return False


class AccountCreationForm(CreationForm):
    class Meta:
        model = User
        fields = ("email",)


class CleanedForm(forms.ModelForm):  # type: ignore[type-arg]  # generic for the type checker only
    """A form whose values are cleaned as the site's services do, by the name of the field."""

    cleaners: ClassVar[Mapping[str, Callable[[Any], object]]]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in cleaned.keys() & self.cleaners.keys():
            try:
                cleaned[name] = self.cleaners[name](cleaned[name])
            except PlayersError as error:
                self.add_error(name, build_form_error(error))
        return cleaned


class AccountChangeForm(CleanedForm, ChangeForm):
    cleaners = accounts.CLEANERS

    class Meta(UserChangeForm.Meta):
        model = User


class PlayerForm(CleanedForm):
    cleaners = accounts.CLEANERS


class ClubChangeForm(CleanedForm):
    cleaners = clubs.CLEANERS


@admin.register(User)
class AccountAdmin(AccountBase):
    """Accounts: help with signing in, and access to the back office."""

    form = AccountChangeForm
    add_form = AccountCreationForm
    ordering = ("email",)
    list_display = ("email", "player_name", "is_active", "is_staff", "joined_at", "last_login")
    list_filter = ("is_active", "is_staff", "is_superuser", "language", "joined_at")
    list_select_related = ("player",)
    search_fields = ("email", "player__name", "player__alias")
    readonly_fields = ("joined_at", "last_login")
    filter_horizontal = ("groups", "user_permissions")
    fieldsets = (
        (None, {"fields": ("email", "password")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        (_("Settings"), {"fields": ("language", "time_zone", "theme", "high_contrast", "mails_notices")}),
        (_("Facts"), {"fields": ("joined_at", "last_login")}),
    )
    add_fieldsets = (
        (None, {"classes": ("wide",), "fields": ("email", "usable_password", "password1", "password2")}),
    )

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the account; a new one gets its player, and the invitations of an inactive one end.

        After a change of its address, former ones no longer sign in or get a new password.
        """
        obj.email = obj.email.lower()
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            if "email" in form.changed_data:
                EmailAddress.objects.filter(user=obj).exclude(email=obj.email).delete()
            if not obj.is_active:
                clubs.withdraw_invitations(by=obj, now=timezone.now())
            if not change:
                Player.objects.create(user=obj, name=obj.email.partition("@")[0])

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """False: an account is erased by its owner, which keeps results; here it can be made inactive."""
        return False

    @admin.display(description=_("player"), ordering="player__name")
    def player_name(self, obj: User) -> str:
        return obj.player.name


@admin.register(Player)
class PlayerAdmin(PlayerBase):
    """Players, including merged duplicates."""

    form = PlayerForm
    list_display = ("name", "alias", "key", "user", "merged_into", "erased_at", "created_at")
    list_filter = (
        ("user", admin.EmptyFieldListFilter),
        ("merged_into", admin.EmptyFieldListFilter),
        ("erased_at", admin.EmptyFieldListFilter),
        "hidden_from_search",
    )
    list_select_related = ("user", "merged_into")
    search_fields = ("name", "alias", "key", "user__email")
    fields = (
        "key",
        "user",
        "name",
        "alias",
        "shown_as",
        "hidden_from_search",
        "merged_into",
        "erased_at",
        "created_at",
    )
    readonly_fields = ("key", "user", "merged_into", "erased_at", "created_at")

    def save_model(self, request: HttpRequest, obj: Player, form: Any, change: bool) -> None:
        """Save the player, and send the signal of a changed name, even if it is the same."""
        now = timezone.now()
        with transaction.atomic():
            super().save_model(request, obj, form, change)
            player_renamed.send(sender=Player, player=obj, now=now)
            clubs.announce_change(
                Club.objects.filter(memberships__player=obj).values_list("slug", flat=True), now=now
            )

    def has_add_permission(self, request: HttpRequest) -> bool:
        """False: a player is created with an account or as a club's guest."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """False: results refer to players."""
        return False


@admin.register(Club)
class ClubAdmin(ClubBase):
    form = ClubChangeForm
    list_display = ("name", "city", "country", "joining", "created_at")
    list_filter = ("joining", "country", "created_at")
    search_fields = ("name", "slug", "city")
    readonly_fields = ("created_at",)
    inlines = (MembershipInline,)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the members, end the invitations of lost roles, and notify pages of the club and of a new time zone."""
        with transaction.atomic():
            club = clubs.lock_clubs(Club.objects.filter(pk=form.instance.pk)).get()
            rows = Membership.objects.filter(club=club, player__user__isnull=False)
            before = dict(rows.values_list("player__user", "role"))
            super().save_related(request, form, formsets, change)
            now = timezone.now()
            after = dict(rows.values_list("player__user", "role"))
            # As on the site: invitations end with the role in which the account made them.
            lost = [pk for pk, role in before.items() if after.get(pk) not in {role, Role.OWNER}]
            for user in User.objects.filter(pk__in=lost):
                clubs.withdraw_invitations(by=user, club=club, now=now)
            if "time_zone" in form.changed_data:
                was = form.initial["time_zone"]
                time_zone_changed.send(sender=Club, club=form.instance, was=was, now=now)
            clubs.announce_change([form.instance.slug], now=now)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """False: a club is created on the site, by its owner."""
        return False


@admin.register(Membership)
class MembershipAdmin(ReadOnlyAdmin):
    list_display = ("player", "club", "role", "joined_at")
    list_filter = ("role", "joined_at")
    list_select_related = ("player", "club")
    search_fields = ("player__name", "player__alias", "player__user__email", "club__name")


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    """Invitations without their digests; directors create and withdraw them on the site."""

    list_display = (
        "club",
        "role",
        "guest",
        "note",
        "created_by",
        "uses",
        "uses_left",
        "expires_at",
        "revoked_at",
    )
    list_filter = ("role", ("revoked_at", admin.EmptyFieldListFilter), "created_at")
    list_select_related = ("club", "guest", "created_by")
    search_fields = ("club__name", "note", "guest__name", "created_by__email")
    exclude = ("token_hash",)


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    list_display = ("text", "user", "created_at", "read_at")
    list_filter = (("read_at", admin.EmptyFieldListFilter), "created_at")
    list_select_related = ("user",)
    search_fields = ("text", "user__email")


@admin.register(Export)
class ExportAdmin(ReadOnlyAdmin):
    """Data exports without their contents."""

    list_display = ("user", "asked_at", "ready_at")
    list_filter = (("ready_at", admin.EmptyFieldListFilter),)
    list_select_related = ("user",)
    search_fields = ("user__email",)
    exclude = ("content",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Model]:
        return super().get_queryset(request).defer("content")


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """API tokens without their digests; their owners create and revoke them."""

    list_display = ("name", "user", "scope", "created_at", "last_used_at", "expires_at")
    list_filter = ("scope", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("name", "user__email")
    exclude = ("token_hash",)


@admin.register(FirstDirector)
class FirstDirectorAdmin(ReadOnlyAdmin):
    list_display = ("user", "entered_at")


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    """Webhooks and the result of their last call, without their secrets."""

    list_display = ("url", "club", "called_at", "last_error", "failing_since", "stopped_at")
    list_filter = ("club",)
    list_select_related = ("club",)
    exclude = ("secret",)
