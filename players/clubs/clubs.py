"""Clubs and their members, and what must be true of them (`manage.py verify`).

A club always keeps an owner: a transaction that removes one locks the club's row first, so that two owners
who leave at once cannot each count on the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.text import slugify

from players import names
from players.errors import (
    AlreadyMember,
    ByInvitationOnly,
    GuestHasNoRole,
    LastOwner,
    NotAGuest,
    NotAllowed,
    NotMember,
)
from players.files import uploads
from players.hooks import player_renamed, time_zone_changed
from players.keys import new_key
from players.models import Club, ClubLogo, Felt, Invitation, Joining, Membership, Player, Role, User
from players.models.clubs import LONGEST_TEXT, NameStyle
from runtime import pictures, stream
from runtime.work import outbox

# Slugs that collide with pages under /clubs/.
RESERVED_SLUGS = frozenset({"new"})
# Pixels: the largest size at which a logo is shown, on high-density screens.
LOGO_SIDE: Final = 512


# Functions that clean the value of a field; other fields need none.
CLEANERS: Final[Mapping[str, Callable[[Any], object]]] = {
    "name": partial(names.clean_name, limit=80),
    "city": partial(names.clean_optional, limit=80),
    "country": partial(names.clean_optional, limit=60),
    "about": partial(names.clean_prose, limit=2000),
    "time_zone": names.clean_time_zone,
    "joining": Joining,
    "felt": Felt,
    "name_style": NameStyle,
    **dict.fromkeys(("house_rules", "terms", "privacy"), partial(names.clean_prose, limit=LONGEST_TEXT)),
}


@transaction.atomic
def create(*, owner: User, name: str, now: datetime, **details: str) -> Club:
    """Create a club with these details and a slug from its name; *owner* becomes its owner.

    :raises InvalidText: a text or the time zone is invalid.
    """
    club = Club(created_at=now, **_clean({"name": name, **details}))
    _save_under_free_slug(club)
    Membership.objects.create(club=club, player=owner.player, role=Role.OWNER, joined_at=now)
    return club


@transaction.atomic
def update(*, club: Club, by: User, now: datetime, **settings: str | bool) -> None:
    """Change the given settings and texts of a club; the slug stays, as printed links contain it.

    An empty *felt* or *name_style* leaves it unchanged; an empty *language* is that of the installation, and an
    empty text means the default, or no house rules.

    :raises NotAllowed: the account lacks the permission.
    :raises InvalidText: a text or the time zone is invalid.
    """
    require_permission(by, "players.edit_club", club)
    was = Club.objects.select_for_update(no_key=True).get(pk=club.pk).time_zone
    cleaned = _clean(settings)
    for field, value in cleaned.items():
        setattr(club, field, value)
    club.save(update_fields=cleaned)
    if cleaned.get("time_zone", was) != was:
        time_zone_changed.send(sender=Club, club=club, was=was, now=now)
    stream.publish(f"club.{club.slug}", "club", {}, now=now)


def _clean(fields: Mapping[str, str | bool]) -> dict[str, Any]:
    return {
        name: CLEANERS[name](value) if name in CLEANERS else value
        for name, value in fields.items()
        if value or name not in {"felt", "name_style"}
    }


def set_logo(*, club: Club, by: User, data: bytes, now: datetime, payers: Collection[str] = ()) -> None:
    """Set a club's logo, which replaces its initials.

    :raises NotAllowed: the account lacks the permission.
    :raises BadPicture: the file is no picture, or too large.
    :raises RetryLater: one of the payers has another file in progress, or has sent too many.
    """
    require_permission(by, "players.edit_club", club)
    paying = [*payers, f"club {club.pk}"]
    with uploads.count_upload(paying, now=now):
        content = pictures.reencode_image(data, kind=pictures.Kind.PNG, side=LOGO_SIDE, payers=paying)
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        ClubLogo.objects.update_or_create(club=club, defaults={"content": content, "changed_at": now})
        _save_logo(club, sha256(content).hexdigest(), now=now)


@transaction.atomic
def remove_logo(*, club: Club, by: User, now: datetime) -> None:
    """Remove a club's logo; its initials are shown again.

    :raises NotAllowed: the account lacks the permission.
    """
    require_permission(by, "players.edit_club", club)
    Club.objects.select_for_update().get(pk=club.pk)
    ClubLogo.objects.filter(club=club).delete()
    _save_logo(club, "", now=now)


def _save_logo(club: Club, logo_hash: str, *, now: datetime) -> None:
    club.logo_hash = logo_hash
    club.save(update_fields=["logo_hash"])
    stream.publish(f"club.{club.slug}", "club", {}, now=now)


@transaction.atomic
def join(*, club: Club, player: Player, now: datetime) -> Membership:
    """Become a member of an open club.

    :raises ByInvitationOnly: the club is not open.
    :raises AlreadyMember: the player is a member.
    """
    if club.joining != Joining.OPEN:
        raise ByInvitationOnly
    return admit(club=club, player=player, role=Role.MEMBER, now=now)


def admit(*, club: Club, player: Player, role: Role, now: datetime) -> Membership:
    """Make a player a member. The caller has checked the permission.

    :raises AlreadyMember: the player is a member.
    """
    try:
        with transaction.atomic():
            membership = Membership.objects.create(club=club, player=player, role=role, joined_at=now)
    except IntegrityError:
        raise AlreadyMember from None
    outbox.put(
        "players.joined",
        {"membership_id": membership.pk},
        dedupe_key=f"players.joined:{membership.pk}",
        now=now,
    )
    announce_change([club.slug], now=now)
    return membership


@transaction.atomic
def leave(*, club: Club, player: Player, now: datetime) -> None:
    """End one's own membership.

    :raises NotMember: there is none.
    :raises LastOwner: the club would have no owner.
    """
    membership = lock_membership(club, player)
    _end_membership(membership, now=now)


@transaction.atomic
def remove(*, club: Club, player: Player, by: User, now: datetime) -> None:
    """End another player's membership; their results stay.

    :raises NotAllowed: the account lacks the permission; for owners and directors it must be an owner's.
    :raises NotMember: the player is not a member.
    :raises LastOwner: the club would have no owner.
    """
    membership = lock_membership(club, player)
    is_plain = membership.role == Role.MEMBER
    require_permission(by, "players.manage_members" if is_plain else "players.set_roles", club)
    _end_membership(membership, now=now)
    if player.user_id:
        outbox.put(
            "players.removed",
            {"club_id": club.pk, "user_id": player.user_id, "membership_id": membership.pk},
            dedupe_key=f"players.removed:{membership.pk}",
            now=now,
        )


@transaction.atomic
def set_role(*, club: Club, player: Player, role: Role, by: User, now: datetime) -> None:
    """Change a member's role; setting the current one changes nothing.

    :raises NotAllowed: the account lacks the permission.
    :raises NotMember: the player is not a member.
    :raises GuestHasNoRole: the player has no account.
    :raises LastOwner: the club would have no owner.
    """
    membership = lock_membership(club, player)
    require_permission(by, "players.set_roles", club)
    if membership.role == role:
        return
    if player.user is None:
        raise GuestHasNoRole
    if membership.role == Role.OWNER:
        _require_other_owner(membership)
    membership.role = role
    membership.save(update_fields=["role"])
    # Invitations end with the role in which the account made them; an owner has the rights of all roles.
    if role != Role.OWNER:
        withdraw_invitations(by=player.user, club=club, now=now)
    outbox.put(
        "players.role_changed",
        {"membership_id": membership.pk, "role": role.value, "at": now.isoformat()},
        dedupe_key=f"players.role_changed:{membership.pk}:{role.value}:{now.isoformat()}",
        now=now,
    )
    announce_change([club.slug], now=now)


@transaction.atomic
def add_guest(*, club: Club, name: str, by: User, now: datetime) -> Player:
    """Add a guest, a player without an account; a claim link can transfer the history later.

    :raises NotAllowed: the account lacks the permission.
    :raises InvalidText: the name is invalid.
    """
    guest = Player(name=name)
    add_guests(club=club, guests=[guest], by=by, now=now)
    return guest


def add_guests(*, club: Club, guests: Sequence[Player], by: User, now: datetime) -> None:
    """Add several guests, given as unsaved players, with one notification of the club.

    :raises NotAllowed: the account lacks the permission.
    :raises InvalidText: a name is invalid.
    """
    require_permission(by, "players.add_guest", club)
    for guest in guests:
        guest.name, guest.created_at = names.clean_name(guest.name, limit=80), now
    # No savepoint: nothing below is refused.
    with transaction.atomic(savepoint=False):
        Player.objects.bulk_create(guests)
        Membership.objects.bulk_create(
            Membership(club=club, player=guest, role=Role.MEMBER, joined_at=now) for guest in guests
        )
        announce_change([club.slug], now=now)


@transaction.atomic
def rename_guest(*, club: Club, player: Player, name: str, by: User, now: datetime) -> Player:
    """Correct the name of a guest.

    :raises NotAllowed: the account lacks the permission.
    :raises NotMember: the player is not a member of the club.
    :raises NotAGuest: the player has an account, or is erased.
    :raises InvalidText: the name is invalid.
    """
    require_permission(by, "players.rename_guest", club)
    guest = NotMember.raise_if_none(Player.objects.filter(pk=player.pk, memberships__club=club).first())
    if guest.user_id is not None or guest.erased_at is not None:
        raise NotAGuest
    guest.name = names.clean_name(name, limit=80)
    guest.save(update_fields=["name"])
    player_renamed.send(sender=Player, player=guest, now=now)
    announce_change(Club.objects.filter(memberships__player=guest).values_list("slug", flat=True), now=now)
    return guest


def require_permission(user: User, perm: str, club: Club) -> None:
    """Require a permission.

    :raises NotAllowed: the account lacks it.
    """
    if not user.has_perm(perm, club):
        raise NotAllowed(perm=perm)


def lock_clubs(clubs: QuerySet[Club]) -> QuerySet[Club]:
    """Return the clubs as a queryset that locks them, in the order of their primary keys."""
    return clubs.order_by("pk").select_for_update(of=("self",), no_key=True)


def announce_change(slugs: Iterable[str], *, now: datetime) -> None:
    """Publish on the clubs' topics that members changed, in the order of the slugs to prevent deadlocks."""
    for slug in sorted(slugs):
        stream.publish(f"club.{slug}", "members", {}, now=now)


