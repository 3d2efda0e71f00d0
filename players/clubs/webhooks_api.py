"""A club's webhooks over HTTP, for its directors."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import permissions, serializers, status, viewsets
from rest_framework.request import Request
from rest_framework.response import Response

from players.access.callers import KEY, IdempotentRequest, get_account, read_body, require_account
from players.clubs import webhooks
from players.models import Club, Webhook
from runtime.http import http_client
from runtime.http.strict_fields import StrictFields, refuse_body


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


@extend_schema(tags=["clubs"])
class WebhookViewSet(viewsets.GenericViewSet[Webhook]):
    """The events described in `docs/webhooks.md`."""

    queryset = Webhook.objects.none()
    permission_classes = (permissions.IsAuthenticated,)
    lookup_field = "key"
    pagination_class = None

    def club(self, slug: str) -> Club:
        """Return the club, if the caller is one of its directors."""
        club = get_object_or_404(Club, slug=slug)
        require_account(self.request, webhooks.PERMISSION, club)
        return club

    @extend_schema(responses=WebhookShape(many=True))
    def list(self, request: Request, slug: str) -> Response:
        """List the webhooks of a club, without their secrets."""
        rows = Webhook.objects.filter(club=self.club(slug)).order_by("pk")
        return Response(WebhookShape(rows, many=True).data)

    @extend_schema(parameters=[KEY], request=NewWebhook, responses={201: MadeWebhook, 200: WebhookShape})
    def create(self, request: Request, slug: str) -> Response:
        """Add an address; the secret that signs its calls is shown only in this response.

        An address that the club has already is answered with 200 and without its secret; if it was stopped, it is
        called again.
        """
        club, user = self.club(slug), get_account(request)
        once, now = IdempotentRequest.read(request), timezone.now()
        said = read_body(NewWebhook, request)

        def act() -> tuple[int, Any]:
            hook, is_new = webhooks.add(club=club, url=said["url"], by=user, now=now)
            if is_new:
                return status.HTTP_201_CREATED, dict(MadeWebhook(hook).data)
            return status.HTTP_200_OK, dict(WebhookShape(hook).data)

        return once.run_once(now, act)

    @extend_schema(responses={204: None})
    @refuse_body
    def destroy(self, request: Request, slug: str, key: str) -> Response:
        """Stop calling this address."""
        if not webhooks.remove(club=self.club(slug), key=key, by=get_account(request)):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)


routes: list[tuple[str, type[viewsets.ViewSetMixin], str]] = [
    (r"clubs/(?P<slug>[-a-zA-Z0-9_]+)/webhooks", WebhookViewSet, "webhook")
]
