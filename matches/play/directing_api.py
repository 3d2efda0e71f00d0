"""The JSON API of rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils import timezone
from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, viewsets
from rest_framework.response import Response

from matches.journal import journal, live
from matches.models import Match
from matches.play import callers, directing, ruling_shapes, shapes
from matches.play import past_rulings as rows
from matches.state.errors import NotAllowed
from matches.state.status import ENDED
from players.access.callers import get_account
from players.models import User
from runtime.http.answer_schema import make_serializer

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request

# Otherwise the schema would declare a list, because the method is called `list`.
RULINGS: Final = forced_singular_serializer(make_serializer(ruling_shapes.RulingsAnswer))  # type: ignore[no-untyped-call]


class RulingViewSet(viewsets.GenericViewSet[Match]):
    """The rulings on a match."""

    queryset = Match.objects.none()
    pagination_class = None

    def get_permissions(self) -> list[BasePermission]:
        """Let everybody read, and accounts write; the service checks who may rule."""
        return [permissions.AllowAny() if self.action == "list" else permissions.IsAuthenticated()]

    @extend_schema(responses=RULINGS, tags=[shapes.TAG])
    def list(self, request: Request, key: str) -> Response:
        """The rulings on a match, each with its author, its time and its reason."""
        row = callers.find_match(request, key)
        is_shown = row.status in ENDED or callers.is_insider(request, row)
        delay = 0 if is_shown else int(row.terms.get("delay", 0))
        until = journal.to_milliseconds(timezone.now()) - delay if delay else None
        may_rule = isinstance(request.user, User) and directing.may_rule(request.user, row)
        made = [ruling_shapes.RuledAnswer.read(each) for each in rows.list_rulings(row, until=until)]
        return Response(ruling_shapes.RulingsAnswer(may_rule=may_rule, rulings=made))

    @extend_schema(
        parameters=[callers.KEY],
        request=ruling_shapes.RulingRequest.shape,
        responses={200: ruling_shapes.RulingResultAnswer, **ruling_shapes.PROBLEMS},
        examples=ruling_shapes.EXAMPLES,
        tags=[shapes.TAG],
    )
    def create(self, request: Request, key: str) -> Response:
        """Make a ruling: it becomes a line of the journal with your key and your reason."""
        user = get_account(request)
        identity = callers.identify_request(request, f"director.{user.pk}")
        given = ruling_shapes.RulingRequest.read(request.data)
        try:
            decision = directing.rule(
                match_id=callers.find_match_id(key),
                user=user,
                ruling=given.ruling,
                reason=given.reason,
                after=given.after,
                now=callers.get_arrival_time(request),
                request=identity,
            )
        except NotAllowed:
            callers.find_match(request, key)  # do not reveal that a private match exists
            raise
        if decision.refusal is not None:
            raise decision.refusal
        frames = [live.build_frame(step.line, step.before, step.after) for step in decision.steps]
        return Response(ruling_shapes.RulingResultAnswer(head=decision.state.head, frames=frames))


routes = ((r"matches/(?P<key>[0-9a-z]{10})/rulings", RulingViewSet, "match-ruling"),)
