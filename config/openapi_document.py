"""The OpenAPI document, cached by language and format because generating it is slow."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from drf_spectacular.views import SpectacularAPIView

from config.schema import load_extensions

if TYPE_CHECKING:
    from rest_framework.request import Request

LANGUAGE = OpenApiParameter("lang", str, enum=[code for code, _name in settings.LANGUAGES])


@extend_schema_view(get=extend_schema(parameters=[LANGUAGE], responses=OpenApiTypes.OBJECT))
class OpenApiDocumentView(SpectacularAPIView):
    """The OpenAPI document: all addresses, with examples and every code of a refusal."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        form = request.accepted_renderer
        said = render_document(get_language() or "", form.format)
        tag = f'"{sha256(said).hexdigest()[:16]}"'
        answer = HttpResponse(said, content_type=f"{form.media_type}; charset=utf-8")
        answer["ETag"] = tag
        answer["Content-Disposition"] = f'inline; filename="barpoint.{form.format}"'
        patch_vary_headers(answer, ["Accept", "Accept-Language", "Cookie"])
        # It compares weakly: the tag of a compressed answer is weak.
        return get_conditional_response(request, etag=tag, response=answer) or answer


FORMS: dict[str, Any] = {form.format: form for form in OpenApiDocumentView.renderer_classes}


@lru_cache(maxsize=2 * len(FORMS))
def render_document(language: str, form: str) -> bytes:
    """Render the document. *language* must be the active language; it is the cache key."""
    load_extensions()
    generator: Any = OpenApiDocumentView.generator_class
    document = generator().get_schema(request=None, public=True)
    said = FORMS[form]().render(document)
    return said if isinstance(said, bytes) else str(said).encode()
