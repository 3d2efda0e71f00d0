"""Folded away is not hidden: what is said beside each heading is all that is not as usual, in every format."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone, translation
from hypothesis import given, settings
from hypothesis import strategies as st

from draw.formats import FORMATS
from draw.options import (
    Choice,
    Choices,
    Decimal,
    Flag,
    Option,
    OptionHeading,
    Prominence,
    Ratings,
    WholeNumber,
)
from draw.rules_of_play import USUAL, RulesOfPlay
from players.keys import new_key
from tests.clients import signed_in
from tests.tournaments.desk.test_pages_director import settings_form, url
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.plan.test_format_options import typed
from tournaments.base.settings import Settings
from tournaments.models import Tournament
from tournaments.plan.announcing_forms import EventForm
from tournaments.plan.option_forms import Fold
from tournaments.plan.settings_forms import PlayForm, SettingsForm, build_initial_values
from tournaments.plan.stage_forms import StageForm
from tournaments.plan.templates import TEMPLATES, Plan, StagePlan

pytestmark = pytest.mark.today

MOST_AT_ONCE = 3


def values(option: Option[Any]) -> st.SearchStrategy[Any]:
    """What a page can make of an option."""
    match option:
        case Flag():
            return st.booleans()
        case Choice(choices=choices):
            return st.sampled_from(sorted(choices))
        case Choices(choices=choices):
            return st.lists(st.sampled_from(sorted(choices)), min_size=1, max_size=5, unique=True)
        case WholeNumber(least=least, most=most):
            return st.integers(least if option.default else max(1, least), most)
        case Decimal():
            return st.sampled_from(["0", "1", "1/2", "0.75"])
        case Ratings():
            return st.lists(st.integers(1, 2500), min_size=1, max_size=3)
        case _:
            raise NotImplementedError(option)


def map_values(folds: list[Fold]) -> dict[str, str]:
    """What is read while all is folded: label -> value, nothing for what is ticked."""
    parts = [one.partition(": ") for fold in folds for one in fold.summary]
    return {label: value for label, _colon, value in parts}


def understood(option: Option[Any], words: str) -> Any:
    """What a person takes it for who reads only that."""
    match option:
        case Flag():
            return words != "no"
        case Choice(choices=choices):
            return next(name for name, label in choices.items() if label == words)
        case Choices(choices=choices):
            return tuple(
                next(name for name, label in choices.items() if label == part) for part in words.split("; ")
            )
        case WholeNumber():
            return int(words)
        case Ratings():
            return tuple(float(part) for part in words.split(", "))
        case _:
            return words


@pytest.mark.parametrize("form", FORMATS)
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_who_reads_the_headings_knows_all_that_is_folded_away(form: str, data: st.DataObject) -> None:
    known = {name: one for name, one in FORMATS[form].options.items() if one.asked is not Prominence.NEVER}
    some = data.draw(st.sets(st.sampled_from(sorted(known))))
    plan = StagePlan(format=form, options={name: data.draw(values(known[name])) for name in sorted(some)})
    shown = StageForm(plan=plan)
    read = map_values(shown.folds)

    for name, option in known.items():
        if option.asked is Prominence.FIRST:
            assert option.label not in read
            continue
        holds = plan.options.get(name, option.default)
        holds = option.read(tuple(holds) if isinstance(holds, list) else holds) if holds is not None else None
        if option.label in read:
            assert option.read(understood(option, read.pop(option.label))) == holds
        else:
            assert holds == option.default
    assert not read
    # The summary is the same before the form is sent, after it is sent, and when it is shown again.
    sent = typed(plan)
    assert map_values(sent.folds) == map_values(StageForm(plan=sent.stage()).folds) == map_values(shown.folds)


@pytest.mark.parametrize("form", FORMATS)
def test_few_fields_are_seen_at_once_and_each_of_the_others_under_one_plain_heading(form: str) -> None:
    shown = StageForm(plan=StagePlan(format=form))
    at_once = ["format", "match_length", *(one.name for one in shown.first)]
    folded = [one.name for fold in shown.folds for one in fold.fields]
    assert len(at_once) <= MOST_AT_ONCE
    assert sorted([*at_once, *folded]) == sorted([*shown.fields, "match_length"])
    assert all(
        one.heading is not OptionHeading.OTHER for one in FORMATS[form].options.values() if one.name in folded
    )
    assert all(row for fold in shown.folds for row in fold.rows)
    assert [one.name for fold in shown.folds for row in fold.rows for one in row] == folded


@pytest.mark.parametrize("name", TEMPLATES)
def test_of_what_is_usual_nothing_is_said(name: str) -> None:
    plan = TEMPLATES[name].plan(7, 5)
    form = SettingsForm(zone="UTC", initial=build_initial_values(plan))
    assert bool(map_values(form.folds)) == (plan.settings != Settings(play=plan.settings.play))
    assert bool(map_values([PlayForm(None, play=plan.settings.play).fold])) == (plan.settings.play != USUAL)
    assert not map_values(
        SettingsForm(zone="UTC", initial=build_initial_values(Plan(stages=plan.stages))).folds
    )


def test_what_is_counted_in_minutes_is_said_so() -> None:
    chosen = Settings(
        confirm_minutes=1,
        no_show_minutes=20,
        no_show_policy="forfeit",
        lateness=((5, 1), (15, None)),
        scores_needed=False,
        play=RulesOfPlay(best_of=5, clock="fast"),
    )
    plan = Plan(stages=(StagePlan(format="swiss"),), settings=chosen)
    assert map_values(SettingsForm(zone="UTC", initial=build_initial_values(plan)).folds) == {
        "A report becomes final after": "1 minute",
        "Results need a score": "no",
        "Lateness": "After 5 minutes 1 penalty point, after 15 minutes the match.",
        "No-show after": "20 minutes",
        "After a no-show": "A missing player loses; if both are missing, the director is called",
    }
    play = map_values([PlayForm(None, play=chosen.play).fold])
    assert play.pop("Clock")
    assert play == {
        "A match is": "the best of 5 games",
        "Gammons and backgammons": "Neither: every game is single",
        "With the doubling cube": "no",
    }
    with translation.override("de"):
        assert (
            map_values(SettingsForm(zone="UTC", initial=build_initial_values(plan)).folds)[
                "Nicht angetreten nach"
            ]
            == "20 Minuten"
        )


@pytest.mark.long
@pytest.mark.django_db
def test_what_is_wrong_among_folded_fields_is_seen(desk: Desk) -> None:
    window = signed_in(desk.director)
    desk.announce(a_plan("swiss", rounds=3), 4)
    page = window.get(url("arrange", desk.event.key)).content.decode()
    assert '<details class="fold">' in page
    assert '<details class="fold" open>' not in page

    wrong = {"stage-1-bye_points": "half", "no_show_minutes": "0", "stage-1-order": "listed"}
    answer = window.post(url("arrange", desk.event.key), settings_form(window, desk.event.key, **wrong))

    assert answer.status_code == 422
    folds = [*answer.context["stages"][0].folds, *answer.context["form"].folds]
    assert [str(one.title) for one in folds if one.is_open] == ["Byes", "Lateness and no-shows"]
    page = answer.content.decode()
    assert page.count('<details class="fold" open>') == 2
    # Fields that were typed in other folds are summarised, though they are not saved.
    assert "Numbering: As entered" in page


@pytest.mark.django_db
def test_an_announcement_asks_for_little_at_once() -> None:
    owner = Desk(timezone.now().replace(microsecond=0)).club
    played, only = EventForm(club=owner), EventForm(club=owner)
    played.suggest_format("Swiss, 5 rounds")
    for form, most in ((played, MOST_AT_ONCE), (only, MOST_AT_ONCE + 1)):
        folded = [one.name for fold in form.folds for one in fold.fields]
        assert len(form.first) <= most
        assert sorted([*form.first, *folded, "key"]) == sorted(form.fields)
        assert not map_values(form.folds)


@pytest.mark.django_db
def test_an_announcement_says_what_is_folded_away_and_opens_what_is_wrong(desk: Desk) -> None:
    window = signed_in(desk.director)
    address = f"/clubs/{desk.club.slug}/events/new/"
    about = "Bring a board.\n" + "Tea is free. " * 9
    typed = {
        "template": "club-night", "name": "Thursday", "starts_at": "2031-03-06T19:30", "match_length": "5", "rounds": "4",
        "place": "The Old Duke", "capacity": "16", "about": about, "key": new_key(),
    }  # fmt: skip
    folds = {
        "Where": "The Old Duke",
        "Limit": "16",
        "More about it": f"{' '.join(about.split())[:59]}\u2026",
    }

    # After a change of the card, the typed values stay in closed folds with summaries.
    shown = window.post(address, {**typed, "choose": "novices"})
    assert map_values(shown.context["form"].folds) == folds
    assert '<details class="fold" open>' not in shown.text
    assert "Tea is free. Tea is free." in shown.text

    # What is wrong is open; nothing is lost.
    answer = window.post(address, {**typed, "capacity": "1", "publish": "yes"})
    assert answer.status_code == 422
    assert [str(one.title) for one in answer.context["form"].folds if one.is_open] == ["Place and limit"]
    assert answer.text.count('<details class="fold" open>') == 1
    for words in ("The Old Duke", 'value="1"', "Tea is free. Tea is free.", "More about it: Bring a board."):
        assert words in answer.text

    assert window.post(address, {**typed, "publish": "yes"}).status_code == 302
    event = Tournament.objects.get(key=typed["key"])
    assert (event.place, event.capacity, event.about) == ("The Old Duke", 16, about.strip())

    # The folds summarise an announced plan when it is edited, and a limit below the number of entrants is
    # shown.
    page = window.get(url("edit", event.key))
    assert map_values(page.context["form"].folds) == folds
