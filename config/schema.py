"""The common errors of the API, added to the OpenAPI document.

A view describes its specific errors. The others follow from its parameters and permissions: 401 if it needs
an account, 404 if it refers to objects, and so on. A test calls each endpoint as a visitor, a member and a
director, and fails for an undescribed error.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from typing import Any, Final

from drf_spectacular import extensions
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction
from rest_framework.serializers import Serializer

from config import problems
from matches.play.problems import Problem
from runtime.http.answer_schema import make_serializer
from runtime.http.answers import Answer

SAFE: Final = {"GET", "HEAD"}
# Serializers of objects to create.
NEW: Final = re.compile("New([A-Z].*)")
MEANINGS: Final = {
    400: {
        "invalid": "a field needs another look; `context.fields` says which and why",
        "not_json": "the body is not JSON",
    },
    401: {
        "not_authenticated": "nobody is signed in",
        "bad_token": "the token is not known, or was revoked",
        "expired_token": "the token has expired",
    },
    403: {
        "permission_denied": "this account or token may not do or see this",
        "read_only_token": "the token is for reading",
        "csrf": "a browser's session sent no CSRF token",
    },
    404: {"not_found": "there is nothing at this address, or nothing that you may see"},
    406: {"not_acceptable": "`Accept` excludes JSON"},
    409: {"conflict": "the request contradicts the present state; `title` says why"},
    413: {"too_large": "the body is larger than this address allows"},
    415: {"unsupported_media_type": "send `application/json`"},
    422: {"idempotency_key_reused": "this Idempotency-Key was used before, for another request"},
    429: {"throttled": "too many requests; wait for as many seconds as `Retry-After` says"},
    503: {
        "unavailable": "the site is being restarted, or its database is away; try again in a moment",
        "disk_full": "there is no room to save anything",
    },
}


EXTENSIONS: Final = (
    extensions.OpenApiAuthenticationExtension,
    extensions.OpenApiFilterExtension,
    extensions.OpenApiSerializerExtension,
    extensions.OpenApiSerializerFieldExtension,
    extensions.OpenApiViewExtension,
)
_LOADING: Final = threading.Lock()


def load_extensions() -> None:
    """Import the classes that drf-spectacular's extensions are for.

    It imports each at first use, which fails if two threads do so at once. It has no public function for that.
    """
    with _LOADING:
        for kind in EXTENSIONS:
            for each in kind._registry:  # noqa: SLF001
                if isinstance(each.target_class, str):
                    each._load_class()  # type: ignore[no-untyped-call]  # noqa: SLF001


class AnswerExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Extension of drf-spectacular by which views use answers in place of serializers."""

    target_class = Answer
    match_subclasses = True

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        """Return the component's name: that of the class without "Answer"."""
        return str(self.target.__name__.removesuffix("Answer"))

    def get_identity(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        """Return the serializer class, which identifies the component."""
        return make_serializer(self.target)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        schema: Any = auto_schema
        return schema._map_serializer(make_serializer(self.target), direction)  # noqa: SLF001 - as extensions do


class EndpointSchema(AutoSchema):
    """The schema of an endpoint, with all its errors."""

    def get_serializer_name(self, serializer: Serializer[Any], direction: Direction) -> str:
        """Return the public name: `Series` of `SeriesShape`, `EventRequest` of `NewEventShape`."""
        name = super().get_serializer_name(serializer, direction).removesuffix("Shape")
        if made := NEW.fullmatch(name):
            return f"{made[1]}Request"
        return name

    def _get_paginator(self) -> Any:
        # A request that changes something answers with whole lists.
        return super()._get_paginator() if self.method in SAFE else None  # type: ignore[no-untyped-call]

    def list_query_parameters(self, method: str) -> dict[str, dict[str, Any]]:
        self.method, self.path = method, ""
        return {each["name"]: each["schema"] for each in self._get_parameters() if each["in"] == "query"}

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*args, **kwargs)
        if operation is None:
            return None
        shape = self.resolve_serializer(Problem(), "response").ref
        for status in _list_error_statuses(self.method, operation):
            described = {
                "description": "\n".join(
                    f"- `{code}`: {meaning}" for code, meaning in MEANINGS[status].items()
                ),
                "content": {problems.MEDIA_TYPE: {"schema": shape}},
            }
            operation["responses"].setdefault(str(status), described)
        operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation


def _list_error_statuses(method: str, operation: dict[str, Any]) -> Iterator[int]:
    taken = operation.get("parameters", [])
    places = {each["in"] for each in taken}
    has_body = "requestBody" in operation
    is_open = {} in operation.get("security", [])
    changes = method not in SAFE
    applies = {
        400: True,
        401: True,
        403: changes or not is_open,
        # A body may refer to clubs, players and events that do not exist.
        404: "path" in places or has_body or any(each["name"] == "page" for each in taken),
        406: True,
        409: changes,
        413: has_body,
        415: has_body,
        422: any(each["name"] == "Idempotency-Key" for each in taken),
        429: True,
        503: True,
    }
    return (status for status, may_be in applies.items() if may_be)
