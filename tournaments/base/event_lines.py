"""Events as rows of a list, for one viewer."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.translation import gettext

from players import names
from players.access.permissions import DIRECTORS
from players.models import Membership, NameStyle, Player, ShownAs, User
from players.models.people import choose_public_name
from tournaments.base import labels, local_times, rules_in_words
from tournaments.models import Entry, Helper, Pairing, PairingState, Stage, Tournament
from tournaments.status import Status

# The columns that determine a player's public name: name, alias, which of them is shown, time of erasure.
Named = tuple[str, str, str, datetime | None]

# An event that was not started counts as upcoming until this long after its start.
LINGERS: Final = timedelta(hours=20)
# An event that starts within this time of now counts as tonight, even across midnight.
NIGHT: Final = timedelta(hours=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    key: str
    name: str
    url: str
    club_name: str
    club_slug: str
    club_url: str
    # The colour of the club.
    felt: str
    zone: str
    starts_at: datetime
    place: str
    format_label: str
    # "to 5 points", "best of 3 games".
    matches: str
    capacity: int | None
    entered: int
    status: Status
    status_label: str
    winners: tuple[str, ...]
    is_mine: bool
    is_tonight: bool
    # It has stages, so the draw starts it.
    is_staged: bool = False
    open_matches: int = 0
    is_paused: bool = False
    # Everything is played, and the final order waits for a director.
    waits_for_approval: bool = False

    @property
    def day(self) -> str:
        """The weekday and date in the club's time zone."""
        return local_times.format_day(self.starts_at, self.zone)

    @property
    def short_day(self) -> str:
        return local_times.format_short_day(self.starts_at, self.zone)

    @property
    def leaf(self) -> tuple[str, str, str]:
        """Weekday, day and month, for the calendar icon."""
        at = local_times.convert_to_local(self.starts_at, self.zone)
        return date_format(at, "D"), date_format(at, "j"), date_format(at, "M")

    @property
    def hour(self) -> str:
        return local_times.format_hour(self.starts_at, self.zone)

    @property
    def zone_name(self) -> str:
        return local_times.format_zone(self.starts_at, self.zone)

    @property
    def month(self) -> str:
        return local_times.format_month(self.starts_at, self.zone)

    @property
    def full_day(self) -> str:
        return local_times.format_full_day(self.starts_at, self.zone)

    @property
    def is_running(self) -> bool:
        return self.status is Status.RUNNING

    @property
    def is_announced(self) -> bool:
        return self.status is Status.PUBLISHED

    @property
    def is_full(self) -> bool:
        return self.capacity is not None and self.entered >= self.capacity

    @property
    def topic(self) -> str:
        return f"event.{self.key}"


def format_player_name(player: Player) -> str:
    """Return the public name of a player, "Former player" if erased."""
    return player.public_name or gettext("Former player")


def format_author(helper: Helper | None, user: User | None) -> str:
    """Return the name of the helper or account that wrote a row; "" for neither."""
    if helper is not None:
        return gettext("%(name)s, helper") % {"name": helper.name}
    player = getattr(user, "player", None)
    return format_player_name(player) if player else ""


def format_public_name(name: str, alias: str, shown_as: str, erased_at: datetime | None) -> str:
    """Return the public name of a player from the columns, as `format_player_name` does."""
    public = choose_public_name(name, alias, shown_as, is_erased=erased_at is not None)
    return public or gettext("Former player")


def list_styled_names(people: Sequence[Named], style: str) -> list[str]:
    """Return players' names in a club's name style; aliases and erased players are not affected."""
    styled = [format_public_name(*one) for one in people]
    if style == NameStyle.WHOLE:
        return styled
    own = [at for at, one in enumerate(people) if one[2] == ShownAs.NAME and one[3] is None]
    for at, name in zip(own, names.style_names([styled[at] for at in own], style), strict=True):
        styled[at] = name
    return styled


def name_entries(entries: Iterable[Entry], style: str) -> dict[int, str]:
    """Return the names of entries with loaded players by number, in a club's name style."""
    people = {entry.number: entry.player for entry in entries}
    rows = [(each.name, each.alias, each.shown_as, each.erased_at) for each in people.values()]
    return dict(zip(people, list_styled_names(rows, style), strict=True))


def query_reachable(user: User | AnonymousUser) -> QuerySet[Tournament]:
    """Return the events that the user may open by address: visible ones, and rehearsals that they direct."""
    known = query_visible(user)
    if not user.is_authenticated:
        return known
    rehearsed = Tournament.objects.select_related("club").filter(club__rehearses__isnull=False)
    if not user.is_superuser:
        directed = Membership.objects.filter(player__user=user, role__in=DIRECTORS).values("club")
        rehearsed = rehearsed.filter(club__rehearses__in=directed)
    return known | rehearsed


def is_reachable(event: Tournament, user: User | AnonymousUser) -> bool:
    """True if the user may open the event by address: drafts and rehearsals are for directors.

    Public events need no query.
    """
    return is_public(event) or user.has_perm("tournaments.direct", event)


def is_public(event: Tournament) -> bool:
    """True if not only its directors may see the event: it is no draft and no rehearsal."""
    return event.status != Status.DRAFT and event.club.rehearses_id is None


def query_visible(user: User | AnonymousUser) -> QuerySet[Tournament]:
    """Return the events that lists show to the user: drafts only to directors, rehearsals never."""
    events = Tournament.objects.select_related("club").filter(club__rehearses__isnull=True)
    if not user.is_authenticated:
        return events.exclude(status=Status.DRAFT)
    if user.is_superuser:
        return events
    directed = Membership.objects.filter(player__user=user, role__in=DIRECTORS).values("club")
    return events.filter(~Q(status=Status.DRAFT) | Q(club__in=directed))


