"""The OpenAPI document, cached by language and format because generating it is slow, and the API's routes.

The routes are read from the modules that define them. The first that matches an address is taken.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import path
from django.utils.cache import patch_vary_headers
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.views.decorators.http import conditional_page
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from drf_spectacular.views import SpectacularAPIView
from rest_framework import routers
from rest_framework.request import Request
from rest_framework.viewsets import ViewSetMixin

from careers import api as careers_api
from config.query import refuse_unknown_parameters
from config.schema import load_extensions
from fixtures import friendly_api, series_api
from matches.lobby import challenges_api
from matches.play import directing_api, play_api, talk_api
from matches.watch import downloads_api, statistics_api
from money.auction import auction_api
from money.ledger import ledger_api
from opinion.analyses import analysis_api
from opinion.deck import deck_api
from opinion.figures import figure_api
from opinion.positions import position_api
from opinion.practice import lesson_api
from players.accounts import accounts_api
from players.clubs import clubs_api
from players.people import players_api
from rankings.eligibility import eligibility_api
from rankings.lists import dated_api, groups_api, lists_api
from rankings.openings import openings_api
from rankings.seasons import divisions_api, seasons_api
from records.archive import archive_api
from records.sheets import photo_api, table_api
from records.submissions import handing_in_api
from records.transcripts import typed_api, typed_code_api
from tournaments.desk import acts_api, events_api
from tournaments.pages import exports_api
from venue.desk import room_api
from venue.rehearsals import rehearsal_api
from venue.screens import screen_api

LANGUAGE = OpenApiParameter("lang", str, enum=[code for code, _name in settings.LANGUAGES])
routes: list[tuple[str, type[ViewSetMixin], str]] = [
    *clubs_api.routes,
    *players_api.routes,
    *accounts_api.routes,
    *play_api.routes,
    *directing_api.routes,
    *challenges_api.routes,
    *statistics_api.routes,
    *talk_api.routes,
    *acts_api.routes,
    *events_api.routes,
    *friendly_api.routes,
    *series_api.routes,
    *lists_api.routes,
    *seasons_api.routes,
    *archive_api.routes,
]
router = routers.SimpleRouter()


@method_decorator(conditional_page, name="dispatch")
@extend_schema_view(get=extend_schema(parameters=[LANGUAGE], responses=dict))
class OpenApiDocumentView(SpectacularAPIView):
    """The OpenAPI document: all addresses, with examples and every code of a refusal."""

    def _get_schema_response(self, request: Request) -> HttpResponse:
        form = request.accepted_renderer
        document = render_document(get_language() or "", form.format)
        answer = HttpResponse(document, content_type=f"{form.media_type}; charset=utf-8")
        answer["Content-Disposition"] = f'inline; filename="barpoint.{form.format}"'
        patch_vary_headers(answer, ["Accept", "Accept-Language", "Cookie"])
        return answer


FORMS: dict[str, Any] = {form.format: form for form in OpenApiDocumentView.renderer_classes}


@lru_cache(maxsize=2 * len(FORMS))
def render_document(language: str, form: str) -> bytes:
    """Render the document. *language* must be the active language; it is the cache key."""
    load_extensions()
    generator: Any = OpenApiDocumentView.generator_class
    document = generator().get_schema(request=None, public=True)
    rendered = FORMS[form]().render(document)
    return rendered if isinstance(rendered, bytes) else str(rendered).encode()


for prefix, viewset, basename in routes:
    router.register(prefix, viewset, basename=basename)

urlpatterns = [
    # File downloads have no trailing slash.
    *downloads_api.paths,
    *exports_api.paths,
    *careers_api.paths,
    *(*lists_api.paths, *groups_api.paths, *openings_api.paths, *dated_api.paths),
    *(*seasons_api.paths, *divisions_api.paths, *eligibility_api.paths),
    *(*archive_api.paths, *handing_in_api.paths, *table_api.paths, *photo_api.paths),
    *(*typed_api.paths, *typed_code_api.paths),
    *(*ledger_api.paths, *auction_api.paths),
    *(*analysis_api.paths, *figure_api.paths, *position_api.paths, *deck_api.paths, *lesson_api.paths),
    *(*rehearsal_api.paths, *room_api.paths, *screen_api.paths),
    *router.urls,
    path("schema/", OpenApiDocumentView.as_view(), name="schema"),
]
for each in urlpatterns:
    each.callback = refuse_unknown_parameters(each.callback)
