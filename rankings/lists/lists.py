"""Opening a list, and changing its policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Min

from players import names
from players.models import Club, User
from rankings.errors import (
    BadPolicy,
    BadSystem,
    NameTaken,
    NotOperator,
    PolicyChanged,
    PolicyTooEarly,
    PolicyUnchanged,
    require_keeper,
)
from rankings.formulas.systems import require_finite
from rankings.formulas.systems import system as system_of
from rankings.formulas.values import BadMatches
from rankings.ledger import rebuilding
from rankings.lists import dated_lists
from rankings.models import DatedInterval, PlayMedium, Policy, RatingList, Reach, RulesOfPlay
from runtime import stream

# The maximum of `inactive_after`, in months.
LONGEST_AWAY: Final = 120


@dataclass(frozen=True, slots=True)
class Terms:
    shortest: int = 1
    longest: int = 25
    played: str = PlayMedium.ANYWHERE.value
    provisional_under: int = 100
    friendlies: bool = False
    rules: str = RulesOfPlay.ANY.value
    # Months without a rated match; 0: never.
    inactive_after: int = 12


def open_list(
    *,
    club: Club,
    by: User,
    name: str,
    system: str,
    now: datetime,
    params: Mapping[str, object] | None = None,
    about: str = "",
    terms: Terms | None = None,
    since: datetime | None = None,
    dated: DatedInterval = DatedInterval.NEVER,
    reach: Reach = Reach.CLUB,
) -> RatingList:
    """Open a list. With *since*, matches opened from then on are rated, and dated lists begin there.

    :raises NotKeeper: `by` is not a director of this club.
    :raises NotOperator: only an administrator opens a list of all clubs.
    :raises NameTaken: the club has a list of this name.
    :raises BadSystem, BadPolicy: the system or policy is invalid.
    """
    require_keeper(club, by)
    if reach == Reach.SITE and not by.is_staff:
        raise NotOperator
    try:
        require_finite(system_of(system, params))
    except BadMatches as problem:
        raise BadSystem(why=str(problem)) from problem
    made = RatingList(
        club=club,
        name=names.clean_name(name, limit=80),
        about=names.clean_prose(about, limit=2000),
        system=system,
        params=dict(params or {}),
        reach=reach,
        dated=dated,
        created_by=by,
        created_at=now,
    )
    made.dated_at = dated_lists.find_next_time(made, since or now)
    with transaction.atomic():
        _save_list(made)
        _create_policy(made, terms or Terms(), from_at=since or now, by=by, now=now)
        if since is not None:
            rebuilding.request_rebuild(made, None, now=now)
        # The club's pages link to the rankings from now on.
        stream.publish(f"club.{club.slug}", "rankings", {}, now=now)
    return made


def find_past(club: Club, reach: Reach) -> datetime:
    """Return the time from which a list that rates the past rates: no club within its reach is older."""
    if reach != Reach.SITE:
        return club.created_at
    oldest: datetime = Club.objects.aggregate(first=Min("created_at"))["first"]
    return oldest


def amend(
    *,
    rating_list: RatingList,
    terms: Terms,
    from_at: datetime,
    by: User,
    now: datetime,
    seen: int | None = None,
) -> Policy:
    """Add a version of the policy; matches opened before *from_at* keep the previous one.

    :raises NotKeeper: `by` is not a director of this club.
    :raises BadPolicy: the policy is invalid.
    :raises PolicyChanged: the latest version is not the one that was *seen*.
    :raises PolicyTooEarly: *from_at* is in the past, or another version begins then or later.
    :raises PolicyUnchanged: the terms are those of the latest version.
    """
    require_keeper(rating_list.club, by)
    with transaction.atomic():
        held = RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)
        if seen is not None and get_last_policy(held).number != seen:
            raise PolicyChanged
        if from_at < now or held.policies.filter(from_at__gte=from_at).exists():
            raise PolicyTooEarly
        if terms == get_last_terms(held):
            raise PolicyUnchanged
        return _create_policy(held, terms, from_at=from_at, by=by, now=now)


def change_terms(
    *, rating_list: RatingList, terms: Mapping[str, Any], from_at: datetime, by: User, now: datetime
) -> Policy:
    """Add a version that changes some terms of the latest one; concurrent changes of other terms are kept.

    :raises NotKeeper, BadPolicy, PolicyTooEarly, PolicyUnchanged: as `amend`.
    """
    require_keeper(rating_list.club, by)
    with transaction.atomic():
        held = RatingList.objects.select_for_update(no_key=True).get(pk=rating_list.pk)
        return amend(
            rating_list=held, terms=replace(get_last_terms(held), **terms), from_at=from_at, by=by, now=now
        )


def get_last_policy(rating_list: RatingList) -> Policy:
    """Return the latest version of a list's policy, whether it is in force yet or not."""
    return rating_list.policies.order_by("-number")[0]


def get_last_terms(rating_list: RatingList) -> Terms:
    return read_terms(get_last_policy(rating_list))


def read_terms(policy: Policy) -> Terms:
    return Terms(**{field.name: getattr(policy, field.name) for field in fields(Terms)})


def _save_list(made: RatingList) -> None:
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError as problem:
        if not RatingList.objects.filter(club=made.club, name=made.name).exists():
            raise
        raise NameTaken from problem


def _create_policy(
    rating_list: RatingList, terms: Terms, *, from_at: datetime, by: User, now: datetime
) -> Policy:
    if not 1 <= terms.shortest <= terms.longest or terms.played not in PlayMedium.values:
        raise BadPolicy
    if terms.rules not in RulesOfPlay.values or not 0 <= terms.inactive_after <= LONGEST_AWAY:
        raise BadPolicy
    return Policy.objects.create(
        list=rating_list,
        number=rating_list.policies.count() + 1,
        from_at=from_at,
        made_by=by,
        made_at=now,
        **asdict(terms),
    )
