"""Operations of the API on records: their OpenAPI description, and the body of a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from drf_spectacular.utils import extend_schema
from rest_framework.fields import empty

from matches.play import problems

View = TypeVar("View", bound=Callable[..., Any])
TAG: Final = "records"


def describe(
    name: str,
    answer: Any,
    refusals: Mapping[int, dict[str, str]] | None = None,
    *,
    request: Any = empty,
    status: int = 200,
) -> Callable[[View], View]:
    """Describe a method of a view.

    *answer* is the serializer of its success, or several by status and media type. *refusals* are the meanings
    of its error codes by status.
    """
    answers = answer if isinstance(answer, dict) else {status: answer}
    responses = answers | problems.build_responses(dict(refusals or {}))
    return extend_schema(operation_id=name, request=request, responses=responses, tags=[TAG])
