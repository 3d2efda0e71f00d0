"""Eligibility by the list of a day: entries, rosters, divisions, and admissions with a reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from players.accounts import accounts
from players.clubs import clubs, merging
from players.models import Player, User
from rankings import errors
from rankings.eligibility import eligibility
from rankings.eligibility import eligibility_pages as selectors
from rankings.eligibility.eligibility import RequirementTerms
from rankings.formulas.eligibility import ELIGIBLE, Limits, ListedPlayer, judge_player
from rankings.models import Admission, DatedList, DatedRating, RatingList, Requirement, SeasonDivision
from rankings.seasons import divisions, seasons
from rankings.seasons.divisions import DivisionTerms, Placing
from rankings.seasons.seasons import SeasonTerms
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser, strip_tags
from tournaments.models import Entry
from tournaments.play import entering

DAY = date(2026, 11, 1)
FIGURES = st.floats(-1000, 4000, allow_nan=False)
LIMITS = st.builds(Limits, st.none() | FIGURES, st.none() | FIGURES, st.none() | st.integers(1, 50))


@pytest.mark.pure
@given(LIMITS, st.integers(1, 60), FIGURES)
def test_who_may_play_is_within_every_limit(limits: Limits, place: int, rating: float) -> None:
    said = judge_player(limits, ListedPlayer(place, rating))

    def as_shown(figure: float) -> Decimal:
        return Decimal(str(figure)).quantize(Decimal("0.01"), ROUND_HALF_UP)

    shown = as_shown(rating)
    meets = [
        limits.at_least is None or shown >= as_shown(limits.at_least),
        limits.at_most is None or shown <= as_shown(limits.at_most),
        limits.first is None or place <= limits.first,
    ]
    assert (said == ELIGIBLE) == all(meets)
    assert judge_player(limits, None) == "not_listed"
    # A better place and the same rating never harm.
    if said == ELIGIBLE:
        assert judge_player(limits, ListedPlayer(1, rating)) == ELIGIBLE


@pytest.mark.pure
def test_what_looks_like_the_limit_is_the_limit() -> None:
    assert judge_player(Limits(at_least=1500), ListedPlayer(1, 1499.996)) == ELIGIBLE
    assert judge_player(Limits(at_least=1500), ListedPlayer(1, 1499.995)) == ELIGIBLE
    assert judge_player(Limits(at_least=1500), ListedPlayer(1, 1499.994)) == "too_low"
    assert judge_player(Limits(at_most=1500), ListedPlayer(1, 1500.004)) == ELIGIBLE
    assert judge_player(Limits(at_most=1500), ListedPlayer(1, 1500.006)) == "too_high"
    assert judge_player(Limits(first=3), ListedPlayer(4, 2000)) == "not_among_first"


@pytest.fixture
def kept(desk: Desk) -> RatingList:
    """An announced event, and a list."""
    desk.announce(a_plan("round-robin"))
    return open_list(desk)


def publish(desk: Desk, kept: RatingList, *rows: tuple[Player, float], day: date = DAY) -> DatedList:
    made = DatedList.objects.create(list=kept, day=day, at=desk.now - timedelta(days=1), made_at=desk.now)
    for place, (player, rating) in enumerate(sorted(rows, key=lambda row: -row[1]), 1):
        DatedRating.objects.create(
            dated_list=made, player=player, place=place, is_provisional=False, rating=rating, deviation=0,
            experience=400, matches=80,
        )  # fmt: skip
    return made


def require_limits(desk: Desk, kept: RatingList, **limits: Any) -> Requirement | None:
    terms = RequirementTerms(kept, DAY, **limits)
    return eligibility.set_requirement(of=desk.event, terms=terms, by=desk.director, now=desk.now)


def enter(desk: Desk, user: User) -> Entry:
    return entering.enter_own_player(tournament_id=desk.event.pk, user=user, now=desk.now)


def test_who_enters_by_themselves_is_in_the_limits_or_admitted(desk: Desk, kept: RatingList) -> None:
    high, low, new = (desk.member(name) for name in ("Hanna High", "Lars Low", "Nia New"))
    require_limits(desk, kept, at_least=1500.0)
    # Eligibility is unknown before the list is published.
    enter(desk, low)
    entering.cancel_entry(tournament_id=desk.event.pk, user=low, now=desk.now)
    publish(desk, kept, (high.player, 1612.5), (low.player, 1499.9))
    enter(desk, high)
    with pytest.raises(errors.NotEligible, match=r"Rated 1,?499.90; at least 1,?500.00 is required"):
        enter(desk, low)
    with pytest.raises(errors.NotEligible, match=r"Not in the list of 1 November 2026"):
        enter(desk, new)
    eligibility.admit(
        of=desk.event, player=new.player, reason="Won the last open", by=desk.director, now=desk.now
    )
    enter(desk, new)
    # Anyone who is in stays in, and may ask again.
    eligibility.withdraw_admission(of=desk.event, player=new.player, by=desk.director, now=desk.now)
    enter(desk, new)
    assert not Admission.objects.exists()
    require_limits(desk, kept)
    assert not Requirement.objects.exists()
    enter(desk, low)


def test_a_requirement_of_a_division_is_set_and_removed(desk: Desk, kept: RatingList) -> None:
    day = desk.now.date()
    season = seasons.open_season(
        club=desk.club, by=desk.director, terms=SeasonTerms("League", day, day), now=desk.now
    )
    divisions.set_up_divisions(season=season, terms=[DivisionTerms("Top")], by=desk.director, now=desk.now)
    top, terms = SeasonDivision.objects.get(), RequirementTerms(kept, DAY, first=1)
    made = eligibility.set_requirement(of=top, terms=terms, by=desk.director, now=desk.now)
    assert made.first == 1
    assert (
        eligibility.set_requirement(of=top, terms=RequirementTerms(), by=desk.director, now=desk.now) is None
    )
    assert selectors.find_requirement(top) is None


def test_only_what_somebody_can_meet_is_asked_and_only_by_directors(desk: Desk, kept: RatingList) -> None:
    stranger = accounts.register(email="s@example.org", password=None, name="Sten Far", now=desk.now)
    for wrong in (
        {"at_least": 1600.0, "at_most": 1500.0}, {"first": 0}, {"at_least": float("nan")}, {"at_most": 1e9},
    ):  # fmt: skip
        with pytest.raises(errors.BadRequirement):
            require_limits(desk, kept, **wrong)
    for terms in (RequirementTerms(None, DAY, first=3), RequirementTerms(kept, None, first=3)):
        with pytest.raises(errors.BadRequirement):
            eligibility.set_requirement(of=desk.event, terms=terms, by=desk.director, now=desk.now)
    said: dict[str, Any] = {"of": desk.event, "player": stranger.player, "now": desk.now}
    with pytest.raises(errors.NoRequirement):
        eligibility.admit(reason="Guest of honour", by=desk.director, **said)
    require_limits(desk, kept, first=3)
    with pytest.raises(errors.NoRequirement):
        eligibility.admit(reason="  ", by=desk.director, **said)
    acts: list[Callable[[], object]] = [
        lambda: eligibility.set_requirement(
            of=desk.event, terms=RequirementTerms(), by=stranger, now=desk.now
        ),
        lambda: eligibility.admit(reason="Me", by=stranger, **said),
        lambda: eligibility.withdraw_admission(by=stranger, **said),
    ]
    for act in acts:
        with pytest.raises(errors.NotKeeper):
            act()


def test_somebody_who_was_merged_since_is_who_they_are_now(desk: Desk, kept: RatingList) -> None:
    guest = clubs.add_guest(club=desk.club, name="Ada B", by=desk.director, now=desk.now)
    ada = desk.member("Ada Bright")
    publish(desk, kept, (guest, 1700.0))
    require_limits(desk, kept, first=1)
    with pytest.raises(errors.NotEligible):
        enter(desk, ada)
    eligibility.admit(of=desk.event, player=guest, reason="Won it", by=desk.director, now=desk.now)
    merging.merge_guest(kept=ada.player, dropped=guest, by=desk.director, now=desk.now)
    enter(desk, ada)
    assert [row["reason"] for row in selectors.export_admissions(ada.player)] == ["Won it"]


def test_the_admission_of_a_guest_who_was_merged_is_replaced_and_withdrawn(
    desk: Desk, kept: RatingList
) -> None:
    guest = clubs.add_guest(club=desk.club, name="Ada B", by=desk.director, now=desk.now)
    ada = desk.member("Ada Bright")
    publish(desk, kept)
    requirement = require_limits(desk, kept, first=1)
    assert requirement is not None
    said = {"of": desk.event, "by": desk.director, "now": desk.now}
    eligibility.admit(player=guest, reason="Won it", **said)
    merging.merge_guest(kept=ada.player, dropped=guest, by=desk.director, now=desk.now)

    def judge() -> str:
        return selectors.judge_players(requirement, [ada.player.pk])[ada.player.pk].why

    eligibility.admit(player=ada.player, reason="Came second", **said)
    assert judge() == "Admitted by a director: Came second"
    eligibility.withdraw_admission(player=ada.player, **said)
    assert judge() == "Not in the list of 1 November 2026."


@pytest.mark.long
def test_the_roster_the_event_and_the_page_say_who_may_play_and_why_not(desk: Desk, kept: RatingList) -> None:
    high, low = (desk.member(name) for name in ("Hanna High", "Lars Low"))
    publish(desk, kept, (high.player, 1612.5), (low.player, 1400.0))
    for user in (high, low):
        enter(desk, user)
    browser, page = Browser(), reverse("rankings:event_eligibility", args=[desk.event.key])
    browser.force_login(desk.director)
    assert "Everyone may play." in strip_tags(browser.get(page).content.decode())
    said = {"list": kept.key, "day": DAY.isoformat(), "at_least": "1600", "at_most": "", "first": ""}
    assert browser.post(page, {**said, "at_most": "1500"}).status_code == 422
    assert browser.post(page, said).status_code == 302
    told = strip_tags(browser.get(page).content.decode())
    assert "Required in List 1 of 1 November 2026: a rating of at least 1600.00." in told.replace(
        "1,600", "1600"
    )
    assert told.index("Lars Low") < told.index("Hanna High")
    roster = reverse("tournaments:roster", args=[desk.event.key])
    told = strip_tags(browser.get(roster).content.decode()).replace("1,", "1")
    assert "Rated 1400.00; at least 1600.00 is required." in told
    assert told.count("may not play") == 1
    seen = strip_tags(Browser().get(reverse("tournaments:event", args=[desk.event.key])).content.decode())
    assert "Who may play List 1 Required in List 1" in seen

    admit = reverse("rankings:admit_to_event", args=[desk.event.key])
    browser.post(admit, {"player": low.player.key, "reason": "Took over a place"})
    told = strip_tags(browser.get(page).content.decode())
    assert "Admitted by a director: Took over a place" in told
    assert "may not play" not in strip_tags(browser.get(roster).content.decode())
    browser.post(admit, {"player": low.player.key, "act": "back"})
    assert not Admission.objects.exists()
    # Anyone who may not is notified in the page from which they enter.
    entering.cancel_entry(tournament_id=desk.event.pk, user=low, now=desk.now)
    his = Browser(low)
    answer = his.post(reverse("tournaments:enter", args=[desk.event.key]), follow=True)
    assert "You cannot enter: Rated 1" in strip_tags(answer.content.decode())


@pytest.mark.long
def test_a_division_has_its_own_and_programs_read_and_say_it(desk: Desk, kept: RatingList) -> None:
    high, low = (desk.member(name) for name in ("Hanna High", "Lars Low"))
    publish(desk, kept, (high.player, 1612.5), (low.player, 1400.0))
    day = desk.now.date()
    season = seasons.open_season(
        club=desk.club, by=desk.director, terms=SeasonTerms("League", day, day), now=desk.now
    )
    divisions.set_up_divisions(season=season, terms=[DivisionTerms("Top")], by=desk.director, now=desk.now)
    placings = [Placing(user.player.key, None, 1) for user in (high, low)]
    divisions.place_players(season=season, placings=placings, by=desk.director, now=desk.now)
    director, anyone = APIClient(), APIClient()
    director.force_login(desk.director)
    address = f"/api/v1/seasons/{season.key}/divisions/1/eligibility/"
    assert anyone.get(address).json()["list"] is None
    assert anyone.put(address, {}, format="json").status_code == 401
    said = {"list": kept.key, "day": DAY.isoformat(), "first": 1}
    shown = director.put(address, said, format="json").json()
    assert [(row["name"], row["code"]) for row in shown["players"]] == [
        ("Lars Low", "not_among_first"), ("Hanna High", "eligible")
    ]  # fmt: skip
    assert shown["players"][0]["why"] == "Place 2; only the first 1 may play."
    wrong = director.put(address, {**said, "list": "nothing"}, format="json")
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad_requirement")
    lars = {"player": low.player.key, "reason": "Stays up"}
    shown = director.post(address, lars, format="json").json()
    assert {row["code"] for row in shown["players"]} == {"eligible", "admitted"}
    director.post(address, {**lars, "reason": ""}, format="json")
    assert not Admission.objects.exists()
    assert director.post(address, {**lars, "player": "nobody"}, format="json").status_code == 404
    browser, place = Browser(), [desk.club.slug, season.key, 1]
    browser.force_login(desk.director)
    page = browser.get(reverse("rankings:division_eligibility", args=place)).content.decode()
    assert "Place 2; only the first 1 may play." in strip_tags(page)
    browser.post(reverse("rankings:admit_to_division", args=place), lars)
    assert Admission.objects.get().reason == "Stays up"
    found = selectors.find_requirement(SeasonDivision.objects.get())
    assert found
    assert selectors.export_admissions(low.player)[0]["reason"] == "Stays up"
    event = f"/api/v1/events/{desk.event.key}/eligibility/"
    assert anyone.get(event).json()["players"] == []
    assert director.put(event, said, format="json").json()["words"].endswith(": place 1 or better.")


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(thousandths=st.integers(-20_000, 3_000_000))
@example(1_499_996)
@example(1_499_995)
@example(1_499_994)
@pytest.mark.long
def test_the_reason_says_the_figure_that_was_judged(desk: Desk, kept: RatingList, thousandths: int) -> None:
    DatedList.objects.all().delete()
    player = desk.director.player
    rating = thousandths / 1000
    publish(desk, kept, (player, rating))
    made = require_limits(desk, kept, at_least=1500.0)
    assert made
    verdict = selectors.judge_players(made, [player.pk])[player.pk]
    said = re.search(r"Rated (-?[\d.]+\d)", verdict.why)
    assert verdict.is_eligible == (float(said[1]) >= 1500)
    assert abs(float(said[1]) - rating) < 0.0051
