"""The requests of the API's acts: the same serializers parse them and describe them in the schema."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from matches.play.bodies import Reader
from runtime.http.strict_fields import StrictFields, make_choice_field
from tournaments.base import act_fields_api
from tournaments.base.act_fields import PlanField
from tournaments.desk.acts.act_table import ACTS
from tournaments.plan import plan_shapes
from tournaments.play import optimistic_locking

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tournaments.desk.acts.act import Act, ActCall


@cache
def build_serializer(act: Act) -> type[serializers.Serializer[Any]]:
    asked = {
        "act": make_choice_field(act.name),
        **{field.name: act_fields_api.build_api_field(field) for field in act.fields},
        "expects": (act_fields_api.MatchExpects if act.is_of_match else act_fields_api.Expects)(
            default=dict, help_text="What you have seen: if it is otherwise by now, nothing is done."
        ),
        "preview": serializers.BooleanField(
            default=False, help_text="Only say what would change; nothing is done."
        ),
    }
    name = "".join(part.capitalize() for part in act.name.split("-")) + "Act"
    return type(name, (StrictFields,), {"__doc__": describe_act(act), **asked})


def describe_act(act: Act) -> str:
    """Return the act's description in the schema, always in English."""
    with translation.override("en"):
        return f"{act.title}. {act.about}" if act.title else str(act.about)


@act_fields_api.build_api_field.register(PlanField)
def _build_plan_field(_field: PlanField) -> Any:
    return plan_shapes.PlanShape()


@cache
def get_reader(act: Act) -> Reader:
    return Reader(build_serializer(act))


def map_serializers() -> dict[str, Any]:
    return {name: build_serializer(act) for name, act in ACTS.items()}


ActRequest = PolymorphicProxySerializer(
    component_name="EventAct", serializers=map_serializers, resource_type_field_name="act", many=False
)


@dataclass(frozen=True, slots=True)
class RequestedAct:
    """A requested act, with its fields, its expected state, and whether it is only previewed."""

    act: Act
    given: Mapping[str, Any]
    expects: Mapping[str, Any]
    is_preview: bool

    def do(self, call: ActCall) -> object:
        """Run the act, if the expected state is unchanged.

        :raises ChangedMeanwhile: the state has changed.
        """
        planned = _convert_plan(call)
        about = optimistic_locking.ActTarget(key=self.given.get("key", ""))
        return optimistic_locking.run_if_unchanged(
            lambda: self.act.do(planned),
            tournament_id=call.event.pk,
            about=about,
            expects=self.expects,
            by=call.user,
        )


def parse_act(data: object) -> RequestedAct:
    """Parse the act in a request body.

    :raises ValidationError: there is no such act, or a field is invalid.
    """
    word = data.get("act") if isinstance(data, dict) else None
    if not isinstance(word, str) or word not in ACTS:
        sentence = _("One of %s.") % ", ".join(ACTS)
        raise serializers.ValidationError({"act": [serializers.ErrorDetail(sentence, code="no_act")]})
    act, said = ACTS[word], get_reader(ACTS[word]).read(data)
    if act.one_of and all(said[name] is None for name in act.one_of):
        sentence = _("Send this, or %s instead.") % ", ".join(act.one_of[1:])
        raise serializers.ValidationError(
            {act.one_of[0]: [serializers.ErrorDetail(sentence, code="required")]}
        )
    del said["act"]
    return RequestedAct(act, said, said.pop("expects"), said.pop("preview"))


def _convert_plan(call: ActCall) -> ActCall:
    """Replace the plan in the request, if there is one, by a `Plan` with the event's length and label.

    :raises ValidationError: the plan is empty.
    """
    if "plan" not in call.given:
        return call
    plan = plan_shapes.build_plan(call.given["plan"], length=call.event.match_length)
    if plan is None:
        raise serializers.ValidationError({"plan": [_("Send a template or stages.")]})
    plan = replace(plan, format_label=call.event.format_label)
    return replace(call, given={**call.given, "plan": plan})
