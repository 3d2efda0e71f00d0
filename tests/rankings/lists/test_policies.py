"""The policy of a list and its versions: rated rules of play, and inactive players."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse

from draw.rules_of_play import RulesOfPlay
from rankings.errors import BadPolicy
from rankings.ledger import rated_matches
from rankings.lists import lists
from rankings.lists.lists import Terms
from rankings.models import LedgerEntry
from tests.deliveries import deliver
from tests.rankings.rating_lists import open_list
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import Browser


@pytest.mark.parametrize(
    ("play", "usual"),
    [
        (RulesOfPlay(), True),
        (RulesOfPlay(pips=False), True),
        (RulesOfPlay(cube=False), False),
        (RulesOfPlay(crawford=False), False),
        (RulesOfPlay(best_of=3), False),
        (RulesOfPlay(backgammons=False), False),
    ],
)
def test_the_usual_rules_are_told_from_others(play: RulesOfPlay, usual: bool) -> None:
    assert rated_matches.has_usual_rules({"play": play.to_json()} if play.to_json() else {}) is usual


@pytest.mark.long
def test_matches_by_other_rules_count_where_the_policy_says_so(desk: Desk) -> None:
    strict, loose = open_list(desk, terms=Terms(rules="usual")), open_list(desk)
    desk.start(a_plan("round-robin"), 3)
    desk.event.pairings.filter(position=0).update(rules={"play": {"cube": False}})
    desk.event.pairings.exclude(rules__play__cube=False).update(rules={"play": {"pips": False}})
    odd = desk.event.pairings.filter(rules__play__cube=False).count()
    desk.play_out()
    deliver(desk.now)
    counts = [LedgerEntry.objects.filter(list=each, is_a=True).count() for each in (strict, loose)]
    assert (counts[1] - counts[0], counts[1]) == (odd, 3)


def test_each_version_stays_and_the_page_explains_it(desk: Desk) -> None:
    kept = open_list(desk)
    browser, page = Browser(), reverse("rankings:amend", args=[desk.club.slug, kept.key])
    browser.force_login(desk.director)
    said = {
        "shortest": 3, "longest": 11, "played": "any", "rules": "usual", "provisional_under": 50,
        "inactive_after": 6, "from_at": "", "seen": 1,
    }  # fmt: skip
    assert browser.post(page, {**said, "inactive_after": 121}).status_code == 422
    assert browser.post(page, {**said, "rules": "odd"}).status_code == 422
    assert browser.post(page, said).status_code == 302
    versions = list(kept.policies.order_by("number").values_list("rules", "inactive_after"))
    assert versions == [("any", 12), ("usual", 6)]
    told = Browser().get(reverse("rankings:club", args=[desk.club.slug])).content.decode()
    assert "after 6 months without a rated match" in told
    assert "after 12 months without a rated match" in told
    assert "Only the usual rules" in told


def test_a_director_is_told_that_another_has_made_a_version(desk: Desk) -> None:
    kept = open_list(desk)
    browser, page = Browser(), reverse("rankings:amend", args=[desk.club.slug, kept.key])
    browser.force_login(desk.director)
    form = browser.get(page).context["form"]
    typed = {name: form[name].value() or "" for name in form.fields} | {"longest": 9}
    desk.now += timedelta(hours=1)
    lists.amend(
        rating_list=kept, terms=Terms(rules="usual"), from_at=desk.now, by=desk.director, now=desk.now
    )

    refused = browser.post(page, typed)

    assert (refused.status_code, kept.policies.count()) == (422, 2)
    shown = refused.content.decode()
    assert "The policy has a newer version since you opened this form." in shown
    assert "Only the usual rules" in shown.partition("The latest version")[2].partition("<form")[0]
    again = refused.context["form"]
    assert int(again["longest"].value()) == 9
    assert browser.post(page, {**typed, "seen": again["seen"].value()}).status_code == 302
    assert (lists.get_last_terms(kept).longest, kept.policies.count()) == (9, 3)


@pytest.mark.parametrize("wrong", [{"rules": "odd"}, {"inactive_after": -1}, {"inactive_after": 121}])
def test_a_policy_that_cannot_be_is_refused(desk: Desk, wrong: dict[str, object]) -> None:
    kept = open_list(desk)
    with pytest.raises(BadPolicy):
        lists.amend(
            rating_list=kept,
            terms=Terms(**wrong),  # type: ignore[arg-type]
            from_at=desk.now + timedelta(hours=1),
            by=desk.director,
            now=desk.now,
        )
    assert kept.policies.count() == 1
