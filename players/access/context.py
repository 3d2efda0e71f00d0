"""The viewer for every template: `{{ viewer }}`, evaluated lazily."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.functional import SimpleLazyObject
from django.utils.translation.trans_real import parse_accept_lang_header

from players.models import Club, Membership, Notice, Player, Theme, User
from runtime import database_errors

THEME_COOKIE = "theme"
CONTRAST_COOKIE = "contrast"
# In the session: the club last visited. In the request: the club of this page.
LAST_CLUB = "club"
HERE = "players.club"
# In the request: the rehearsal club, on a page of a rehearsal.
REHEARSED = "players.rehearsed"
# In the request: this page is cached for all visitors (players/access/public_pages.py).
SHARED = "players.shared"
# Placeholder for the reader's CSRF token in such a page; no input can contain it.
SECRET = "\x00secret\x00"  # noqa: S105 - a placeholder, not a password
# Rating lists belong to a package above; they are queried by the name of the relation.
_HAS_RANKINGS = Q(rating_lists__isnull=False) | Q(seasons__isnull=False)


@dataclass(frozen=True, slots=True)
class ClubLink:
    """A club in a menu; `role` is "" for visitors."""

    name: str
    slug: str
    url: str
    role: str
    # True if the club has a rating list or season.
    has_rankings: bool = False


@dataclass(frozen=True, slots=True)
class Viewer:
    is_signed_in: bool = False
    name: str = ""
    email: str = ""
    player_key: str = ""
    theme: str = Theme.AUTO
    high_contrast: bool = False
    is_staff: bool = False
    # The stream topic of this account.
    topic: str = ""
    unread: int = 0
    clubs: tuple[ClubLink, ...] = ()
    club: ClubLink | None = None
    # The primary key of the rehearsal club, on a page of a rehearsal.
    rehearsed: int = 0


def viewer(request: HttpRequest) -> dict[str, object]:
    """Add the viewer (a context processor); shared pages get a placeholder for the CSRF token."""
    seen: dict[str, object] = {"viewer": SimpleLazyObject(lambda: load_viewer(request))}
    return {**seen, "csrf_token": SECRET} if SHARED in request.META else seen


def load_viewer(request: HttpRequest) -> Viewer:
    """Load the viewer: with three small queries for an account, none for a visitor.

    A page of a club of which the viewer is no member takes one more.
    """
    user = getattr(request, "user", None)
    if isinstance(user, User):
        return _load_account_viewer(request, user)
    theme = request.COOKIES.get(THEME_COOKIE, "")
    return Viewer(
        theme=theme if theme in Theme.values else Theme.AUTO,
        high_contrast=request.COOKIES.get(CONTRAST_COOKIE) == "1",
        club=_find_visited_club(request, ()),
    )


def set_club(request: HttpRequest, club: Club) -> None:
    """Set the club of this page for menus, and its time zone unless the account has one."""
    if club.rehearses is not None:
        request.META[REHEARSED] = club.pk
        club = club.rehearses
    request.META[HERE] = club
    user = request.user
    if not user.is_authenticated:
        timezone.activate(ZoneInfo(club.time_zone))
        return
    if not user.time_zone:
        timezone.activate(ZoneInfo(club.time_zone))
    note = {"name": club.name, "slug": club.slug, "time_zone": club.time_zone}
    # Any assignment saves the session, so only a change is assigned; on a full disk pages stay readable.
    if request.session.get(LAST_CLUB) != note and not database_errors.is_disk_full():
        request.session[LAST_CLUB] = note


def get_last_time_zone(request: HttpRequest) -> str:
    """Return the time zone of the club that the account last visited, or ""."""
    note = request.session.get(LAST_CLUB)
    return str(note["time_zone"]) if note else ""


def _load_account_viewer(request: HttpRequest, user: User) -> Viewer:
    players = Player.objects.filter(user=user).order_by("pk")
    name, key = players.values_list("name", "key").first() or (user.email, "")
    rows = Membership.objects.filter(player__user=user).order_by("club__folded_name", "pk")
    rows = rows.annotate(has_rankings=Exists(_query_ranked(OuterRef("club"))))
    clubs = tuple(
        ClubLink(name, slug, reverse("players:club", args=[slug]), role, bool(has_rankings))
        for name, slug, role, has_rankings in rows.values_list(
            "club__name", "club__slug", "role", "has_rankings"
        )
    )
    return Viewer(
        is_signed_in=True,
        name=name,
        email=user.email,
        player_key=key,
        theme=user.theme,
        high_contrast=user.high_contrast,
        is_staff=user.is_staff,
        topic=f"user.{user.pk}",
        unread=Notice.objects.filter(user=user, read_at__isnull=True).count(),
        clubs=clubs,
        club=_find_visited_club(request, clubs),
        rehearsed=request.META.get(REHEARSED, 0),
    )


def _find_visited_club(request: HttpRequest, clubs: tuple[ClubLink, ...]) -> ClubLink | None:
    """Return the club of this page, or else the one last visited, or else the viewer's first."""
    own = {club.slug: club for club in clubs}
    here = request.META.get(HERE)
    if isinstance(here, Club):
        if here.slug in own:
            return own[here.slug]
        has_rankings = _query_ranked(here.pk).exists()
        return ClubLink(here.name, here.slug, here.get_absolute_url(), "", has_rankings)
    note = request.session.get(LAST_CLUB) if clubs else None
    if note and note["slug"] in own:
        return own[note["slug"]]
    return clubs[0] if clubs else None


def _query_ranked(club: Any) -> QuerySet[Club]:
    return Club.objects.filter(_HAS_RANKINGS, pk=club)


def find_visitor_language(request: HttpRequest) -> str:
    """Return the language of the cookie, the browser or the only club, else the default."""
    found = translation.get_language_from_request(request)
    header = request.headers.get("Accept-Language", "")
    if not header or settings.LANGUAGE_COOKIE_NAME in request.COOKIES or _is_supported(header):
        return found
    languages = list(Club.objects.values_list("language", flat=True)[:2])
    return (languages[0] if len(languages) == 1 else "") or found


def _is_supported(header: str) -> bool:
    """True if one of the browser's languages is supported."""
    for code, _weight in parse_accept_lang_header(header):
        try:
            translation.get_supported_language_variant(code)
        except LookupError:
            continue
        return True
    return False
