"""The caller of the API, and the parameters common to its requests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db.models import Model
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import exceptions
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer

from players.models import User
from runtime import idempotency

Found = TypeVar("Found")
SEARCH = OpenApiParameter("q", str, description="Part of the name.")
KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description=(
        "8 to 80 printable ASCII characters, fresh for each new request. The same request under the same key "
        "again changes nothing more and gets the same answer."
    ),
)


class KeyLookup:
    """Mixin of view sets that find an object by its key (`players.keys`)."""

    lookup_field = "key"
    lookup_value_regex = "[0-9a-z]{10}"


def get_account(request: Request) -> User:
    """Return the account of the request, for views that require IsAuthenticated."""
    if not isinstance(request.user, User):
        raise exceptions.NotAuthenticated
    return request.user


def require_account(request: Request, permission: str, of: Model) -> User:
    """Return the account of the request, if it has a permission in the club of an object.

    :raises PermissionDenied: it has not.
    """
    user = get_account(request)
    if not user.has_perm(permission, of):
        raise exceptions.PermissionDenied
    return user


def found_or_404(found: Found | None) -> Found:
    """Return the object; raise Http404 for None."""
    if found is None:
        raise Http404
    return found


def read_body(shape: type[Serializer[Any]], request: Request, *, partial: bool = False) -> dict[str, Any]:
    """Return the values of the request's body, or refuse it with a ValidationError."""
    form = shape(data=request.data, partial=partial)
    form.is_valid(raise_exception=True)
    values: dict[str, Any] = form.validated_data
    return values


def get_idempotency_key(request: Request) -> str:
    """Return the idempotency key of the request.

    :raises ValidationError: it is missing or malformed.
    """
    key = request.headers.get("Idempotency-Key", "")
    if not 8 <= len(key) <= 80 or not key.isascii() or not key.isprintable():
        sentence = _("Send an Idempotency-Key header of 8 to 80 characters, a new one for each request.")
        raise exceptions.ValidationError({"Idempotency-Key": sentence}, code="idempotency_key")
    return key


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request that is carried out at most once: by whom, under which key, and the digest of its body."""

    actor: str
    key: str
    digest: str

    @classmethod
    def read(cls, request: Request) -> IdempotentRequest:
        """Read a request. To be called before `request.data`: once the body is parsed, its bytes are gone.

        :raises ValidationError: the key is missing or malformed.
        """
        digest = idempotency.compute_request_hash(
            method=str(request.method), path=request.path, body=request.body
        )
        return cls(f"user.{get_account(request).pk}", get_idempotency_key(request), digest)

    def run_once(self, now: datetime, act: Callable[[], tuple[int, Any]]) -> Response:
        """Answer with the status and body that *act* returns, or returned when the request came before."""
        status, body = idempotency.run_once(
            actor=self.actor, key=self.key, request_hash=self.digest, now=now, act=act
        )
        return Response(body, status=status)
