"""Query parameters of the API: only those that a view declares for the OpenAPI document are accepted."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, Final

from django.http import HttpRequest, QueryDict
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.generators import SchemaGenerator
from rest_framework import serializers

from config import problems
from config.schema import load_extensions
from runtime.http.strict_fields import StrictFields, build_repeated_error

BOOLEANS: Final = ("true", "false", "1", "0")


def refuse_unknown_parameters(view: Any) -> Callable[..., HttpResponseBase]:
    """Reject queries with unknown or repeated parameters, or with undeclared values."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        method = "GET" if request.method == "HEAD" else str(request.method)
        if request.GET and has_method(view, method) and (errors := _find_errors(request.GET, view, method)):
            return problems.build_response_of_body(problems.build_fields_body(errors))
        response: HttpResponseBase = view(request, *args, **kwargs)
        return response

    return answer


def has_method(view: Any, method: str) -> bool:
    """True if the view supports *method*; OPTIONS is disabled."""
    name = method.lower()
    if actions := getattr(view, "actions", None):
        return name in actions
    return method != "OPTIONS" and name in view.cls.http_method_names and hasattr(view.cls, name)


@cache
def load_parameters(view: Any, method: str) -> dict[str, dict[str, Any]]:
    # The view's schema may be shared by threads and lives only as long as the generator, so use a new
    # instance.
    load_extensions()
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]
    made = generator.create_view(view, method)  # type: ignore[no-untyped-call]
    schema = made.schema.__class__()
    schema.view = made
    return dict(schema.list_query_parameters(method))


def _find_errors(query: QueryDict, view: Any, method: str) -> dict[str, Any]:
    """Return the errors of a query. A blank value counts as not sent; the view itself requires parameters."""
    parameters = load_parameters(view, method)
    sent = {name: value for name, value in query.items() if value or name not in parameters}
    form = StrictFields(data=sent, partial=True)
    for name in parameters:
        form.fields[name] = _make_field(parameters[name])
    form.is_valid()
    errors = {name: [build_repeated_error()] for name, values in query.lists() if len(values) > 1}
    errors_of_fields: Any = serializers.ValidationError({**errors, **form.errors}).get_full_details()
    return dict(errors_of_fields)


def _make_field(shape: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    if words := shape.get("enum", BOOLEANS if shape["type"] == "boolean" else ()):
        sentence = _("One of %s.") % ", ".join(map(str, words))
        return serializers.ChoiceField(words, error_messages={"invalid_choice": sentence})
    if shape["type"] == "integer":
        # Unlike REST framework's integer, this accepts only what the view's int() can read.
        sentence = str(serializers.IntegerField.default_error_messages["invalid"])
        return serializers.RegexField(
            r"\A[0-9]{1,9}\Z", trim_whitespace=False, error_messages={"invalid": sentence}
        )
    return serializers.CharField(allow_blank=True)
