"""Clubs, their members, guests, possible duplicates and webhooks over HTTP and JSON, with their shapes."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from players.access.callers import KEY, SEARCH, IdempotentRequest, get_account, read_body, require_account
from players.access.permissions import get_club
from players.access.requests import get_query
from players.clubs import club_pages as club_rows
from players.clubs import clubs, duplicates, merging, webhooks
from players.clubs import members as member_rows
from players.models import Club, Joining, Player, Role, Webhook
from players.people.likeness import NameDifference
from players.people.players_api import ApiNameField, PlayerSerializer, build_player_field
from runtime.http import http_client
from runtime.http.answer_schema import make_list_serializer
from runtime.http.answers import ABSENT, Answer, about, paginate
from runtime.http.strict_fields import StrictFields, refuse_body
from runtime.rows import ABOUT_UID

MERGE: Final = "players.merge_players"


class ClubSerializer(serializers.ModelSerializer[Club]):
    """A club as everybody may see it."""

    uid = serializers.UUIDField(read_only=True, help_text=ABOUT_UID)
    joining = serializers.ChoiceField(choices=Joining.choices)
    members = serializers.IntegerField(source="how_many", read_only=True, help_text="The number of members.")
    logo = serializers.CharField(
        source="logo_url",
        read_only=True,
        help_text="The path of its picture, a PNG; empty where it has none.",
    )

    class Meta:
        model = Club
        fields = (
            *("uid", "slug", "name", "city", "country", "about", "time_zone", "joining", "logo", "members"),
        )
        read_only_fields = fields


class MemberAnswer(Answer):
    """A member, for directors and members; fields that only directors see may be missing."""

    player: dict[str, Any] = build_player_field()
    role: Role
    joined_at: datetime = about(source=lambda member: timezone.localtime(member.joined_at))
    real_name: str = about("For directors.", source="player.name", optional=True)
    email: str | None = about(
        source="player.user.email",
        optional=True,
        described=serializers.EmailField(
            required=False, allow_null=True, help_text="For directors; null for a guest."
        ),
    )


class DuplicatePersonAnswer(Answer):
    """One of two players who may be the same person, for directors."""

    key: str
    name: str
    is_guest: bool
    matches: int
    events: int
    last_seen: datetime | None = about(source=lambda who: who.last_seen and timezone.localtime(who.last_seen))


class DuplicateAnswer(Answer):
    """Two members who may be one person, with the evidence."""

    kept: DuplicatePersonAnswer = about("Who would stay.")
    dropped: DuplicatePersonAnswer = about("The guest who would be merged into them.")
    percent: int = about("How sure it is.")
    whys: list[NameDifference] = about("In what the names differ.")
    together: int = about("In how many events both were entered.")
    never_together: bool = about("Both have played events, and never the same one.")


class GuestSerializer(StrictFields):
    """A new guest."""

    name = ApiNameField(max_length=80)


class TwoMembersSerializer(StrictFields):
    """Two members who may be one person."""

    kept = serializers.CharField(max_length=10, help_text="The key of the one who stays.")
    dropped = serializers.CharField(max_length=10, help_text="The key of the guest.")


class NewWebhook(StrictFields):
    """The address to call."""

    url = serializers.CharField(max_length=http_client.LONGEST_URL)


class WebhookShape(serializers.ModelSerializer[Webhook]):
    """An address that is called when something changes, and how the last call went."""

    class Meta:
        model = Webhook
        fields = ("key", "url", "created_at", "called_at", "last_error", "failing_since", "stopped_at")


class MadeWebhook(serializers.ModelSerializer[Webhook]):
    """A new webhook with the secret that signs its calls; the secret is shown only here."""

    class Meta:
        model = Webhook
        fields = (*WebhookShape.Meta.fields, "secret")


@extend_schema_view(list=extend_schema(parameters=[SEARCH]))
class ClubViewSet(viewsets.ReadOnlyModelViewSet[Club]):
    """Clubs; everybody can find them."""

    serializer_class = ClubSerializer
    permission_classes = (permissions.AllowAny,)
    lookup_field = "slug"

    def get_queryset(self) -> QuerySet[Club]:
        """Return the clubs whose name or town contains `q`."""
        return club_rows.list_visible_clubs(query=get_query(self.request) if self.action == "list" else "")

    @extend_schema(parameters=[SEARCH], responses=make_list_serializer(MemberAnswer))
    @action(detail=True, permission_classes=[permissions.IsAuthenticated])
    def members(self, request: Request, slug: str) -> Response:
        """List the members, for members of the club; only directors see e-mail addresses."""
        club = self.get_object()
        user = require_account(request, "players.see_members", club)
        details = user.has_perm("players.see_member_emails", club)
        rows = member_rows.list_visible_members(club=club, query=get_query(request), sees_names=details)
        hidden = {} if details else {"real_name": ABSENT, "email": ABSENT}
        return paginate(self, rows, lambda row: MemberAnswer.read(row, **hidden))

    @extend_schema(parameters=[KEY], request=GuestSerializer, responses={201: PlayerSerializer})
    @action(detail=True, methods=["post"], permission_classes=[permissions.IsAuthenticated])
    def guests(self, request: Request, slug: str) -> Response:
        """Add a guest: a player without an account."""
        club = self.get_object()
        user = require_account(request, "players.add_guest", club)
        once, now = IdempotentRequest.read(request), timezone.now()
        data = read_body(GuestSerializer, request)

        def act() -> tuple[int, Any]:
            guest = clubs.add_guest(club=club, name=data["name"], by=user, now=now)
            return status.HTTP_201_CREATED, dict(PlayerSerializer(guest).data)

        return once.run_once(now, act)

    @extend_schema(request=GuestSerializer, responses=PlayerSerializer)
    @action(
        detail=True,
        methods=["patch"],
        url_path=r"guests/(?P<key>[0-9a-z]{10})",
        url_name="guest",
        permission_classes=[permissions.IsAuthenticated],
    )
    def rename_guest(self, request: Request, slug: str, key: str) -> Response:
        """Correct the name of a guest; their matches stay theirs."""
        club = self.get_object()
        user = require_account(request, "players.rename_guest", club)
        guest = member_rows.get_membership(club=club, key=key).player
        data = read_body(GuestSerializer, request)
        name = data["name"]
        guest = clubs.rename_guest(club=club, player=guest, name=name, by=user, now=timezone.now())
        return Response(PlayerSerializer(guest).data)


@extend_schema(request=TwoMembersSerializer, responses={204: None}, tags=["clubs"])
class DuplicateViewSet(viewsets.GenericViewSet[Player]):
    queryset = Player.objects.none()
    permission_classes = (permissions.IsAuthenticated,)

    @extend_schema(responses=DuplicateAnswer)
    def list(self, request: Request, slug: str) -> Response:
        """List pairs of members with nearly the same name, the likeliest first, with what they have played."""
        rows = duplicates.find_duplicates(club=_get_club(request, slug, MERGE))
        return paginate(self, rows, DuplicateAnswer.read)

    @action(detail=False, methods=["post"])
    def merge(self, request: Request, slug: str) -> Response:
        """Merge a guest into another member: matches and results move, and it can be undone on the page."""
        club = _get_club(request, slug, MERGE)
        kept, dropped = _read_two_players(request, club)
        merging.merge_guest(kept=kept, dropped=dropped, by=get_account(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)

    @action(detail=False, methods=["post"], url_path="two-people", url_name="two-people")
    def tell_apart(self, request: Request, slug: str) -> Response:
        """Confirm that two members are two people: they are not listed again."""
        club = _get_club(request, slug, MERGE)
        kept, dropped = _read_two_players(request, club)
        merging.tell_apart(club=club, one=kept, other=dropped, by=get_account(request), now=timezone.now())
        return Response(status=status.HTTP_204_NO_CONTENT)


@extend_schema(tags=["clubs"])
class WebhookViewSet(viewsets.GenericViewSet[Webhook]):
    """The events described in `docs/webhooks.md`."""

    queryset = Webhook.objects.none()
    permission_classes = (permissions.IsAuthenticated,)
    lookup_field = "key"
    pagination_class = None

    @extend_schema(responses=WebhookShape(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """List the webhooks of a club, without their secrets."""
        rows = Webhook.objects.filter(club=_get_club(request, slug, webhooks.PERMISSION)).order_by("pk")
        return Response(WebhookShape(rows, many=True).data)

    @extend_schema(parameters=[KEY], request=NewWebhook, responses={201: MadeWebhook, 200: WebhookShape})
    def create(self, request: Request, slug: str) -> Response:
        """Add an address; the secret that signs its calls is shown only in this response.

        An address that the club has already is answered with 200 and without its secret; if it was stopped, it is
        called again.
        """
        club, user = _get_club(request, slug, webhooks.PERMISSION), get_account(request)
        once, now = IdempotentRequest.read(request), timezone.now()
        data = read_body(NewWebhook, request)

        def act() -> tuple[int, Any]:
            hook, is_new = webhooks.add(club=club, url=data["url"], by=user, now=now)
            if is_new:
                return status.HTTP_201_CREATED, dict(MadeWebhook(hook).data)
            return status.HTTP_200_OK, dict(WebhookShape(hook).data)

        return once.run_once(now, act)

    @extend_schema(responses={204: None})
    @refuse_body
    def destroy(self, request: Request, slug: str, key: str) -> Response:
        """Stop calling this address."""
        club = _get_club(request, slug, webhooks.PERMISSION)
        if not webhooks.remove(club=club, key=key, by=get_account(request)):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_club(request: Request, slug: str, permission: str) -> Club:
    club = get_club(slug)
    require_account(request, permission, club)
    return club


def _read_two_players(request: Request, club: Club) -> tuple[Player, Player]:
    data = read_body(TwoMembersSerializer, request)
    kept, dropped = (
        member_rows.get_membership(club=club, key=data[name]).player for name in ("kept", "dropped")
    )
    return kept, dropped


CLUB: Final = r"clubs/(?P<slug>[-a-zA-Z0-9_]+)"
routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [
    (f"{CLUB}/webhooks", WebhookViewSet, "webhook"),
    (f"{CLUB}/duplicates", DuplicateViewSet, "duplicate"),
    ("clubs", ClubViewSet, "club"),
]
