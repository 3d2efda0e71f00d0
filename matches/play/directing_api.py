"""The JSON API of rulings."""

from __future__ import annotations

from typing import Final

from drf_spectacular.helpers import forced_singular_serializer
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, viewsets
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from engine.side import BySide
from matches.journal import live
from matches.models import JournalEntry, Match
from matches.play import callers, directing, ruling_shapes, shapes
from matches.state import reasons
from matches.state.errors import NotAllowed
from players.access.callers import KEY, get_account
from players.models import Player, User
from runtime.http.answer_schema import make_serializer

# Otherwise the schema would declare a list, because the method is called `list`.
RULINGS: Final = forced_singular_serializer(make_serializer(ruling_shapes.RulingsAnswer))  # type: ignore[no-untyped-call]


@extend_schema(tags=[shapes.TAG])
class RulingViewSet(viewsets.GenericViewSet[Match]):
    queryset = Match.objects.none()
    pagination_class = None

    def get_permissions(self) -> list[BasePermission]:
        """Let everybody read, and accounts write; the service checks who may rule."""
        return [permissions.AllowAny() if self.action == "list" else permissions.IsAuthenticated()]

    @extend_schema(responses=RULINGS)
    def list(self, request: Request, key: str) -> Response:
        """The rulings on a match, each with its author, its time and its reason."""
        row = callers.find_match(request, key)
        may_rule = isinstance(request.user, User) and directing.may_rule(request.user, row)
        return Response(ruling_shapes.RulingsAnswer(may_rule=may_rule, rulings=list_rulings(row)))

    @extend_schema(
        parameters=[KEY],
        request=ruling_shapes.RulingRequest,
        responses={200: ruling_shapes.RulingResultAnswer, **ruling_shapes.PROBLEMS},
        examples=ruling_shapes.EXAMPLES,
    )
    def create(self, request: Request, key: str) -> Response:
        """Make a ruling: it becomes a line of the journal with your key and your reason."""
        user = get_account(request)
        identity = callers.identify_request(request, f"director.{user.pk}")
        given = ruling_shapes.RULING.read(request.data)
        try:
            decision = directing.rule(
                match_id=callers.find_match_id(key),
                user=user,
                ruling=given["ruling"],
                reason=given["reason"],
                after=given["after"],
                now=callers.get_arrival_time(request),
                request=identity,
            )
        except NotAllowed:
            callers.find_match(request, key)  # do not reveal that a private match exists
            raise
        if decision.refusal is not None:
            raise decision.refusal
        frames = [live.build_frame(step) for step in decision.steps]
        return Response(ruling_shapes.RulingResultAnswer(head=decision.state.head, frames=frames))


def list_rulings(row: Match) -> list[ruling_shapes.RuledAnswer]:
    found = list(JournalEntry.objects.filter(match=row, by="director").order_by("seq"))
    people = {each.key: each.public_name for each in Player.objects.filter(key__in={e.who for e in found})}
    seats = BySide(row.white.public_name, row.black.public_name)
    return [
        ruling_shapes.RuledAnswer(
            seq=entry.seq,
            at=entry.at,
            who=entry.who,
            name=people.get(entry.who, ""),
            fact={name: value for name, value in entry.fact.items() if name != "v"},
            reason=reasons.translate_reason(entry.fact.get("reason", ""), seats),
        )
        for entry in found
    ]


routes = ((r"matches/(?P<key>[0-9a-z]{10})/rulings", RulingViewSet, "match-ruling"),)
