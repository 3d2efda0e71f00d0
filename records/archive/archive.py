"""Search in the archive, with the viewer's permissions.

Visible are matches of events that are not drafts, and public online matches, unless a player hides from
searches; records, for members of their club; and one's own matches. The facts of a private online match are
only visible to its players and directors, even if its event shows the result. An online match that was
declared void or reopened after it was filed is hidden, unless its event still has the result.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from matches.models import Match
from matches.state import rule_words
from matches.state.status import Status as MatchStatus
from players.access.permissions import list_clubs_where
from players.access.requests import Page, paginate
from players.models import Club, Membership, Player, User
from players.models.folded_names import build_name_filter, split_query
from players.people import people
from records.models import ArchivedMatch, ArchivedSide, RecordedName
from tournaments.base import event_lines
from tournaments.models import Pairing, PairingState, ResultKind, RoundStatus
from tournaments.status import Status

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Viewer = User | AnonymousUser

# A name that matches more players is too unspecific: the search covers only the first of them.
MOST_NAMES: Final = 200
# Counting more rows would take too long.
MOST_FOUND: Final = 2_000
ENDINGS: Final[dict[str, StrPromise]] = {
    "bearoff": gettext_lazy("borne off"),
    "drop": gettext_lazy("double dropped"),
    "resign": gettext_lazy("resigned"),
    "flag": gettext_lazy("lost on time"),
    "concession": gettext_lazy("match conceded"),
    "ruling": gettext_lazy("ruled by a director"),
    "report": gettext_lazy("only the result is known"),
    "unfinished": gettext_lazy("not finished"),
    "void": gettext_lazy("void"),
    ResultKind.WALKOVER.value: gettext_lazy("walkover"),
    ResultKind.FORFEIT.value: gettext_lazy("forfeit"),
    ResultKind.NO_SHOW.value: gettext_lazy("no-show"),
    ResultKind.WITHDRAWAL.value: gettext_lazy("withdrawal"),
    ResultKind.DRAWN.value: gettext_lazy("drawn"),
}


@dataclass(frozen=True, slots=True)
class Search:
    """Search criteria; blank ones are ignored."""

    player: str = ""
    opponent: str = ""
    event: str = ""
    length: int | None = None
    since: date | None = None
    until: date | None = None
    # The winner's points first.
    score: tuple[int, int] | None = None
    ending: str = ""


@dataclass(frozen=True, slots=True)
class ArchiveLine:
    names: tuple[str, str]
    players: tuple[str, str]
    score: tuple[int, int]
    winner: int | None
    length: int
    event: str
    event_url: str
    club: str
    day: str
    at: Any
    ending: str
    ending_label: str
    # "board" (played online here), "event" or "record".
    source: str
    url: str


def list_visible(user: Viewer) -> QuerySet[ArchivedMatch]:
    counted = ArchivedMatch.objects.filter(
        Q(match__isnull=True) | Q(match__status=MatchStatus.FINISHED) | Q(pairing__state=PairingState.DECIDED)
    )
    if isinstance(user, User) and user.is_superuser:
        return counted
    played = (
        Q(record__isnull=True) & ~Q(_is_hidden=True) & (_build_event_filter() | _build_board_filter(user))
    )
    found = played | Q(record__isnull=False, club__in=list_clubs_where(user, "records.hand_in").values("pk"))
    rows = counted.alias(_is_hidden=Exists(_list_hidden_sides(user)))
    if isinstance(user, User):
        found |= Q(pk__in=ArchivedSide.objects.filter(player__user=user).values("archived"))
    return rows.filter(found)


def list_with_facts(user: Viewer) -> QuerySet[ArchivedMatch]:
    rows = list_visible(user).filter(has_facts=True).exclude(match__status=MatchStatus.VOID)
    if isinstance(user, User) and user.is_superuser:
        return rows
    return rows.filter(Q(match__isnull=True) | Q(match__is_private=False) | _build_own_board_filter(user))


def _build_event_filter() -> Q:
    drafted = Pairing.objects.filter(round__status=RoundStatus.DRAFT).values("pk")
    return (
        Q(pairing__isnull=False, pairing__state=PairingState.DECIDED, pairing__is_cancelled=False)
        & ~Q(event__status=Status.DRAFT)
        & ~Q(pairing__in=drafted)
    )


def _build_board_filter(user: Viewer) -> Q:
    return Q(match__isnull=False, pairing__isnull=True) & (
        Q(match__is_private=False) | _build_own_board_filter(user)
    )


def _build_own_board_filter(user: Viewer) -> Q:
    if not isinstance(user, User):
        return Q(pk__in=())
    directed = list_clubs_where(user, "matches.adjudicate").values("pk")
    own = Match.objects.filter(Q(white__user=user) | Q(black__user=user) | Q(club__in=directed))
    return Q(match__in=own.values("pk"))


def _list_hidden_sides(user: Viewer) -> QuerySet[ArchivedSide]:
    """Return the sides of players who hide from this viewer: a match would reveal where they play."""
    rows = ArchivedSide.objects.filter(archived=OuterRef("pk"), player__hidden_from_search=True)
    if isinstance(user, User):
        shared = Membership.objects.filter(club__in=list_clubs_where(user, "players.find_hidden")).values(
            "player"
        )
        rows = rows.exclude(player__user=user).exclude(player__in=shared)
    return rows


def search_matches(user: Viewer, search: Search, club: Club | None = None) -> QuerySet[ArchivedMatch]:
    """Return the matches found by *search*, the latest first."""
    rows = list_visible(user)
    if club is not None:
        rows = rows.filter(club=club)
    sides = [_list_named_sides(user, name) for name in (search.player, search.opponent) if split_query(name)]
    if sides:
        # Two names are of the two sides, also if one player's name has both.
        others = [
            each.filter(archived=OuterRef("archived")).exclude(side=OuterRef("side")) for each in sides[1:]
        ]
        rows = rows.filter(pk__in=sides[0].filter(*map(Exists, others)).values("archived"))
    if split_query(search.event):
        events = event_lines.query_visible(user).filter(build_name_filter(search.event)).values("pk")
        recorded = RecordedName.objects.filter(build_name_filter(search.event)).values("pk")
        rows = rows.filter(Q(event__in=events) | Q(event_name__in=recorded))
    if search.length is not None:
        rows = rows.filter(length=search.length)
    if search.since is not None:
        rows = rows.filter(played_at__date__gte=search.since)
    if search.until is not None:
        rows = rows.filter(played_at__date__lte=search.until)
    if search.score is not None:
        high, low = search.score
        rows = rows.filter(Q(white_score=high, black_score=low) | Q(white_score=low, black_score=high))
    if search.ending:
        rows = rows.filter(ending=search.ending)
    return rows.order_by("-played_at", "-pk")


def _list_named_sides(user: Viewer, name: str) -> QuerySet[ArchivedSide]:
    insiders = list_clubs_where(user, "players.find_hidden")
    known = Q(hidden_from_search=False) | Q(
        pk__in=Membership.objects.filter(club__in=insiders).values("player")
    )
    if isinstance(user, User):
        known |= Q(user=user)
    players = Player.objects.filter(build_name_filter(name), known, erased_at__isnull=True).order_by()
    names = RecordedName.objects.filter(build_name_filter(name)).order_by()
    return ArchivedSide.objects.filter(
        Q(player__in=list(players.values_list("pk", flat=True)[:MOST_NAMES]))
        | Q(name__in=list(names.values_list("pk", flat=True)[:MOST_NAMES]))
    )


def load_page(rows: QuerySet[ArchivedMatch], number: int) -> Page[ArchiveLine]:
    """Return one page of the first MOST_FOUND results."""
    return paginate(load_relations(rows)[:MOST_FOUND], number, build_line)


def load_relations(rows: QuerySet[ArchivedMatch]) -> QuerySet[ArchivedMatch]:
    """Select the relations that `build_line` reads."""
    sides = ArchivedSide.objects.select_related("player", "name").order_by("side")
    return rows.select_related(
        "club", "event", "event_name", "match", "pairing__tournament", "record"
    ).prefetch_related(Prefetch("sides", sides))


def build_line(row: ArchivedMatch) -> ArchiveLine:
    sides = list(row.sides.all())
    event = row.event.name if row.event else row.event_name.name if row.event_name else ""
    day = timezone.localtime(row.played_at).date()
    return ArchiveLine(
        names=(_get_name(sides[0]), _get_name(sides[1])),
        players=(_get_player_key(sides[0]), _get_player_key(sides[1])),
        score=rule_words.cap_score((row.white_score, row.black_score), row.length),
        winner=row.winner,
        length=row.length,
        event=event,
        event_url=row.event.get_absolute_url() if row.event else "",
        club=row.club.name if row.club else "",
        day=formats.date_format(day, "SHORT_DATE_FORMAT"),
        at=row.played_at,
        ending=row.ending,
        ending_label=str(ENDINGS.get(row.ending, "")),
        source="board" if row.match_id else "event" if row.pairing_id else "record",
        url=build_url(row),
    )


def build_url(row: ArchivedMatch) -> str:
    if row.match is not None:
        return reverse("matches:match", args=[row.match.key])
    if row.pairing is not None:
        return reverse("tournaments:games", args=[row.pairing.tournament.key, row.pairing.key])
    return reverse("records:archived", args=[row.record.key]) if row.record else ""


def _get_name(side: ArchivedSide) -> str:
    if side.player is not None:
        return event_lines.format_player_name(side.player)
    return (side.name.name if side.name else "") or _("unknown")


def _get_player_key(side: ArchivedSide) -> str:
    return side.player.key if side.player is not None and side.player.erased_at is None else ""


def find_club(query: Mapping[str, str]) -> Club | None:
    """Return the club that a query string names; None without one.

    :raises Http404: there is no such club.
    """
    slug = query.get("club", "")
    return get_object_or_404(Club, slug=slug) if slug else None


def find_visible_player(user: Viewer, key: str) -> Player | None:
    """Return the player with this key; None if the viewer may not look up their matches.

    :raises Http404: there is no such player.
    """
    return people.find_visible_player(
        key=key, user=user, insider_of=list_clubs_where(user, "players.find_hidden")
    )


class ArchiveForm(forms.Form):
    player = forms.CharField(required=False, max_length=80)
    opponent = forms.CharField(required=False, max_length=80)
    event = forms.CharField(required=False, max_length=80)
    length = forms.IntegerField(required=False, min_value=0, max_value=999)
    since = forms.DateField(required=False)
    until = forms.DateField(required=False)
    score = forms.RegexField(r"^\s*\d{1,3}\s*[-:\u2013]\s*\d{1,3}\s*$", max_length=20, required=False)
    ending = forms.ChoiceField(choices=[("", ""), *ENDINGS.items()], required=False)

    def search(self) -> Search:
        """Return the search criteria, without invalid fields."""
        points = [int(each) for each in re.findall(r"\d+", self.cleaned_data.get("score", ""))]
        return Search(**self.cleaned_data | {"score": tuple(points) or None})
