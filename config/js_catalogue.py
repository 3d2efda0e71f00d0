"""Translations for scripts: Django's `JavaScriptCatalog` at versioned URLs, which browsers cache."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.views.i18n import JavaScriptCatalog

A_YEAR: Final = 31_536_000


@lru_cache(maxsize=len(settings.LANGUAGES))
def build_catalogue_url(language: str) -> str:
    """Return the URL of a language's catalogue, or "" if there is none (scripts then use English)."""
    compiled = settings.SITE_DIR / "locale" / language / "LC_MESSAGES" / "djangojs.mo"
    if not compiled.is_file():
        return ""
    version = hashlib.sha256(compiled.read_bytes()).hexdigest()[:12]
    return reverse("js_catalogue", kwargs={"language": language, "version": version})


class Catalogue(JavaScriptCatalog):
    """The catalogue of the language in the URL. The version in the URL is only for the browser's cache."""

    def get(self, request: HttpRequest, *_args: object, **kwargs: Any) -> HttpResponse:
        if kwargs["language"] not in dict(settings.LANGUAGES):
            raise Http404
        with translation.override(kwargs["language"]):
            response: HttpResponse = super().get(request)
        patch_cache_control(response, public=True, max_age=A_YEAR, immutable=True)
        return response