def withdraw_invitations(*, by: User, now: datetime, club: Club | None = None) -> None:
    links = Invitation.objects.filter(created_by=by, revoked_at__isnull=True, uses_left__gt=0)
    (links if club is None else links.filter(club=club)).update(revoked_at=now)


def end_claim_links(*, guest: Player, now: datetime, club: Club | None = None) -> None:
    links = Invitation.objects.filter(guest=guest, revoked_at__isnull=True, uses_left__gt=0)
    (links if club is None else links.filter(club=club)).update(revoked_at=now)


def lock_membership(club: Club, player: Player) -> Membership:
    """Load a membership under its club's lock.

    :raises NotMember: there is none.
    """
    lock_clubs(Club.objects.filter(pk=club.pk)).get()
    return NotMember.raise_if_none(Membership.objects.filter(club=club, player=player).first())


def _end_membership(membership: Membership, *, now: datetime) -> None:
    if membership.role == Role.OWNER:
        _require_other_owner(membership)
    if membership.player.user is not None:
        withdraw_invitations(by=membership.player.user, club=membership.club, now=now)
    else:
        end_claim_links(guest=membership.player, club=membership.club, now=now)
    Membership.objects.filter(pk=membership.pk).delete()
    announce_change([membership.club.slug], now=now)


def _require_other_owner(membership: Membership) -> None:
    owners = Membership.objects.filter(club=membership.club_id, role=Role.OWNER)
    if not owners.exclude(pk=membership.pk).exists():
        raise LastOwner


