"""Handlers of the players package for the outbox, signals and sweeps."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from allauth.account.signals import password_changed, password_set
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.contrib.sessions.models import Session
from django.db.models.signals import post_delete, post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.access import listeners
from players.accounts import devices, exports
from players.accounts.tokens import TOKEN_CREATED
from players.clubs import clubs, webhooks
from players.clubs.club_pages import find_home_club, list_directors
from players.models import ApiToken, Club, Invitation, Membership, Notice, Player, Role, User
from players.notices import emails, notices
from players.notices.emails import Email, Link
from players.notices.kinds import KINDS, NoticeKind, Reader
from runtime import hooks as runtime_hooks
from runtime import stream
from runtime.stream import rights
from runtime.work import outbox, sweeps

MEMBER_JOINED = NoticeKind(
    name="member_joined",
    reader=Reader.DIRECTOR,
    when=gettext_lazy("A player joins your club."),
    text=gettext_lazy("{player} has joined {club}."),
)
GUEST_CLAIMED = NoticeKind(
    name="guest_claimed",
    reader=Reader.DIRECTOR,
    when=gettext_lazy("A guest of your club now has an account."),
    text=gettext_lazy("{player} has taken over the guest {guest} and its history."),
)
GUEST_MERGED = NoticeKind(
    name="guest_merged",
    reader=Reader.ACCOUNT,
    when=gettext_lazy("A director adds the matches of a guest to your account."),
    text=gettext_lazy("The matches of the guest {guest} are yours now."),
)
GUEST_UNMERGED = NoticeKind(
    name="guest_unmerged",
    reader=Reader.ACCOUNT,
    when=gettext_lazy("A director takes the matches of a guest from your account again."),
    text=gettext_lazy("The matches of the guest {guest} are no longer yours."),
)
ROLE_CHANGED = NoticeKind(
    name="role_changed",
    reader=Reader.ACCOUNT,
    when=gettext_lazy("Your role in a club changes."),
    text={
        Role.OWNER: gettext_lazy("You are now an owner of {club}."),
        Role.DIRECTOR: gettext_lazy("You are now a director of {club}."),
        Role.MEMBER: gettext_lazy("You are now a member of {club} without a special role."),
    },
)
MEMBER_REMOVED = NoticeKind(
    name="member_removed",
    reader=Reader.ACCOUNT,
    when=gettext_lazy("You are removed from a club."),
    text=gettext_lazy("You are no longer a member of {club}."),
)


def notify_of_new_member(payload: dict[str, Any], *, now: datetime) -> None:
    membership = (
        Membership.objects.select_related("club", "player").filter(pk=payload["membership_id"]).first()
    )
    if membership is None:
        return
    for director in list_directors(membership.club).exclude(player=membership.player):
        notices.send(
            MEMBER_JOINED,
            user=director,
            values={"player": membership.player.name, "club": membership.club.name},
            url=reverse("players:members", args=[membership.club.slug]),
            dedupe_key=f"joined:{membership.pk}",
            now=now,
        )


def notify_of_claim(payload: dict[str, Any], *, now: datetime) -> None:
    invitation = Invitation.objects.select_related("club").filter(pk=payload["invitation_id"]).first()
    player = Player.objects.filter(pk=payload["player_id"]).first()
    if invitation is None or player is None:
        return
    for director in list_directors(invitation.club).exclude(player=player):
        notices.send(
            GUEST_CLAIMED,
            user=director,
            values={"player": player.name or player.public_name, "guest": payload["guest_name"]},
            url=player.get_absolute_url(),
            dedupe_key=f"claimed:{invitation.pk}",
            now=now,
        )


def notify_of_merge(payload: dict[str, Any], *, kind: NoticeKind, what: str, now: datetime) -> None:
    player = Player.objects.select_related("user").filter(pk=payload["player_id"]).first()
    if player is None or player.user is None or player.user_id == payload["by_id"]:
        return
    notices.send(
        kind,
        user=player.user,
        values={"guest": payload["guest_name"]},
        url=player.get_absolute_url(),
        dedupe_key=f"{what}:{payload['merge_id']}",
        now=now,
    )


def notify_of_role(payload: dict[str, Any], *, now: datetime) -> None:
    """Notify a member of a new role, unless it has changed again since."""
    membership = (
        Membership.objects.select_related("club", "player__user")
        .filter(pk=payload["membership_id"], role=payload["role"])
        .first()
    )
    if membership is None or membership.player.user is None:
        return
    notices.send(
        ROLE_CHANGED,
        user=membership.player.user,
        variant=membership.role,
        values={"club": membership.club.name},
        url=membership.club.get_absolute_url(),
        dedupe_key=f"role:{membership.pk}:{membership.role}:{payload['at']}",
        now=now,
    )


def notify_of_removal(payload: dict[str, Any], *, now: datetime) -> None:
    user = User.objects.filter(pk=payload["user_id"]).first()
    club = Club.objects.filter(pk=payload["club_id"]).first()
    if user is None or club is None:
        return
    notices.send(
        MEMBER_REMOVED,
        user=user,
        values={"club": club.name},
        url=club.get_absolute_url(),
        dedupe_key=f"removed:{payload['membership_id']}",
        now=now,
    )


def mail_notice(payload: dict[str, Any], *, now: datetime) -> None:
    """Send an unread notice by e-mail, if the account is active and wants that."""
    notice = (
        Notice.objects.select_related("user__player")
        .filter(pk=payload["notice_id"], read_at__isnull=True)
        .first()
    )
    if notice is None or not (notice.user.is_active and notice.user.mails_notices):
        return
    user, stop = notice.user, notices.build_unsubscribe_url(notice.user)
    headers = {"List-Unsubscribe": f"<{stop}>"}
    if settings.IS_PUBLIC:
        # RFC 8058, 3.1: one click needs https.
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    with translation.override(user.written_language):
        message = Email(
            subject=notice.text,
            paragraphs=(notice.text,),
            name=user.player.name,
            button=Link(_("View"), settings.PUBLIC_URL + notice.url) if notice.url else None,
            club=find_home_club(user),
            why=_("You are getting this because notices by e-mail are switched on."),
            stop=Link(_("Stop notices by e-mail"), stop),
            headers=headers,
        )
        emails.queue_email(message, to=user.email, dedupe_key=f"notice-mail:{notice.pk}", now=now)


# The fields that an account's rights depend on.
RIGHTS = frozenset({"password", "is_active", "is_superuser"})


@receiver((user_logged_in, password_changed, password_set), dispatch_uid="players.device_used")
def remember_device(*, request: HttpRequest, user: User, **_signal: object) -> None:
    """Add the account to the device's cookie after signing in or changing the password."""
    request.META[devices.NEW] = user


