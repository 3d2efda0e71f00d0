"""The recipe of a setting of an event holds: a declaration and a column, and pages, plan, API and document know it."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone, translation

import tournaments
from draw.options import BadOption, Flag, Prominence, SettingDeadline, declare_setting, list_settings
from draw.rules_of_play import DEFAULTS, USUAL, RulesOfPlay
from players.keys import new_key
from runtime.http.answer_schema import make_serializer
from tests.matches.http import Caller
from tests.tournaments.desk.test_pages_director import settings_form
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments.base import rules_in_words, settings
from tournaments.base.errors import AlreadyDrawn, WrongStatus
from tournaments.base.settings import SettingHeading, Settings
from tournaments.models import Tournament
from tournaments.pages.shapes import EventAnswer, PlayedAnswer
from tournaments.plan import planning, setup
from tournaments.plan.plan_shapes import RulesOfPlayShape, SettingsShape
from tournaments.plan.settings_forms import PlayForm, SettingsForm, build_initial_values
from tournaments.play import event_control

pytestmark = [pytest.mark.django_db, pytest.mark.today]

ROOT = Path(tournaments.__file__).parents[1]


# -- the declaration; the column is one of `Tournament` that no setting has: the table of a test has no other


@dataclass(frozen=True, slots=True, kw_only=True)
class ToySettings(Settings):
    waits_for_call: bool = declare_setting(
        Flag(
            "waits_for_call",
            False,
            "Matches wait for a call",
            "Nobody is late before it.",
            heading=SettingHeading.LATENESS,
        ),
        "Call each match.",
        "Are matches called?",
        is_shown=True,
        until=SettingDeadline.END,
    )


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "Settings", ToySettings)


@pytest.mark.long
@pytest.mark.usefixtures("toys")
def test_a_director_finds_it_under_its_heading_and_everybody_reads_it(desk: Desk, window: Client) -> None:
    event = desk.announce(a_plan("swiss", ToySettings(), rounds=3), 4)
    page = window.get(url("arrange", event.key)).content.decode()
    for words in ("Matches wait for a call", "Nobody is late before it."):
        assert words in page
    assert "Matches wait for a call" not in Client().get(url("event", event.key)).content.decode()

    sent = settings_form(window, event.key, waits_for_call="on")
    assert window.post(url("arrange", event.key), sent).status_code == 302

    assert desk.fresh().waits_for_call
    plan = planning.load_plan(desk.fresh())
    assert plan is not None
    folds = {
        fold.title: fold.summary
        for fold in SettingsForm(zone="UTC", initial=build_initial_values(plan)).folds
    }
    assert "Matches wait for a call" in folds["Lateness and no-shows"]
    page = Client().get(url("event", event.key)).content.decode()
    assert "<dt>Matches wait for a call</dt><dd>yes</dd>" in page
    again = setup.clone(tournament_id=event.pk, by=desk.director, key=new_key(), now=timezone.now())
    assert again.waits_for_call


@pytest.mark.long
@pytest.mark.usefixtures("toys")
def test_it_may_change_for_as_long_as_is_declared(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("swiss", ToySettings(lateness=((5, 1),)), rounds=3), 4)
    address = url("arrange", event.key)
    form = window.get(address).context["form"]
    assert {name for name, field in form.fields.items() if not field.disabled} == {"waits_for_call"}

    stale = {"waits_for_call": "on", "confirm_minutes": "7"}
    page = window.post(address, stale)
    assert (page.status_code, str(AlreadyDrawn()) in page.content.decode()) == (422, True)
    assert window.post(address, {"waits_for_call": "on"}).status_code == 302
    event = desk.fresh()
    assert (event.waits_for_call, event.lateness, event.confirm_minutes) == (True, [[5, 1]], None)
    assert len(desk.pairs()) == 2

    plan = planning.load_plan(event)
    assert plan is not None
    for wanted in (plan, replace(plan, match_length=9, settings=ToySettings())):
        with pytest.raises(AlreadyDrawn):
            desk.do(setup.arrange, plan=wanted)
    desk.do(setup.arrange, plan=replace(plan, settings=replace(plan.settings, waits_for_call=False)))
    assert not desk.fresh().waits_for_call
    assert "Change the format" in window.get(url("event", event.key)).content.decode()
    desk.do(event_control.end_event_early, reason="Rain")
    with pytest.raises(WrongStatus):
        desk.do(setup.arrange, plan=plan)


def test_of_an_announcement_only_the_length_is_fixed_by_the_draw(desk: Desk, window: Client) -> None:
    event = desk.start(a_plan("swiss", rounds=3), 4)
    form = window.get(url("edit", event.key)).context["form"]
    assert [name for name, field in form.fields.items() if field.disabled] == ["match_length"]
    said = {name: form[name].value() or "" for name in form.fields} | {"name": "Renamed"}
    assert window.post(url("edit", event.key), said | {"match_length": "11"}).status_code == 422
    del said["match_length"]
    assert window.post(url("edit", event.key), said).status_code == 302
    assert desk.fresh().name == "Renamed"


@pytest.mark.usefixtures("toys")
def test_a_program_sends_it_and_reads_it(desk: Desk) -> None:
    caller = Caller(desk.director)
    told = {"club": desk.club.slug, "name": "Toys", "starts_at": timezone.now().isoformat()}
    stages = [{"format": "swiss", "options": {"rounds": 3}}]

    def body(value: object) -> dict[str, object]:
        return {**told, "plan": {"stages": stages, "settings": {"waits_for_call": value}}}

    refused = caller.post("events/", body("perhaps"), status=400)
    assert "waits_for_call" in str(refused["context"]["fields"])
    made = caller.post("events/", body(True), status=201)
    assert made["waits_for_call"] is True
    assert Tournament.objects.get(key=made["key"]).waits_for_call
    assert caller.get(f"events/{made['key']}/")["waits_for_call"] is True


@pytest.mark.usefixtures("toys")
def test_the_document_of_the_api_describes_it() -> None:
    asked, answered = (
        SettingsShape().fields["waits_for_call"],
        make_serializer(EventAnswer)().fields["waits_for_call"],
    )
    assert (asked.help_text, asked.default, asked.required) == ("Call each match.", False, False)
    assert (answered.help_text, answered.required) == ("Are matches called?", True)


def test_a_value_that_it_cannot_have_is_refused_whoever_says_it() -> None:
    with pytest.raises(BadOption, match="scores_needed: is yes or no"):
        settings.serialize_columns(Settings(scores_needed="no"))  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="lateness: minutes rise"):
        settings.serialize_columns(Settings(lateness=((10, 1), (5, 2))))


def test_what_a_program_said_beyond_what_a_page_offers_can_be_saved_again() -> None:
    form = SettingsForm(zone="UTC", initial={"no_show_minutes": 5000})
    assert form.fields["no_show_minutes"].max_value == 5000  # type: ignore[attr-defined]


def test_each_is_a_field_a_column_and_a_row_of_the_docs() -> None:
    known = settings.list_declared()
    assert [*known, "play"] == [each.name for each in fields(Settings)]
    assert {name: each.option.name for name, each in known.items()} == {name: name for name in known}
    assert known.keys() <= {column.name for column in Tournament._meta.get_fields()}
    text = (ROOT / "docs" / "events.md").read_text("utf-8")
    rows = re.findall(r"^\| (.+) \| `(\w+)` \| (.+) \| (yes|no) \| (.+) \|$", text, re.MULTILINE)
    with translation.override("en"):
        assert rows == [
            (
                each.option.label,
                name,
                "empty"
                if each.option.default in (None, ())
                else rules_in_words.describe_value(each.option, each.option.default, "UTC"),
                "yes" if each.answer_help else "no",
                each.until.value,
            )
            for name, each in known.items()
        ]


def test_each_rule_of_play_is_a_field_for_programs_and_named_in_the_docs() -> None:
    known = list_settings(RulesOfPlay)
    assert {name: each.option.name for name, each in known.items()} == {name: name for name in DEFAULTS}
    assert {name: each.option.default for name, each in known.items()} == DEFAULTS
    assert [*RulesOfPlayShape().fields] == [*make_serializer(PlayedAnswer)().fields] == [*known]
    asked = {name for name, each in known.items() if each.option.asked is not Prominence.NEVER}
    assert asked <= PlayForm(None, play=USUAL).fields.keys()
    text = (ROOT / "docs" / "pairing.md").read_text("utf-8")
    assert ", ".join(f"`{name}`" for name in known) in text


def test_other_files_know_a_setting_only_where_they_act_by_it() -> None:
    """A new setting needs none of these."""
    generic = (
        "base/rules_in_words.py",
        "base/option_fields_api.py",
        "pages/shapes.py",
        "plan/settings_forms.py",
        "plan/plan_views.py",
        "plan/option_forms.py",
        "plan/plan_shapes.py",
        "plan/setup.py",
        "desk/events_api.py",
    )
    for path in generic:
        text = (ROOT / "tournaments" / path).read_text("utf-8")
        assert not [
            name for name in settings.list_declared() if f'"{name}"' in text or f"{name} =" in text
        ], path
    page = (ROOT / "templates" / "tournaments" / "settings.html").read_text("utf-8")
    assert not [name for name in settings.list_declared() if name in page]
