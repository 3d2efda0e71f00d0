"""The options of a format are requested on a page, and described to programs, as the format specifies
them."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator

from draw.formats import FORMATS
from draw.options import Prominence
from tests.clients import signed_in
from tests.tournaments.event_desk import Desk, a_plan
from tests.tournaments.support import url
from tournaments.base.form_fields import disable_fields
from tournaments.models import LONGEST_MATCH, Stage
from tournaments.plan import plan_edits
from tournaments.plan.stage_forms import StageForm
from tournaments.plan.templates import TEMPLATES, StagePlan

pytestmark = pytest.mark.today


def typed(plan: StagePlan, **changes: Any) -> StageForm:
    """Return the form as a browser sends it that was shown this plan."""
    shown = StageForm(plan=plan)
    said: dict[str, Any] = {}
    for name in shown.fields:
        value = shown[name].value()
        if isinstance(value, list) and name == "ties":
            said |= {f"ties_{at}": one for at, one in enumerate(value)}
        elif value is not None and value is not False:
            said[name] = "on" if value is True else value
    form = StageForm(
        {name: value for name, value in (said | changes).items() if value is not None}, plan=plan
    )
    form.is_valid()
    return form


def options_of(form: StageForm) -> dict[str, Any]:
    assert form.is_valid(), form.errors
    return dict(form.stage().options)


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_that_is_shown_and_saved_is_as_it_was(form: str) -> None:
    plan = plan_edits.change_format(StagePlan(format=form), form)
    assert options_of(typed(plan)) == plan.options
    shown = StageForm(plan=plan)
    for name, option in FORMATS[form].options.items():
        assert (name in shown.fields) == (option.asked is not Prominence.NEVER), name
        if name in shown.fields:
            assert shown.fields[name].label == option.label
            assert shown.fields[name].help_text == option.help


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_stages_of_every_template_can_be_saved_for_the_longest_matches(name: str) -> None:
    for stage in TEMPLATES[name].plan(LONGEST_MATCH, TEMPLATES[name].rounds).stages:
        form = typed(stage)
        assert form.is_valid(), form.errors


def test_match_rules_that_the_form_does_not_show_stay() -> None:
    rules = ({"round": -1, "length": 9}, {"bracket": "main", "round": 2, "best_of": 3})
    assert typed(StagePlan(format="swiss", rules=rules)).stage().rules == rules

    final = {"bracket": "main", "round": -1, "length": 9, "cube": False}
    plan = StagePlan(
        format="single-elimination", rules=(final, {"bracket": "main", "round": 2, "best_of": 3})
    )
    assert typed(plan).stage().rules == plan.rules
    assert typed(plan, final=11).stage().rules == ({**final, "length": 11}, plan.rules[1])
    without = {"bracket": "main", "round": -1, "cube": False}
    assert typed(plan, final=None).stage().rules == (without, plan.rules[1])
    only_length = StagePlan(format="single-elimination", rules=({"round": -1, "length": 9},))
    assert typed(only_length, final=None).stage().rules == ()
    added = typed(StagePlan(format="single-elimination"), final=11).stage().rules
    assert added == ({"bracket": "main", "round": -1, "length": 11},)


FULL: dict[str, dict[str, Any]] = {
    "single-elimination": {
        "draw": "rating",
        "seeds": 4,
        "keep_apart": True,
        "third_place": True,
    },
    "double-elimination": {"recharge": False, "no_show_drops": True},
    "swiss": {
        "rounds": 7,
        "method": "monrad",
        "order": "listed",
        "acceleration": "baku",
        "mcmahon": [1500, 1700.5],
        "bye": "random",
        "bye_cap": 2,
        "gifts_bar_bye": False,
        "bye_points": "1/2",
        "clubs": "hard",
        "families": "off",
        "apart_rounds": 2,
        "apart_first": True,
        "ties": ["points", "rating", "lot"],
        "playoff": True,
        "playoff_for": 3,
    },
    "lives": {"lives": 2, "mode": "continuous", "batch_minutes": 15, "gap": 0, "until": 3, "split": True},
    "league": {"times": 2, "at_once": False, "cancel_half": False},
    "groups": {"size": 5, "groups": 3, "distribution": "dealt"},
}


@pytest.mark.parametrize("form", FULL)
def test_whatever_was_said_stays_said(form: str) -> None:
    plan = StagePlan(format=form, options=FULL[form])
    assert options_of(typed(plan)) == FULL[form]


def test_a_match_for_third_place_or_a_new_draw_every_round() -> None:
    plan = StagePlan(format="single-elimination", options={"third_place": True})
    assert [*typed(plan, redraw="on").errors] == ["third_place"]
    assert options_of(typed(plan, redraw="on", third_place=None)) == {"redraw": True}

    # The other settings of an event that was drawn with both can still be saved.
    drawn = StageForm({}, plan=StagePlan(format=plan.format, options={**plan.options, "redraw": True}))
    disable_fields(drawn, drawn.fields)
    assert drawn.is_valid(), drawn.errors


def test_what_the_page_does_not_ask_for_stays() -> None:
    plan = StagePlan(format="consolation", options={"sides": ["second: A-B"], "draw": "rating"})
    assert options_of(typed(plan, draw="")) == {"sides": ["second: A-B"]}


def test_tie_breaks_are_chosen_line_by_line() -> None:
    plan = StagePlan(format="swiss", options={"rounds": 5})
    chosen = options_of(
        typed(plan, ties_0="points", ties_1="buchholz", ties_2="", ties_3="points", ties_4="lot")
    )
    assert chosen == {"rounds": 5, "ties": ["points", "buchholz", "lot"]}
    nothing = {f"ties_{line}": "" for line in range(6)}
    assert options_of(typed(StagePlan(format="swiss", options=chosen), **nothing)) == {"rounds": 5}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"bye_points": "half"}, "This value is not allowed."),
        ({"bye_points": "1e1"}, "This value is not allowed."),
        ({"mcmahon": "1500, good"}, "This value is not allowed."),
        ({"ties_0": "luck"}, "Select a valid choice"),
        ({"method": "luck"}, "Select a valid choice"),
        ({"rounds": None}, "This field is required."),
        ({"bye_cap": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_is_refused_beside_its_field(changes: dict[str, Any], said: str) -> None:
    form = typed(StagePlan(format="swiss", options={"rounds": 5}), **changes)
    (name,) = form.errors
    assert said in str(form.errors[name])


def test_a_draw_that_nobody_chose_is_not_chosen_by_saving_the_page() -> None:
    plan = StagePlan(format="single-elimination")
    assert options_of(typed(plan)) == {}


@pytest.mark.django_db
def test_they_are_kept_with_the_event_and_play_by_them(desk: Desk) -> None:
    window = signed_in(desk.director)
    desk.announce(a_plan("swiss", rounds=3), 6)
    page = window.get(url("arrange", desk.event.key))
    form = page.context["form"]
    said = {name: form[name].value() for name in form.fields} | {
        "stage-1-format": "swiss",
        "stage-1-rounds": "3",
        "stage-1-method": "monrad",
        "stage-1-ties_0": "points",
        "stage-1-ties_1": "rating",
        "stage-1-gifts_bar_bye": "on",
        "stage-1-pairs": "auto",
        "stage-1-deadline_policy": "call",
    }
    answer = window.post(
        url("arrange", desk.event.key), {name: one for name, one in said.items() if one not in (None, False)}
    )
    assert answer.status_code == 302
    stage = Stage.objects.get(tournament=desk.event)
    assert stage.options == {"rounds": 3, "method": "monrad", "ties": ["points", "rating"]}
    shown = window.get(url("arrange", desk.event.key)).content.decode()
    assert '<option value="rating" selected>Rating</option>' in shown


@pytest.mark.long
@pytest.mark.django_db
def test_programs_are_told_what_every_option_may_be() -> None:
    schema = SchemaGenerator().get_schema(public=True)
    told = schema["components"]["schemas"]["StagePlan"]["properties"]["options"]
    assert told["additionalProperties"] is False
    assert told["properties"].keys() == {name for form in FORMATS.values() for name in form.options}
    assert told["properties"]["method"]["enum"] == ["slide", "fold", "monrad", "random"]
    assert told["properties"]["lives"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 1_024,
        "description": "Lives. Formats: lives (usually 3).",
    }
    assert "buchholz" in told["properties"]["ties"]["items"]["enum"]
    # What an option is does not depend on the format.
    for form in FORMATS.values():
        for name, option in form.options.items():
            assert type(option) is type(
                next(one.options[name] for one in FORMATS.values() if name in one.options)
            )


def test_labels_are_said_in_german_where_they_are_known() -> None:
    with translation.override("de"):
        shown = StageForm(plan=StagePlan(format="swiss", options={"rounds": 5}))
        assert shown.fields["rounds"].label == "Runden"
