"""Events over the API, with the permissions of the pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import permissions, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from draw import seeding
from draw.event import EntrantId, Ranked
from matches.models import Match
from matches.play import callers, problems
from matches.play.bodies import refuse_field
from players.access import listeners
from players.access.callers import KEY, IdempotentRequest, KeyLookup, get_account, read_body
from players.keys import new_key
from players.models import Club
from runtime import stream
from runtime.http.answer_schema import JSON_200, make_list_serializer
from runtime.http.answers import paginate
from tournaments.base import event_lines, event_rows
from tournaments.base.errors import NotDirector
from tournaments.desk import acts_api
from tournaments.models import OPEN_REPORTS, Entry, Pairing, Report, Ruling, Stage, Tournament
from tournaments.models.pairings import PairingState
from tournaments.models.rounds import RoundStatus
from tournaments.pages import shapes
from tournaments.pages.reasons import DIRECTORS, Explainer, Explanation, Names
from tournaments.plan import plan_shapes, planning, setup
from tournaments.play import capacity, changes, optimistic_locking
from tournaments.play.backlog import find_waiting_work
from tournaments.status import Status

FILTERS: Final = (
    OpenApiParameter("club", str, description="The club's address."),
    OpenApiParameter("status", str, enum=[status.value for status in Status]),
)
FOR_DIRECTORS: Final = problems.build_responses({403: {"not_director": "this is for directors of the club"}})
STATES: Final = OpenApiParameter("state", str, enum=PairingState.values)
STAGES: Final = OpenApiParameter("stage", int, description="The number of a stage.")
SEATS: Final = ("a__player", "b__player", "round")


@extend_schema(tags=[shapes.TAG])
class EventViewSet(KeyLookup, viewsets.GenericViewSet[Tournament]):
    """Events, the latest first."""

    permission_classes = (permissions.IsAuthenticatedOrReadOnly,)
    queryset = Tournament.objects.none()

    def get_queryset(self) -> QuerySet[Tournament]:
        """Return the events that the caller may see: in lists, or by address."""
        known = event_lines.query_visible if self.action == "list" else event_lines.query_reachable
        events = known(self.request.user).order_by("-starts_at", "-pk")
        if self.action not in {"list", "retrieve"}:
            return events
        is_in = Q(entries__withdrawn_at__isnull=True, entries__waits=False)
        return events.annotate(entered=Count("entries", filter=is_in))

    def directs(self, event: Tournament) -> bool:
        user = self.request.user
        return bool(user.is_authenticated and user.has_perm("tournaments.direct", event.club))

    @extend_schema(parameters=[*FILTERS], responses=make_list_serializer(shapes.EventAnswer))
    def list(self, request: Request) -> Response:
        """List events."""
        events, parameters = event_lines.exclude_friendlies(self.get_queryset()), request.query_params
        if club := parameters.get("club"):
            events = events.filter(club__slug=club)
        if status := parameters.get("status"):
            events = events.filter(status=status)
        return paginate(self, events, shapes.EventAnswer.read)

    @extend_schema(
        parameters=[KEY],
        request=plan_shapes.NewEventShape,
        responses={201: shapes.EventAnswer, **acts_api.PROBLEMS},
    )
    def create(self, request: Request) -> Response:
        """Draft an event at a club you direct; only its directors see it until the act `publish`."""
        user, once = get_account(request), IdempotentRequest.read(request)
        now = callers.get_arrival_time(request)
        data = read_body(plan_shapes.NewEventShape, request)
        club = get_object_or_404(Club, slug=data["club"])
        plan = plan_shapes.build_plan(data["plan"], length=data["match_length"])

        def act() -> tuple[int, Any]:
            details = plan_shapes.build_details(data, plan)
            made = setup.draft(club=club, by=user, key=new_key(), details=details, now=now, plan=plan)
            return 201, shapes.EventAnswer.read(made, entered=0)

        return once.run_once(now, act)

    @extend_schema(
        parameters=[KEY],
        request=plan_shapes.AnnouncementChange,
        responses={200: shapes.EventAnswer, **acts_api.PROBLEMS},
    )
    def partial_update(self, request: Request, key: str) -> Response:
        """Change what is announced of an event that you direct and that is not over; what is left out stays."""
        user, once = get_account(request), IdempotentRequest.read(request)
        now = callers.get_arrival_time(request)
        data = read_body(plan_shapes.AnnouncementChange, request, partial=True)
        found = self.get_object()

        def change() -> Tournament:
            event = changes.lock_for_director(found.pk, user)
            details = plan_shapes.build_changed_details(data, event)
            return setup.edit(tournament_id=event.pk, by=user, details=details, now=now)

        def act() -> tuple[int, Any]:
            about, expects = optimistic_locking.ActTarget(), data.get("expects", {})
            event = optimistic_locking.run_if_unchanged(
                change, tournament_id=found.pk, about=about, expects=expects, by=user
            )
            return 200, shapes.EventAnswer.read(event, entered=capacity.count_entered(event))

        return once.run_once(now, act)

    @extend_schema(responses=shapes.WholeEventAnswer)
    def retrieve(self, request: Request, key: str) -> Response:
        """Everything that was announced of an event, and how to follow it."""
        # The stream position is recorded before the event is read, so that no change is missed.
        position = stream.record_positions(f"event.{key}")
        event = self.get_object()
        token = stream.create_token([position], who=listeners.get_holder(request))
        stages = [*Stage.objects.filter(tournament=event).select_related("draw")]
        is_drawn = any(getattr(each, "draw", None) and each.draw.published_at for each in stages)
        return Response(
            shapes.WholeEventAnswer.read(
                event,
                stages=_serialize_stages(event, stages),
                commitment=seeding.compute_commitment(event.seed) if stages else "",
                seed=event.seed if is_drawn else "",
                work=find_waiting_work(event),
                live={"token": token, "url": f"/live/?t={token}"},
            )
        )

    @extend_schema(responses={JSON_200: plan_shapes.PlanShape, **FOR_DIRECTORS})
    @action(detail=True)
    def plan(self, request: Request, key: str) -> Response:
        """The plan as the act `arrange` takes it, without stages for an event that is only announced; for directors."""
        event = self.get_object()
        if not self.directs(event):
            raise NotDirector
        return Response(plan_shapes.serialize_plan(planning.load_plan(event)))

    @extend_schema(responses=make_list_serializer(shapes.EntryAnswer))
    @action(detail=True)
    def entries(self, request: Request, key: str) -> Response:
        """List the entries, by place where there is one."""
        event = self.get_object()
        places = [F("place").asc(nulls_last=True)] if event.status == Status.FINISHED else []
        rows = Entry.objects.filter(tournament=event, withdrawn_at__isnull=True).select_related("player")
        directs = self.directs(event)
        return paginate(
            self,
            rows.order_by(*places, "waits", "number"),
            lambda row: shapes.serialize_entry(row, event.status, is_for_director=directs),
        )

    @extend_schema(parameters=[STATES, STAGES], responses=make_list_serializer(shapes.PairingAnswer))
    @action(detail=True)
    def pairings(self, request: Request, key: str) -> Response:
        """List the places of the event: what was played, what is to be played, what waits for whom, and why."""
        event, parameters = self.get_object(), request.query_params
        # Not joined, since all matches of a stage share its draw, and most have no board.
        board = Prefetch("match", Match.objects.only("key"))
        rows: Any = Pairing.objects.filter(tournament=event).select_related(*SEATS)
        reports = Prefetch("reports", Report.objects.filter(status__in=OPEN_REPORTS))
        rows = rows.prefetch_related("stage__draw", board, reports)
        directs = self.directs(event)
        if not directs:
            rows = rows.exclude(round__status=RoundStatus.DRAFT)
        if state := parameters.get("state"):
            rows = rows.filter(state=state)
        if stage := parameters.get("stage"):
            known = [*event.stages.values_list("number", flat=True)]
            if int(stage) not in known:
                sentence = _("One of %s.") % ", ".join(map(str, known))
                refuse_field("stage", sentence, "invalid_choice")
            rows = rows.filter(stage__number=int(stage))
        page: Any = self.paginate_queryset(rows.order_by("stage__number", "position", "pk"))
        return self.get_paginated_response(
            _serialize_pairings(page or (), directs=directs, user_id=request.user.pk)
        )

    @extend_schema(responses=make_list_serializer(shapes.RankAnswer))
    @action(detail=True)
    def standings(self, request: Request, key: str) -> Response:
        """The current order, with the figures that decide it and the tie-breaks between level players."""
        event = self.get_object()
        ranking: Any = event_rows.compute_proposal(event_rows.load_rows(event)).ranking
        page = {each.entrant for each in self.paginate_queryset(ranking) or ()}
        return self.get_paginated_response(_serialize_standings(event, ranking, shown=page))

    @extend_schema(responses={JSON_200: make_list_serializer(shapes.RulingAnswer), **FOR_DIRECTORS})
    @action(detail=True)
    def rulings(self, request: Request, key: str) -> Response:
        """List the acts of directors, and of the clock on their behalf, the latest first; for directors."""
        event = self.get_object()
        if not self.directs(event):
            raise NotDirector
        rows = Ruling.objects.filter(tournament=event).select_related("by__player", "helper")
        return paginate(self, rows, shapes.RulingAnswer.read)


def _serialize_pairings(
    rows: Iterable[Pairing], *, directs: bool, user_id: int | None
) -> list[shapes.PairingAnswer]:
    """Serialize pairings that were fetched with their players, open reports, stage and draw.

    Explanations can name only the players of these pairings.
    """
    found = list(rows)
    seated = (entry for row in found for entry in (row.a, row.b) if entry is not None)
    names = {entry.number: event_lines.format_player_name(entry.player) for entry in seated}
    explainer = Explainer(lambda number: names.get(number, ""))
    unsaid = frozenset() if directs else DIRECTORS
    return [
        shapes.serialize_pairing(
            row,
            why=[one for one in explainer.of_row(row) if one.code not in unsaid],
            is_for_director=directs,
            has_reports=directs or _plays(row, user_id),
        )
        for row in found
    ]


def _plays(row: Pairing, user_id: int | None) -> bool:
    sides = (row.a, row.b)
    return user_id is not None and any(side is not None and side.player.user_id == user_id for side in sides)


def _serialize_standings(
    event: Tournament, ranking: Sequence[Ranked], *, shown: Collection[EntrantId]
) -> list[shapes.RankAnswer]:
    """Serialize the places of the entrants in *shown*, with what separates each from the one above."""
    why: dict[str, list[Explanation]] = {}
    for explanation in Explainer(_load_names(event)).of_order(ranking):
        why.setdefault(explanation.about, []).append(explanation)
    return [
        shapes.RankAnswer.read(row, why=why.get(row.entrant, ())) for row in ranking if row.entrant in shown
    ]


def _serialize_stages(event: Tournament, rows: Sequence[Stage]) -> list[shapes.StageAnswer]:
    """Serialize stages; a published draw includes how it was made."""
    explainer, found = Explainer(_load_names(event)), []
    for row in rows:
        drawn, drawn_with = getattr(row, "draw", None), None
        if drawn is not None and drawn.published_at:
            drawn_with = shapes.DrawAnswer.read(drawn, why=explainer.of_draw(row, drawn))
        found.append(shapes.StageAnswer.read(row, draw=drawn_with))
    return found


def _load_names(event: Tournament) -> Names:
    rows = Entry.objects.filter(tournament=event).select_related("player")
    names = {row.number: event_lines.format_player_name(row.player) for row in rows}
    return lambda number: names.get(number, "")


routes = (("events", EventViewSet, "event"),)
