"""Acts over HTTP: one endpoint for the table of acts, with a preview of each.

The same serializers parse the requests and describe them in the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import permissions, serializers, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import Match
from matches.play import callers, problems
from matches.play.bodies import Reader, refuse_field
from players.access.callers import KEY, IdempotentRequest, get_account
from runtime.http.answers import ABSENT
from runtime.http.strict_fields import StrictFields, make_choice_field
from tournaments.base import act_fields_api, event_lines
from tournaments.base.act_fields import PlanField
from tournaments.desk.acts import ACTS
from tournaments.desk.acts.act import Act, ActCall
from tournaments.models import Draw, Entry, Pairing, Report, Ruling, Tournament
from tournaments.pages import shapes
from tournaments.plan import plan_shapes
from tournaments.play import optimistic_locking, preview


@cache
def build_serializer(act: Act) -> type[serializers.Serializer[Any]]:
    fields_of_act = {
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
    return type(name, (StrictFields,), {"__doc__": describe_act(act), **fields_of_act})


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
    act: Act
    given: Mapping[str, Any]
    expects: Mapping[str, Any]
    is_preview: bool

    def do(self, call: ActCall) -> object:
        """Run the act, if the expected state is unchanged.

        :raises ChangedMeanwhile: the state has changed.
        """
        planned = _convert_plan(call)
        return optimistic_locking.run_if_unchanged(
            lambda: self.act.do(planned),
            tournament_id=call.event.pk,
            about=optimistic_locking.ActTarget(key=self.given.get("key", "")),
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
        refuse_field("act", sentence, "no_act")
    act, parsed = ACTS[word], get_reader(ACTS[word]).read(data)
    if act.one_of and all(parsed[name] is None for name in act.one_of):
        sentence = _("Send this, or %s instead.") % ", ".join(act.one_of[1:])
        refuse_field(act.one_of[0], sentence, "required")
    for field in act.fields:
        other, values = field.only_with
        if other and parsed[field.name] and parsed[other] not in values:
            sentence = _("Not together with %(name)s “%(value)s”.") % {"name": other, "value": parsed[other]}
            refuse_field(field.name, sentence, "not_together")
    del parsed["act"]
    return RequestedAct(act, parsed, parsed.pop("expects"), parsed.pop("preview"))


def _convert_plan(call: ActCall) -> ActCall:
    """Replace the plan in the request, if there is one, by a `Plan` with the event's length and label."""
    if "plan" not in call.given:
        return call
    plan = plan_shapes.build_plan(call.given["plan"], length=call.event.match_length)
    if plan is None:
        raise serializers.ValidationError({"plan": [_("Send a template or stages.")]})
    plan = replace(plan, format_label=call.event.format_label)
    return replace(call, given={**call.given, "plan": plan})


PROBLEMS = problems.build_responses(
    {
        **problems.USUAL,
        403: {
            "not_director": "only a director of the club may do this",
            "not_a_member": "join the club first",
            "read_only_token": "the token is for reading",
        },
        409: {
            "changed_meanwhile": "something is not as you `expects`; `context.now` says how it is. Look again",
            "event_refused": "it cannot be done as things are; the code and the sentence say why",
        },
    }
)


class ActViewSet(viewsets.ViewSet):
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[KEY],
        request=ActRequest,
        responses={200: shapes.ActResultAnswer, **PROBLEMS},
        tags=[shapes.TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Carry out an act, or with `"preview": true` show what it would change.

        `expects` has the state that the caller saw: the opponents, the result, or the event's version. If
        that has changed, nothing is done. An act of a director is recorded as a ruling, with the reason you
        give. The same request under the same Idempotency-Key is carried out once.
        """
        user, once = get_account(request), IdempotentRequest.read(request)
        now = callers.get_arrival_time(request)
        wanted = parse_act(request.data)
        event = get_object_or_404(Tournament.objects.select_related("club"), key=key)
        if not event_lines.is_reachable(event, user):
            raise Http404
        call = ActCall(event, user, now, wanted.given)
        if wanted.is_preview:
            seen = preview.preview_act(event.pk, lambda: wanted.do(call))
            body = shapes.ActResultAnswer.read(event, act=wanted.act.name, subject=None, ripple=seen.ripples)
            return Response(body)
        return once.run_once(now, lambda: (200, _run_act(call, wanted)))


def _run_act(call: ActCall, wanted: RequestedAct) -> shapes.ActResultAnswer:
    found = wanted.do(call)
    # The event that a service returns is up to date.
    version, status = (
        (found.version, found.status)
        if isinstance(found, Tournament)
        else Tournament.objects.values_list("version", "status").get(pk=call.event.pk)
    )
    return shapes.ActResultAnswer(
        act=wanted.act.name,
        version=version,
        status=status,
        subject=_serialize_subject(found, status),
        ripple=ABSENT,
    )


def _serialize_subject(found: object, status: str) -> dict[str, Any] | None:
    """Return the result of a service under the name of its kind, without explanations; or None."""
    match found:
        case Pairing():
            return {"pairing": shapes.serialize_pairing(found)}
        case Entry():
            return {"entry": shapes.serialize_entry(found, status)}
        case Draw():
            return {"draw": shapes.DrawAnswer.read(found, why=ABSENT)}
        case Ruling():
            return {"ruling": shapes.RulingAnswer.read(found)}
        case Report():
            data = {"uid": found.uid, "key": found.pairing.key, "status": found.status, "at": found.at}
            return {"report": data}
        case Match():
            url = reverse("matches:match", args=[found.key])
            return {"match": {"uid": found.uid, "key": found.key, "url": url}}
        case list():
            return {
                "entries": [shapes.serialize_entry(one, status) for one in found if isinstance(one, Entry)]
            }
        case _:
            return None


routes = ((r"events/(?P<key>[0-9a-z]{10})/acts", ActViewSet, "event-act"),)
