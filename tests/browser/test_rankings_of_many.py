"""The pages of lists that rate several clubs: groups, lists of the site, who may play, and who is inactive."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from players.models import Player
from rankings.eligibility import eligibility
from rankings.eligibility.eligibility import RequirementTerms
from rankings.lists import groups, lists
from rankings.models import (
    DatedInterval,
    DatedList,
    DatedRating,
    PlayerRating,
    RatingList,
    Reach,
    TitleChances,
)
from tests.browser.eyes import faults
from tests.browser.people import PHONE, PICTURES, account, club_of, overflow, snap, wear
from tests.browser.test_pages import RULES
from tests.rankings.standing_rows import stand
from tests.tournaments.event_desk import Desk, a_plan

pytestmark = pytest.mark.long
WIDE = {"viewport": {"width": 1280, "height": 800}}
# Rating, experience, days since the last match: established, provisional, and away for over a year.
FIGURES = [(1712.4, 400, 3), (1655.1, 250, 40), (1601.7, 900, 500), (1520.0, 20, 10), (1488.3, 300, 480)]


def at_desk(director: str, club: str, now: datetime) -> Desk:
    desk = Desk.__new__(Desk)
    desk.now, desk.director = now, account(director)
    desk.club = club_of(desk.director, name=club)
    return desk


def federation(now: datetime) -> tuple[Desk, Desk, Desk, RatingList]:
    """A federation with a list of its clubs and one of the site; one club is a member, another is invited."""
    lead, member, asked = (
        at_desk(*names, now)
        for names in (
            ("Fay Federation", "Backgammon Federation of the Northern Counties"),
            ("Mel Member", "Harrogate Backgammon Club"),
            ("Ash Asked", "York"),
        )
    )
    said = {"club": lead.club, "by": lead.director, "system": "fibs", "now": now}
    kept = lists.open_list(**said, name="Federation list", reach=Reach.GROUP, dated=DatedInterval.MONTH)  # type: ignore[arg-type]
    lead.director.is_staff = True
    lead.director.save(update_fields=["is_staff"])
    lists.open_list(**said, name="Everybody", reach=Reach.SITE)  # type: ignore[arg-type]
    own = {**said, "club": member.club, "by": member.director}
    lists.open_list(**own, name="Club list")  # type: ignore[arg-type]
    for each in (member, asked):
        groups.invite_club(lead=lead.club, club=each.club, by=lead.director, now=now)
    groups.join_group(lead=lead.club, club=member.club, by=member.director, now=now)
    return lead, member, asked, kept


def published(kept: RatingList, rows: list[PlayerRating], now: datetime) -> DatedList:
    made = DatedList.objects.create(list=kept, day=now.date(), at=now, made_at=now)
    for place, row in enumerate(rows, 1):
        DatedRating.objects.create(
            dated_list=made, player=row.player, place=place, is_provisional=False, rating=row.rating,
            deviation=0, experience=row.experience, matches=row.matches,
        )  # fmt: skip
    return made


def announced(desk: Desk, players: list[Player], kept: RatingList, dated: DatedList) -> None:
    """An event for those with 1600 or more, with four in it: one of them is admitted, one may not play."""
    desk.announce(a_plan("single-elimination"), 0)
    for number, player in enumerate(players, 1):
        desk.event.entries.create(player=player, number=number, entered_at=desk.now)
    terms = RequirementTerms(kept, dated.day, at_least=1600.0)
    eligibility.set_requirement(of=desk.event, terms=terms, by=desk.director, now=desk.now)
    eligibility.admit(
        of=desk.event, player=players[-1], reason="Won the qualifier", by=desk.director, now=desk.now
    )


def test_the_pages_of_lists_of_many_clubs(site: str, another: Callable[..., Page]) -> None:
    now = timezone.now().replace(microsecond=0) - timedelta(hours=1)
    lead, member, asked, kept = federation(now)
    rows = stand(kept, FIGURES, now)
    announced(member, [row.player for row in rows[1:]], kept, published(kept, rows, now))
    event = f"/events/{member.event.key}"
    federal, theirs, third = (f"/clubs/{each.club.slug}/rankings" for each in (lead, member, asked))
    wrong: list[str] = []

    def look(page: Page, name: str) -> None:
        expect(page.locator("h1")).to_have_count(1)
        if wider := overflow(page):
            wrong.append(f"{name}: {wider} px wider than the screen")
        usual = "light" if name.endswith("375") else "dark"
        for theme in ("light", "dark") if PICTURES else (usual,):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            wrong.extend(f"{name} {theme}: {fault}" for fault in faults(page, RULES))
            snap(page, f"{name}-{theme}")

    for size, wide in (("375", PHONE), ("1280", WIDE)):
        fay, mel, ash = another(**wide), another(**wide), another(**wide)
        for page, desk in ((fay, lead), (mel, member), (ash, asked)):
            wear(page, site, desk.director)
        fay.goto(f"{federal}/group/")
        expect(fay.get_by_text("invited, no answer yet")).to_be_visible()
        look(fay, f"group-lead-{size}")
        ash.goto(f"{third}/group/")
        expect(ash.get_by_role("button", name="Join")).to_be_visible()
        look(ash, f"group-asked-{size}")
        mel.goto(f"{theirs}/group/")
        expect(mel.get_by_role("button", name="Leave")).to_be_visible()
        look(mel, f"group-member-{size}")
        mel.goto(f"{theirs}/")
        expect(mel.get_by_text("Also rated in")).to_be_visible()
        look(mel, f"rated-beyond-{size}")
        fay.goto("/rankings/")
        expect(fay.get_by_text("all clubs", exact=True)).to_be_visible()
        look(fay, f"everywhere-{size}")
        fay.goto(f"{federal}/new/")
        look(fay, f"new-list-{size}")
        fay.goto(f"{federal}/?list={kept.key}")
        expect(fay.locator(".badge", has_text="inactive").first).to_be_visible()
        look(fay, f"inactive-{size}")
        mel.goto(f"{event}/eligibility/")
        expect(mel.get_by_text("Admitted by a director: Won the qualifier")).to_be_visible()
        expect(mel.get_by_text("at least 1600.00 is required").first).to_be_visible()
        look(mel, f"eligibility-{size}")
        mel.goto(f"{event}/")
        expect(mel.get_by_role("heading", name="Who may play")).to_be_visible()
        look(mel, f"asked-{size}")
        mel.goto(f"{event}/roster/")
        expect(mel.get_by_role("heading", name="Who may play")).to_be_visible()
        look(mel, f"roster-{size}")
    assert not wrong, "\n".join(wrong)


def test_a_running_event_names_the_list_and_a_club_that_left_is_told(
    site: str, another: Callable[..., Page]
) -> None:
    now = timezone.now().replace(microsecond=0) - timedelta(hours=1)
    lead, member, _, kept = federation(now)
    member.start(a_plan("single-elimination"), 4)
    shares = [[1, 0.52], [2, 0.3], [3, 0.17], [4, 0.01]]
    said = {"list": kept, "shares": shares, "runs": 10_000, "computed_at": now, "asked_at": None}
    TitleChances.objects.update_or_create(event=member.event, defaults=said)
    phone = another(**PHONE)
    wear(phone, site, member.director)
    phone.goto(f"/events/{member.event.key}/")
    expect(phone.get_by_role("link", name=f"Federation list ({lead.club.name})")).to_be_visible()
    assert (overflow(phone), faults(phone, RULES)) == (0, [])
    phone.get_by_role("heading", name="Chances to win").scroll_into_view_if_needed()
    snap(phone, "title-chances-of-the-federation")

    member.announce(a_plan("single-elimination"), 4)
    terms = RequirementTerms(kept, now.date(), first=16)
    eligibility.set_requirement(of=member.event, terms=terms, by=member.director, now=now)
    phone.goto(f"/clubs/{member.club.slug}/rankings/group/")
    phone.once("dialog", lambda dialog: dialog.accept())
    phone.get_by_role("button", name="Leave").click()
    expect(phone.get_by_role("button", name="Leave")).to_have_count(0)
    phone.goto(f"/events/{member.event.key}/eligibility/")
    expect(phone.get_by_text("no longer rates this club")).to_be_visible()
    assert (overflow(phone), faults(phone, RULES)) == (0, [])
    snap(phone, "eligibility-after-leaving")
