"""Acts over HTTP: one endpoint for the table of acts, with a preview of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, viewsets
from rest_framework.response import Response

from matches.play import callers, problems
from runtime import idempotency
from tournaments.base import lines
from tournaments.desk import act_requests
from tournaments.desk.acts.act import Call
from tournaments.models import Tournament
from tournaments.pages import access, answers, shapes
from tournaments.play import preview

if TYPE_CHECKING:
    from rest_framework.request import Request

    from tournaments.desk.act_requests import Wanted

PROBLEMS = problems.answers(
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
    """What players and directors do."""

    queryset = Tournament.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(
        parameters=[callers.KEY],
        request=act_requests.ActRequest,
        responses={200: shapes.ActAnswer, **PROBLEMS},
        tags=[shapes.TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Do something, or with `"preview": true` learn what it would change.

        With `expects` an act says what it answers: who meets whom, what stands, or the event's version. If that is
        otherwise by now nothing is done. An act of a director is written down as a ruling, with the reason you give.
        The same request under the same Idempotency-Key is carried out once.
        """
        # Before request.data: parsing the body discards its bytes.
        digest = idempotency.request_hash(method="POST", path=request.path, body=request.body)
        user, name, now = callers.account(request), callers.idempotency_key(request), callers.moment(request)
        wanted = act_requests.read(request.data)
        event = access.find_any(key)
        if not lines.is_reachable(event, user):
            raise Http404
        call = Call(event, user, now, wanted.given)
        if wanted.is_preview:
            return Response(_preview(call, wanted))
        status, body = idempotency.once(
            actor=f"user.{user.pk}",
            key=name,
            request_hash=digest,
            now=now,
            act=lambda: (200, _done(call, wanted)),
        )
        return Response(body, status=status)


def _done(call: Call, wanted: Wanted) -> dict[str, Any]:
    found = wanted.do(call)
    # The event that a service returns is up to date.
    version, status = (
        (found.version, found.status)
        if isinstance(found, Tournament)
        else Tournament.objects.values_list("version", "status").get(pk=call.event.pk)
    )
    return {
        "act": wanted.act.name,
        "version": version,
        "status": status,
        "about": answers.about(found, status),
    }


def _preview(call: Call, wanted: Wanted) -> dict[str, Any]:
    seen = preview.of(call.event.pk, lambda: wanted.do(call))
    return {
        "act": wanted.act.name,
        "version": call.event.version,
        "status": call.event.status,
        "about": None,
        "ripple": [answers.ripple(one) for one in seen.ripples],
    }


routes = ((r"events/(?P<key>[0-9a-z]{10})/acts", ActViewSet, "event-act"),)
