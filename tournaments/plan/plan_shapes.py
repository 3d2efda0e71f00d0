"""How an event is to be played, in the API: a template, or stages and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from difflib import get_close_matches
from typing import Any, Final

from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.fields import empty

from draw.formats import FORMATS
from draw.json_objects import BadFile, parse_option
from draw.options import (
    BadOption,
    Choice,
    Choices,
    Decimal,
    Flag,
    Option,
    Ratings,
    Text,
    Texts,
    WholeNumber,
    list_settings,
)
from draw.rules_of_play import USUAL, RulesOfPlay
from matches.play.bodies import PlainText
from players.people.players_api import ApiNameField, ApiProseField
from runtime.http.strict_fields import StrictFields, describe_unknown
from tournaments.base import act_fields_api, formats, local_times, option_fields_api, settings
from tournaments.base.settings import Settings
from tournaments.models import Tournament
from tournaments.models.events import LARGEST_CAPACITY, LONGEST_MATCH, SMALLEST_CAPACITY
from tournaments.models.stages import DeadlinePolicy, PairingMode
from tournaments.plan import announcing_forms, plan_edits, setup
from tournaments.plan.planning import LONGEST_DELAY
from tournaments.plan.setup import Details
from tournaments.plan.templates import TEMPLATES, Plan, StagePlan

MOST_STAGES: Final = 8
LONGEST_STAGE: Final = 40
MOST_RULES: Final = 50
MOST_ROUNDS: Final = 1_024
# 2, 1.5 or 3/2: without an exponent, which could exhaust the memory.
MINUTES: Final = r"\A(\d{1,5}(\.\d{1,4})?|\d{1,5}/[1-9]\d{0,3})\Z"
SIDE_OPTIONS: Final = ("third_place", "consolation", "last_chance", "sides")


Schema = dict[str, Any]


def _build_schema(option: Option[Any]) -> Schema:
    match option:
        case WholeNumber():
            return {"type": "integer", "minimum": option.least, "maximum": option.largest}
        case Flag():
            return {"type": "boolean"}
        case Choice():
            return {"type": "string", "enum": [*option.choices]}
        case Choices():
            return {"type": "array", "items": {"type": "string", "enum": [*option.choices]}}
        case Decimal():
            return {"oneOf": [{"type": "number", "minimum": 0}, {"type": "string", "example": "1/2"}]}
        case Text():
            return {"type": "string"}
        case Texts():
            return {"type": "array", "items": {"type": "string"}}
        case Ratings():
            return {"type": "array", "items": {"type": "number"}}
        case _:
            raise NotImplementedError(option)


def build_properties() -> dict[str, Schema]:
    """Return all options with schema, description, formats and defaults."""
    found: dict[str, Schema] = {}
    known: dict[str, dict[str, Option[Any]]] = {}
    for form, each in FORMATS.items():
        for name, option in each.options.items():
            known.setdefault(name, {})[form] = option
    for name, by_format in known.items():
        option = next(iter(by_format.values()))
        description = f"{option.label}. {option.help}".strip()
        found[name] = _build_schema(option) | {
            "description": f"{description} Formats: {_describe_formats(by_format)}"
        }
    return found


def _describe_formats(by_format: Mapping[str, Option[Any]]) -> str:
    """List the formats that have an option, each with the default there unless it is empty."""
    names_by_label: dict[str, list[str]] = {}
    for form, option in by_format.items():
        usual = "" if option.default in (None, "", ()) else f" (usually {_format_default(option.default)})"
        names_by_label.setdefault(usual, []).append(form)
    return "; ".join(f"{', '.join(forms)}{usual}" for usual, forms in names_by_label.items()) + "."


def _format_default(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


@extend_schema_field({"type": "object", "properties": build_properties(), "additionalProperties": False})
class OptionsField(serializers.DictField):
    """Options by name; what the format does not know, or cannot use, is refused when the plan is tried."""

    def to_internal_value(self, data: Any) -> Any:
        """Refuse objects among the values: no option is one."""
        options = super().to_internal_value(data)
        for name, value in options.items():
            try:
                parse_option(value, name)
            except BadFile as problem:
                raise serializers.ValidationError({name: [str(problem)]}) from problem
        return options


class FormatField(serializers.ChoiceField):
    """A format by its name; the choices are read at each request."""

    def __init__(self, **given: Any) -> None:
        super().__init__(choices=sorted(FORMATS), **given)


def _build_minutes_field() -> Any:
    return serializers.IntegerField(
        min_value=1, max_value=settings.LARGEST_MINUTES, allow_null=True, default=None
    )


class StageTakesShape(StrictFields):
    """The players that a stage takes from an earlier one: from one rank to another, or to the last."""

    stage = PlainText(max_length=LONGEST_STAGE)
    first = serializers.IntegerField(min_value=1, required=False)
    last = serializers.IntegerField(min_value=1, allow_null=True, required=False)
    each_group = serializers.BooleanField(required=False)

    def validate(self, attrs: Any) -> Any:
        """Refuse ranks that no player can have."""
        last = attrs.get("last")
        if last is not None and last < attrs.get("first", 1):
            raise serializers.ValidationError({"last": [_("No rank lies between these.")]}, code="no_ranks")
        return attrs


class RulesOfPlayShape(StrictFields):
    """Rules of play; one left out is as usual, or in the rules of a stage as in the event."""

    def get_fields(self) -> dict[str, Any]:
        return option_fields_api.build_request_fields(list_settings(RulesOfPlay), required=False)

    def validate(self, attrs: Any) -> Any:
        """Refuse rules that contradict each other."""
        try:
            play = RulesOfPlay.from_json(attrs)
        except BadOption as problem:
            raise serializers.ValidationError(str(problem), code="bad_play") from problem
        # In a best of so many games only games count.
        sentence = _("Not together with %(name)s “%(value)s”.") % {"name": "best_of", "value": play.best_of}
        unread = {name: [sentence] for name, value in attrs.items() if getattr(play, name) != value}
        if unread:
            raise serializers.ValidationError(unread, code="not_together")
        return attrs


class MatchRulesShape(StrictFields):
    """Match rules of a bracket from a round on; one left out is as in the event."""

    bracket = PlainText(
        max_length=LONGEST_STAGE, required=False, allow_blank=True, help_text="Its name; blank: any."
    )
    round = serializers.IntegerField(
        min_value=-MOST_ROUNDS, max_value=MOST_ROUNDS, required=False, help_text="-1 is the last round."
    )
    length = serializers.IntegerField(min_value=1, max_value=LONGEST_MATCH, required=False)
    minutes_a_point = serializers.RegexField(
        MINUTES, max_length=10, required=False, help_text="A number, as a text: `2`, `1.5` or `3/2`."
    )
    delay_seconds = serializers.IntegerField(min_value=0, max_value=LONGEST_DELAY, required=False)
    ruleset = PlainText(max_length=LONGEST_STAGE, required=False, allow_blank=True)
    days = serializers.IntegerField(min_value=1, max_value=settings.LARGEST_MINUTES, required=False)
    play = RulesOfPlayShape(required=False)


def _require_brackets(stage: StagePlan, sent: Sequence[Mapping[str, Any]]) -> None:
    """Refuse match rules of a bracket that the stage does not have."""
    try:
        known = formats.get_format(stage).list_brackets(formats.build_options(stage))
    except BadOption:
        return  # refused when the plan is tried
    for at, rules in enumerate(sent):
        if (name := rules.get("bracket")) and name not in known:
            nearest = get_close_matches(name, known, n=1)
            sentence = _("This format has no such bracket. Leave the field blank for all matches.")
            if nearest:
                sentence = _("This format has no such bracket. The nearest is “%(name)s”.") % {
                    "name": nearest[0]
                }
            error = {"bracket": [serializers.ErrorDetail(sentence, code="no_bracket")]}
            raise serializers.ValidationError({"rules": {str(at): error}})


class StagePlanShape(StrictFields):
    """One stage: a format with its options (`docs/pairing.md`), and whom it takes."""

    format = FormatField()
    name = PlainText(max_length=LONGEST_STAGE, default="", allow_blank=True)
    options = OptionsField(default=dict)
    takes = serializers.ListField(child=StageTakesShape(), max_length=MOST_STAGES, default=list)
    rules = serializers.ListField(child=MatchRulesShape(), max_length=MOST_RULES, default=list)
    pairs = serializers.ChoiceField(choices=PairingMode.values, default=PairingMode.AUTO.value)
    round_minutes = _build_minutes_field()
    round_days = _build_minutes_field()
    deadline_policy = serializers.ChoiceField(
        choices=DeadlinePolicy.values, default=DeadlinePolicy.CALL.value
    )

    def validate(self, attrs: Any) -> Any:
        """Refuse time limits that a round cannot have, and side brackets if every round is drawn afresh."""
        problem = plan_edits.find_pace_problem(attrs["format"], attrs["round_minutes"], attrs["round_days"])
        if problem:
            field, sentence = problem
            raise serializers.ValidationError({field: [str(sentence)]}, code="bad_pace")
        options = attrs["options"]
        if options.get("redraw") and any(options.get(name) for name in SIDE_OPTIONS):
            raise serializers.ValidationError(
                {"options": [str(plan_edits.NO_SIDE_BRACKETS)]}, code="no_side_brackets"
            )
        _require_brackets(StagePlan(format=attrs["format"], options=options), attrs["rules"])
        return attrs


class SettingsShape(StrictFields):
    """How an event is entered and played."""

    play = RulesOfPlayShape(required=False)

    def get_fields(self) -> dict[str, Any]:
        return option_fields_api.build_request_fields(settings.list_declared()) | super().get_fields()


class PlanShape(StrictFields):
    """The plan of an event: a template by name, or stages."""

    template = serializers.ChoiceField(choices=[*TEMPLATES], allow_null=True, default=None)
    rounds = serializers.IntegerField(min_value=1, max_value=50, allow_null=True, default=None)
    stages = serializers.ListField(child=StagePlanShape(), max_length=MOST_STAGES, default=list)
    settings = SettingsShape(allow_null=True, default=None)

    def validate(self, attrs: Any) -> Any:
        """Refuse a template together with stages, and what would not be read without the other."""
        template, stages = attrs["template"], attrs["stages"]
        if template and stages:
            raise serializers.ValidationError(_("Send a template or stages, not both."), code="two_plans")
        if not (template or stages) and (attrs["rounds"] or attrs["settings"]):
            raise serializers.ValidationError(_("Send a template or stages."), code="no_plan")
        if attrs["rounds"] and not (template and TEMPLATES[template].rounds):
            raise serializers.ValidationError(describe_unknown(["rounds"], {}))
        return attrs


class AnnouncementShape(StrictFields):
    """What is announced of an event."""

    name = ApiNameField(max_length=80)
    starts_at = serializers.DateTimeField(validators=[local_times.validate_moment])
    place = ApiNameField(max_length=120, default="", allow_blank=True)
    about = ApiProseField(max_length=2000, default="", allow_blank=True)
    format_label = ApiNameField(
        max_length=60,
        default="",
        allow_blank=True,
        help_text="How it is played, in your own words; blank: as the plan says, in every language.",
    )
    match_length = serializers.IntegerField(min_value=1, max_value=LONGEST_MATCH, default=5)
    capacity = serializers.IntegerField(
        min_value=SMALLEST_CAPACITY, max_value=LARGEST_CAPACITY, allow_null=True, default=None
    )


class NewEventShape(AnnouncementShape):
    """A new event: what is announced, and how it is played."""

    club = serializers.CharField(max_length=60, help_text="The club's address.")
    plan = PlanShape(
        allow_null=True,
        default=None,
        help_text="Without one the event is only announced, and its result recorded.",
    )


class AnnouncementChange(AnnouncementShape):
    """A change of what is announced; a field that is left out does not change."""

    expects = act_fields_api.Expects(
        help_text="What you have seen: if it is otherwise by now, nothing is done."
    )

    def get_fields(self) -> dict[str, Any]:
        found: dict[str, Any] = super().get_fields()
        for field in found.values():
            field.default = empty
        return found


def build_plan(data: Mapping[str, Any] | None, *, length: int) -> Plan | None:
    """Return the plan in a request, None without one; *length* is the match length of the event."""
    if data is None or not (data["template"] or data["stages"]):
        return None
    if data["template"]:
        template = TEMPLATES[data["template"]]
        plan = template.plan(length, data["rounds"] or template.rounds)
        # The template's rules of play apply unless the request has others.
        return replace(plan, settings=_build_settings(data["settings"], plan.settings, plan.settings.play))
    stages = tuple(
        StagePlan(**{**stage, "takes": tuple(stage["takes"]), "rules": tuple(stage["rules"])})
        for stage in data["stages"]
    )
    chosen = _build_settings(data["settings"], settings.Settings(), USUAL)
    return Plan(stages=stages, settings=chosen, match_length=length)


def serialize_plan(plan: Plan | None) -> Mapping[str, Any]:
    """Return a plan in the form in which a request sends it; without one there are no stages."""
    if plan is None:
        return PlanShape({"template": None, "rounds": None, "stages": [], "settings": None}).data
    chosen = {name: getattr(plan.settings, name) for name in settings.list_declared()}
    chosen["play"] = plan.settings.play.to_json()
    stages = [asdict(stage) for stage in plan.stages]
    return PlanShape({"template": None, "rounds": None, "stages": stages, "settings": chosen}).data


def _build_settings(data: Mapping[str, Any] | None, usual: Settings, play: RulesOfPlay) -> Settings:
    """Return the settings in a request, with *play* unless it has rules of play; else *usual*."""
    if data is None:
        return usual
    if "play" in data:
        play = RulesOfPlay.from_json(data["play"])
    return settings.Settings(**{**data, "play": play})


def build_details(data: Mapping[str, Any], plan: Plan | None) -> Details:
    details = Details(**{name: data[name] for name in Details.__slots__ if name in data})
    if plan is not None:
        details = replace(details, match_length=plan.settings.play.length(details.match_length))
    return _set_format(details, data)


def build_changed_details(data: Mapping[str, Any], event: Tournament) -> Details:
    """Return the announcement of an event with the changes in a request."""
    changed = {name: data[name] for name in Details.__slots__ if name in data}
    return _set_format(replace(setup.build_details(event), **changed), data, event)


def _set_format(details: Details, data: Mapping[str, Any], event: Tournament | None = None) -> Details:
    """Set the format that a request describes, if it does: answers describe formats in English."""
    if "format_label" not in data:
        return details
    with translation.override("en"):
        return announcing_forms.set_format(details, data["format_label"], event)
