"""Acts over HTTP: one endpoint for the table of acts, with a preview of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, viewsets
from rest_framework.response import Response

from matches.models import Match
from matches.play import callers, problems
from players.access.callers import IdempotentRequest, get_account
from runtime.http.answers import ABSENT
from runtime.rows import find_row
from tournaments.base import event_lines
from tournaments.desk import act_requests
from tournaments.desk.acts.act import ActCall
from tournaments.models import Draw, Entry, Pairing, Report, Ruling, Tournament
from tournaments.pages import shapes
from tournaments.play import preview

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tournaments.desk.act_requests import RequestedAct

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


class ActViewSet(viewsets.GenericViewSet[Tournament]):
    """The acts of players and directors."""

    queryset = Tournament.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[callers.KEY],
        request=act_requests.ActRequest,
        responses={200: shapes.ActResultAnswer, **PROBLEMS},
        tags=[shapes.TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Carry out an act, or with `"preview": true` show what it would change.

        `expects` has the state that the caller saw: the opponents, the result, or the event's version. If
        that has changed, nothing is done. An act of a director is recorded as a ruling, with the reason you
        give. The same request under the same Idempotency-Key is carried out once.
        """
        user, once, now = (
            get_account(request),
            IdempotentRequest.read(request),
            callers.get_arrival_time(request),
        )
        wanted = act_requests.parse_act(request.data)
        event = find_row(Tournament.objects.select_related("club").filter(key=key))
        if event is None or not event_lines.is_reachable(event, user):
            raise Http404
        call = ActCall(event, user, now, wanted.given)
        if wanted.is_preview:
            return Response(_preview_act(call, wanted))
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


def _preview_act(call: ActCall, wanted: RequestedAct) -> shapes.ActResultAnswer:
    seen = preview.preview_act(call.event.pk, lambda: wanted.do(call))
    return shapes.ActResultAnswer.read(call.event, act=wanted.act.name, subject=None, ripple=seen.ripples)


def _serialize_subject(found: object, status: str) -> dict[str, Any] | None:
    """Return the result of a service under the name of its kind, without explanations; or None."""
    match found:
        case Pairing():
            return {"pairing": shapes.PairingAnswer.read(found, why=ABSENT)}
        case Entry():
            return {"entry": shapes.serialize_entry(found, status)}
        case Draw():
            return {"draw": shapes.DrawAnswer.read(found, why=ABSENT)}
        case Ruling():
            return {"ruling": shapes.RulingAnswer.read(found)}
        case Report():
            told = {"uid": found.uid, "key": found.pairing.key, "status": found.status, "at": found.at}
            return {"report": told}
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
