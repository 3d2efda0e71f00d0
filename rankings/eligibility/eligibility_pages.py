"""Eligibility of players for an event or a division, with the reasons."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet
from django.template.defaultfilters import floatformat
from django.utils.formats import date_format
from django.utils.translation import gettext

from players.models import Club, Player
from rankings.formulas import eligibility as formula
from rankings.ledger import reach
from rankings.models import Admission, DatedList, DatedRating, DivisionMember, Requirement, SeasonDivision
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class Verdict:
    # A code of `formulas.eligibility`, "admitted" by a director, or "unknown" before publication.
    code: str
    why: str

    @property
    def is_eligible(self) -> bool:
        return self.code in {formula.ELIGIBLE, ADMITTED}

    @property
    def is_refused(self) -> bool:
        """True if the player is known to be ineligible."""
        return not self.is_eligible and self.code != UNKNOWN


class JudgedPlayer(NamedTuple):
    player: Player
    verdict: Verdict


ADMITTED, UNKNOWN = "admitted", "unknown"


def build_target_filter(of: Tournament | SeasonDivision) -> dict[str, Any]:
    return {"event" if isinstance(of, Tournament) else "division": of}


def get_club(of: Tournament | SeasonDivision) -> Club:
    return of.club if isinstance(of, Tournament) else of.season.club


def find_requirement(of: Tournament | SeasonDivision) -> Requirement | None:
    return Requirement.objects.filter(**build_target_filter(of)).select_related("list__club").first()


def find_published_list(requirement: Requirement) -> DatedList | None:
    """Return the dated list of the requirement's day; None before its publication."""
    return DatedList.objects.filter(list=requirement.list_id, day=requirement.day).first()


def describe_requirement(requirement: Requirement, club: Club) -> str:
    """Describe a requirement in one sentence, with list names as on the pages of *club*."""
    conditions = []
    if requirement.at_least is not None:
        conditions.append(
            gettext("a rating of at least %(rating)s") % {"rating": floatformat(requirement.at_least, 2)}
        )
    if requirement.at_most is not None:
        conditions.append(
            gettext("a rating of at most %(rating)s") % {"rating": floatformat(requirement.at_most, 2)}
        )
    if requirement.first is not None:
        conditions.append(gettext("place %(places)s or better") % {"places": requirement.first})
    return gettext("Required in %(list)s of %(day)s: %(asked)s.") % {
        "asked": ", ".join(conditions),
        "list": reach.format_list_name(requirement.list, club.pk),
        "day": date_format(requirement.day, "DATE_FORMAT"),
    }


def judge_players(requirement: Requirement, players: Collection[int]) -> dict[int, Verdict]:
    """Judge each player. Rows of merged players count for the account they were merged into."""
    admitted: dict[int, str] = {}
    rows = Admission.objects.filter(filter_players(players), requirement=requirement)
    # If several count for one player now, the latest does.
    for row in rows.select_related("player").order_by("at", "pk"):
        admitted[row.player.merged_into_id or row.player_id] = row.reason
    dated_list = find_published_list(requirement)
    listed: dict[int, formula.ListedPlayer] = {}
    if dated_list is not None:
        ratings = DatedRating.objects.filter(filter_players(players), dated_list=dated_list)
        # If several rows belong to one player now, the best place counts.
        for each in ratings.select_related("player").order_by("-place"):
            listed[each.player.merged_into_id or each.player_id] = formula.ListedPlayer(
                each.place, each.rating
            )
    limits = formula.Limits(requirement.at_least, requirement.at_most, requirement.first)
    found = {}
    for player in players:
        code = UNKNOWN if dated_list is None else formula.judge_player(limits, listed.get(player))
        if code != formula.ELIGIBLE and player in admitted:
            why = gettext("Admitted by a director: %(reason)s") % {"reason": admitted[player]}
            found[player] = Verdict(ADMITTED, why)
        else:
            found[player] = Verdict(code, _describe_verdict(code, requirement, listed.get(player)))
    return found


def list_judged_players(requirement: Requirement) -> list[JudgedPlayer]:
    """Return the entrants of the event or the members of the division, the ineligible first."""
    entered: QuerySet[Any, Any] = (
        DivisionMember.objects.filter(division=requirement.division_id).values("player")
        if requirement.event_id is None
        else Entry.objects.filter(tournament=requirement.event_id, withdrawn_at__isnull=True).values("player")
    )
    rows = list(Player.objects.filter(pk__in=entered))
    judgements = judge_players(requirement, [row.pk for row in rows])
    rows.sort(key=lambda row: (judgements[row.pk].is_eligible, row.folded_name, row.pk))
    return [JudgedPlayer(row, judgements[row.pk]) for row in rows]


def export_admissions(player: Player) -> list[dict[str, object]]:
    """Return the admissions of a player and of players merged into them, for their data export."""
    rows = Admission.objects.filter(filter_players([player.pk])).select_related(
        "requirement__event", "requirement__division__season"
    )
    return [
        {
            "to": str(row.requirement.event or row.requirement.division),
            "reason": row.reason,
            "at": row.at.isoformat(),
        }
        for row in rows.order_by("pk")
    ]


def filter_players(players: Collection[int]) -> Q:
    """Filter rows by their players, including those merged into them."""
    return Q(player__in=players) | Q(player__merged_into__in=players)


def _describe_verdict(code: str, requirement: Requirement, listed: formula.ListedPlayer | None) -> str:
    day = date_format(requirement.day, "DATE_FORMAT")
    if code == UNKNOWN:
        return gettext("The list of %(day)s is not published yet.") % {"day": day}
    if listed is None:
        return gettext("Not in the list of %(day)s.") % {"day": day}
    if code == formula.NOT_AMONG_FIRST:
        return gettext("Place %(place)s; only the first %(places)s may play.") % {
            "place": listed.place,
            "places": requirement.first,
        }
    figures = {"rating": floatformat(listed.rating, 2)}
    if code == formula.TOO_LOW:
        limit = floatformat(requirement.at_least or 0, 2)
        return gettext("Rated %(rating)s; at least %(limit)s is required.") % {**figures, "limit": limit}
    if code == formula.TOO_HIGH:
        limit = floatformat(requirement.at_most or 0, 2)
        return gettext("Rated %(rating)s; at most %(limit)s is allowed.") % {**figures, "limit": limit}
    return gettext("Rated %(rating)s, place %(place)s.") % {**figures, "place": listed.place}
