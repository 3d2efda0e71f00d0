"""Downloads of finished matches, verifiable without an account."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from django.http import HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import permissions
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from engine import formats
from matches.models import Match
from matches.play import callers, problems, shapes, visitor_sessions
from matches.state.errors import Refused
from matches.state.status import ENDED
from matches.watch import exports

JSON: Final = "application/json"
TEXT: Final = "text/plain; charset=utf-8"
PROBLEMS: Final = problems.build_responses(
    {404: problems.USUAL[404], 409: {"not-finished": "the match is not over; its files are made when it is"}}
)


class FixedContentNegotiation(BaseContentNegotiation):
    """Content negotiation that ignores Accept: a file has one media type, a refusal is a problem document."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        """Return any parser: the request has no body."""
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return the first renderer, regardless of Accept."""
        first = next(iter(renderers))
        return first, first.media_type


class Download(APIView):
    """One file of a match that is over."""

    authentication_classes = visitor_sessions.AT_THE_BOARD
    permission_classes = (permissions.AllowAny,)
    content_negotiation_class = FixedContentNegotiation
    content_type = JSON
    suffix = ""

    def get_throttles(self) -> list[BaseThrottle]:
        return callers.list_throttles(self.request)

    def answer(self, request: Request, key: str) -> HttpResponse:
        """Return the file as an attachment.

        :raises Refused: the match is not over.
        """
        row = callers.find_match(request, key)
        if row.status not in ENDED:
            raise Refused(_("The match is not over yet."), code="not-finished")
        response = HttpResponse(self.content(row), content_type=self.content_type)
        response["Content-Disposition"] = f'attachment; filename="{row.key}{self.suffix}"'
        return response

    @abstractmethod
    def content(self, row: Match) -> bytes:
        """Return the bytes of the file."""


class MatFile(Download):
    content_type, suffix, name = TEXT, ".mat", "mat"

    @extend_schema(responses={(200, "text/plain"): OpenApiTypes.STR, **PROBLEMS}, tags=[shapes.TAG])
    def get(self, request: Request, key: str) -> HttpResponse:
        """The moves in the format that most programs read (Jellyfish, GNU Backgammon, XG)."""
        return self.answer(request, key)

    def content(self, row: Match) -> bytes:
        return formats.write(exports.build_record(row), self.name)


class SgfFile(MatFile):
    content_type, suffix, name = "application/x-go-sgf", ".sgf", "sgf"

    @extend_schema(responses={(200, "application/x-go-sgf"): OpenApiTypes.STR, **PROBLEMS}, tags=[shapes.TAG])
    def get(self, request: Request, key: str) -> HttpResponse:
        """The moves in GNU Backgammon's own format."""
        return self.answer(request, key)


class RecordFile(MatFile):
    content_type, suffix, name = JSON, ".record.json", "json"

    @extend_schema(responses={200: OpenApiTypes.OBJECT, **PROBLEMS}, tags=[shapes.TAG])
    def get(self, request: Request, key: str) -> HttpResponse:
        """The moves with everything that was ruled, as a `barpoint-record`."""
        return self.answer(request, key)

    def content(self, row: Match) -> bytes:
        """Return the record with a tag for the match's uid, by which other programs recognise the match."""
        told = exports.build_record(row)
        return formats.write(replace(told, tags=(*told.tags, ("Match UID", str(row.uid)))), self.name)


class DiceFile(Download):
    suffix = ".dice.json"

    @extend_schema(responses={200: OpenApiTypes.OBJECT, **PROBLEMS}, tags=[shapes.TAG])
    def get(self, request: Request, key: str) -> HttpResponse:
        """Every promise, share and roll, as a `barpoint-dice` that anybody can verify: `docs/dice.md`."""
        return self.answer(request, key)

    def content(self, row: Match) -> bytes:
        return exports.build_dice_log(row).text().encode()


class JournalFile(Download):
    suffix = ".journal.json"

    @extend_schema(responses={200: OpenApiTypes.OBJECT, **PROBLEMS}, tags=[shapes.TAG])
    def get(self, request: Request, key: str) -> HttpResponse:
        """All lines with their hashes, each over all before it: `docs/journal.md` says how to check them."""
        return self.answer(request, key)

    def content(self, row: Match) -> bytes:
        return json.dumps(exports.build_document(row), ensure_ascii=False, indent=1).encode() + b"\n"


KEY: Final = "matches/<slug:key>"
paths: list[URLPattern] = [
    path(f"{KEY}/record.mat", MatFile.as_view(), name="match-mat"),
    path(f"{KEY}/record.sgf", SgfFile.as_view(), name="match-sgf"),
    path(f"{KEY}/record.json", RecordFile.as_view(), name="match-record"),
    path(f"{KEY}/dice.json", DiceFile.as_view(), name="match-dice"),
    path(f"{KEY}/journal.json", JournalFile.as_view(), name="match-journal-file"),
]
