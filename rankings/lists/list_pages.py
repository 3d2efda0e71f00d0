"""A club's rankings, for their page, and the effect of a match on both ratings, in each list that rated it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.template.defaultfilters import floatformat
from django.utils.translation import gettext, ngettext

from players.access import requests
from players.models import Club, User
from rankings.formulas.systems import SYSTEMS, system
from rankings.ledger import order, rated_matches, reach
from rankings.lists import dated_pages, list_search
from rankings.lists import highlights as lately
from rankings.lists import recent_form as form
from rankings.lists.dated_pages import RankedPlayer
from rankings.lists.list_search import ListFilters
from rankings.models import LedgerEntry, Opening, PlayerRating, Policy, RatingList, Reach, Rebuild
from tournaments.models import Pairing, Tournament

# The entries of both players in one list, the winner's first.
RatedMatch = tuple[LedgerEntry, ...]

# The number of players of a list on the club's page.
LEADING: Final = 5


class Parameter(NamedTuple):
    """A parameter of a system, with its name in the API and its label."""

    name: str
    title: str
    value: str


class ListLine(NamedTuple):
    # With the number of its players.
    row: RatingList
    about: str
    # The reach in words, if it is more than the club.
    whose: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """A page of a list, and what the site shows beside it."""

    list: RatingList
    policy: Policy | None
    versions: tuple[Policy, ...]
    params: tuple[Parameter, ...]
    page: requests.Page[RankedPlayer]
    # The filters of this page, and the number of players in the whole list.
    wanted: ListFilters
    players: int
    # True if the viewer is in the list.
    has_me: bool
    movement: dated_pages.Movement | None
    lately: dict[str, Any] | None
    # The winner's entry for the last rated match, as an example.
    example: LedgerEntry | None
    # The rebuild under way, if any: the page shows the previous ratings.
    rebuild: Rebuild | None
    # True if some players started with an opening rating.
    has_openings: bool

    @property
    def since(self) -> datetime | None:
        return self.versions[-1].from_at if self.versions else None

    @property
    def has_deviation(self) -> bool:
        return SYSTEMS[self.list.system].has_deviation

    @property
    def about(self) -> str:
        return gettext(SYSTEMS[self.list.system].about)


def list_ranked_clubs() -> list[tuple[Club, list[ListLine]]]:
    players = PlayerRating.objects.filter(list=OuterRef("pk")).order_by().values("list")
    rows = (
        RatingList.objects.filter(club__rehearses__isnull=True)
        .select_related("club")
        .annotate(players=Coalesce(Subquery(players.annotate(number=Count("pk")).values("number")), 0))
        .order_by("club__folded_name", "club", "pk")
    )
    sizes = reach.count_group_sizes(list(rows))
    lines = (ListLine(row, gettext(SYSTEMS[row.system].summary), _describe_reach(row, sizes)) for row in rows)
    return [(club, list(some)) for club, some in groupby(lines, lambda line: line.row.club)]


def _describe_reach(rating_list: RatingList, sizes: dict[int, int]) -> str:
    if rating_list.reach == Reach.SITE:
        return gettext("all clubs")
    if rating_list.reach == Reach.CLUB:
        return ""
    clubs = sizes[rating_list.club_id]
    return ngettext("%(clubs)d club", "%(clubs)d clubs", clubs) % {"clubs": clubs}


def find_list(club: Club, key: str) -> RatingList | None:
    """Return the list with that key, or the club's first if the key is empty; None if there is none."""
    lists = RatingList.objects.filter(club=club).order_by("pk")
    return lists.filter(key=key).first() if key else lists.first()


def load_ranking(
    club: Club,
    viewer: User | AnonymousUser,
    *,
    key: str,
    number: int,
    wanted: ListFilters = list_search.ALL,
    now: datetime,
) -> Ranking | None:
    """Return a page of a list, with the filters of *wanted*; None if there is no such list."""
    chosen = find_list(club, key)
    if chosen is None:
        return None
    versions = tuple(chosen.policies.order_by("-number"))
    policy = next((each for each in versions if each.from_at <= now), None)
    least = policy.provisional_under if policy else 0
    wanted = replace(wanted, months=policy.inactive_after if policy else 0)
    away = list_search.compute_active_since(wanted.months, now)
    mine = list_search.find_own_rating(chosen, viewer)
    which = list_search.build_condition(wanted, viewer, now=now)
    rows = order.OrderedPlayers(chosen, least, which, now=now)
    page = requests.paginate(rows, number, lambda row: row)
    # Places are those of the whole list, independent of the filters.
    places = order.compute_places(chosen, page.rows, least, first=None if which else page.first)
    movement = dated_pages.load_movement(chosen, [row.player_id for row in page.rows])
    rebuild = Rebuild.objects.filter(list=chosen).first()
    before = rebuild.asked_at if rebuild else None
    ranked = _build_ranked_players(
        chosen,
        page.rows,
        places,
        least=least,
        before=before,
        now=now,
        movement=movement,
        mine=mine,
        away=away,
    )
    shown = requests.Page(ranked, page.total, page.number, page.pages)
    has_openings = Opening.objects.filter(list=chosen, undone_at__isnull=True).exists()
    # The highlights are shown on the first page only.
    recent = (
        lately.load_highlights(chosen, before=before, now=now) if page.number == 1 and not wanted else None
    )
    players = order.OrderedPlayers(chosen, least, now=now).count() if which else page.total
    return Ranking(
        *(chosen, policy, versions, list_labelled_parameters(chosen), shown, wanted, players),
        *(mine is not None, movement, recent, _find_example(chosen, before), rebuild, has_openings),
    )


