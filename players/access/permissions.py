"""Permissions in clubs; only this module decides them.

Other modules call `user.has_perm("players.add_guest", club)`, or for all permissions at once
`user.get_all_permissions(club)`; Django passes the call to `ClubRoles` below. The object is a club or
anything that belongs to one (`event.club`). A superuser may do everything.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from players.access import context
from players.access.requests import require_post_or_redirect
from players.models import Club, Role, User

View = Callable[..., HttpResponseBase]

OWNERS = frozenset({Role.OWNER})
DIRECTORS = OWNERS | {Role.DIRECTOR}
MEMBERS = DIRECTORS | {Role.MEMBER}

ROLE: Final = """SELECT role FROM players_membership JOIN players_player ON players_player.id = player_id
    WHERE club_id = %s AND user_id = %s"""

# A permission that is missing here is denied.
RULES: dict[str, frozenset[Role]] = {
    "players.see_members": MEMBERS,
    "players.see_member_emails": DIRECTORS,
    "players.find_hidden": DIRECTORS,
    "players.add_guest": DIRECTORS,
    "players.rename_guest": DIRECTORS,
    "players.merge_players": DIRECTORS,
    "players.manage_members": DIRECTORS,
    "players.invite": DIRECTORS,
    "players.manage_webhooks": DIRECTORS,
    "players.set_roles": OWNERS,
    "players.edit_club": OWNERS,
    "tournaments.direct": DIRECTORS,
    "matches.adjudicate": DIRECTORS,
    "records.hand_in": MEMBERS,
    "opinion.see_evidence": DIRECTORS,
}


class ClubRoles(BaseBackend):
    """Permissions by the user's role in the club, as a Django backend that does not authenticate."""

    def has_perm(self, user_obj: User | AnonymousUser, perm: str, obj: Model | None = None) -> bool:
        roles = RULES.get(perm)
        return roles is not None and find_role(user_obj, obj) in roles

    def get_all_permissions(self, user_obj: User | AnonymousUser, obj: Model | None = None) -> set[str]:
        """Return all permissions of the account in the object's club, in one query."""
        if obj is not None and user_obj.is_active and user_obj.is_superuser and find_club(obj):
            return set(RULES)
        role = find_role(user_obj, obj)
        return {perm for perm, roles in RULES.items() if role in roles}


def find_role(user: User | AnonymousUser, obj: Model | None) -> Role | None:
    """Return the account's role in the object's club, not cached, since roles can change at any time."""
    club = find_club(obj)
    if club is None or not user.is_active or not isinstance(user, User):
        return None
    # Raw SQL, as this runs with every act and page: compiling the query took longer than all the rest.
    with connection.cursor() as cursor:
        cursor.execute(ROLE, [club.rehearses_id or club.pk, user.pk])
        found = cursor.fetchone()
    role = Role(found[0]) if found else None
    # A rehearsal is for directors only.
    return role if club.rehearses_id is None or role in DIRECTORS else None


def find_club(obj: Model | None) -> Club | None:
    if isinstance(obj, Club):
        return obj
    club = getattr(obj, "club", None)
    return club if isinstance(club, Club) else None


def may_know(user: User | AnonymousUser, obj: Model | None) -> bool:
    """True unless the object belongs to a rehearsal, which only its club's directors may know of."""
    club = find_club(obj)
    return club is None or club.rehearses_id is None or user.has_perm("tournaments.direct", club)


def get_any_club(slug: str) -> Club:
    """Return the club with this slug, including rehearsal clubs, or raise Http404."""
    return get_object_or_404(Club.every, slug=slug)


def get_club(slug: str) -> Club:
    return get_object_or_404(Club, slug=slug)


def list_clubs_where(user: User | AnonymousUser, perm: str) -> QuerySet[Club]:
    if not isinstance(user, User) or not user.is_active:
        return Club.objects.none()
    if user.is_superuser:
        return Club.objects.all()
    return Club.objects.filter(memberships__player__user=user, memberships__role__in=RULES[perm])


def require_permission(
    perm: str,
    *methods: str,
    form: str = "",
    find: Callable[[str], Model] = get_club,
    arg: str = "slug",
    hides: Callable[[Model], bool] = lambda _: False,
) -> Callable[[View], View]:
    """Require a permission for a view, and one of these HTTP methods if any are given.

    *form* is the page with the form of a view that is only posted to (`require_post_or_redirect`). The view gets the
    object that *find* returns in place of the URL's *arg*. Visitors are redirected to sign in and back; others get
    403, or 404 if *hides* says that they may not know of the object.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, **kwargs: object) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path())
            target = find(str(kwargs.pop(arg)))
            if not request.user.has_perm(perm, target):
                if hides(target) or not may_know(request.user, target):
                    raise Http404
                raise PermissionDenied(gettext("You may not do that in this club."))
            if club := find_club(target):
                context.set_club(request, club)
            return view(request, target, **kwargs)

        if form:
            return require_post_or_redirect(form)(guarded)
        return require_http_methods(methods)(guarded) if methods else guarded

    return decorate
