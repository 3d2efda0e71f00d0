"""Requirements for playing in an event or a division, and admission of players who do not meet them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite

from django.db import transaction

from players import names
from players.models import Club, Player, User
from rankings.eligibility import eligibility_pages as selectors
from rankings.errors import BadRequirement, NoRequirement, NotEligible, require_keeper
from rankings.ledger import reach
from rankings.models import Admission, RatingList, Requirement, SeasonDivision
from tournaments.models import Tournament
from tournaments.play import changes

HIGHEST = 100_000


@dataclass(frozen=True, slots=True)
class RequirementTerms:
    """The requirement that a director sets; without any of the three limits there is none."""

    list: RatingList | None = None
    day: date | None = None
    at_least: float | None = None
    at_most: float | None = None
    first: int | None = None

    @property
    def asks(self) -> bool:
        return any(limit is not None for limit in (self.at_least, self.at_most, self.first))


def set_requirement(
    *, of: Tournament | SeasonDivision, terms: RequirementTerms, by: User, now: datetime
) -> Requirement | None:
    """Set or remove the requirement of an event or a division. Admissions stay while there is a requirement.

    :raises NotKeeper: `by` is not a director of this club.
    :raises BadRequirement: no list that rates the club, no day, or limits that no player can meet.
    """
    club = selectors.get_club(of)
    require_keeper(club, by)
    with transaction.atomic():
        _lock_target(of)
        if not terms.asks:
            Requirement.objects.filter(**selectors.build_target_filter(of)).delete()
            return None
        _require_valid_terms(club, terms)
        values = {name: getattr(terms, name) for name in ("list", "day", "at_least", "at_most", "first")}
        made, _ = Requirement.objects.update_or_create(
            **selectors.build_target_filter(of), defaults={**values, "by": by, "at": now}
        )
        return made


def admit(
    *, of: Tournament | SeasonDivision, player: Player, reason: str, by: User, now: datetime
) -> Admission:
    """Admit a player who does not meet the requirement. Repeating it replaces the reason.

    :raises NotKeeper: `by` is not a director of this club.
    :raises NoRequirement: there is no requirement, or the reason is empty.
    """
    require_keeper(selectors.get_club(of), by)
    text = names.clean_optional(reason, limit=200)
    with transaction.atomic():
        _lock_target(of)
        requirement = Requirement.objects.filter(**selectors.build_target_filter(of)).first()
        if requirement is None or not text:
            raise NoRequirement
        made, _ = Admission.objects.update_or_create(
            requirement=requirement, player=player, defaults={"reason": text, "by": by, "at": now}
        )
    return made


def withdraw_admission(*, of: Tournament | SeasonDivision, player: Player, by: User, now: datetime) -> None:
    """Withdraw an admission. An entrant stays entered until a director removes them.

    :raises NotKeeper: `by` is not a director of this club.
    """
    require_keeper(selectors.get_club(of), by)
    with transaction.atomic():
        _lock_target(of)
        Admission.objects.filter(
            selectors.filter_players([player.pk]),
            **{f"requirement__{name}": value for name, value in selectors.build_target_filter(of).items()},
        ).delete()


def require_eligible(event: Tournament, player: Player) -> None:
    """Require that a player who enters on their own meets the requirement. A director may enter anybody.

    :raises NotEligible: the player does not meet it; never before the list of its day is published.
    """
    requirement = selectors.find_requirement(event)
    if requirement is None:
        return
    verdict = selectors.judge_players(requirement, [player.pk])[player.pk]
    if verdict.is_refused:
        raise NotEligible(why=verdict.why, rule=selectors.describe_requirement(requirement, event.club))


def _require_valid_terms(club: Club, terms: RequirementTerms) -> None:
    ratings = [limit for limit in (terms.at_least, terms.at_most) if limit is not None]
    is_odd = any(not isfinite(limit) or abs(limit) > HIGHEST for limit in ratings)
    is_crossed = len(ratings) == 2 and ratings[0] > ratings[1]
    none_first = terms.first is not None and not 1 <= terms.first <= HIGHEST
    if terms.list is None or terms.day is None or is_odd or is_crossed or none_first:
        raise BadRequirement
    if not reach.list_rating_lists([club.pk]).filter(pk=terms.list.pk).exists():
        raise BadRequirement


def _lock_target(of: Tournament | SeasonDivision) -> None:
    """Lock the event or division, so that two directors' changes run one after the other."""
    if isinstance(of, Tournament):
        changes.lock_event(of.pk)
    else:
        SeasonDivision.objects.select_for_update(no_key=True).get(pk=of.pk)