def list_leading(club: Club, *, now: datetime) -> tuple[RankedPlayer, ...]:
    first = RatingList.objects.filter(club=club).order_by("pk").first()
    if first is None:
        return ()
    least = order.get_provisional_limit(first, now)
    rows = order.OrderedPlayers(first, least, now=now)[:LEADING]
    places = order.compute_places(first, rows, least, first=0)
    before = rated_matches.find_rebuild_start(first)
    return _build_ranked_players(first, rows, places, least=least, before=before, now=now)


def _build_ranked_players(
    rating_list: RatingList,
    rows: Sequence[PlayerRating],
    places: Mapping[int, int],
    *,
    least: int,
    before: datetime | None,
    now: datetime,
    movement: dated_pages.Movement | None = None,
    mine: PlayerRating | None = None,
    away: datetime | None = None,
) -> tuple[RankedPlayer, ...]:
    moves = movement.moves if movement else {}
    forms = form.load_form(rating_list, [row.player_id for row in rows], before=before)
    how = system(rating_list.system, rating_list.params)
    return tuple(
        RankedPlayer(
            place=places[row.pk],
            is_provisional=row.experience < least,
            is_inactive=away is not None and row.last_at < away,
            name=row.player.public_name,
            href=row.player.get_absolute_url(),
            rating=row.rating,
            deviation=rated_matches.compute_shown_standing(how, row, now).deviation,
            experience=row.experience,
            matches=row.matches,
            is_me=row == mine,
            move=moves.get(row.player_id),
            form=forms.get(row.player_id),
        )
        for row in rows
    )


def list_params(rating_list: RatingList) -> tuple[tuple[str, object], ...]:
    """Return all parameters of a list, including defaults."""
    how = SYSTEMS[rating_list.system](**rating_list.params)
    return tuple((field.name, getattr(how, field.name)) for field in fields(how))


def list_labelled_parameters(rating_list: RatingList) -> tuple[Parameter, ...]:
    words = SYSTEMS[rating_list.system].words

    def format_value(value: object) -> str:
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        return gettext(words[value]) if isinstance(value, str) else floatformat(value, -4)

    return tuple(
        Parameter(name, gettext(words[name]), format_value(value)) for name, value in list_params(rating_list)
    )


def _find_example(rating_list: RatingList, before: datetime | None) -> LedgerEntry | None:
    rows = rated_matches.list_shown_entries(rating_list, before).filter(won=True)
    return rows.select_related("player", "opponent").order_by("-at", "-match").first()


def load_club_effects(club: int, match: UUID) -> tuple[RatedMatch, ...]:
    """Return the effect of a match in the lists of a club, the winner first."""
    # Filtered by the lists that rate the club, so that their index is used.
    rows = LedgerEntry.objects.filter(list__in=reach.list_lists(club), match=match, voided_at__isnull=True)
    entries = rows.select_related("list__club", "player", "event").order_by("list", "-won")
    return tuple(tuple(both) for _, both in groupby(entries, lambda entry: entry.list_id))


def load_pairing_effects(event: Tournament, key: str) -> tuple[RatedMatch, ...]:
    uid = Pairing.objects.filter(tournament=event, key=key).values_list("uid", flat=True).first()
    return load_club_effects(event.club_id, uid) if uid else ()


def compute_correction_effects(event: Tournament, key: str) -> list[tuple[RatedMatch, int]]:
    """Return the effect of a match in each list, and how many later matches its correction affects."""
    return [(both, _count_later_matches(both[0])) for both in load_pairing_effects(event, key)]


def _count_later_matches(entry: LedgerEntry) -> int:
    # Each match has two entries, and its winner has one of them.
    rows = LedgerEntry.objects.filter(list=entry.list, voided_at__isnull=True, won=True)
    return rows.filter(at__gt=entry.at).count()


def load_board_effects(key: str) -> tuple[RatedMatch, ...]:
    """Return the effect of a match played on this site, if it belongs to an event."""
    found = Pairing.objects.filter(match__key=key).values_list("tournament__club", "uid").first()
    return load_club_effects(*found) if found else ()