def _save_under_free_slug(club: Club) -> None:
    """Save the club with the first free slug of its name; the unique constraint decides which are taken."""
    # Names in other scripts give an empty slug.
    stem = slugify(club.name)[:50].strip("-") or f"club-{new_key()}"
    for number in range(1, 100):
        slug = stem if number == 1 else f"{stem}-{number}"
        if slug in RESERVED_SLUGS:
            continue
        try:
            with transaction.atomic():
                club.slug = slug
                club.save(force_insert=True)
        except IntegrityError:
            continue
        return
    club.slug = f"{stem[:48]}-{new_key()}"
    club.save(force_insert=True)


def check_people() -> Iterator[str]:
    """Check that every account has a player, and merged players a current one and no membership."""
    for email in User.objects.filter(player__isnull=True).values_list("email", flat=True):
        yield f"account {email} has no player"
    for key in Player.objects.filter(merged_into__merged_into__isnull=False).values_list("key", flat=True):
        yield f"player {key} was merged into one that was merged itself"
    for key in Player.objects.filter(merged_into__isnull=False, memberships__isnull=False).values_list(
        "key", flat=True
    ):
        yield f"player {key} was merged and still belongs to a club"


def check_clubs() -> Iterator[str]:
    """Check that a club with accounts as members has an owner, and that guests have no role."""
    owned = Membership.objects.filter(role=Role.OWNER).values("club")
    peopled = Membership.objects.filter(player__user__isnull=False).values("club")
    for slug in Club.objects.filter(pk__in=peopled).exclude(pk__in=owned).values_list("slug", flat=True):
        yield f"club {slug} has members and no owner"
    for key in Membership.objects.filter(~Q(role=Role.MEMBER), player__user__isnull=True).values_list(
        "player__key", flat=True
    ):
        yield f"player {key} has a role and no account"


def check_invitations() -> Iterator[str]:
    """Check that no open invitation transfers a guest who was merged or claimed."""
    handed = Invitation.objects.filter(guest__isnull=False, revoked_at__isnull=True, uses_left__gt=0)
    gone = handed.filter(Q(guest__merged_into__isnull=False) | Q(guest__user__isnull=False))
    for pk in gone.values_list("pk", flat=True):
        yield f"invitation {pk} hands over a guest who is gone"
