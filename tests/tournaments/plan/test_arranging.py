"""The format page: formats, stages and whom they take, changed as a director changes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import translation

from players.keys import new_key
from tests.tournaments.desk.test_pages_director import settings_form, url
from tests.tournaments.event_desk import Desk, a_plan
from tournaments.base import formats, labels
from tournaments.models import Stage
from tournaments.plan import drawing, planning, setup
from tournaments.plan.announcing_forms import FORMATS, EventForm
from tournaments.plan.templates import TEMPLATES

pytestmark = [pytest.mark.django_db, pytest.mark.today]


def press(desk: Desk, window: Client, then: str = "", **changes: Any) -> HttpResponse:
    """Save the format page with these changes, by the button of that name."""
    said = settings_form(window, desk.event.key, **changes)
    said = {name: value for name, value in said.items() if value not in (None, False)}
    return window.post(url("arrange", desk.event.key), said | ({"then": then} if then else {}))


@pytest.mark.long
def test_a_director_is_told_that_another_has_changed_the_format(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("swiss", rounds=3), 4)
    address = url("arrange", desk.event.key)
    seen = window.get(address).context["seen"]
    desk.do(setup.edit, details=replace(setup.build_details(desk.fresh()), match_length=9))

    refused = press(desk, window, match_length="7", seen=seen)

    assert refused.status_code == 422
    assert "The event has changed since you looked." in refused.content.decode()
    assert desk.fresh().match_length == 9
    assert refused.context["form"]["match_length"].value() == "7"
    assert f'name="seen" value="{refused.context["seen"]}"' in refused.content.decode()
    press(desk, window, match_length="7", seen=refused.context["seen"])
    assert desk.fresh().match_length == 7


def test_a_director_is_told_that_another_has_changed_the_announcement(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("swiss", rounds=3), 4)
    address = url("edit", desk.event.key)
    page = window.get(address)
    form = page.context["form"]
    said = {name: form[name].value() for name in form.fields} | {"capacity": "8", "name": "Typed"}
    desk.do(setup.edit, details=replace(setup.build_details(desk.fresh()), about="Bring change"))

    refused = window.post(address, said | {"seen": page.context["seen"]})

    assert refused.status_code == 422
    assert "The event has changed since you looked." in refused.content.decode()
    assert desk.fresh().about == "Bring change"
    assert refused.context["form"]["name"].value() == "Typed"
    assert f'name="seen" value="{refused.context["seen"]}"' in refused.content.decode()
    assert window.post(address, said | {"seen": refused.context["seen"]}).status_code == 302
    assert (desk.fresh().name, desk.fresh().about) == ("Typed", "")


def stages(desk: Desk) -> list[Stage]:
    return list(Stage.objects.filter(tournament=desk.event).order_by("number"))


def test_another_format_begins_with_its_own_options(desk: Desk, window: Client) -> None:
    desk.announce(TEMPLATES["weekend"].plan(9, 0), 4)

    press(desk, window, **{"stage-1-format": "swiss", "stage-1-round_minutes": "90"})

    (stage,) = stages(desk)
    assert (stage.format, stage.options, stage.rules, stage.round_minutes) == ("swiss", {"rounds": 5}, [], 90)
    assert desk.fresh().played_as == [{"format": "swiss", "rounds": 5}]


@pytest.mark.long
def test_a_league_has_days_and_no_minutes(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("round-robin"), 4)
    press(desk, window, **{"stage-1-round_minutes": "60"})

    press(desk, window, **{"stage-1-format": "league"})

    (stage,) = stages(desk)
    assert (stage.format, stage.round_minutes) == ("league", None)
    page = window.get(url("arrange", desk.event.key)).content.decode()
    assert "Empty: a week." in page
    assert "Empty: no limit." not in page
    refused = press(desk, window, **{"stage-1-round_minutes": "60"})
    assert refused.status_code == 422
    assert "counted in days, not in minutes" in refused.content.decode()
    assert stages(desk) == [stage]


@pytest.mark.long
def test_a_stage_more_is_played_by_the_best(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("groups", size=3), 6)

    assert press(desk, window, "grow").status_code == 302

    groups, finals = stages(desk)
    assert (groups.name, finals.name, finals.format) == ("Groups", "Finals", "single-elimination")
    assert finals.takes == [{"stage": "Groups", "first": 1, "last": 2, "each_group": True}]
    assert desk.fresh().played_as == [{"format": "groups"}, {"format": "single-elimination"}]
    desk.do(drawing.publish)
    desk.play_out()


@pytest.mark.long
def test_who_is_taken_follows_the_name_and_the_places_typed(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("swiss", rounds=3), 9)
    press(desk, window, "grow")

    press(
        desk,
        window,
        **{
            "stage-1-name": "Saturday",
            "stage-2-name": "Sunday",
            "stage-2-take_last": "8",
            "stage-2-format": "double-elimination",
        },
    )

    saturday, sunday = stages(desk)
    assert (saturday.name, sunday.name, sunday.format) == ("Saturday", "Sunday", "double-elimination")
    assert sunday.takes == [{"stage": "Saturday", "first": 1, "last": 8}]


@pytest.mark.long
def test_the_last_stage_goes_and_the_first_stays(desk: Desk, window: Client) -> None:
    desk.announce(TEMPLATES["groups"].plan(5, 0), 8)

    press(desk, window, "shorten")
    press(desk, window, "shorten")

    (stage,) = stages(desk)
    assert (stage.format, stage.name) == ("groups", "")


@pytest.mark.long
def test_there_are_only_so_many_stages(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("single-elimination"), 16)
    for _ in range(7):
        press(desk, window, "grow")
    assert [stage.name for stage in stages(desk)] == ["Main", "Finals", "Finals 2", "Finals 3", "Finals 4"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stage-2-take_first": "4", "stage-2-take_last": "2"}, "Not before the first of them."),
        ({"stage-2-name": "Groups"}, "every stage needs a name of its own"),
        ({"stage-2-name": ""}, "This field is required."),
    ],
)
def test_what_cannot_be_is_said_and_kept(
    desk: Desk, window: Client, changes: dict[str, str], said: str
) -> None:
    desk.announce(TEMPLATES["groups"].plan(5, 0), 8)
    before = planning.load_plan(desk.event)

    answer = press(desk, window, **changes, match_length="11")

    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert 'value="11"' in answer.content.decode()
    assert planning.load_plan(desk.fresh()) == before


@pytest.mark.long
def test_lives_are_paired_in_batches(desk: Desk, window: Client) -> None:
    desk.announce(TEMPLATES["lives"].plan(3, 0), 8)

    press(desk, window, **{"stage-1-mode": "continuous", "stage-1-batch_minutes": "10"})
    assert stages(desk)[0].options == {"lives": 3, "mode": "continuous", "batch_minutes": 10}

    press(desk, window, **{"stage-1-mode": "rounds", "stage-1-batch_minutes": "10"})
    assert stages(desk)[0].options == {"lives": 3, "batch_minutes": 10}
    assert formats.get_format(stages(desk)[0]).batch_minutes(formats.build_options(stages(desk)[0])) == 0


@pytest.mark.long
def test_words_of_the_directors_own_outlive_the_format(desk: Desk, window: Client) -> None:
    desk.announce(a_plan("swiss", rounds=3), 8, format_label="Monrad, as always")
    press(desk, window, **{"stage-1-format": "lives"})
    assert desk.fresh().format_label == "Monrad, as always"


def test_how_it_is_played_is_read_in_every_language() -> None:
    played_as = [{"format": "swiss", "rounds": 5}, {"format": "progressive-consolation"}]
    assert labels.describe_plan(played_as) == "Swiss, 5 rounds, then Knock-out with consolation"
    assert labels.describe_plan([{"format": "swiss", "rounds": 1}]) == "Swiss, 1 round"
    english = [labels.describe_plan(one) for one in FORMATS]
    assert english[-1] == "Friendly matches"
    with translation.override("de"):
        # Nothing that a director wrote is read as anything else.
        assert labels.describe_format("Knock-out", [{"format": "swiss"}]) == "Knock-out"
        assert labels.describe_format("", [{"format": "swiss"}]) == "Schweizer System"
        assert not {*english} & {labels.describe_plan(one) for one in FORMATS}


@pytest.mark.parametrize("picked", FORMATS, ids=labels.describe_plan)
def test_what_was_picked_in_one_language_is_read_in_another(desk: Desk, picked: list[dict[str, Any]]) -> None:
    with translation.override("de"):
        said = {"format_label": labels.describe_plan(picked), "name": "Night", "match_length": "5"}
        start = {"starts_at": "2027-01-01T19:00", "key": new_key()}
        form = EventForm(said | start, club=desk.club)
        assert form.is_valid(), form.errors
        details = form.details()
    assert (details.format_label, details.played_as) == ("", picked)


def test_a_line_break_in_an_announcement_counts_once_as_on_the_page(desk: Desk) -> None:
    said = {"name": "Night", "match_length": "5", "starts_at": "2027-01-01T19:00", "key": new_key()}
    longest = "x\n" * 999 + "yz"
    for about, is_valid in ((longest, True), (f"{longest}!", False)):
        form = EventForm({**said, "about": about.replace("\n", "\r\n")}, club=desk.club)
        assert form.is_valid() == is_valid, form.errors


@pytest.mark.long
def test_an_event_that_is_played_here_is_called_what_it_is_or_in_its_directors_own_words(
    desk: Desk, window: Client
) -> None:
    desk.announce(a_plan("swiss", rounds=3), 4)

    def called(label: str) -> tuple[str, list[dict[str, Any]]]:
        page = url("edit", desk.event.key)
        form = window.get(page).context["form"]
        said = {name: form[name].value() for name in form.fields} | {"format_label": label}
        assert (
            window.post(page, {name: one for name, one in said.items() if one is not None}).status_code == 302
        )
        event = desk.fresh()
        return event.format_label, event.played_as

    ours = [{"format": "swiss", "rounds": 3}]
    assert (desk.fresh().format_label, desk.fresh().played_as) == ("", ours)
    assert called("Monrad") == ("Monrad", ours)
    assert called("Swiss, 3 rounds") == ("", ours)
    assert called("Round robin") == ("Round robin", ours)
    assert called("") == ("", ours)