def load_lines(
    events: QuerySet[Tournament], user: User | AnonymousUser, *, now: datetime
) -> tuple[EventLine, ...]:
    """Load events as lines, with one query for the events and another for the winners."""
    rows: QuerySet[Any] = events.annotate(**_build_annotations())
    if user.is_authenticated:
        mine = Entry.objects.filter(tournament=OuterRef("pk"), player__user=user, withdrawn_at__isnull=True)
        rows = rows.annotate(is_mine=Exists(mine))
    found = list(rows)
    winners = _load_winners([row.pk for row in found if row.status == Status.FINISHED])
    return tuple(
        build_line(
            row,
            entered=row.entered or 0,
            winners=tuple(winners.get(row.pk, ())),
            is_mine=getattr(row, "is_mine", False),
            now=now,
            is_staged=row.is_staged,
            open_matches=row.open_matches or 0,
        )
        for row in found
    )


@cache
def _build_annotations() -> dict[str, Any]:
    """Return the annotations of an event; they are subqueries, so that its columns need no GROUP BY."""
    entered = Entry.objects.filter(withdrawn_at__isnull=True, waits=False)
    ready = Pairing.objects.filter(state=PairingState.READY, opened_at__isnull=False)
    return {
        "entered": _build_count(entered),
        "is_staged": Exists(Stage.objects.filter(tournament=OuterRef("pk"))),
        "open_matches": _build_count(ready),
    }


def _build_count(rows: QuerySet[Any]) -> Subquery:
    own = rows.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return Subquery(own.annotate(number=Count("pk")).values("number"), output_field=IntegerField())


def _load_winners(events: Collection[int]) -> dict[int, list[str]]:
    """Load the names of the winners of events, each in its club's name style."""
    if not events:
        return {}
    of_player = (f"player__{name}" for name in ("name", "alias", "shown_as", "erased_at"))
    # Only a style needs the other players, as it keeps names apart.
    needed = Q(place=1) | ~Q(tournament__club__name_style=NameStyle.WHOLE)
    rows = Entry.objects.filter(needed, tournament__in=events, withdrawn_at__isnull=True, waits=False)
    entries: dict[tuple[int, str], list[tuple[bool, Named]]] = {}
    columns = ("tournament_id", "tournament__club__name_style", "place", *of_player)
    for event, style, place, *of in rows.values_list(*columns):
        entries.setdefault((event, style), []).append((place == 1, tuple(of)))
    found: dict[int, list[str]] = {}
    for (event, style), people in entries.items():
        called = list_styled_names([named for _is_winner, named in people], style)
        found[event] = [name for name, (is_winner, _named) in zip(called, people, strict=True) if is_winner]
    return found


def exclude_friendlies(events: QuerySet[Tournament]) -> QuerySet[Tournament]:
    return events.filter(is_friendly=False)


def filter_upcoming(events: QuerySet[Tournament], *, now: datetime) -> QuerySet[Tournament]:
    """Return the running and future events and the drafts, the nearest start first."""
    is_ahead = Q(status__in=[Status.PUBLISHED, Status.CANCELLED], starts_at__gte=now - LINGERS)
    shown = Q(status=Status.RUNNING) | Q(status=Status.DRAFT) | is_ahead
    return exclude_friendlies(events).filter(shown).order_by("starts_at", "pk")


def filter_past(events: QuerySet[Tournament], *, now: datetime) -> QuerySet[Tournament]:
    """Return the finished events, and the past events that were not played, the latest first."""
    was_missed = Q(status__in=[Status.PUBLISHED, Status.CANCELLED], starts_at__lt=now - LINGERS)
    shown = Q(status=Status.FINISHED) | was_missed
    return exclude_friendlies(events).filter(shown).order_by("-starts_at", "-pk")


def filter_latest(events: QuerySet[Tournament], *, now: datetime) -> QuerySet[Tournament]:
    return filter_past(events, now=now).filter(archived_at__isnull=True)


def filter_tonight(lines: Iterable[EventLine]) -> tuple[EventLine, ...]:
    """Return the lines that are running or begin tonight, the running ones first."""
    found = [line for line in lines if line.is_running or (line.is_tonight and line.is_announced)]
    return tuple(sorted(found, key=lambda line: (not line.is_running, line.starts_at)))


def build_line(
    row: Tournament,
    *,
    entered: int,
    winners: tuple[str, ...],
    is_mine: bool,
    now: datetime,
    is_staged: bool = False,
    open_matches: int = 0,
) -> EventLine:
    club = row.club
    today = local_times.convert_to_local(now, club.time_zone).date()
    return EventLine(
        key=row.key,
        name=row.name,
        url=row.get_absolute_url(),
        club_name=club.name,
        club_slug=club.slug,
        club_url=club.get_absolute_url(),
        felt=club.felt,
        zone=club.time_zone,
        starts_at=row.starts_at,
        place=row.place,
        format_label=labels.describe_format(row.format_label, row.played_as),
        matches=rules_in_words.describe_event_length(row),
        capacity=row.capacity,
        entered=entered,
        status=Status(row.status),
        status_label=row.status_words,
        winners=winners,
        is_mine=is_mine,
        is_tonight=(
            abs(row.starts_at - now) < NIGHT
            or local_times.convert_to_local(row.starts_at, club.time_zone).date() == today
        ),
        is_staged=is_staged,
        open_matches=open_matches,
        is_paused=row.paused_at is not None,
        waits_for_approval=row.over_at is not None,
    )