@receiver(user_logged_in, dispatch_uid="players.signed_in")
def note_sign_in_language(*, request: HttpRequest, user: User, **_signal: object) -> None:
    language = getattr(request, "LANGUAGE_CODE", "")
    if language and language != user.sign_in_language:
        user.sign_in_language = language
        user.save(update_fields=["sign_in_language"])


@receiver(post_delete, sender=Session, dispatch_uid="players.session_ended")
def end_session_streams(*, instance: Session, **_signal: object) -> None:
    """End the streams of a session on sign-out, in all tabs of that browser."""
    listeners.recheck_readers([rights.build_session_name(instance.session_key)])


@receiver(post_delete, sender=ApiToken, dispatch_uid="players.token_revoked")
def end_token_streams(*, instance: ApiToken, **_signal: object) -> None:
    listeners.recheck_readers([f"{rights.KEY}{instance.pk}"])


@receiver(post_save, sender=User, dispatch_uid="players.account_changed")
@receiver(post_delete, sender=User, dispatch_uid="players.account_gone")
def recheck_account_streams(
    *, instance: User, created: bool = False, update_fields: Collection[str] | None = None, **_signal: object
) -> None:
    """Check the streams of an account again after its password or rights changed, or it was erased."""
    if not created and (update_fields is None or not RIGHTS.isdisjoint(update_fields)):
        listeners.recheck_readers([listeners.build_user_name(instance.pk)])


@receiver(post_save, sender=Membership, dispatch_uid="players.role_changed")
@receiver(post_delete, sender=Membership, dispatch_uid="players.membership_ended")
def recheck_member_streams(*, instance: Membership, created: bool = False, **_signal: object) -> None:
    """Check the streams of an account again after its role changed or its membership ended."""
    if created:
        return
    user_id = Player.objects.filter(pk=instance.player_id).values_list("user_id", flat=True).first()
    if user_id is not None:
        listeners.recheck_readers([listeners.build_user_name(user_id)])


rights.IDENTIFIER.provide(listeners.identify_bearers)
stream.register_rule("user", listeners.allow_own_topics)
stream.register_rule("club", listeners.allow_public_topics)
outbox.register("players.joined", notify_of_new_member)
outbox.register("players.claimed", notify_of_claim)
outbox.register("players.merged", partial(notify_of_merge, kind=GUEST_MERGED, what="merged"))
outbox.register("players.unmerged", partial(notify_of_merge, kind=GUEST_UNMERGED, what="unmerged"))
outbox.register("players.role_changed", notify_of_role)
outbox.register("players.removed", notify_of_removal)
outbox.register("players.notice_mail", mail_notice)
outbox.register("players.fill_export", exports.write_export)
outbox.register(webhooks.KIND, webhooks.deliver, goes_out=True)
sweeps.register("players.forget_exports", timedelta(hours=1), exports.delete_expired, due=exports.query_due)
runtime_hooks.VERIFIERS.add("people", clubs.check_people)
runtime_hooks.VERIFIERS.add("clubs", clubs.check_clubs)
runtime_hooks.VERIFIERS.add("invitations", clubs.check_invitations)
KINDS.add(
    "players",
    (
        TOKEN_CREATED,
        ROLE_CHANGED,
        MEMBER_REMOVED,
        GUEST_MERGED,
        GUEST_UNMERGED,
        MEMBER_JOINED,
        GUEST_CLAIMED,
    ),
)
